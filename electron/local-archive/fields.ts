import type { Body, Database, Kind } from './database.ts'

/** One field that a POST may carry: what it is, and whether it must be there. */
export interface Field {
  type: 'string' | 'boolean' | 'integer' | 'reference'
  required: boolean
  longest?: number
  /** For a reference: the kind whose id it holds. */
  to?: Kind
}

/** A line of text of at most 255 characters, as the interface's text columns hold. */
export const text = (required = false): Field => ({ type: 'string', required, longest: 255 })
/** Text of any length. */
export const longText = (): Field => ({ type: 'string', required: false })
export const integer = (required = false): Field => ({ type: 'integer', required })
export const reference = (to: Kind, required = false): Field => ({ type: 'reference', required, to })

const wrong = (field: Field, value: unknown, { one }: Database): string | undefined => {
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') return 'Not a valid string.'
      if (field.required && value.trim() === '') return 'This field may not be blank.'
      if (field.longest !== undefined && value.length > field.longest) return `Ensure this field has no more than ${field.longest} characters.`
      return undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Must be a valid boolean.'
    case 'integer':
      return Number.isSafeInteger(value) ? undefined : 'A valid integer is required.'
    case 'reference':
      if (typeof value !== 'string' && typeof value !== 'number') return 'Incorrect type. Expected pk value.'
      return field.to && one(field.to, String(value)) ? undefined : `Invalid pk "${value}" - object does not exist.`
  }
}

/**
 * Reads the body of a POST by its fields. Gives the values that were sent, or messages per field as a 400 carries them.
 * Fields that nobody named are left out, as the archive cannot keep them.
 */
export const readFields = (fields: Record<string, Field>, body: Body, database: Database): { values: Body } | { messages: Record<string, string[]> } => {
  const values: Body = {}
  const messages: Record<string, string[]> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = body[name]
    if (value === undefined || value === null) {
      if (field.required) messages[name] = [value === null ? 'This field may not be null.' : 'This field is required.']
      else values[name] = field.type === 'string' ? '' : null
      continue
    }
    const message = wrong(field, value, database)
    if (message) messages[name] = [message]
    else values[name] = value
  }
  return Object.keys(messages).length > 0 ? { messages } : { values }
}
