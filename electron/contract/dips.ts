import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Failure } from './failure.ts'
import { deskId, recordId } from './ids.ts'
import type { Agreement } from './agreements.ts'

/** The steps from an order to its dissemination package, in the order in which they are taken. */
export const dipStages = ['register', 'agree', 'prepare', 'fetch', 'copy', 'create'] as const
export type DipStage = (typeof dipStages)[number]

export interface DipItem {
  package: string
  label: string
  identifier: string
  /** The step that the archive runs to get it from storage. */
  step: string | null
  /** Since when it is waited for; null where it is not. */
  asked: string | null
  state: 'to do' | 'asked' | 'there' | 'copied'
}

/**
 * A dissemination package being made for an order: what is done, and what comes next. It can be left and gone
 * on with at any point.
 */
export interface Dissemination {
  id: string
  order: string
  label: string
  /** Given by this desk after the order, so that the package is found again whatever was lost. */
  identifier: string
  agreement: string
  /** The package's id, once the archive has it. */
  dip: string | null
  /** When the archive was asked to create it; null where it surely was not. */
  createAsked: string | null
  stage: DipStage | 'done'
  state: 'working' | 'stopped' | 'failed' | 'done'
  items: DipItem[]
  failure: Failure | null
  /** What the archive said where work of its own failed. */
  message: string
}

const Which = v.object({ id: deskId })

/** Dissemination packages for orders, where an archive can make them. */
export const dips = {
  /** What was begun for an order last; null where none was begun here. */
  of: query(v.object({ order: recordId })).returns<Dissemination | null>(),
  /** Those of the archive that are not made yet. */
  unfinished: query(v.undefined()).returns<Dissemination[]>(),
  agreements: query(v.undefined()).returns<Agreement[]>(),
  begin: command(v.object({ order: recordId, agreement: recordId })).returns<Dissemination>(),
  /** Goes on from where it stands in the archive. */
  goOn: command(Which).returns<void>(),
  stop: command(Which).returns<void>(),
  /** Takes one that is not being worked at off the list; what the archive has of it stays there. */
  forget: command(Which).returns<void>(),
  changed: news<Dissemination>(),
}
