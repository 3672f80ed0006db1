import * as v from 'valibot'
import type { Way } from './capabilities.ts'
import { command, news, query } from './define.ts'
import { filtersOf, type FacetValue } from './filters.ts'
import { listNames, type ListName } from './lists.ts'
import { beginning, paging, type Listed } from './paging.ts'
import { deskId, longestId, recordId } from './ids.ts'

/** Where a reference leads: a record of a list, a package or a medium. */
export interface RecordLink {
  list: ListName | 'information-packages' | 'storage-mediums'
  id: string
}

export interface RecordRow {
  id: string
  title: string
  /** What tells it from others of the same title. */
  note: string
  /** How many records and packages refer to it. */
  uses: number
  /** How deep it stands in a tree; 0 at the top and in plain lists. */
  depth: number
  hasChildren: boolean
  /** Changed in the archive since a person last looked at it here. */
  isNew: boolean
}

/** A row of the one tree of what is described. */
export interface TreeRow {
  /** Where it stands: a unit of a structure that archives share stands below each of them. */
  id: string
  kind: 'archive' | 'unit' | 'node' | 'package'
  to: RecordLink
  title: string
  /** Its reference code or identifier. */
  note: string
  depth: number
  hasChildren: boolean
  /** Changed in the archive since a person last looked at it here. */
  isNew: boolean
}

/** Where references lead to, by which a list can be narrowed. */
export const referredLists = [...listNames, 'information-packages', 'storage-mediums'] as const
export type ReferredList = (typeof referredLists)[number]
export const recordSorts = ['title', 'note', 'uses', 'id'] as const
export type RecordSort = (typeof recordSorts)[number]

/** One field of a record as a person reads it. */
export interface RecordField {
  name: string
  value: string
  /** The plain code, where the value is its meaning. */
  code: string | null
  to: RecordLink | null
  /** The value is a kind of profile, which has a name in plain words. */
  isProfileKind?: boolean
  /**
   * What its text is, where that is said in a form of its own: `word` is the archive's own for a thing, a
   * `search` is written as in an address of this desk.
   */
  is?: 'bytes' | 'message' | 'word' | 'search'
  search?: SearchWords
}

/** What an address of a search does not say of it. */
export interface SearchWords {
  /** What the records that it is narrowed to are called, by their ids, as far as they are held. */
  names: Record<string, string>
  /** Conditions that this desk does not know, which are left out of the address. */
  others: { name: string; value: string }[]
}

/** What a record holds many of: the names of an agent, the targets of a method. */
export interface RecordTable {
  name: string
  columns: string[]
  rows: RecordField[][]
}

export interface RecordPage {
  title: string
  note: string
  /** What it stands below, from the top. */
  path: { id: string; title: string }[]
  fields: RecordField[]
  tables: RecordTable[]
  /** The names of those that are read first. */
  leading: string[]
  /** The packages that it stands for, or speaks of, as far as is known; also where its fields do not say. */
  packages: { id: string; title: string }[]
  /** Records that refer to this one, the first of each list. */
  related: { list: ListName; total: number; rows: { id: string; title: string; note: string }[] }[]
  raw: string
  asOf: string | null
}

/** A node that stands for a package, with what is read of it first. */
export interface NodeOfPackage extends Pick<RecordPage, 'title' | 'note' | 'path'> {
  id: string
  fields: RecordField[]
}

/** What may be chosen in a field. */
export interface Choice {
  value: string
  text: string
  /** The titles of what it stands below, from the top; absent in lists that are no tree. */
  path?: string[]
  /** The structure that a unit or a node stands in. */
  within?: string | null
  /** A published structure: archives have copies of it, and nothing is put into it. */
  isTemplate?: boolean
}

/**
 * What is typed for a value that is no text: "query", the words that a stored search looks for; "json", which
 * the desk writes itself and no form asks for.
 */
type FormText = 'query' | 'json'

/**
 * One field of a creation form: what the specification names, completed by what the archive says of it
 * (OPTIONS).
 */
export interface FormField {
  name: string
  label: string
  help: string
  type: 'text' | 'long text' | 'boolean' | 'number' | 'date' | 'choice' | 'choices' | 'rows' | FormText
  isRequired: boolean
  longest: number | null
  choices: Choice[]
  /** The field that says what its choices stand in. */
  within?: string | undefined
  /** The field that may be filled in its place; one of both is enough. */
  alternative?: string | undefined
  /** The fields of each row. */
  of: FormField[]
}

export type FormValue = string | boolean | string[] | FormValues[]
// A record of itself is only possible as an interface.
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style
export interface FormValues {
  [name: string]: FormValue
}

const List = v.object({ list: v.picklist(listNames) })
const shortText = v.pipe(v.string(), v.maxLength(300))
const Value: v.GenericSchema<FormValue> = v.union([
  v.pipe(v.string(), v.maxLength(100_000)),
  v.boolean(),
  v.pipe(v.array(shortText), v.maxLength(10_000)),
  v.pipe(
    v.array(
      v.record(
        shortText,
        v.lazy(() => Value),
      ),
    ),
    v.maxLength(1_000),
  ),
])

/** Which rows of a list of description are wanted. */
export const WhichRecords = v.object({
  ...List.entries,
  /** Only what stands in this record: the units of a structure. */
  within: v.nullable(recordId),
  filter: v.pipe(v.string(), v.maxLength(1000)),
  open: v.pipe(v.array(recordId), v.maxLength(10_000)),
  ...paging,
  /** Of lists that records refer to the ids of which one is enough: agents of one of these types. */
  references: v.optional(filtersOf(referredLists)),
  /** Left out, records stand in the order of the archive. */
  sort: v.optional(v.picklist(recordSorts)),
  descending: v.optional(v.boolean()),
})
export type WhichRecords = v.InferOutput<typeof WhichRecords>
const WhichRecordBeginning = v.object({ ...v.omit(WhichRecords, ['offset', 'limit']).entries, ...beginning })
export type WhichRecordBeginning = v.InferOutput<typeof WhichRecordBeginning>
const WhichRecordFacet = v.object({
  ...v.omit(WhichRecords, ['offset', 'limit']).entries,
  field: v.picklist(referredLists),
})
export type WhichRecordFacet = v.InferOutput<typeof WhichRecordFacet>
const WhichRecordColumns = v.omit(WhichRecords, ['offset', 'limit', 'open', 'sort', 'descending'])
export type WhichRecordColumns = v.InferOutput<typeof WhichRecordColumns>

const treeRows = v.pipe(v.array(v.pipe(v.string(), v.maxLength(3 * longestId))), v.maxLength(10_000))
export const WhichTree = v.object({
  /** The rows that are open, by their ids. */
  open: treeRows,
  offset: WhichRecords.entries.offset,
  limit: WhichRecords.entries.limit,
})
export type WhichTree = v.InferOutput<typeof WhichTree>

/** A field that somebody else changed since a form was opened. */
export interface FieldDifference {
  name: string
  label: string
  before: FormValue
  theirs: FormValue
  mine: FormValue
  /** Whether it was changed here too. */
  isMine: boolean
}

/** A filled form. */
export const Values = v.record(shortText, Value)

/** What a window may ask about description, and what it may add to it. */
export const description = {
  list: query(WhichRecords).returns<Listed<RecordRow>>(),
  /** By which lists that its records refer to a list can be narrowed. */
  referred: query(v.object({ list: WhichRecords.entries.list })).returns<ReferredList[]>(),
  /** What records refer to, with how many of those do that match all other filters. */
  facet: query(WhichRecordFacet).returns<FacetValue[]>(),
  /** The columns that say the same in every record; of one or none, none. */
  uniform: query(WhichRecordColumns).returns<RecordSort[]>(),
  /** The line of the next row that begins so; null where none does. */
  beginning: query(WhichRecordBeginning).returns<{ line: number | null }>(),
  /** Archives, units, nodes and packages; how many archives there are is the total. */
  tree: query(WhichTree).returns<Listed<TreeRow>>(),
  treeBeginning: query(v.object({ open: treeRows, ...beginning })).returns<{ line: number | null }>(),
  /** The rows that are to be open for a record to be seen in the tree. */
  treePath: query(v.object({ list: v.picklist(['tags', 'structure-units']), id: recordId })).returns<
    string[]
  >(),
  /** How many records there are in each list, of tags how many archives; null where it was not read yet. */
  counts: query(v.undefined()).returns<{ list: ListName; count: number | null }[]>(),
  one: query(v.object({ ...List.entries, id: recordId })).returns<RecordPage>(),
  /** Where packages stand: their nodes, the first twenty. */
  nodesOf: query(v.object({ packages: v.pipe(v.array(recordId), v.maxLength(1_000)) })).returns<
    NodeOfPackage[]
  >(),
  /**
   * The fields that the archive takes, or null where nothing is created here; and how it is done on this
   * archive.
   */
  form: query(List).returns<{ fields: FormField[] | null; way: Way }>(),
  /**
   * `replaces` names one in the outbox that was corrected. The id in the archive; or, where it could not be
   * sent at once, that of the creation in the outbox.
   */
  create: command(v.object({ ...List.entries, values: Values, replaces: v.optional(deskId) })).returns<{
    id: string | null
    queued: string | null
  }>(),
  changed: news<{ list: ListName }>(),
}
