import type { FormField, FormValues } from './description.ts'

/** Begins a reference to a record that this desk made and that is not in the archive yet. */
const prefix = 'queued:'
export const queuedChoice = (id: string) => `${prefix}${id}`

/** The id of the creation that a choice stands for, where it is one of this desk. */
export const queuedIdOf = (choice: string): string | undefined =>
  choice.startsWith(prefix) ? choice.slice(prefix.length) : undefined

/** The ids of those that a filled form refers to. */
export const queuedIn = (fields: FormField[], values: FormValues): string[] =>
  fields.flatMap((field) => {
    const value = values[field.name]
    if (typeof value === 'string') return field.type === 'choice' ? (queuedIdOf(value) ?? []) : []
    if (!Array.isArray(value)) return []
    return value.flatMap((one) =>
      typeof one === 'string' ? (queuedIdOf(one) ?? []) : queuedIn(field.of, one),
    )
  })
