import { query } from './define.ts'
import * as v from 'valibot'

/** A package that is part of the program, and by which right. */
export interface Licence {
  name: string
  version: string
  /** As SPDX calls it, where the package does. */
  licence: string
  /** The whole of it; empty where the package brings none. */
  text: string
}

/** What the program is, and what it is made of. */
export interface About {
  version: string
  electron: string
  chromium: string
  node: string
  /** Of the program itself. */
  licence: string
  licences: Licence[]
}

export const about = {
  read: query(v.undefined()).returns<About>(),
}
