import * as v from 'valibot'
import { command, query } from './define.ts'
import { Values, type FieldDifference, type FormField, type FormValues } from './description.ts'
import { listNames } from './lists.ts'
import { recordId } from './ids.ts'

const One = v.object({
  list: v.picklist(listNames),
  id: recordId,
})

/** Changing records of description, where an archive lets one. */
export const changes = {
  /** The record as the archive has it now, in a form. */
  open: query(One).returns<{ fields: FormField[]; values: FormValues }>(),
  /**
   * Nothing is written while somebody else's changes since `seen` are not known: they come back, with the
   * record as it is now.
   */
  save: command(v.object({ ...One.entries, seen: Values, values: Values })).returns<{
    differences: FieldDifference[]
    now: FormValues
  }>(),
}
