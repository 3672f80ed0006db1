import { news } from './define.ts'

/** The frames in which files are drawn, whichever archive these are of. */
export const viewer = {
  /** They took more memory than any drawing may, and were ended. */
  ended: news<Record<string, never>>(),
}
