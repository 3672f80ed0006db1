import type { DatabaseSync } from 'node:sqlite'
import type * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import type { DeskState } from '../../contract/orders.ts'
import { prepare } from '../../common/statements.ts'
import { OrderDraftBody, readBody, SearchBody, SeenHitsBody } from './desk-bodies.ts'

export const deskListTables = `
  create table search (id text primary key, archive text not null, made text not null,
    body text not null) strict;
  create table searchLook (archive text not null, search text not null, body text not null,
    primary key (archive, search)) strict, without rowid;
  create table orderDraft (id text primary key, archive text not null, made text not null, body text not null,
    removed text) strict;
  create table deskState (archive text not null, item text not null, package text not null,
    state text not null, at text not null, primary key (archive, item, package)) strict, without rowid;
  create table view (archive text not null, list text not null, body text not null,
    primary key (archive, list)) strict, without rowid;`

/** A stored search that is kept at this desk alone. */
export interface KeptSearch {
  id: string
  archive: string
  made: string
  name: string
  query: unknown
  /** Why the archive does not keep it; null where it was never asked. */
  refusal: Failure | null
}

/** What a person saw of a stored search when they looked last. */
export interface SeenHits {
  at: string | null
  ids: string[]
  /** The lists that were read whole by then; null where an earlier version looked. */
  lists: string[] | null
  /** They were found without the types and parts that only the archive's own index has. */
  isWithoutIndexFilters: boolean
  /** Hits that a notice told of. */
  told: string[]
  isTold: boolean
}

/** What an order asks for, and in which words. */
export interface OrderWording {
  name: string
  content: string
  packages: string[]
}

/** An order that is being put together. */
export interface OrderDraft extends OrderWording {
  id: string
  archive: string
  made: string
  /** The creation in the outbox, once it was placed. */
  placed: string | null
  /** A backup brought it back: it may have been placed since. */
  wasRestored?: boolean
  /** What it said before somebody went on writing it, where it may have been placed as that. */
  former?: OrderWording[]
}

/** What rows with a body say; one that cannot be read stays as it is kept. */
const readBodies = <Body>(
  database: DatabaseSync,
  schema: v.GenericSchema<unknown, Body>,
  sql: string,
  ...given: string[]
): Body[] =>
  prepare<{ body: string }>(database, sql)
    .all(...given)
    .flatMap(({ body }) => readBody(schema, body) ?? [])

/**
 * What this desk keeps beside transfers: stored searches, orders being made, where ordered things are, and
 * how lists are shown.
 */
export const openDeskLists = (database: DatabaseSync) => ({
  searches: (archive: string): KeptSearch[] =>
    readBodies(database, SearchBody, 'select body from search where archive = ? order by made', archive),
  keepSearch: (search: KeptSearch) =>
    void database
      .prepare(
        `insert into search (id, archive, made, body) values (?, ?, ?, ?) on conflict do update
            set body = excluded.body`,
      )
      .run(search.id, search.archive, search.made, JSON.stringify(search)),
  removeSearch: (id: string) => void database.prepare('delete from search where id = ?').run(id),
  seenHits: (archive: string, search: string): SeenHits | undefined =>
    readBodies(
      database,
      SeenHitsBody,
      'select body from searchLook where archive = ? and search = ?',
      archive,
      search,
    )[0],
  keepSeenHits: (archive: string, search: string, kept: SeenHits) =>
    void database
      .prepare(
        `insert into searchLook (archive, search, body) values (?, ?, ?) on conflict do update
            set body = excluded.body`,
      )
      .run(archive, search, JSON.stringify(kept)),
  orderDrafts: (archive: string): OrderDraft[] =>
    readBodies(
      database,
      OrderDraftBody,
      'select body from orderDraft where archive = ? and removed is null order by made desc',
      archive,
    ),
  orderDraft: (id: string): OrderDraft | undefined =>
    readBodies(database, OrderDraftBody, 'select body from orderDraft where id = ?', id)[0],
  keepOrderDraft: (draft: OrderDraft) =>
    void database
      .prepare(
        `insert into orderDraft (id, archive, made, body) values (?, ?, ?, ?) on conflict do update
            set body = excluded.body`,
      )
      .run(draft.id, draft.archive, draft.made, JSON.stringify(draft)),
  removeOrderDraft: (id: string, time: string | null) =>
    void database.prepare('update orderDraft set removed = ? where id = ?').run(time, id),
  deskStates: (archive: string, item: string) =>
    new Map(
      prepare<{ package: string; state: DeskState; at: string }>(
        database,
        'select package, state, at from deskState where archive = ? and item = ?',
      )
        .all(archive, item)
        .map(({ package: of, state, at: time }) => [of, { state, at: time }]),
    ),
  keepDeskState: (archive: string, item: string, of: string, state: DeskState, time: string) =>
    void database
      .prepare(
        `insert into deskState (archive, item, package, state, at) values (?, ?, ?, ?, ?)
            on conflict do update set state = excluded.state, at = excluded.at`,
      )
      .run(archive, item, of, state, time),
  /** What was said of an order while it was on its way is said of it in the archive. */
  renameItem: (archive: string, from: string, to: string) =>
    void database
      .prepare('update or ignore deskState set item = ? where archive = ? and item = ?')
      .run(to, archive, from),
  views: (archive: string): Record<string, string> =>
    Object.fromEntries(
      database
        .prepare('select list, body from view where archive = ?')
        .all(archive)
        .map(({ list, body }) => [String(list), String(body)]),
    ),
  keepView: (archive: string, list: string, body: string) =>
    void database
      .prepare(
        `insert into view (archive, list, body) values (?, ?, ?) on conflict do update
            set body = excluded.body`,
      )
      .run(archive, list, body),
})

export type DeskLists = ReturnType<typeof openDeskLists>
