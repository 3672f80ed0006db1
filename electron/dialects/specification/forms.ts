import { isRecord } from '../../common/records.ts'
import * as v from 'valibot'
import type { FormField, FormValue, FormValues } from '../../contract/description.ts'
import { wayTo, type Capabilities } from '../../contract/capabilities.ts'
import { Failed } from '../../contract/failure.ts'
import type { ListName } from '../../contract/lists.ts'
import { queuedIdOf } from '../../contract/queued.ts'
import type { Client } from '../../archive-client/http.ts'
import { meaningOf } from '../essarch/codes.ts'
import { fieldsBy, offeredBy } from '../essarch/ways.ts'
import type { Choices } from '../dialect.ts'
import { idOf, readable } from './records.ts'
import { createsIn, type CreationField } from './creates.ts'
import * as wire from '../wire.ts'

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
  choices: v.optional(
    v.fallback(
      v.array(v.looseObject({ value: v.union([v.string(), v.number()]), display_name: wire.text })),
      [],
    ),
    [],
  ),
})
type Described = v.InferOutput<typeof Described>
const Fields = v.record(v.string(), Described)
/** The fields of a row: as they are by the specification, one level deeper by ESSArch. */
const Nested = v.looseObject({ children: Fields })
const rowIn = (child: unknown): unknown => (v.is(Nested, child) ? child.children : child)
const Options = v.looseObject({ actions: v.optional(v.looseObject({ POST: v.optional(Fields) })) })

/** The path of the list that a kind of record stands in: "agent type" stands in agent-types. */
const pathOf = (kind: string) => `${kind.replaceAll(' ', '-')}s`.replace(/ys$/, 'ies')

const typeOf = (
  { type, many, child, choices }: Described,
  named: CreationField | undefined,
): FormField['type'] => {
  if (named?.type === 'references') return 'choices'
  if (named?.type === 'rows' || named?.type === 'query' || named?.type === 'json') return named.type
  if (v.is(Fields, rowIn(child))) return 'rows'
  if (many) return 'choices'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer' || type === 'float' || type === 'decimal') return 'number'
  if (type === 'date' || type === 'datetime') return 'date'
  if (choices.length > 0 || named?.type === 'reference') return 'choice'
  return type === 'field' || type === 'nested object' || type === 'list'
    ? 'json'
    : named?.type === 'long text'
      ? 'long text'
      : 'text'
}

const labelOf = (name: string) => name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

/** A field as the archive describes it; what it leaves open is as the specification names it. */
const described = async (
  name: string,
  field: Described,
  named: CreationField | undefined,
  choicesOf: Choices,
): Promise<FormField> => {
  const from = field.reference !== '' ? pathOf(field.reference) : named?.to
  const choices =
    field.choices.length > 0
      ? field.choices.map(({ value, display_name }) => ({
          value: String(value),
          text: display_name || String(value),
        }))
      : from
        ? await choicesOf(from)
        : []
  const row = rowIn(field.child)
  const of = v.is(Fields, row)
    ? await describedAll(v.parse(Fields, row), named?.of ?? {}, choicesOf)
    : await namedAll(named?.of ?? {}, choicesOf)
  const type = typeOf(field, named)
  return {
    name,
    label: field.label || labelOf(name),
    help: field.help_text,
    isRequired: field.required,
    longest: field.max_length,
    choices,
    within: named?.within,
    alternative: named?.alternative,
    of,
    type:
      choices.length > 0 && type !== 'choices'
        ? 'choice'
        : type === 'choice'
          ? 'text'
          : type === 'text' && field.type === 'string' && field.max_length === null
            ? 'long text'
            : type,
  }
}

const describedAll = async (
  fields: v.InferOutput<typeof Fields>,
  named: Record<string, CreationField>,
  choicesOf: Choices,
): Promise<FormField[]> => {
  const order = (name: string) =>
    Object.keys(named).includes(name) ? Object.keys(named).indexOf(name) : Number.MAX_SAFE_INTEGER
  const entries = Object.entries(fields)
    .filter(([, { read_only }]) => !read_only)
    .sort(([a], [b]) => order(a) - order(b))
  return Promise.all(entries.map(([name, field]) => described(name, field, named[name], choicesOf)))
}

/** Fields as the specification alone names them, for archives that do not describe theirs. */
const namedAll = (named: Record<string, CreationField>, choicesOf: Choices): Promise<FormField[]> =>
  Promise.all(
    Object.entries(named).map(async ([name, field]): Promise<FormField> => {
      const choices = field.to ? await choicesOf(field.to) : []
      const types = { reference: choices.length > 0 ? 'choice' : 'text', references: 'choices' } as const
      const type = field.type === 'reference' || field.type === 'references' ? types[field.type] : field.type
      return {
        name,
        label: labelOf(name),
        help: '',
        type,
        isRequired: field.isRequired ?? false,
        longest: null,
        choices,
        within: field.within,
        alternative: field.alternative,
        of: await namedAll(field.of ?? {}, choicesOf),
      }
    }),
  )

/** Fields that say what a record is called, the first that is there. */
export const titleKeys = ['name', 'label', 'main_type', 'EventDetail', 'repository_code', 'name_native']

/** Agents have names in rows, of which the first is what they are called (4.2). */
export const mainNames = (names: unknown): string[] =>
  (Array.isArray(names) ? names : []).flatMap((row: unknown) =>
    isRecord(row) && typeof row['main'] === 'string' && row['main'] !== '' ? [row['main']] : [],
  )

/** What a filled form calls the record. */
export const titleIn = (values: FormValues): string | null => {
  const title = titleKeys
    .map((name) => values[name])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof title === 'string' ? title : (mainNames(values['names'])[0] ?? null)
}

/** The records of a vocabulary, to choose from. Where it cannot be had, its field takes an id. */
export const choicesIn = async (
  { list }: Pick<Client, 'list'>,
  path: string,
): Promise<FormField['choices']> => {
  const rows = await list(`${path}/`).catch(() => [])
  return rows
    .map((row) => ({ value: idOf(row), text: readable(row) || idOf(row) }))
    .filter(({ value }) => value !== '')
}

/**
 * What an archive says of creating in a list; undefined where it does not describe itself, though it may take
 * a POST all the same.
 */
export const askOptions = ({ described: ask }: Client, list: ListName): Promise<unknown> =>
  ask(`${list}/`).then(
    ({ body }) => body,
    (error: unknown) => {
      if (
        error instanceof Failed &&
        (error.failure.kind === 'server-broke' || error.failure.kind === 'not-found')
      )
        return undefined
      throw error
    },
  )

/** Objects without a form of their own are left to whoever administers the archive. */
const asked = (fields: FormField[]): FormField[] =>
  fields.flatMap((field) => (field.type === 'json' ? [] : [{ ...field, of: asked(field.of) }]))

/** Choices that the archive offers as bare codes say what these stand for, as the record itself does. */
const withMeanings = (list: ListName, fields: FormField[]): FormField[] =>
  fields.map((field) => ({
    ...field,
    choices: field.choices.map((choice) =>
      choice.text === choice.value
        ? { ...choice, text: meaningOf(list, field.name, Number(choice.value)) ?? choice.text }
        : choice,
    ),
  }))

/**
 * The form for a new record of a list; null where nothing can be created there, or this account may not.
 * @param said what the archive's OPTIONS said, now or when it could last be asked
 */
export const readForm = async (
  list: ListName,
  said: unknown,
  choicesOf: Choices,
  capabilities: Capabilities | null,
): Promise<FormField[] | null> => {
  const way = wayTo(capabilities, list)
  if (way === 'structure' || way === 'search')
    return offeredBy(way, await namedAll(fieldsBy(way, list), choicesOf))
  if (way === 'administration' || way === 'never' || way === 'not allowed') return null
  const named = createsIn(list) ?? {}
  const read = v.safeParse(Options, said)
  if (said === undefined || !read.success)
    return Object.keys(named).length > 0 ? asked(await namedAll(named, choicesOf)) : null
  const fields = read.output.actions?.POST
  return fields ? withMeanings(list, asked(await describedAll(fields, named, choicesOf))) : null
}

/** A typed value as it goes on the wire; undefined leaves the field out. */
const toWire = (
  field: FormField,
  value: FormValue | undefined,
  remoteOf: (queued: string) => string,
): unknown => {
  if (value === undefined || typeof value === 'boolean') return value
  const id = (typed: string): string | number => {
    const made = queuedIdOf(typed)
    const known = made === undefined ? typed : remoteOf(made)
    return /^\d{1,15}$/.test(known) ? Number(known) : known
  }
  if (Array.isArray(value)) {
    if (field.type === 'choices') return value.filter((choice) => typeof choice === 'string').map(id)
    return value.length === 0
      ? undefined
      : value
          .filter((row): row is FormValues => typeof row === 'object')
          .map((row) => bodyOf(field.of, row, remoteOf))
  }
  if (typeof value === 'object') return undefined
  const typed = value.trim()
  if (typed === '') return undefined
  if (field.type === 'number') return Number(typed)
  if (field.type === 'choice')
    return field.choices.some((choice) => choice.value === typed) || queuedIdOf(typed) !== undefined
      ? id(typed)
      : typed
  if (field.type === 'query') return { q: typed }
  return field.type === 'json' ? (JSON.parse(typed) as unknown) : typed
}

/**
 * A filled form as the archive takes it (specification 4.2).
 * @param remoteOf the id in the archive of a record that this desk made
 */
export const bodyOf = (
  fields: FormField[],
  values: FormValues,
  remoteOf: (queued: string) => string,
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .map((field): [string, unknown] => [field.name, toWire(field, values[field.name], remoteOf)])
      .filter(([, value]) => value !== undefined),
  )
