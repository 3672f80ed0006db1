import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { prepare } from '../../common/statements.ts'

/** The transfers of earlier versions say only by themselves where they were laid. */
export const laidPackageTable = `
  create table laidPackage (transfer text not null, reception text not null, archive text not null,
    mountPoint text not null, primary key (transfer, reception)) strict, without rowid;
  create index laidPackage_of on laidPackage (archive);
  insert into laidPackage
    select id, body ->> '$.reception', archive, '' from job
    where kind = 'transfer' and state <> 'preserved' and json_valid(body)
      and body ->> '$.reception' is not null;`

/** A reception in which something of a transfer may lie. */
export interface LaidPackage {
  reception: string
  /** The mount point that it lay below then; empty where that is not known. */
  mountPoint: string
}

export type LaidPackages = ReturnType<typeof openLaidPackages>

/** An archive has one at a time. */
const mostReceptions = 100
/** So many are looked after at once. */
const mostTransfers = 1_000

/** What tells a desk from every other, also from one that has a copy of its data. */
const deskOf = (database: DatabaseSync): string =>
  createHash('sha256')
    .update(`${hostname()}\n${database.location() ?? randomUUID()}`)
    .digest('hex')
    .slice(0, 12)

/**
 * Where packages were laid for archives, noted before anything lies there and until it was seen to be gone:
 * the drive may be away by then.
 */
export const openLaidPackages = (database: DatabaseSync) => ({
  desk: deskOf(database),
  of: (transfer: string): LaidPackage[] =>
    prepare<LaidPackage>(
      database,
      `select reception, mountPoint from laidPackage where transfer = ? order by reception
         limit ${mostReceptions}`,
    ).all(transfer),
  /** What is noted of a transfer in one reception; undefined where nothing is. */
  inReception: (transfer: string, reception: string): LaidPackage | undefined =>
    prepare<LaidPackage>(
      database,
      'select reception, mountPoint from laidPackage where transfer = ? and reception = ?',
    ).get(transfer, reception),
  /** The transfers of an archive of which something may lie somewhere. */
  transfers: (archive: string): string[] =>
    prepare<{ transfer: string }>(
      database,
      `select distinct transfer from laidPackage where archive = ? order by transfer limit ${mostTransfers}`,
    )
      .all(archive)
      .map(({ transfer }) => transfer),
  note: ({ id, archive }: { id: string; archive: string }, { reception, mountPoint }: LaidPackage) =>
    void database
      .prepare(
        `insert into laidPackage (transfer, reception, archive, mountPoint) values (?, ?, ?, ?)
            on conflict (transfer, reception) do update set mountPoint = excluded.mountPoint`,
      )
      .run(id, reception, archive, mountPoint),
  forget: (transfer: string, reception: string) =>
    void database
      .prepare('delete from laidPackage where transfer = ? and reception = ?')
      .run(transfer, reception),
})
