import type { FormValues } from '../../../electron/contract/description.ts'

/** What was typed over a record of the outbox, by its id: whoever looks at another page meanwhile finds it again. */
export const corrections = new Map<string, FormValues>()
