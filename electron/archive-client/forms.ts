import * as v from 'valibot'
import type { FormField, FormValue, FormValues } from '../contract/description.ts'
import { Failed } from '../contract/failure.ts'
import { definitionOf, listNamed, type CreationField, type ListName } from '../contract/lists.ts'
import type { Reach } from './http.ts'
import { listPackages } from './packages.ts'
import { idOf, listRecords } from './records.ts'
import * as wire from './wire.ts'

const flag = v.optional(v.fallback(v.boolean(), false), false)
const Described = v.looseObject({
  type: wire.text,
  required: flag,
  read_only: flag,
  label: wire.text,
  help_text: wire.text,
  max_length: wire.maybeNumber,
  reference: wire.text,
  many: flag,
  child: wire.anything,
  children: wire.anything,
  choices: v.optional(v.fallback(v.array(v.looseObject({ value: v.union([v.string(), v.number()]), display_name: wire.text })), []), []),
})
type Described = v.InferOutput<typeof Described>
const Fields = v.record(v.string(), Described)
const Options = v.looseObject({ actions: v.optional(v.looseObject({ POST: v.optional(Fields) })) })

/** Lists that references choose from, each read once for a form. */
type Choices = (list: string) => Promise<FormField['choices']>

const mostChoices = 5_000

const choicesFrom = (archive: Reach): Choices => {
  const known = new Map<string, Promise<FormField['choices']>>()
  const read = async (path: string): Promise<FormField['choices']> => {
    if (path === 'information-packages') {
      const { rows } = await listPackages(archive)
      return rows
        .filter(({ model }) => model.type !== 'AIC')
        .map(({ model: { id, label, identifier, generation } }) => ({ value: id, text: `${label || identifier || id}${generation === null ? '' : ` (${generation})`} – ${identifier}` }))
    }
    const list = listNamed(path)
    if (!list) return []
    const { rows } = await listRecords(archive, list)
    return rows.map(({ model: { id, title, note } }) => ({ value: id, text: note === '' ? title : `${title} – ${note}` }))
  }
  return (path) => {
    const reading =
      known.get(path) ??
      read(path)
        .catch(() => [])
        // A list that is too long to choose from is typed into: the field takes an id.
        .then((choices) => (choices.length > mostChoices ? [] : choices))
    known.set(path, reading)
    return reading
  }
}

/** The path of the list that a kind of record stands in: "agent type" stands in agent-types. */
const pathOf = (kind: string) => `${kind.replaceAll(' ', '-')}s`.replace(/ys$/, 'ies')

const typeOf = ({ type, many, child, choices }: Described, named: CreationField | undefined): FormField['type'] => {
  if (named?.type === 'references' || named?.type === 'rows' || named?.type === 'json') return named.type === 'references' ? 'choices' : named.type
  if (v.is(Fields, child)) return 'rows'
  if (many) return 'choices'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'float' || type === 'decimal') return 'number'
  if (type === 'date' || type === 'datetime') return 'date'
  if (choices.length > 0 || named?.type === 'reference') return 'choice'
  return type === 'field' || type === 'nested object' || type === 'list' ? 'json' : named?.type === 'long text' ? 'long text' : 'text'
}

const readable = (name: string) => name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

/** A field as the archive describes it; what it leaves open is as the specification names it. */
const described = async (name: string, it: Described, named: CreationField | undefined, choicesOf: Choices): Promise<FormField> => {
  const from = it.reference !== '' ? pathOf(it.reference) : named?.to
  const choices = it.choices.length > 0 ? it.choices.map(({ value, display_name }) => ({ value: String(value), text: display_name || String(value) })) : from ? await choicesOf(from) : []
  const of = v.is(Fields, it.child) ? await describedAll(v.parse(Fields, it.child), named?.of ?? {}, choicesOf) : await namedAll(named?.of ?? {}, choicesOf)
  const type = typeOf(it, named)
  return {
    ...{ name, label: it.label || readable(name), help: it.help_text, isRequired: it.required, longest: it.max_length, choices, of },
    type: choices.length > 0 && type !== 'choices' ? 'choice' : type === 'choice' ? 'text' : type === 'text' && it.type === 'string' && it.max_length === null ? 'long text' : type,
  }
}

const describedAll = async (fields: v.InferOutput<typeof Fields>, named: Record<string, CreationField>, choicesOf: Choices): Promise<FormField[]> => {
  const order = (name: string) => (Object.keys(named).includes(name) ? Object.keys(named).indexOf(name) : Number.MAX_SAFE_INTEGER)
  const entries = Object.entries(fields)
    .filter(([, { read_only }]) => !read_only)
    .sort(([a], [b]) => order(a) - order(b))
  return Promise.all(entries.map(([name, it]) => described(name, it, named[name], choicesOf)))
}

/** Fields as the specification alone names them, for archives that do not describe theirs. */
const namedAll = (named: Record<string, CreationField>, choicesOf: Choices): Promise<FormField[]> =>
  Promise.all(
    Object.entries(named).map(async ([name, it]): Promise<FormField> => {
      const choices = it.to ? await choicesOf(it.to) : []
      const types = { reference: choices.length > 0 ? 'choice' : 'text', references: 'choices' } as const
      const type = it.type === 'reference' || it.type === 'references' ? types[it.type] : it.type
      return { ...{ name, label: readable(name), help: '', type, isRequired: it.isRequired ?? false, longest: null, choices }, of: await namedAll(it.of ?? {}, choicesOf) }
    }),
  )

/** The form for a new record of a list; null where nothing can be created there, or this account may not. */
export const readForm = async (archive: Reach, list: ListName): Promise<FormField[] | null> => {
  const { creates: named = {} } = definitionOf(list)
  const choicesOf = choicesFrom(archive)
  const said = await archive.options(`${list}/`).catch((error: unknown) => {
    // An archive that does not describe itself may take a POST all the same.
    if (error instanceof Failed && (error.failure.kind === 'server-broke' || error.failure.kind === 'not-found')) return undefined
    throw error
  })
  const read = v.safeParse(Options, said)
  if (said === undefined || !read.success) return Object.keys(named).length > 0 ? namedAll(named, choicesOf) : null
  const fields = read.output.actions?.POST
  return fields ? describedAll(fields, named, choicesOf) : null
}

/** A typed value as it goes on the wire; undefined leaves the field out. */
const toWire = (field: FormField, value: FormValue | undefined): unknown => {
  if (value === undefined || typeof value === 'boolean') return value
  const id = (typed: string) => (/^\d{1,15}$/.test(typed) ? Number(typed) : typed)
  if (Array.isArray(value)) {
    if (field.type === 'choices') return value.filter((it) => typeof it === 'string').map(id)
    return value.length === 0 ? undefined : value.filter((row): row is FormValues => typeof row === 'object').map((row) => bodyOf(field.of, row))
  }
  if (typeof value === 'object') return undefined
  const typed = value.trim()
  if (typed === '') return undefined
  if (field.type === 'number') return Number(typed)
  if (field.type === 'choice') return field.choices.some((choice) => choice.value === typed) ? id(typed) : typed
  return field.type === 'json' ? (JSON.parse(typed) as unknown) : typed
}

const bodyOf = (fields: FormField[], values: FormValues): Record<string, unknown> =>
  Object.fromEntries(fields.map((field): [string, unknown] => [field.name, toWire(field, values[field.name])]).filter(([, value]) => value !== undefined))

/** Creates a record from a filled form and gives its id; empty where the archive does not say it. */
export const createRecord = async ({ post }: Reach, list: ListName, fields: FormField[], values: FormValues): Promise<string> => idOf(await post(`${list}/`, bodyOf(fields, values)))
