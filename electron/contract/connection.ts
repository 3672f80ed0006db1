import * as v from 'valibot'
import { command } from './define.ts'

/** The connection to an archive. How it stands is said with the session. */
export const connection = {
  /** Connects anew where there is none, and reads everything again. */
  refresh: command(v.undefined()).returns<void>(),
  /** Takes a shrunken list as the archive gives it. */
  acceptShrunk: command(v.object({ subject: v.pipe(v.string(), v.maxLength(100)) })).returns<void>(),
}
