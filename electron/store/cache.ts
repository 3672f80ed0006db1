import type { Notification } from '../archive-client/activity.ts'
import type { Subject } from '../archive-client/held-lists.ts'
import type { Unreadable } from '../contract/failure.ts'
import type { ListName } from '../contract/lists.ts'
import type { Shrunk } from '../contract/session.ts'
import type { Delivery } from '../contract/transfers.ts'
import { openDatabase } from './open.ts'
import { defineTexts } from './texts.ts'
import { dropWordIndex, wordIndexTables } from './word-index.ts'

export type { Subject }

/** What has gone since: nothing in this file is anybody's only copy, so an older one is emptied. */
const emptied = `drop table if exists held; drop table if exists refreshed; drop table if exists unreadable; drop table if exists reference; drop table if exists options; drop table if exists shrunk;`

export const migrations = [
  emptied,
  emptied,
  emptied,
  emptied,
  `${emptied}
   create table element (number integer primary key, list text not null, place integer not null, digest blob not null, bytes integer not null, rows integer not null) strict;
   create index element_in_order on element (list, place);
   create table held (number integer primary key, archive text not null, subject text not null, id text not null, element integer not null, nth integer not null, position integer not null,
     above text, model text not null, raw text not null, changed text) strict;
   create unique index held_by_id on held (archive, subject, id);
   create index held_by_element on held (element);
   create index held_object_by_package on held (archive, model ->> '$.package') where subject = 'objects';
   create index held_object_by_medium on held (archive, model ->> '$.medium') where subject = 'objects';
   create index held_event_by_package on held (archive, model ->> '$.package') where subject = 'events';
   create index held_event_by_transfer on held (archive, model ->> '$.transfer') where subject = 'events';
   create index held_record_in_order on held (archive, subject, position) where substr(subject, 1, 12) = 'description/';
   create index held_record_by_parent on held (archive, subject, coalesce(above, ''), position) where substr(subject, 1, 12) = 'description/';
   create index held_changed on held (archive, subject, id) where changed is not null;
   create table package (number integer primary key, archive text not null, id text not null, type text not null, aic text, label text not null, identifier text not null,
     state text not null, stepState text not null, bytes numeric not null, generation numeric, isLast integer not null, policy text, archived integer not null, since text not null,
     copies integer not null default 0, isTop integer not null default 1, generations integer not null default 0, newest text,
     shownState text not null, shownBytes numeric not null, shownCopies integer not null default 0, shownSince text not null, words text not null, folded text not null);
   create unique index package_by_id on package (archive, id);
   create index package_by_aic on package (archive, aic, coalesce(generation, 0) desc, id) where aic is not null;
   create index package_by_identifier on package (archive, identifier);
   create index package_top_by_label on package (archive, words, id) where isTop = 1;
   create index package_top_by_date on package (archive, shownSince, id) where isTop = 1;
   create index package_flat_by_label on package (archive, words, id) where type <> 'AIC';
   create index package_flat_by_date on package (archive, shownSince, id) where type <> 'AIC';
   create table refreshed (list text primary key, at text not null) strict;
   create table unreadable (archive text not null, subject text not null, element integer not null, path text not null, why text not null) strict;
   create index unreadable_by_archive on unreadable (archive, subject);
   create index unreadable_by_element on unreadable (element);
   create table reference (archive text not null, subject text not null, id text not null, target text not null, primary key (archive, target, subject, id)) strict, without rowid;
   create index reference_by_record on reference (archive, subject, id);
   create table options (archive text not null, list text not null, body text not null, primary key (archive, list)) strict, without rowid;
   create table shrunk (archive text not null, subject text not null, held integer not null, found integer not null, agreed integer not null default 0, primary key (archive, subject)) strict, without rowid;`,
  // Rows are read anew, since their models know more now.
  `${wordIndexTables}
   create index package_text on package (archive, number, folded, shownState, isTop, aic, type);
   create table revision (list text primary key, n integer not null) strict, without rowid;
   create index held_event_in_time on held (archive, model ->> '$.at') where subject = 'events';
   update refreshed set at = '' where list = 'read by';`,
  `alter table package add column agreement text;
   create index package_by_agreement on package (archive, agreement) where agreement is not null;
   update refreshed set at = '' where list = 'read by';`,
  // The words are brought into the index anew, since each archive has a range of its own there.
  `${dropWordIndex} ${wordIndexTables}`,
]

/** The name of one list of one archive, by which its age and its elements are kept. */
export const listOf = (archive: string, subject: Subject) => `${archive}/${subject}`

/** Opens the local copy. The file may be deleted at any time: it is filled again from the archive. */
export const openCacheFile = (file: string) => {
  const database = openDatabase(file, migrations)
  // It can be filled again, so it need not be on the disk at once; what readers see is whole all the same.
  database.exec('pragma synchronous = normal')
  defineTexts(database)
  return database
}

export type Cache = ReturnType<typeof openCache>

/** The local copy of what archives answered, to be read. */
export const openCache = (file: string) => {
  const database = openCacheFile(file)
  const all = database.prepare(
    'select model from held where archive = ? and subject = ? order by position, number',
  )
  const some = database.prepare(
    'select model from held where archive = ? and subject = ? order by position, number limit ?',
  )
  const ids = database.prepare('select id from held where archive = ? and subject = ?')
  const unseen = database.prepare(
    `select model from held where archive = ? and subject = 'notifications' and model ->> '$.seen' = 0 order by position, number`,
  )
  const delivery = database.prepare(
    `select model from held where archive = ? and subject = 'deliveries' and folded(model ->> '$.name') = folded(?) order by position, number`,
  )
  const one = database.prepare('select model, raw from held where archive = ? and subject = ? and id = ?')
  const unreadable = database.prepare(
    'select path, why from unreadable where archive = ? order by rowid limit 100',
  )
  const shrunk = database.prepare(
    'select subject, held, found from shrunk where archive = ? and agreed = 0 order by subject',
  )
  const age = database.prepare('select at from refreshed where list = ?')
  const count = database.prepare('select count(*) as n from held where archive = ? and subject = ?')
  const options = database.prepare('select body from options where archive = ? and list = ?')
  return {
    database,
    /** Every model of a subject, in the archive's order. The caller names the type that the sync wrote. */
    all: <T>(archive: string, subject: Subject): T[] =>
      all.all(archive, subject).map((row) => JSON.parse((row as { model: string }).model) as T),
    /** The first of them. */
    some: <T>(archive: string, subject: Subject, most: number): T[] =>
      some.all(archive, subject, most).map((row) => JSON.parse((row as { model: string }).model) as T),
    ids: (archive: string, subject: Subject): string[] =>
      ids.all(archive, subject).map(({ id }) => String(id)),
    /** Notifications that the archive calls unread, one at a time: nothing is written between two of them. */
    unseen: function* (archive: string): Generator<Notification> {
      for (const { model } of unseen.iterate(archive)) yield JSON.parse(String(model)) as Notification
    },
    /** The delivery of this id, or else the first that has it as its name in whatever case. */
    delivery: (archive: string, written: string): Delivery | undefined => {
      const models = [one.get(archive, 'deliveries', written), ...delivery.all(archive, written)]
      return models
        .filter((row) => row !== undefined)
        .map(({ model }) => JSON.parse(String(model)) as Delivery)
        .find(({ id, name }) => id === written || name.toLowerCase() === written.toLowerCase())
    },
    one: <T>(
      archive: string,
      subject: Exclude<Subject, 'packages'>,
      id: string,
    ): { model: T; raw: string } | undefined => {
      const row = one.get(archive, subject, id) as { model: string; raw: string } | undefined
      return row && { model: JSON.parse(row.model) as T, raw: JSON.stringify(JSON.parse(row.raw), null, 2) }
    },
    /** A record as the archive gave it. */
    raw: (archive: string, subject: Subject, id: string): unknown => {
      const row = one.get(archive, subject, id) as { raw: string } | undefined
      return row && (JSON.parse(row.raw) as unknown)
    },
    where: <T>(
      archive: string,
      subject: 'objects' | 'events',
      field: 'package' | 'medium' | 'transfer',
      value: string,
    ): T[] =>
      database
        .prepare(
          `select model from held where archive = ? and subject = '${subject}' and model ->> '$.${field}' = ? order by position, number`,
        )
        .all(archive, value)
        .map((row) => JSON.parse((row as { model: string }).model) as T),
    /** When a list was last complete; of the archive as a whole, when all of its lists were. */
    asOf: (archive: string, subject?: Subject): string | null => {
      const row = age.get(subject === undefined ? archive : listOf(archive, subject)) as
        { at: string } | undefined
      return row?.at ?? null
    },
    count: (archive: string, subject: Subject): number => (count.get(archive, subject) as { n: number }).n,
    /** What the archive said of creating in a list (OPTIONS), for the time without it. */
    options: (archive: string, list: ListName): unknown => {
      const row = options.get(archive, list) as { body: string } | undefined
      return row && (JSON.parse(row.body) as unknown)
    },
    /** Lists that came back much shorter than what is held, which was kept. */
    shrunk: (archive: string) => shrunk.all(archive) as unknown as Shrunk[],
    unreadable: (archive: string) => unreadable.all(archive) as unknown as Unreadable[],
    close: () => database.close(),
  }
}
