import * as v from 'valibot'
import { command, news, query } from './define.ts'

/** Lists of archival description and their vocabularies, by their path in the interface (specification 4.2). */
export const subjects = [
  ...(['agents', 'structures', 'structure-units', 'tags', 'locations', 'deliveries', 'transfers', 'orders', 'profiles', 'submission-agreements', 'event-types', 'me/searches'] as const),
  ...(['structure-types', 'tag-version-types', 'ref-codes', 'languages', 'delivery-types', 'metric-types', 'location-level-types', 'location-function-types'] as const),
  ...(['agent-types', 'agent-name-types', 'agent-note-types', 'agent-identifier-types', 'agent-place-types', 'agent-relation-types'] as const),
  ...(['node-relation-types', 'node-note-types', 'node-identifier-types'] as const),
] as const
export type DescriptionSubject = (typeof subjects)[number]

export interface DescriptionRow {
  id: string
  title: string
  /** What tells it from others of the same title. */
  note: string
  /** How deep it stands in a tree; 0 at the top and in plain lists. */
  depth: number
}

export interface DescriptionRecord {
  title: string
  /** Every field as the archive gave it, with the readable part of what it refers to. */
  fields: { name: string; value: string }[]
  raw: string
  asOf: string | null
}

/** One field of a creation form, as the archive itself describes it (OPTIONS). */
export interface FormField {
  name: string
  label: string
  help: string
  type: 'text' | 'boolean' | 'number' | 'date' | 'choice' | 'json'
  isRequired: boolean
  longest: number | null
  choices: { value: string; text: string }[]
}

const Subject = v.object({ subject: v.picklist(subjects) })
const Values = v.record(v.pipe(v.string(), v.maxLength(200)), v.union([v.pipe(v.string(), v.maxLength(100_000)), v.boolean()]))

/** What a window may ask about description, and what it may add to it. */
export const description = {
  list: query(Subject).returns<{ rows: DescriptionRow[]; asOf: string | null }>(),
  one: query(v.object({ ...Subject.entries, id: v.pipe(v.string(), v.maxLength(300)) })).returns<DescriptionRecord>(),
  /** The fields that the archive takes; null where this account may create nothing here. */
  form: query(Subject).returns<FormField[] | null>(),
  create: command(v.object({ ...Subject.entries, values: Values })).returns<{ id: string }>(),
  changed: news<{ subject: DescriptionSubject }>(),
}
