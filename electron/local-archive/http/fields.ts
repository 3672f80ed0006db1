import type { Body, Database, Kind } from '../database.ts'
import { isRecord } from '../../common/records.ts'
import { keyOf, rowsIn } from './body-values.ts'

type Messages = Record<string, unknown>

/**
 * One field that a POST may carry: what it is, and whether it must be there. Also what OPTIONS says of it.
 */
export interface Field {
  type: 'string' | 'boolean' | 'integer' | 'date' | 'choice' | 'reference' | 'references' | 'list' | 'json'
  required: boolean
  label?: string
  help?: string
  longest?: number
  choices?: readonly (string | number)[]
  /** For references: the kind whose ids it holds. */
  to?: Kind
  /** For a list: the fields of each object in it. */
  of?: Fields
  /** No two records of the kind may have the same. */
  isUnique?: boolean
  /** What is kept where the field is left out. */
  otherwise?: unknown
}
export type Fields = Record<string, Field>

/** A line of text of at most 255 characters, as the interface's text columns hold. */
export const text = (required = false): Field => ({ type: 'string', required, longest: 255, otherwise: '' })
export const uniqueText = (): Field => ({ ...text(true), isUnique: true })
/** Text of any length. */
export const longText = (required = false): Field => ({ type: 'string', required, otherwise: '' })
export const integer = (required = false): Field => ({ type: 'integer', required })
export const boolean = (otherwise = false): Field => ({ type: 'boolean', required: false, otherwise })
/** A date or a moment as ISO 8601. */
export const date = (): Field => ({ type: 'date', required: false })
export const choice = (choices: readonly (string | number)[], otherwise?: string | number): Field => ({
  type: 'choice',
  required: otherwise === undefined,
  choices,
  otherwise: otherwise ?? null,
})
export const reference = (to: Kind, required = false): Field => ({ type: 'reference', required, to })
export const references = (to: Kind): Field => ({ type: 'references', required: false, to, otherwise: [] })
export const list = (of: Fields): Field => ({ type: 'list', required: false, of, otherwise: [] })
export const json = (required = false): Field => ({ type: 'json', required })

/** Each item is looked up or read while nobody else is answered. */
const mostReferences = 10_000
const mostItems = 1_000
const tooMany = (most: number) => `Ensure this field has no more than ${most} items.`

const isMoment = (value: string) =>
  /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(value) &&
  !Number.isNaN(new Date(value).getTime())
const missing = (to: Kind | undefined, value: unknown, { has }: Database): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return 'Incorrect type. Expected pk value.'
  return to && has(to, String(value)) ? undefined : `Invalid pk "${value}" - object does not exist.`
}

/** What is wrong with a value: a message, messages of the objects inside it, or nothing. */
const wrong = (field: Field, value: unknown, database: Database): string | unknown[] | undefined => {
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') return 'Not a valid string.'
      if (value.includes('\0')) return 'Null characters are not allowed.'
      if (field.required && value.trim() === '') return 'This field may not be blank.'
      return field.longest !== undefined && value.length > field.longest
        ? `Ensure this field has no more than ${field.longest} characters.`
        : undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Must be a valid boolean.'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.'
    case 'date':
      return typeof value === 'string' && isMoment(value)
        ? undefined
        : 'Date has wrong format. Use YYYY-MM-DD.'
    case 'choice':
      return field.choices?.some((possible) => possible === value)
        ? undefined
        : `"${String(JSON.stringify(value)).slice(0, 100)}" is not a valid choice.`
    case 'reference':
      return missing(field.to, value, database)
    case 'references':
      if (!Array.isArray(value)) return 'Expected a list of items.'
      if (value.length > mostReferences) return tooMany(mostReferences)
      return value.map((id) => missing(field.to, id, database)).find((message) => message !== undefined)
    case 'list': {
      if (!Array.isArray(value)) return 'Expected a list of items.'
      if (value.length > mostItems) return tooMany(mostItems)
      const each = value.map((item) =>
        isRecord(item)
          ? readFields(field.of ?? {}, item, database)
          : { messages: { non_field_errors: ['Invalid data. Expected a dictionary.'] } },
      )
      return each.some((read) => 'messages' in read)
        ? each.map((read) => ('messages' in read ? read.messages : {}))
        : undefined
    }
    case 'json':
      return undefined
  }
}

/**
 * Reads the body of a POST by its fields. Gives the values that were sent, or messages per field as a 400
 * carries them (those of nested lists mirror the input). Fields that nobody named are left out, as the
 * archive cannot keep them.
 * @param kind where a field must be unique, among the records of this kind
 */
export const readFields = (
  fields: Fields,
  body: Body,
  database: Database,
  kind?: Kind,
): { values: Body } | { messages: Messages } => {
  const values: Body = {}
  const messages: Messages = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value === undefined || value === null) {
      if (field.required)
        messages[name] = [value === null ? 'This field may not be null.' : 'This field is required.']
      else values[name] = field.otherwise ?? null
      continue
    }
    const message = wrong(field, value, database)
    if (message !== undefined) messages[name] = Array.isArray(message) ? message : [message]
    else if (field.isUnique && kind && database.hasWhere(kind, name, keyOf(value)))
      messages[name] = [`${kind} with this ${name} already exists.`]
    else if (field.type === 'list')
      values[name] = rowsIn(value).flatMap((item) => {
        const read = readFields(field.of ?? {}, item, database)
        return 'values' in read ? [read.values] : []
      })
    else values[name] = value
  }
  return Object.keys(messages).length > 0 ? { messages } : { values }
}

const optionTypes: Record<Field['type'], string> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'integer',
  date: 'date',
  choice: 'choice',
  reference: 'field',
  references: 'field',
  list: 'field',
  json: 'field',
}

/** What OPTIONS says of the fields of a POST, so that a client can draw the form. */
export const describeFields = (fields: Fields): Body =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, required, label, help, longest, choices, to, of }]) => [
      name,
      {
        type: optionTypes[type],
        required,
        read_only: false,
        label: label ?? name.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase()),
        ...(help === undefined ? {} : { help_text: help }),
        ...(longest === undefined ? {} : { max_length: longest }),
        ...(choices ? { choices: choices.map((value) => ({ value, display_name: String(value) })) } : {}),
        ...(to ? { reference: to, many: type === 'references' } : {}),
        ...(of ? { many: true, child: describeFields(of) } : {}),
      },
    ]),
  )
