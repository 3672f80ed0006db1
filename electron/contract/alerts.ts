import * as v from 'valibot'
import { news, query } from './define.ts'

/** A notification of the archive (specification 2.13). */
export interface Alert {
  id: number
  level: string
  /** As the archive wrote it. */
  message: string
  /** As a person reads it: without the identifier behind the label, where that is a package we know. */
  text: string
  time: string
  seen: boolean
  /** The package that the message speaks of, where its identifier is in it. */
  package: { id: string; label: string } | null
}

/** What the archive told this user. */
export const alerts = {
  list: query(v.undefined()).returns<{ rows: Alert[]; asOf: string | null }>(),
  /** A person clicked a native notification: the window goes to that place. */
  opened: news<{ place: string }>(),
}
