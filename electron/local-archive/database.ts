import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { transaction } from '../common/transaction.ts'
import type { Account } from './accounts/accounts.ts'
import { visibleRows } from './visibility.ts'
import { prepareOne } from '../common/statements.ts'

/** A JSON object as the interface shows it, before other records are embedded in it. */
export type Body = Record<string, unknown>

/** What the archive keeps, each a kind of its own in the table of records. */
export type Kind =
  | 'agent'
  | 'agent identifier type'
  | 'agent name type'
  | 'agent note type'
  | 'agent place type'
  | 'agent relation type'
  | 'agent type'
  | 'delivery'
  | 'delivery type'
  | 'event'
  | 'event type'
  | 'information package'
  | 'language'
  | 'location'
  | 'location function type'
  | 'location level type'
  | 'metric type'
  | 'node identifier type'
  | 'node note type'
  | 'node relation type'
  | 'notification'
  | 'order'
  | 'profile'
  | 'ref code'
  | 'restriction'
  | 'storage medium'
  | 'storage method'
  | 'storage object'
  | 'storage policy'
  | 'storage relation'
  | 'storage target'
  | 'stored search'
  | 'structure'
  | 'structure type'
  | 'structure unit'
  | 'submission agreement'
  | 'tag'
  | 'tag version type'
  | 'transfer'

export const migrations = [
  `create table record (seq integer primary key, kind text not null, id text not null, body text not null,
    unique (kind, id)) strict;
   create index package_by_aic on record (cast(body ->> 'aic' as text)) where kind = 'information package';
   create index package_by_identifier on record (cast(body ->> 'object_identifier_value' as text))
     where kind = 'information package';
   create index object_by_package on record (cast(body ->> 'ip' as text)) where kind = 'storage object';
   create table account (id integer primary key, username text not null unique, password text not null,
     role text not null, body text not null) strict;
   create table token (digest text primary key, account integer not null references account,
     made text not null) strict;
   create table job (id text primary key, name text not null, package text not null, stage text not null,
     reason text, made text not null) strict;
   create index location_by_parent on record (cast(body ->> 'parent' as text)) where kind = 'location';
   create index unit_by_parent on record (cast(body ->> 'parent' as text)) where kind = 'structure unit';
   create index unit_by_code on record (cast(body ->> 'reference_code' as text))
     where kind = 'structure unit';
   create index tag_by_unit on record (cast(body ->> 'structure_unit' as text)) where kind = 'tag';`,
  `insert into record (kind, id, body) select 'restriction', id, json_object('id', id) from record
    where kind = 'information package' and body ->> 'restricted' = 1;
   update record set body = json_remove(body, '$.restricted') where kind = 'information package';
   create index record_by_kind on record (kind, seq);
   create index package_by_level on record (cast(body ->> 'package_type' as text), seq)
     where kind = 'information package';
   create index tag_by_package on record (cast(body ->> 'information_package' as text)) where kind = 'tag';
   create index tag_by_agent on record (cast(body ->> 'agent' as text)) where kind = 'tag';
   create table indexed (seq integer primary key, id text not null unique, part text not null,
     type text not null, extension text not null,
     package text, body text not null, content text not null) strict;
   create index indexed_by_package on indexed (package) where package is not null;
   create index indexed_facets on indexed (seq, type, extension);
   create table extracted (package text not null, name text not null, content text not null,
     primary key (package, name)) strict, without rowid;
   create virtual table words using fts5 (reference_code, name, description, content, marks, content = '',
     contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');`,
  // What proves somebody is not kept any longer than the process.
  `drop table token;
   alter table account drop column password;`,
  // Restrictions name packages of either level, and hide what belongs to a hidden AIC with it.
  `create table hidden_package (id text primary key) strict, without rowid;
   insert into hidden_package select id from record where kind = 'restriction'
     union select p.id from record r join record p on p.kind = 'information package'
       and cast(p.body ->> 'aic' as text) = r.id where r.kind = 'restriction';
   create trigger hide_family after insert on record when new.kind = 'restriction' begin
     insert or ignore into hidden_package values (new.id);
     insert or ignore into hidden_package select id from record
       where kind = 'information package' and cast(body ->> 'aic' as text) = new.id;
   end;
   create trigger hide_generation after insert on record when new.kind = 'information package' begin
     insert or ignore into hidden_package select new.id from record
       where kind = 'restriction' and id = new.body ->> 'aic';
   end;
   create index event_by_package on record (cast(body ->> 'information_package' as text))
     where kind = 'event';`,
  // Packages of which files are to be entered into the search, and packages of which the entries change their
  // place.
  `alter table extracted add column bytes integer not null default 0;
   create table indexing (package text primary key, agents text not null) strict, without rowid;
   create table placing (package text primary key, place text not null, last integer not null) strict,
     without rowid;`,
  // Files that are found name the folder in their package in which they are asked for.
  `update indexed set body = json_set(body, '$.href', rtrim('content/data/' || (body ->> 'href'), '/'))
     where part = 'document';`,
]

export type Database = ReturnType<typeof openDatabase>

/** A body that is kept: one was written, so one is read. */
export const storedBody = (text: string): Body =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- see above
  JSON.parse(text) as Body
const parsed = ({ body }: Record<string, SQLOutputValue>) => storedBody(String(body))
const perRead = 100

/**
 * Statements that are made once, for what is done again and again: V8 does not see how much memory each
 * takes, and would leave thousands of them.
 */
const keptStatements = (sqlite: DatabaseSync): Pick<DatabaseSync, 'prepare'> => {
  const kept = new Map<string, StatementSync>()
  return {
    prepare: (sql) => {
      const statement = kept.get(sql) ?? sqlite.prepare(sql)
      kept.set(sql, statement)
      return statement
    },
  }
}

type Records = ReturnType<typeof readRecords>

/** The records that an account may see, and nothing else of the archive to read. */
export const seenBy = (database: Database, account: Account): Database => {
  const key = `${account.id} ${account.role}`
  const records = database.views.get(key) ?? readRecords(database.sqlite, account)
  database.views.set(key, records)
  return { ...database, ...records }
}

const readRecords = (sqlite: DatabaseSync, account: Account | undefined) => {
  const prepared = new Map<string, StatementSync>()
  const having = (field: string) => `and cast(body ->> '${field}' as text) = ?`
  const select = (kind: Kind, what: string, more = '') => {
    const text = `select ${what} from record where kind = '${kind}' and ${visibleRows(kind, account)} ${more}`
    const statement = prepared.get(text) ?? sqlite.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return {
    list: (kind: Kind) => select(kind, 'body', 'order by seq').all().map(parsed),
    /** @param condition in SQL, on the row */
    count: (kind: Kind, condition = 'true') =>
      Number(select(kind, 'count(*) as n', `and ${condition}`).get()?.['n']),
    /**
     * Every record of a kind but the first `from`, a hundred read at a time: between two of them others may
     * write.
     * @param condition in SQL, on the row
     */
    walk: function* (kind: Kind, newestFirst = false, from = 0, condition = 'true'): Generator<Body> {
      const order = newestFirst ? 'desc' : 'asc'
      const first = select(
        kind,
        'seq, body',
        `and ${condition} order by seq ${order} limit ${perRead} offset ?`,
      )
      const next = select(
        kind,
        'seq, body',
        `and ${condition} and seq ${newestFirst ? '<' : '>'} ? order by seq ${order} limit ${perRead}`,
      )
      for (let rows = first.all(from); rows.length > 0;) {
        yield* rows.map(parsed)
        rows = next.all(rows.at(-1)?.['seq'] ?? null)
      }
    },
    one: (kind: Kind, id: string) => {
      const row = select(kind, 'body', 'and id = ?').get(id)
      return row === undefined ? undefined : parsed(row)
    },
    /** Whether there is such a record, which is not read for it. */
    has: (kind: Kind, id: string) => select(kind, '1', 'and id = ?').get(id) !== undefined,
    /**
     * Records of a kind whose named field has a value, ids that are numbers as text; `field` is ours, never
     * the caller's.
     */
    where: (kind: Kind, field: string, value: string) =>
      select(kind, 'body', `${having(field)} order by seq`)
        .all(value)
        .map(parsed),
    /** Whether `where` would give any. */
    hasWhere: (kind: Kind, field: string, value: string) =>
      select(kind, '1', `${having(field)} limit 1`).get(value) !== undefined,
    /** What `where` gives, a hundred read at a time: between two of them others may write. */
    walkWhere: function* (kind: Kind, field: string, value: string): Generator<Body> {
      const read = select(kind, 'seq, body', `${having(field)} and seq > ? order by seq limit ${perRead}`)
      for (let rows = read.all(value, 0); rows.length > 0;) {
        yield* rows.map(parsed)
        rows = read.all(value, rows.at(-1)?.['seq'] ?? null)
      }
    },
  }
}

/**
 * Opens (or makes) the archive's database in a folder. One process owns it at a time: a second one is refused
 * by SQLite itself, and the lock of a killed process ends with the process.
 */
export const openDatabase = (folder: string) => {
  mkdirSync(folder, { recursive: true })
  const sqlite = new DatabaseSync(path.join(folder, 'archive.sqlite'))
  sqlite.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full')
  const { user_version } = prepareOne<{ user_version: number }>(sqlite, 'pragma user_version').get()
  migrations.slice(user_version).forEach((step, index) => {
    sqlite.exec(`begin; ${step}; pragma user_version = ${user_version + index + 1}; commit`)
  })

  const statements = keptStatements(sqlite)
  const put = sqlite.prepare(
    `insert into record (kind, id, body) values (?, ?, ?) on conflict (kind, id) do update
        set body = excluded.body`,
  )
  const last = prepareOne<{ last: number | null }>(
    sqlite,
    'select max(cast(id as integer)) as last from record where kind = ?',
  )
  const numbers = new Map<Kind, number>()
  const lastNumber = (kind: Kind) => {
    const known = numbers.get(kind) ?? last.get(kind).last ?? 0
    numbers.set(kind, known)
    return known
  }

  return {
    sqlite,
    statements,
    ...readRecords(sqlite, undefined),
    /** By who sees them: statements are made once, since V8 does not see how much memory they take. */
    views: new Map<string, Records>(),
    put: (kind: Kind, body: Body) => {
      put.run(kind, String(body['id']), JSON.stringify(body))
      // A number that was given is not given again, even if what had it is taken back.
      if (numbers.has(kind)) numbers.set(kind, Math.max(lastNumber(kind), Number(body['id']) || 0))
      return body
    },
    nextNumber: (kind: Kind) => lastNumber(kind) + 1,
    /** All or nothing: what the work writes becomes visible at once, or not at all. */
    transaction: <T>(work: () => T): T => transaction(sqlite, work),
    /**
     * The same, on the disk together with the next transaction: for what that one needs, and nobody misses
     * where a power cut comes between.
     */
    preparation: <T>(work: () => T): T => {
      if (sqlite.isTransaction) return work()
      // In a write-ahead log, what a commit brings to the disk is all that was written before it.
      sqlite.exec('pragma synchronous = normal')
      try {
        return transaction(sqlite, work)
      } finally {
        sqlite.exec('pragma synchronous = full')
      }
    },
    close: () => sqlite.close(),
  }
}
