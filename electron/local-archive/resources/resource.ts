import type { Account } from '../accounts/accounts.ts'
import type { Body, Database, Kind } from '../database.ts'
import type { Fields } from '../http/fields.ts'
import { keyOf } from '../http/body-values.ts'

/** Who asks, and when. */
export interface RequestContext {
  account: Account
  now: Date
}

/**
 * How many records of a resource one may see, and the bytes of some of them, a number at a time with commas
 * between.
 */
export interface Source {
  count: () => number
  pieces: (from: number, length: number) => Iterable<Buffer>
}

/** One path of the interface: what it lists, how a record is shown, and what a POST to it may carry. */
export interface Resource {
  kind: Kind
  show?: (body: Body, database: Database, asking: RequestContext) => Body
  /** Which rows stand at the top of the list, in SQL; the others are nested in them. */
  top?: string
  newestFirst?: boolean
  fields?: Fields
  /** Messages of rules that concern more than one field. */
  check?: (values: Body, database: Database) => Record<string, unknown> | undefined
  make?: (values: Body, database: Database, asking: RequestContext) => Body
  /** What else a new record changes, in the same transaction: the search index, for instance. */
  made?: (body: Body, database: Database) => void
  /** Where the records come from as bytes, for lists in which building each of them would be too slow. */
  source?: (database: Database, asking: RequestContext) => Source
  /** Records that a filter in the path names (specification 4.3). */
  filtered?: (filters: URLSearchParams, database: Database) => Body[]
  /** Anybody who is logged in may create here; elsewhere it takes an archivist. */
  isOpen?: boolean
}

/** A record as the interface shows a reference to it: whole, or null where there is none. */
export const embedded = (kind: Kind, id: unknown, { one }: Database): Body | null =>
  id === null || id === undefined ? null : (one(kind, keyOf(id)) ?? null)

const mostRemembered = 1_000

/**
 * Types are the same for many rows: each is read once for a question. What changes in between is seen by the
 * next question.
 */
export const withTypeCache = (database: Database): Database => {
  const known = new Map<string, Body | undefined>()
  return {
    ...database,
    one: (kind, id) => {
      if (!kind.endsWith(' type')) return database.one(kind, id)
      const key = `${kind} ${id}`
      if (known.has(key)) return known.get(key)
      const found = database.one(kind, id)
      if (known.size < mostRemembered) known.set(key, found)
      return found
    },
  }
}

/** Only some fields of an embedded record. */
export const pickFields = (body: Body | null, ...fields: string[]): Body | null =>
  body && Object.fromEntries(fields.map((field) => [field, body[field]]))

/** Fields the archive keeps for itself and the interface does not show. */
const ownFields = ['sender']

/** A record as the interface shows it. It may hold lazy lists, which `writeJson` writes. */
export const showRecord = (
  resource: Resource,
  body: Body,
  database: Database,
  asking: RequestContext,
): Body => {
  const shown = resource.show ? resource.show(body, database, asking) : body
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !ownFields.includes(name)))
}

/** Enters a record as a POST of these values does. Call it inside a transaction. */
export const enterRecord = (
  { kind, make, made }: Resource,
  values: Body,
  database: Database,
  asking: RequestContext,
): Body => {
  if (!make) throw new Error(`Nothing of the kind ${kind} can be created.`)
  const body = database.put(kind, make(values, database, asking))
  made?.(body, database)
  return body
}
