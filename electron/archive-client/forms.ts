import * as v from 'valibot'
import type { FormField, FormValue, FormValues } from '../contract/description.ts'
import type { Way } from '../contract/capabilities.ts'
import { Failed } from '../contract/failure.ts'
import { definitionOf, type CreationField, type ListName } from '../contract/lists.ts'
import type { Reach } from './http.ts'
import { fieldsBy } from './ways.ts'
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
const Options = v.looseObject({ actions: v.optional(v.looseObject({ POST: v.optional(Fields) })) })

/** The records that a reference to a list may name; empty where they are not known, or too many to choose from. */
export type Choices = (list: string) => Promise<FormField['choices']>

/** The path of the list that a kind of record stands in: "agent type" stands in agent-types. */
const pathOf = (kind: string) => `${kind.replaceAll(' ', '-')}s`.replace(/ys$/, 'ies')

const typeOf = (
  { type, many, child, choices }: Described,
  named: CreationField | undefined,
): FormField['type'] => {
  if (named?.type === 'references' || named?.type === 'rows' || named?.type === 'json')
    return named.type === 'references' ? 'choices' : named.type
  if (v.is(Fields, child)) return 'rows'
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

const readable = (name: string) => name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

/** A field as the archive describes it; what it leaves open is as the specification names it. */
const described = async (
  name: string,
  it: Described,
  named: CreationField | undefined,
  choicesOf: Choices,
): Promise<FormField> => {
  const from = it.reference !== '' ? pathOf(it.reference) : named?.to
  const choices =
    it.choices.length > 0
      ? it.choices.map(({ value, display_name }) => ({
          value: String(value),
          text: display_name || String(value),
        }))
      : from
        ? await choicesOf(from)
        : []
  const of = v.is(Fields, it.child)
    ? await describedAll(v.parse(Fields, it.child), named?.of ?? {}, choicesOf)
    : await namedAll(named?.of ?? {}, choicesOf)
  const type = typeOf(it, named)
  return {
    name,
    label: it.label || readable(name),
    help: it.help_text,
    isRequired: it.required,
    longest: it.max_length,
    choices,
    of,
    type:
      choices.length > 0 && type !== 'choices'
        ? 'choice'
        : type === 'choice'
          ? 'text'
          : type === 'text' && it.type === 'string' && it.max_length === null
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
  return Promise.all(entries.map(([name, it]) => described(name, it, named[name], choicesOf)))
}

/** Fields as the specification alone names them, for archives that do not describe theirs. */
const namedAll = (named: Record<string, CreationField>, choicesOf: Choices): Promise<FormField[]> =>
  Promise.all(
    Object.entries(named).map(async ([name, it]): Promise<FormField> => {
      const choices = it.to ? await choicesOf(it.to) : []
      const types = { reference: choices.length > 0 ? 'choice' : 'text', references: 'choices' } as const
      const type = it.type === 'reference' || it.type === 'references' ? types[it.type] : it.type
      return {
        name,
        label: readable(name),
        help: '',
        type,
        isRequired: it.isRequired ?? false,
        longest: null,
        choices,
        of: await namedAll(it.of ?? {}, choicesOf),
      }
    }),
  )

/** What an archive says of creating in a list; undefined where it does not describe itself, though it may take a POST all the same. */
export const askOptions = ({ described: ask }: Reach, list: ListName): Promise<unknown> =>
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

/**
 * The form for a new record of a list; null where nothing can be created there, or this account may not.
 * @param said what the archive's OPTIONS said, now or when it could last be asked
 * @param way how records of the list come into being there, where that is known
 */
export const readForm = async (
  list: ListName,
  said: unknown,
  choicesOf: Choices,
  way: Way = 'unknown',
): Promise<FormField[] | null> => {
  if (way === 'structure' || way === 'search') return namedAll(fieldsBy(way, list), choicesOf)
  if (way === 'administration' || way === 'never') return null
  const { creates: named = {} } = definitionOf(list)
  const read = v.safeParse(Options, said)
  if (said === undefined || !read.success)
    return Object.keys(named).length > 0 ? namedAll(named, choicesOf) : null
  const fields = read.output.actions?.POST
  return fields ? describedAll(fields, named, choicesOf) : null
}

/** A reference to a record that this desk made and that is not in the archive yet. */
const queued = 'queued:'
export const queuedChoice = (id: string) => `${queued}${id}`

/** The id of the creation that a choice stands for, where it is one of this desk. */
export const queuedIdOf = (choice: string): string | undefined =>
  choice.startsWith(queued) ? choice.slice(queued.length) : undefined

/** The ids of those that a filled form refers to. */
export const queuedIn = (fields: FormField[], values: FormValues): string[] =>
  fields.flatMap((field) => {
    const value = values[field.name]
    if (typeof value === 'string')
      return field.type === 'choice' && value.startsWith(queued) ? [value.slice(queued.length)] : []
    if (!Array.isArray(value)) return []
    return value.flatMap((it) =>
      typeof it === 'string'
        ? it.startsWith(queued)
          ? [it.slice(queued.length)]
          : []
        : queuedIn(field.of, it),
    )
  })

/** A typed value as it goes on the wire; undefined leaves the field out. */
const toWire = (
  field: FormField,
  value: FormValue | undefined,
  remoteOf: (queued: string) => string,
): unknown => {
  if (value === undefined || typeof value === 'boolean') return value
  const id = (typed: string): string | number => {
    const known = typed.startsWith(queued) ? remoteOf(typed.slice(queued.length)) : typed
    return /^\d{1,15}$/.test(known) ? Number(known) : known
  }
  if (Array.isArray(value)) {
    if (field.type === 'choices') return value.filter((it) => typeof it === 'string').map(id)
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
    return field.choices.some((choice) => choice.value === typed) || typed.startsWith(queued)
      ? id(typed)
      : typed
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
