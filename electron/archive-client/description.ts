import * as v from 'valibot'
import { subjects, type DescriptionRow, type DescriptionSubject, type FormField } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import type { Reach } from './http.ts'
import * as wire from './wire.ts'

type Wire = Record<string, unknown>
const AnyRecord = v.record(v.string(), v.unknown())
const isObject = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '')

/** The readable part of a value: a name, a title, a text; of a list, those of its items; else the JSON itself. */
export const readable = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(readable).filter(Boolean).join('; ')
  if (!isObject(value)) return textOf(value)
  const own = ['name', 'main', 'main_type', 'label', 'text', 'identifier', 'username', 'repository_code', 'name_native']
    .map((key) => value[key])
    .find((it) => it !== undefined && it !== null && it !== '')
  return own === undefined ? JSON.stringify(value) : readable(own)
}

const titleKeys = ['name', 'label', 'name_native', 'repository_code', 'eventDetail', 'main_type', 'username']
const noteKeys = ['reference_code', 'eventType', 'country', 'profile_type', 'status', 'type', 'level_type', 'sub_type', 'structure_name']

const idOf = (it: Wire) => textOf(it['id'] ?? it['pk'] ?? it['eventType'])

const toRow = (it: Wire, depth: number): DescriptionRow => {
  const version = isObject(it['current_version']) ? it['current_version'] : it
  const first = (keys: string[]) => keys.map((key) => readable(version[key])).find((text) => text !== '') ?? ''
  const id = idOf(it)
  return { id, title: first(titleKeys) || id, note: first(noteKeys), depth }
}

/** Rows of a list; where they nest in `children`, each row is followed by what is below it. */
const rowsOf = (rows: unknown[], depth = 0): { model: DescriptionRow; raw: unknown }[] =>
  rows.flatMap((row) => {
    const it = v.parse(AnyRecord, row)
    const { children, ...own } = it
    return [{ model: toRow(it, depth), raw: own }, ...(Array.isArray(children) ? rowsOf(children, depth + 1) : [])]
  })

export const listRecords = async ({ list }: Reach, subject: DescriptionSubject) => rowsOf(await list(`${subject}/`))

const Options = v.looseObject({
  actions: v.optional(
    v.looseObject({
      POST: v.optional(
        v.record(
          v.string(),
          v.looseObject({
            type: wire.text,
            required: v.optional(v.fallback(v.boolean(), false), false),
            read_only: v.optional(v.fallback(v.boolean(), false), false),
            label: wire.text,
            help_text: wire.text,
            max_length: wire.maybeNumber,
            reference: wire.text,
            many: v.optional(v.fallback(v.boolean(), false), false),
            child: wire.anything,
            choices: v.optional(v.fallback(v.array(v.looseObject({ value: v.union([v.string(), v.number()]), display_name: wire.text })), []), []),
          }),
        ),
      ),
    }),
  ),
})

const typeOf = (type: string, isMany: boolean, hasChild: boolean): FormField['type'] => {
  if (isMany || hasChild || type === 'nested object' || type === 'list') return 'json'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'float' || type === 'decimal') return 'number'
  if (type === 'date' || type === 'datetime') return 'date'
  return type === 'choice' ? 'choice' : 'text'
}

const mostChoices = 2000

/** The records that a reference may name, where the archive says which list they stand in and it is not too long to choose from. */
const choicesFor = async (archive: Reach, kind: string): Promise<FormField['choices']> => {
  const path = `${kind.replaceAll(' ', '-')}s`.replace(/ys$/, 'ies')
  const subject = subjects.find((it) => it === path)
  if (!subject) return []
  const rows = await listRecords(archive, subject).catch(() => [])
  return rows.length > mostChoices ? [] : rows.map(({ model: { id, title, note } }) => ({ value: id, text: note === '' ? title : `${title} – ${note}` }))
}

/** What the archive says of creating in a list; null where this account may not. */
export const readForm = async (archive: Reach, subject: DescriptionSubject): Promise<FormField[] | null> => {
  const read = v.safeParse(Options, await archive.options(`${subject}/`))
  const fields = read.success ? read.output.actions?.POST : undefined
  if (!fields) return null
  return Promise.all(
    Object.entries(fields)
      .filter(([, { read_only }]) => !read_only)
      .map(async ([name, it]): Promise<FormField> => {
        const named = it.choices.map(({ value, display_name }) => ({ value: String(value), text: display_name || String(value) }))
        const choices = it.reference !== '' && !it.many ? await choicesFor(archive, it.reference) : named
        return {
          ...{ name, label: it.label || name, help: it.help_text, isRequired: it.required, longest: it.max_length, choices },
          type: choices.length > 0 ? 'choice' : typeOf(it.type, it.many, it.child !== undefined),
        }
      }),
  )
}

/** A typed value as it goes on the wire; undefined leaves the field out. */
const toWire = (field: FormField, value: string | boolean | undefined): unknown => {
  if (typeof value === 'boolean') return value
  const typed = value?.trim() ?? ''
  if (typed === '') return undefined
  if (field.type === 'number') return /^-?\d+$/.test(typed) ? Number(typed) : typed
  if (field.type === 'choice') return field.choices.some((choice) => choice.value === typed) && /^\d+$/.test(typed) ? Number(typed) : typed
  if (field.type !== 'json') return typed
  try {
    return JSON.parse(typed) as unknown
  } catch {
    throw new Failed({ kind: 'refused', fields: { [field.name]: ['This is not JSON.'] } })
  }
}

/** Creates a record from a filled form and gives its id. */
export const createRecord = async ({ post }: Reach, subject: DescriptionSubject, fields: FormField[], values: Record<string, string | boolean>): Promise<string> => {
  const filled = fields.map((field): [string, unknown] => [field.name, toWire(field, values[field.name])])
  const body: Wire = Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  const made = await post(`${subject}/`, body)
  return isObject(made) ? idOf(made) : ''
}
