import type { FormValues } from '../../../electron/contract/description.ts'

/**
 * What was typed into forms that were not sent yet: whoever looks at another page meanwhile finds it again.
 * By the record of the outbox that is corrected, or by the archive and the list that a new record is for.
 */
export const unsentForms = new Map<string, FormValues>()

/** What somebody typed into the form of a record that is there, by the archive, the list and the record. */
export const unsavedChanges = new Map<string, { seen: FormValues; values: FormValues }>()
