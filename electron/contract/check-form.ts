import type { FormField, FormValue, FormValues } from './description.ts'
import { Failed } from './failure.ts'

/** What is wrong with a typed value, found before anything is sent. */
export type FormTrouble = 'missing' | 'too long' | 'number' | 'date' | 'json'

const isMissing = (value: FormValue | undefined) =>
  value === undefined ||
  (typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0)

const isJson = (typed: string) => {
  try {
    JSON.parse(typed)
    return true
  } catch {
    return false
  }
}

const wrong = (field: FormField, value: FormValue | undefined): FormTrouble | undefined => {
  if (isMissing(value)) return field.isRequired && field.type !== 'boolean' ? 'missing' : undefined
  if (typeof value !== 'string') return undefined
  const typed = value.trim()
  if (field.longest !== null && typed.length > field.longest) return 'too long'
  if (field.type === 'number' && !/^-?\d{1,15}$/.test(typed)) return 'number'
  if (field.type === 'date' && (!/^\d{4}-\d\d-\d\d/.test(typed) || Number.isNaN(Date.parse(typed))))
    return 'date'
  return field.type === 'json' && !isJson(typed) ? 'json' : undefined
}

/**
 * A filled form before it is sent: what is wrong with which field. Fields of rows stand under "names.0.main",
 * as the archive's own messages do.
 */
export const checkForm = (fields: FormField[], values: FormValues, above = ''): Map<string, FormTrouble> =>
  new Map(
    fields.flatMap((field): [string, FormTrouble][] => {
      const value = values[field.name]
      const trouble = wrong(field, value)
      if (trouble) return [[above + field.name, trouble]]
      if (field.type !== 'rows' || !Array.isArray(value)) return []
      return value.flatMap((row, index) =>
        typeof row === 'object' ? [...checkForm(field.of, row, `${above}${field.name}.${index}.`)] : [],
      )
    }),
  )

/** @throws Failed refused, with what is wrong with each field of a filled form */
export const needValidForm = (fields: FormField[], values: FormValues): void => {
  const troubles = checkForm(fields, values)
  if (troubles.size === 0) return
  throw new Failed({
    kind: 'refused',
    fields: Object.fromEntries([...troubles].map(([name, trouble]) => [name, [trouble]])),
  })
}
