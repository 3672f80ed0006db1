import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import { offset } from './paging.ts'
import type { DraftProfile, PackingSettings, TransferState } from './transfers.ts'
import { deskId } from './ids.ts'

/** What a row of a table may say of a transfer; only where its files are is needed. */
export const batchFields = [
  'source',
  'name',
  'delivery',
  'agreement',
  'identifier',
  'description',
  'organization',
  'address',
  'person',
  'email',
] as const
export type BatchField = (typeof batchFields)[number]

const Column = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)))
/** Which column each field is in; null where the table has none. */
export const Mapping = v.object({
  source: Column,
  name: Column,
  delivery: Column,
  agreement: v.optional(Column, null),
  identifier: Column,
  description: Column,
  organization: Column,
  address: Column,
  person: Column,
  email: Column,
  /** Of further tags, by their labels; a label that is absent has not been asked for yet. */
  tags: v.optional(v.record(v.pipe(v.string(), v.maxLength(255)), Column), {}),
} satisfies Record<BatchField | 'tags', v.GenericSchema>)
export type Mapping = v.InferOutput<typeof Mapping>

/** Why a row cannot become a transfer yet. */
export type RowTrouble =
  /** It has a cell to the right of the last heading, so that others may stand in the wrong column. */
  | 'more-cells'
  | 'no-source'
  | 'source-gone'
  /** The bytes of its name are no text in UTF-8. */
  | 'source-no-text'
  /** Something is there that is no file and no folder, such as a link. */
  | 'source-no-file'
  /** The system let nobody look, so that nobody knows whether anything is there. */
  | 'source-unseen'
  | 'source-twice'
  | 'no-name'
  | 'email'
  | 'delivery'
  | 'agreement'
  | 'identifier-twice'
  | 'too-long'
  | 'not-in-vocabulary'

export interface BatchRow {
  /** Its line in the table, headings counted; for a folder its place in the alphabet. */
  line: number
  source: string
  name: string
  troubles: RowTrouble[]
  /** What its cells say of fields whose lists do not have that. */
  unknownValues: { label: string; value: string }[]
  /** The transfer it became; null before. */
  transfer: string | null
  state: TransferState | null
  /** What a dry run counted. */
  counted: { files: number; folders: number; bytes: number; skipped: number } | null
  failure: Failure | null
}

/** `ready`: nobody works at it. */
export type BatchState = 'ready' | 'counting' | 'packing'

/** A batch in the list of all: when it was made (ISO 8601), and how many rows it has. */
export interface BatchSummary {
  id: string
  /** The table or folder that it was read from. */
  path: string
  made: string
  total: number
  /** What is going on, and how many rows are done. */
  work: { kind: Exclude<BatchState, 'ready'>; done: number; of: number } | null
}

export interface Batch {
  id: string
  /** The table or folder that it was read from. */
  path: string
  kind: 'table' | 'folder'
  made: string
  columns: string[]
  /** The first rows as they stand in the table. */
  preview: string[][]
  mapping: Mapping
  /** The transfer whose form and packing stand in for what the table does not say. */
  template: { id: string; name: string } | null
  /** How its rows are packed: as the template, else as the last transfer was. */
  packing: PackingSettings
  /** What packages of that format, or the profile that they are made for, say further of themselves. */
  tagFields: DraftProfile['fields']
  /** A page of its rows: `batchPage` at most, from `offset` on. */
  rows: BatchRow[]
  offset: number
  total: number
  /** Of all its rows: those that can be packed, those that cannot yet, and those that were. */
  counts: { ready: number; troubled: number; done: number }
  work: BatchSummary['work']
}

/** So many rows are shown at once. */
export const batchPage = 100

const Which = v.object({ id: deskId })

/** Many transfers at once: one a row of a table, or one a folder of a folder. */
export const batch = {
  list: query(v.undefined()).returns<BatchSummary[]>(),
  /** With a page of its rows from `offset` on; every other call gives the first page. */
  one: query(v.object({ ...Which.entries, offset })).returns<Batch>(),
  /**
   * Main asks for a CSV or XLSX table, or for a folder with one folder a transfer; null when the person
   * cancelled.
   */
  open: command(v.object({ what: v.picklist(['table', 'batch-folder']) })).returns<Batch | null>(),
  map: command(v.object({ ...Which.entries, mapping: Mapping })).returns<Batch>(),
  template: command(v.object({ ...Which.entries, transfer: v.nullable(deskId) })).returns<Batch>(),
  /** Counts what every row would pack, and packs nothing. */
  count: command(Which).returns<Batch>(),
  /**
   * Packs the rows that are right and not packed yet, those that failed included; `send` hands over each as
   * it is prepared.
   */
  run: command(v.object({ ...Which.entries, send: v.boolean() })).returns<Batch>(),
  stop: command(Which).returns<Batch>(),
  /** Main asks where the report goes, as CSV; says whether it was saved. */
  save: command(Which).returns<boolean>(),
  remove: command(Which).returns<void>(),
  changed: news<{ id: string }>(),
}
