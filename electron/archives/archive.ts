import type { Reach } from '../archive-client/http.ts'

/** An archive that somebody is signed in to, as what concerns it is given it. */
export interface Archive {
  /** Its own id on this computer. */
  readonly id: string
  /** How it is spoken with. @throws Failed where it cannot be reached now */
  readonly reach: () => Reach
  /** The same where it was reached; else undefined. */
  readonly reached: () => Reach | undefined
}
