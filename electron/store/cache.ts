import type { ListName } from '../contract/lists.ts'
import type { Shrunk } from '../contract/session.ts'
import { createHash } from 'node:crypto'
import type { Unreadable } from '../contract/failure.ts'
import { openDatabase, together } from './open.ts'
import { defineTexts } from './texts.ts'

/** What is held of an archive: one subject a list of the interface. */
export type Subject =
  'packages' | 'objects' | 'media' | 'targets' | 'relations' | 'methods' | 'policies' | 'agreements' | 'deliveries' | 'transfers' | 'events' | 'notifications' | `description/${ListName}`

export const migrations = [
  `create table held (archive text not null, subject text not null, id text not null, position integer not null,
     model text not null, raw text not null, primary key (archive, subject, id)) strict, without rowid;
   create index held_in_order on held (archive, subject, position);
   create index held_package_by_aic on held (archive, model ->> '$.aic') where subject = 'packages';
   create index held_object_by_package on held (archive, model ->> '$.package') where subject = 'objects';
   create index held_object_by_medium on held (archive, model ->> '$.medium') where subject = 'objects';
   create index held_event_by_package on held (archive, model ->> '$.package') where subject = 'events';
   create table refreshed (archive text primary key, at text not null) strict;`,
  `create table unreadable (archive text not null, subject text not null, path text not null, why text not null) strict;
   create index unreadable_by_archive on unreadable (archive, subject);`,
  `create table reference (archive text not null, subject text not null, id text not null, target text not null, primary key (archive, target, subject, id)) strict, without rowid;
   create index reference_by_subject on reference (archive, subject);
   create index held_record_by_parent on held (archive, subject, coalesce(model ->> '$.parent', ''), position) where substr(subject, 1, 12) = 'description/';
   delete from held where substr(subject, 1, 12) = 'description/';`,
  `alter table held add column digest text not null default '';
   alter table held add column changed text;
   drop index reference_by_subject;
   create index reference_by_record on reference (archive, subject, id);
   create table options (archive text not null, list text not null, body text not null, primary key (archive, list)) strict, without rowid;
   create table shrunk (archive text not null, subject text not null, held integer not null, found integer not null, primary key (archive, subject)) strict, without rowid;`,
]

/** A complete list as it was read. */
interface List {
  rows: { model: { id: string | number; refs?: string[] }; raw: unknown }[]
  unreadable: Unreadable[]
}

/** A list that loses more than this share of its rows at once is doubted. */
const mostLoss = 0.2
const fewestToGuard = 5
/** More would only say the same again. */
const mostUnreadable = 100

export type Cache = ReturnType<typeof openCache>

/** The local copy of what archives answered. The file may be deleted at any time: it is filled again from the archive. */
export const openCache = (file: string) => {
  const database = openDatabase(file, migrations)
  defineTexts(database)
  const all = database.prepare('select model from held where archive = ? and subject = ? order by position')
  const one = database.prepare('select model, raw from held where archive = ? and subject = ? and id = ?')
  const known = database.prepare('select id, digest, position from held where archive = ? and subject = ?')
  const put = database.prepare(
    `insert into held (archive, subject, id, position, model, raw, digest, changed) values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict do update set position = excluded.position, model = excluded.model, raw = excluded.raw, digest = excluded.digest, changed = excluded.changed`,
  )
  const move = database.prepare('update held set position = ? where archive = ? and subject = ? and id = ?')
  const remove = database.prepare('delete from held where archive = ? and subject = ? and id = ?')
  const unrefer = database.prepare('delete from reference where archive = ? and subject = ? and id = ?')
  const refer = database.prepare('insert or ignore into reference (archive, subject, id, target) values (?, ?, ?, ?)')
  const forget = database.prepare('delete from unreadable where archive = ? and subject = ?')
  const note = database.prepare('insert into unreadable (archive, subject, path, why) values (?, ?, ?, ?)')
  const unreadable = database.prepare('select path, why from unreadable where archive = ? order by rowid limit ?')
  const shrink = database.prepare('insert into shrunk (archive, subject, held, found) values (?, ?, ?, ?) on conflict do update set held = excluded.held, found = excluded.found')
  const unshrink = database.prepare('delete from shrunk where archive = ? and subject = ?')
  const shrunk = database.prepare('select subject, held, found from shrunk where archive = ? order by subject')
  const look = database.prepare('update held set changed = null where archive = ? and subject = ? and id = ? and changed is not null')
  const options = database.prepare('select body from options where archive = ? and list = ?')
  const holdOptions = database.prepare('insert into options (archive, list, body) values (?, ?, ?) on conflict do update set body = excluded.body')
  /** Lists that a person said may shrink, until the next time they are read. */
  const agreed = new Set<string>()

  /** Writes what differs from what is held: rows that are new or changed, that moved, and that are gone. */
  const write = (archive: string, subject: Subject, { rows, unreadable: unread }: List, at: string) => {
    const before = new Map((known.all(archive, subject) as { id: string; digest: string; position: number }[]).map(({ id, ...it }) => [id, it]))
    const isShrinking = before.size >= fewestToGuard && rows.length < before.size * (1 - mostLoss)
    if (isShrinking && !agreed.has(`${archive} ${subject}`)) {
      shrink.run(archive, subject, before.size, rows.length)
      return
    }
    unshrink.run(archive, subject)
    agreed.delete(`${archive} ${subject}`)
    forget.run(archive, subject)
    for (const { path, why } of unread.slice(0, mostUnreadable)) note.run(archive, subject, path, why)
    const isFirst = before.size === 0
    rows.forEach((row, position) => {
      const id = String(row.model.id)
      const [model, raw] = [JSON.stringify(row.model), JSON.stringify(row.raw)]
      const digest = createHash('sha1').update(model).update(raw).digest('base64')
      const held = before.get(id)
      before.delete(id)
      if (held?.digest !== digest) {
        put.run(archive, subject, id, position, model, raw, digest, isFirst ? null : at)
        unrefer.run(archive, subject, id)
        for (const target of row.model.refs ?? []) refer.run(archive, subject, id, target)
      } else if (held.position !== position) move.run(position, archive, subject, id)
    })
    for (const id of before.keys()) {
      remove.run(archive, subject, id)
      unrefer.run(archive, subject, id)
    }
  }
  const stamp = database.prepare('insert into refreshed (archive, at) values (?, ?) on conflict (archive) do update set at = excluded.at')

  return {
    database,
    /** Takes one complete list, which has an age of its own: ask for it as "archive/subject". */
    hold: (archive: string, subject: Subject, list: List, at: string) =>
      together(database, () => {
        write(archive, subject, list, at)
        stamp.run(`${archive}/${subject}`, at)
      }),
    /** Takes complete lists in place of those held, all in one go: a reader sees the old ones or the new ones. */
    replace: (archive: string, lists: ({ subject: Subject } & List)[], at: string) =>
      together(database, () => {
        for (const list of lists) write(archive, list.subject, list, at)
        stamp.run(archive, at)
      }),
    /** Every model of a subject, in the archive's order. The caller names the type that the sync wrote. */
    all: <T>(archive: string, subject: Subject): T[] => all.all(archive, subject).map((row) => JSON.parse((row as { model: string }).model) as T),
    one: <T>(archive: string, subject: Subject, id: string): { model: T; raw: string } | undefined => {
      const row = one.get(archive, subject, id) as { model: string; raw: string } | undefined
      return row && { model: JSON.parse(row.model) as T, raw: JSON.stringify(JSON.parse(row.raw), null, 2) }
    },
    where: <T>(archive: string, subject: Subject, field: 'aic' | 'package' | 'medium' | 'identifier' | 'transfer', value: string): T[] =>
      database
        .prepare(`select model from held where archive = ? and subject = '${subject}' and model ->> '$.${field}' = ? order by position`)
        .all(archive, value)
        .map((row) => JSON.parse((row as { model: string }).model) as T),
    asOf: (archive: string): string | null => {
      const row = database.prepare('select at from refreshed where archive = ?').get(archive) as { at: string } | undefined
      return row?.at ?? null
    },
    count: (archive: string, subject: Subject): number => (database.prepare('select count(*) as n from held where archive = ? and subject = ?').get(archive, subject) as { n: number }).n,
    /** What the archive said of creating in a list (OPTIONS), for the time without it. */
    options: (archive: string, list: ListName): unknown => {
      const row = options.get(archive, list) as { body: string } | undefined
      return row && (JSON.parse(row.body) as unknown)
    },
    holdOptions: (archive: string, list: ListName, body: unknown) => void holdOptions.run(archive, list, JSON.stringify(body ?? null)),
    /** A person looked at a record: it no longer counts as changed. */
    look: (archive: string, subject: Subject, id: string) => look.run(archive, subject, id).changes > 0,
    /** Lists that came back much shorter than what is held, which was kept. */
    shrunk: (archive: string) => shrunk.all(archive) as unknown as Shrunk[],
    /** A person agrees that a list may be as short as the archive says, when it is read again. */
    agree: (archive: string, subject: string) => void agreed.add(`${archive} ${subject}`),
    unreadable: (archive: string) => unreadable.all(archive, mostUnreadable) as unknown as Unreadable[],
    close: () => database.close(),
  }
}
