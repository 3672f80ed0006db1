import type { DatabaseSync } from 'node:sqlite'
import { Failed, mostUnreadable, type Unreadable } from '../../contract/failure.ts'
import type { ListName } from '../../contract/lists.ts'
import type { Incomplete, Shrunk } from '../../contract/session.ts'
import { bundleTables, defineBundled, recordText } from './bundles.ts'
import { mendedElements } from './mended-elements.ts'
import { isEarlier, openDatabase } from '../open-database.ts'
import { openPackages } from './package-rows.ts'
import { placementTables } from './placements.ts'
import { recordPaths } from './record-paths.ts'
import { defineTextFunctions } from './text-functions.ts'
import { vocabularyTables } from './vocabulary.ts'
import { wordIndexTables } from './word-index.ts'
import type { Subject } from '../../contract/subjects.ts'
import type { Notification } from '../../dialects/models.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { heldModel } from './held-model.ts'

export type { Subject }

const packageIndexes = `
  create unique index package_by_id on package (id);
  create index package_by_aic on package (aic, coalesce(generation, 0) desc, id) where aic is not null;
  create index package_by_identifier on package (identifier);
  create index package_by_agreement on package (agreement) where agreement is not null;
  create index package_top_by_label on package (words, id) where isTop = 1;
  create index package_top_by_date on package (shownSince, id) where isTop = 1;
  create index package_flat_by_label on package (words, id) where type <> 'AIC';
  create index package_flat_by_date on package (shownSince, id) where type <> 'AIC';
  create index package_text on package (number, folded, shownState, isTop, aic, type)`

/** A package has the number of its record: what words find is found there without the record. */
export const numberedPackages = `
  create temp table numbered as select h.number as record, p.* from package p
    join held h on h.subject = 'packages' and h.id = p.id;
  alter table numbered drop column number;
  drop index package_by_id;
  drop index package_by_aic;
  drop index package_by_identifier;
  drop index package_by_agreement;
  drop index package_top_by_label;
  drop index package_top_by_date;
  drop index package_flat_by_label;
  drop index package_flat_by_date;
  drop index package_text;
  drop index package_by_work;
  delete from package;
  insert into package (number, id, type, aic, label, identifier, state, stepState, bytes, generation, isLast,
      policy, agreement, archived, since, copies, isTop, generations, newest, shownState, shownBytes,
      shownCopies, shownSince, words, folded, work, creator)
    select * from numbered order by record;
  drop table numbered;
  ${packageIndexes};
  create index package_by_work on package (work, id) where work <> 'none'`

/**
 * The file of one archive. Nothing in it is anybody's only copy: a table that changes is made and read anew.
 */
export const migrations = [
  `create table completion (number integer primary key check (number = 1), completeAt text,
    readBy text not null default '') strict;
   insert into completion (number) values (1);
   create table element (number integer primary key, subject text not null, place integer not null,
     digest blob not null, bytes integer not null, rows integer not null) strict;
   create index element_in_order on element (subject, place);
   create table held (number integer primary key, subject text not null, id text not null,
     element integer not null, nth integer not null, position integer not null,
     above text, model text not null, raw text not null, changed text) strict;
   create unique index held_by_id on held (subject, id);
   create index held_by_element on held (element);
   create index held_object_by_package on held (model ->> '$.package') where subject = 'objects';
   create index held_object_by_medium on held (model ->> '$.medium') where subject = 'objects';
   create index held_event_by_package on held (model ->> '$.package') where subject = 'events';
   create index held_event_by_transfer on held (model ->> '$.transfer') where subject = 'events';
   create index held_event_in_time on held (model ->> '$.at') where subject = 'events';
   create index held_record_in_order on held (subject, position)
     where substr(subject, 1, 12) = 'description/';
   create index held_record_by_parent on held (subject, coalesce(above, ''), position)
     where substr(subject, 1, 12) = 'description/';
   create index held_changed on held (subject, id) where changed is not null;
   create table package (number integer primary key, id text not null, type text not null, aic text,
     label text not null, identifier text not null,
     state text not null, stepState text not null, bytes numeric not null, generation numeric,
       isLast integer not null, policy text, agreement text, archived integer not null, since text not null,
     copies integer not null default 0, isTop integer not null default 1,
       generations integer not null default 0, newest text,
     shownState text not null, shownBytes numeric not null, shownCopies integer not null default 0,
       shownSince text not null, words text not null, folded text not null);
   ${packageIndexes};
   create table refreshed (subject text primary key, at text not null) strict, without rowid;
   create table revision (subject text primary key, n integer not null) strict, without rowid;
   create table unreadable (subject text not null, element integer not null, path text not null,
     why text not null) strict;
   create index unreadable_by_subject on unreadable (subject);
   create index unreadable_by_element on unreadable (element);
   create table reference (subject text not null, id text not null, target text not null,
     primary key (target, subject, id)) strict, without rowid;
   create index reference_by_record on reference (subject, id);
   create table options (list text primary key, body text not null) strict, without rowid;
   create table shrunk (subject text primary key, held integer not null, found integer not null,
     agreed integer not null default 0) strict, without rowid;
   ${wordIndexTables}`,
  `create table definition (subject text primary key, reader text not null) strict, without rowid;
   alter table completion drop column readBy`,
  `alter table package add column work text not null default 'none'`,
  `create index package_failed on package (id) where work = 'failed'`,
  `create index held_notification_in_time on held (model ->> '$.at', model ->> '$.id')
     where subject = 'notifications'`,
  `alter table package add column creator text not null default ''`,
  `${vocabularyTables};
   delete from words_others where rowid in
     (select number from held where subject = 'description/me/searches');
   delete from names_others where rowid in
     (select number from held where subject = 'description/me/searches');
   insert into stale (number, subject, was) select number, subject, 1 from held where true
     on conflict do nothing`,
  `alter table reference add column contentsOf text not null default '';
   create index reference_by_contents on reference (contentsOf) where contentsOf <> '';
   create table contents (contentsOf text primary key, at text not null) strict, without rowid`,
  `alter table completion add column tookMs integer not null default 0;
   create table incomplete (subject text primary key, counted integer) strict, without rowid`,
  `drop index package_failed;
   create index package_by_work on package (work, id) where work <> 'none'`,
  // Whoever looked at a record before cannot be told from whoever did not: it is known from now on.
  `alter table held add column looked integer not null default 0;
   update held set changed = null where changed is not null`,
  bundleTables,
  numberedPackages,
  // Elements were mended here, but for those that had as many rows as they said: the last step finds all.
  '',
  // The generations of a package often have one label: they stand one after the other.
  `drop index package_flat_by_label;
   create index package_flat_by_label on package (words, generation, id) where type <> 'AIC'`,
  mendedElements,
  placementTables,
]

/**
 * Opens the local copy of one archive. The file may be deleted at any time: it is filled again from there.
 */
export const openCacheFile = (file: string) => {
  const database = openDatabase(file, migrations)
  // It can be filled again, so it need not be on the disk at once; what readers see is whole all the same.
  database.exec('pragma synchronous = normal')
  defineTextFunctions(database)
  defineBundled(database)
  return database
}

/**
 * Whether an earlier version of Lectern wrote the file. The thread that writes brings it up to date: whoever
 * else opens it would wait for that.
 */
export const isOfEarlierVersion = (file: string): boolean => isEarlier(file, migrations)

/** What is asked of the file again and again. */
const openStatements = (database: DatabaseSync) => ({
  some: prepare<{ model: string }>(
    database,
    'select model from held where subject = ? order by position, number limit ?',
  ),
  notifications: prepare<{ model: string }>(
    database,
    `select model from held where subject = 'notifications'
        order by model ->> '$.at' desc, model ->> '$.id' desc limit ?`,
  ),
  named: prepare<{ model: string }>(
    database,
    `select model from held where subject = ? and folded(model ->> '$.name') = folded(?)
        order by position, number`,
  ),
  one: prepare<{ model: string }>(database, 'select model from held where subject = ? and id = ?'),
  unreadable: prepare<Unreadable>(
    database,
    `select path, why from unreadable order by rowid limit ${mostUnreadable}`,
  ),
  shrunk: prepare<Shrunk>(
    database,
    'select subject, held, found from shrunk where agreed = 0 order by subject',
  ),
  incomplete: prepare<Incomplete>(database, 'select subject, counted from incomplete order by subject'),
  age: prepare<{ at: string }>(database, 'select at from refreshed where subject = ?'),
  contentsAge: prepare<{ at: string }>(database, 'select at from contents where contentsOf = ?'),
  completion: prepareOne<{ at: string | null; tookMs: number }>(
    database,
    'select completeAt as at, tookMs from completion',
  ),
  count: prepareOne<{ n: number }>(database, 'select count(*) as n from held where subject = ?'),
  options: prepare<{ body: string }>(database, 'select body from options where list = ?'),
  lastRow: prepareOne<{ n: number | null }>(database, 'select max(number) as n from held where subject = ?'),
})

/** Gives a record as the archive gave it. @throws Failed disk where it cannot be read */
const recordReader = (file: string, database: DatabaseSync) => {
  const one = prepare<{ raw: string | null }>(
    database,
    `select ${recordText} from held where subject = ? and id = ?`,
  )
  return (subject: Subject, id: string): unknown => {
    const row = one.get(subject, id)
    if (row?.raw === null) throw new Failed({ kind: 'disk', trouble: 'read-back', path: file })
    return row && (JSON.parse(row.raw) as unknown)
  }
}

export type Cache = ReturnType<typeof openCache>

/** The local copy of what one archive answered, to be read. */
export const openCache = (file: string) => {
  const database = openCacheFile(file)
  const statements = openStatements(database)
  const { some, named, one, unreadable, shrunk, age, completion, count, options, lastRow } = statements
  const raw = recordReader(file, database)
  const { pathTo, referring, packagesOf } = recordPaths(database)
  return {
    database,
    packages: openPackages({ database, raw }),
    pathTo,
    referring,
    packagesOf,
    /** The row that came last of a subject; 0 where it has none. */
    lastRow: (subject: Subject): number => lastRow.get(subject).n ?? 0,
    /**
     * The first models of a subject, in the archive's order. The caller names the type that the sync wrote.
     * Whole lists are for threads (full-scans.ts).
     */
    some: <T>(subject: Subject, most: number): T[] =>
      some.all(subject, most).map(({ model }) => heldModel<T>(model)),
    /**
     * The newest, by the time that the archive says: those that came since the whole list was read stand
     * behind it.
     */
    notifications: (most: number): Notification[] =>
      statements.notifications.all(most).map(({ model }) => heldModel<Notification>(model)),
    /**
     * The delivery or submission agreement of this id, or else the first that has it as its name in whatever
     * case.
     */
    named: (
      subject: 'deliveries' | 'agreements',
      written: string,
    ): { id: string; name: string } | undefined => {
      const models = [one.get(subject, written), ...named.all(subject, written)]
      return models
        .filter((row) => row !== undefined)
        .map(({ model }) => heldModel<{ id: string; name: string }>(model))
        .find(({ id, name }) => id === written || name.toLowerCase() === written.toLowerCase())
    },
    one: <T>(subject: Exclude<Subject, 'packages'>, id: string): { model: T } | undefined => {
      const row = one.get(subject, id)
      return row && { model: heldModel<T>(row.model) }
    },
    raw,
    where: <T>(subject: 'objects' | 'events', field: 'package' | 'medium' | 'transfer', value: string): T[] =>
      prepare<{ model: string }>(
        database,
        `select model from held where subject = '${subject}' and model ->> '$.${field}' = ?
            order by position, number`,
      )
        .all(value)
        .map(({ model }) => heldModel<T>(model)),
    /** When a list was last complete; of the archive as a whole, when all of its lists were. */
    asOf: (subject?: Subject): string | null => {
      const row = subject === undefined ? completion.get() : age.get(subject)
      return row?.at ?? null
    },
    /** How long reading all lists took when they were last complete, in milliseconds. */
    wholeTookMs: () => completion.get().tookMs,
    /** When the contents of a unit or a node ("list:id") were read last. */
    contentsAsOf: (contentsOf: string): string | null => statements.contentsAge.get(contentsOf)?.at ?? null,
    count: (subject: Subject): number => count.get(subject).n,
    /** What the archive said of creating in a list (OPTIONS), for the time without it. */
    options: (list: ListName): unknown => {
      const row = options.get(list)
      return row && (JSON.parse(row.body) as unknown)
    },
    /** Lists that came back much shorter than what is held, which was kept. */
    shrunk: () => shrunk.all(),
    /** Lists that changed while they were read, so that they may lack rows. */
    incomplete: () => statements.incomplete.all(),
    unreadable: () => unreadable.all(),
    close: () => database.close(),
  }
}
