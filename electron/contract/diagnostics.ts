import * as v from 'valibot'
import { command, query } from './define.ts'

/** A file about this desk for whoever helps with it: numbers and kinds, and nothing that names anything. */
export const diagnostics = {
  /** What the file would hold, to the letter. */
  show: query(v.undefined()).returns<string>(),
  /** Saves what was shown last. Whether it was saved. */
  save: command(v.undefined()).returns<boolean>(),
}
