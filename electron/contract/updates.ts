import * as v from 'valibot'
import { news, query } from './define.ts'

/** A version of this program that is newer than the one that runs. */
export interface NewerVersion {
  version: string
}

/** Nothing is ever fetched or installed: that is done by whoever looks after the computer. */
export const updates = {
  /** Null where none is known, or nobody wants to know. */
  newer: query(v.undefined()).returns<NewerVersion | null>(),
  changed: news<NewerVersion | null>(),
}
