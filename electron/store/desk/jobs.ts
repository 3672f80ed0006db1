import type { DatabaseSync } from 'node:sqlite'
import type { BatchSummary } from '../../contract/batch.ts'
import type { KeptBatch, KeptCreation, KeptTransfer } from './desk-store.ts'
import {
  isReadable,
  lineOfCreation,
  lineOfDissemination,
  lineOfTransfer,
  rowOfBatch,
  rowOfCreation,
  rowOfTask,
  rowOfTransfer,
  toBatch,
  toCreation,
  toTask,
  toTransfer,
  type TaskKind,
  type Tasks,
} from './job-rows.ts'
import { listedTransfer, openJobLists } from './job-lists.ts'
import { openTable, type Row, type Table } from './job-table.ts'
import type { Journal } from './journal.ts'
import { transaction } from '../../common/transaction.ts'
import { prepare } from '../../common/statements.ts'

const openCreationRows = (database: DatabaseSync, { one, oneOrRemoved, many, write, remove }: Table) => {
  const keepCreation = (creation: KeptCreation): KeptCreation =>
    toCreation(write(rowOfCreation(creation), lineOfCreation(creation)))
  return {
    creation: (id: string): KeptCreation | undefined => {
      const row = one(id)
      return row?.kind === 'creation' ? toCreation(row) : undefined
    },
    /** The same, also of one that was taken off the list: what refers to it still needs its title and id. */
    creationOrRemoved: (id: string): KeptCreation | undefined => {
      const row = oneOrRemoved(id)
      return row?.kind === 'creation' ? toCreation(row) : undefined
    },
    keepCreation,
    /**
     * Compares and sets in one step: gives the creation as it is on disk now, and keeps what comes of it.
     * @returns what was kept; undefined where it is gone or deleted, or nothing came of it
     */
    changeCreation: (id: string, change: (creation: KeptCreation) => KeptCreation | undefined) =>
      transaction(database, (): KeptCreation | undefined => {
        const [row] = many(`id = ? and kind = 'creation' and removed is null`, id)
        const next = row && change(toCreation(row))
        return next && keepCreation(next)
      }),
    removeCreation: remove,
    /** Changes places with the one before or after it. */
    moveCreation: (id: string, by: -1 | 1) =>
      transaction(database, () => {
        const moved = prepare<{ archive: string; place: number }>(
          database,
          'select archive, place from job where id = ?',
        ).get(id)
        if (!moved) return
        const neighbour = prepare<{ id: string; place: number }>(
          database,
          `select id, place from job where archive = ? and kind = 'creation' and removed is null
             and place ${by < 0 ? '<' : '>'} ? order by place ${by < 0 ? 'desc' : 'asc'} limit 1`,
        ).get(moved.archive, moved.place)
        if (!neighbour) return
        const set = database.prepare('update job set place = ? where id = ?')
        set.run(neighbour.place, id)
        set.run(moved.place, neighbour.id)
      }),
  }
}

/** Where packages were brought. */
const openIngestFolders = (database: DatabaseSync) => ({
  /**
   * The folders that packages were brought to: of thousands of transfers few differ, so they are not read one
   * by one.
   */
  ingestFolders: (archive: string): string[] =>
    database
      .prepare(
        `select distinct body ->> '$.ingestFolder' as folder from job
         where ${listedTransfer} and json_valid(body) and body ->> '$.ingestFolder' is not null`,
      )
      .all(archive)
      .map(({ folder }) => String(folder)),
  /** The mount point that a folder lay below when a package was brought there last. */
  mountPointOf: (archive: string, folder: string): string | null => {
    const found = database
      .prepare(
        `select body ->> '$.mountPoint' as mountPoint from job
         where ${listedTransfer} and json_valid(body) and body ->> '$.ingestFolder' = ?2
           and body ->> '$.mountPoint' is not null
         order by body ->> '$.changed' desc limit 1`,
      )
      .get(archive, folder)
    return found === undefined ? null : String(found['mountPoint'])
  },
})

const openTransferRows = (
  database: DatabaseSync,
  journal: Journal,
  { one, oneOrRemoved, many, write, remove }: Table,
) => {
  const counted = (where: string, archive: string) =>
    Number(
      database.prepare(`select count(*) as n from job where ${listedTransfer} and ${where}`).get(archive)?.[
        'n'
      ],
    )
  const readable = (rows: Row[]) => rows.map(toTransfer).filter(isReadable)
  return {
    ...openIngestFolders(database),
    /** The one that was begun last. */
    latestTransfer: (archive: string): KeptTransfer | undefined =>
      many(`${listedTransfer} order by made desc limit 1`, archive).map(toTransfer)[0],
    /** Whether anything of an archive was handed over, and news of it are due. */
    hasSent: (archive: string): boolean =>
      database
        .prepare(`select 1 from job where ${listedTransfer} and state in ('sent', 'received') limit 1`)
        .get(archive) !== undefined,
    /** Those that are packed or sent, as far as the file says. */
    leftTransfers: (archive: string): KeptTransfer[] =>
      readable(many(`${listedTransfer} and state in ('packing', 'sending')`, archive)),
    /** Those that a backup brought back and that were not looked up since. */
    restoredTransfers: (archive: string): KeptTransfer[] =>
      readable(many(`${listedTransfer} and wasRestored = 1`, archive)),
    /** Ids of those that go by themselves, now or later, after one of them in the order of sending. */
    waitingAfter: (archive: string, id: string, most: number): string[] =>
      database
        .prepare(
          `select id from job where ${listedTransfer} and isWaiting = 1
             and place > (select place from job where id = ?2) order by place limit ?3`,
        )
        .all(archive, id, most)
        .map((row) => String(row['id'])),
    /** How many are to reach the archive and did not yet. */
    unsentTransfers: (archive: string): number => counted(`(isWaiting = 1 or state = 'sending')`, archive),
    transfer: (id: string): KeptTransfer | undefined => {
      const row = one(id)
      return row?.kind === 'transfer' ? toTransfer(row) : undefined
    },
    /** One that was taken off the list. */
    removedTransfer: (id: string): KeptTransfer | undefined =>
      many(`id = ? and kind = 'transfer' and removed is not null`, id).map(toTransfer)[0],
    keepTransfer: (transfer: KeptTransfer): KeptTransfer =>
      toTransfer(write(rowOfTransfer(transfer), lineOfTransfer(transfer))),
    removeTransfer: (id: string, moment: string | null) =>
      transaction(database, () => {
        const row = oneOrRemoved(id)
        if (row)
          journal.write({
            archive: row.archive,
            act: moment === null ? 'transfer.restored' : 'transfer.removed',
            name: toTransfer(row).form.name,
            place: `transfers/${id}`,
            detail: '',
          })
        remove(id, moment)
      }),
  }
}

/** What was begun for an order. */
const disseminated = `archive = ? and kind = 'dissemination' and removed is null and json_valid(body)
  and body ->> '$.order' = ?`

/** More is not begun by one person. */
const mostOpen = 500

const openTaskRows = (database: DatabaseSync, { one, many, write }: Table) => {
  const keep = <Kind extends TaskKind>(kind: Kind, archive: string, made: string, task: Tasks[Kind]) =>
    write(
      rowOfTask(kind, archive, made, task),
      // Only dissemination packages have the order that they are made for.
      'order' in task ? lineOfDissemination(task) : () => undefined,
    )
  return {
    /** Those that are not done, as far as the file says. */
    unfinishedTasks: <Kind extends TaskKind>(kind: Kind, archive: string): Tasks[Kind][] =>
      many(
        `archive = ? and kind = ? and removed is null and state <> 'done' order by made limit ${mostOpen}`,
        archive,
        kind,
      ).map(toTask[kind]),
    /** Files of a package that are or were fetched, the last of them. */
    downloadsOf: (archive: string, packageId: string): Tasks['download'][] =>
      many(
        `archive = ? and kind = 'download' and removed is null and package = ? order by +made desc ` +
          `limit ${mostOpen}`,
        archive,
        packageId,
      )
        .map(toTask.download)
        .reverse(),
    /** Files that were saved, and are still to be compared with what their packages say of them. */
    downloadsToCompare: (archive: string): Tasks['download'][] =>
      many(
        `archive = ? and kind = 'download' and removed is null and state = 'done' and json_valid(body)
           and body ->> '$.isToCompare' order by made limit ${mostOpen}`,
        archive,
      ).map(toTask.download),
    /** What was begun for an order last. */
    disseminationFor: (archive: string, order: string): Tasks['dissemination'] | undefined =>
      many(`${disseminated} order by place desc limit 1`, archive, order).map(toTask.dissemination)[0],
    /** How many were made for an order. */
    madeFor: (archive: string, order: string): number =>
      prepare<{ n: number }>(
        database,
        `select count(*) as n from job where ${disseminated} and state = 'done'`,
      ).get(archive, order)?.n ?? 0,
    task: <Kind extends TaskKind>(
      kind: Kind,
      id: string,
    ): { archive: string; task: Tasks[Kind] } | undefined => {
      const row = one(id)
      return row?.kind === kind ? { archive: row.archive, task: toTask[kind](row) } : undefined
    },
    keepTask: <Kind extends TaskKind>(kind: Kind, archive: string, made: string, task: Tasks[Kind]) =>
      void keep(kind, archive, made, task),
    /** Keeps how a task goes on; false where it was removed meanwhile. */
    changeTask: <Kind extends TaskKind>(kind: Kind, task: Tasks[Kind]): boolean =>
      transaction(database, () => {
        const row = one(task.id)
        if (row) keep(kind, row.archive, row.made, task)
        return row !== undefined
      }),
    removeTask: (id: string) => void database.prepare('delete from job where id = ?').run(id),
  }
}

const openBatchRows = (database: DatabaseSync, { one, write }: Table, removeTask: (id: string) => void) => ({
  /** Those that were made last first; one whose body cannot be read is called by its id. */
  batches: (archive: string): Omit<BatchSummary, 'work'>[] =>
    prepare<{ id: string; path: string; made: string; total: number }>(
      database,
      `select id, coalesce(tablePath, id) as path, made, cast(coalesce(rowCount, 0) as integer) as total
         from job indexed by job_batches
         where archive = ? and kind = 'batch' and removed is null order by made desc, id desc`,
    ).all(archive),
  batch: (id: string): KeptBatch | undefined => {
    const row = one(id)
    return row?.kind === 'batch' ? toBatch(row) : undefined
  },
  keepBatch: (batch: KeptBatch): void => void write(rowOfBatch(batch), () => undefined),
  /** Its rows' transfers stay. */
  removeBatch: removeTask,
})

/** The jobs of this desk by their kinds. */
export const openJobs = (database: DatabaseSync, journal: Journal) => {
  const table = openTable(database, journal)
  const tasks = openTaskRows(database, table)
  return {
    creations: openCreationRows(database, table),
    transfers: openTransferRows(database, journal, table),
    tasks,
    batches: openBatchRows(database, table, tasks.removeTask),
    lists: openJobLists(database, table),
    /** The archive that a job is for, also one that was taken off its list; undefined where there is none. */
    archiveOfJob: (id: string): string | undefined =>
      prepare<{ archive: string }>(database, 'select archive from job where id = ?').get(id)?.archive,
  }
}
