import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import { deskId, recordId } from './ids.ts'

/** Where an ordered package is, as this desk says it; the interface has no such states. */
export const deskStates = ['asked', 'fetching', 'desk', 'returned'] as const
export type DeskState = (typeof deskStates)[number]

/** "draft": put together here; "queued": on its way to the archive; "archive": in it. */
export type OrderKind = 'draft' | 'queued' | 'archive'

/** How far an order is: itself while the archive does not have it, else all of its packages. */
export const orderStages = [
  'draft',
  'queued',
  'empty',
  'asked',
  'fetching',
  'partly',
  'desk',
  'returned',
] as const
export type OrderStage = (typeof orderStages)[number]

export interface OrderRow {
  id: string
  kind: OrderKind
  name: string
  made: string | null
  packages: number
  /** How large its packages are in all; null where not all of them are held. */
  bytes: number | null
  /** How many copies that one has of which there are fewest; null where not all of them are held. */
  copies: number | null
  /** How many of its packages are in each state. */
  states: Record<DeskState, number>
  /** Not all of its packages were returned. */
  isOpen: boolean
  failure: Failure | null
}

export interface OrderItem {
  /** The package as the order names it. */
  id: string
  label: string
  identifier: string
  generation: number | null
  bytes: number | null
  /** Whether it is held; one that is not is shown by what the order calls it. */
  isKnown: boolean
  /** Where the copy lies that is to be fetched. */
  path: string
  /** How many other copies there are. */
  others: number
  state: DeskState
  since: string | null
  /** Other open orders that ask for it. */
  alsoIn: { id: string; name: string }[]
}

/** The packages of an order in the order of one walk: room by room, medium by medium. */
export interface OrderRoom {
  room: string
  media: { id: string; name: string; target: string; status: string; items: OrderItem[] }[]
}

export interface OrderPage extends Omit<OrderRow, 'states' | 'bytes' | 'copies'> {
  content: string
  responsible: string
  rooms: OrderRoom[]
  /** Packages of which no copy is known that could be fetched. */
  nowhere: OrderItem[]
  /** The record as the archive gave it; empty where it is not there yet. */
  raw: string
  asOf: string | null
}

/** What became of one pasted line. */
export interface PastedLine {
  text: string
  outcome: 'added' | 'there already' | 'ordered elsewhere' | 'several' | 'not found'
  /** The package, or the packages that it may mean. */
  packages: { id: string; label: string }[]
  /** The open order that asks for it already. */
  order: string
}

export interface Added {
  id: string
  added: number
  /** What the package is called, where one was asked for; the empty text where several were. */
  label: string
  already: { label: string; order: string }[]
}

/** So long the words of an order may be. */
export const longestContent = 5_000

/** Of names that an archive may give whatever length: so much fits into the words of an order. */
const longestName = 250
/** In one line, however a name is broken. */
const inLine = (text: string) => text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
const shortened = (name: string) => inLine(name).slice(0, longestName).toWellFormed()

/**
 * How the line of an order's words begins that asks for a file of a package: by its identifier too, since
 * others may have the same label.
 */
export const fileOf = ({ label, identifier }: Pick<OrderItem, 'label' | 'identifier'>): string =>
  label === identifier ? `${shortened(label)}: ` : `${shortened(label)} (${shortened(identifier)}): `

/** The line that asks for one. */
export const lineForFile = (item: Pick<OrderItem, 'label' | 'identifier'>, path: string): string =>
  fileOf(item) + inLine(path)

const Which = v.object({ id: recordId })
const Draft = v.object({ id: deskId })
const packages = v.pipe(v.array(recordId), v.maxLength(1_000))

/** Orders: put together here, sent to the archive, fetched from the shelves. */
export const orders = {
  list: query(v.undefined()).returns<{ rows: OrderRow[]; asOf: string | null }>(),
  one: query(Which).returns<OrderPage>(),
  begin: command(v.undefined()).returns<{ id: string }>(),
  save: command(
    v.object({
      ...Draft.entries,
      name: v.pipe(v.string(), v.maxLength(255)),
      content: v.pipe(v.string(), v.maxLength(longestContent)),
    }),
  ).returns<void>(),
  /** Adds packages to a draft; without one, to the draft that was begun last, or to a new one. */
  add: command(v.object({ id: v.nullable(deskId), packages })).returns<Added>(),
  /** Adds a package as `add` does, and notes in the words of the order which file of it is wanted. */
  addFile: command(
    v.object({ package: recordId, path: v.pipe(v.string(), v.minLength(1), v.maxLength(4_000)) }),
  ).returns<Added>(),
  /** Adds what is pasted, one identifier a line, each looked up. */
  paste: command(v.object({ ...Draft.entries, text: v.pipe(v.string(), v.maxLength(200_000)) })).returns<
    PastedLine[]
  >(),
  takeOut: command(v.object({ ...Draft.entries, package: recordId })).returns<void>(),
  /** Hands it over to be sent, as one of a type where the archive has types. The id of what it is now. */
  place: command(v.object({ ...Draft.entries, type: v.optional(recordId) })).returns<{ id: string }>(),
  remove: command(Draft).returns<void>(),
  restore: command(Draft).returns<void>(),
  /** Says where packages of an order are; all of them when none is named. */
  setState: command(
    v.object({
      id: recordId,
      package: v.nullable(recordId),
      state: v.picklist(deskStates),
    }),
  ).returns<void>(),
  changed: news<Record<string, never>>(),
}
