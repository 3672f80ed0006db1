import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { FormValues } from './description.ts'
import type { Failure } from './failure.ts'
import type { ListName } from './lists.ts'
import { deskId } from './ids.ts'

/**
 * Where a creation is on its way to the archive. "unanswered": it was sent, and no answer came; the archive
 * is asked, and only what is not there after minutes is sent again. "undecided": the archive has records that
 * may be it, so a person decides.
 */
export type CreationState =
  'held' | 'waiting' | 'sending' | 'unanswered' | 'undecided' | 'refused' | 'delivered'

/** A record that was made at this desk and goes, or went, to the archive. */
export interface Creation {
  id: string
  list: ListName
  title: string
  state: CreationState
  made: string
  /** When it is tried again by itself; null where it is not, or at once. */
  nextAt: string | null
  attempts: number
  failure: Failure | null
  /** Its id in the archive, once it is there. */
  remote: string | null
  /** No answer came, and it was found in the archive instead of being sent again. */
  wasFound: boolean
  /** Others of this desk that must be delivered first. */
  waitsFor: string[]
}

const Which = v.object({ id: deskId })

/** Creations on their way: what waits, what was refused, and what a person can do about each. */
export const outbox = {
  /**
   * What is not in the archive yet: how many, and the first of them in the order of sending; beside those
   * that were found there.
   */
  list: query(v.undefined()).returns<{
    items: Creation[]
    count: number
    found: Creation[]
    /** Whether any of them waits for a person. */
    isTroubled: boolean
    isPaused: boolean
  }>(),
  /** What was typed, to be corrected. */
  values: query(Which).returns<FormValues>(),
  hold: command(Which).returns<void>(),
  release: command(Which).returns<void>(),
  /** Sends this one now, whatever time it was to wait. */
  sendNow: command(Which).returns<void>(),
  /** One place up or down in the order of sending. */
  move: command(v.object({ ...Which.entries, by: v.picklist([-1, 1]) })).returns<void>(),
  remove: command(Which).returns<void>(),
  restore: command(Which).returns<void>(),
  /** Of one that is undecided: it is not in the archive, so it is sent again; or it is. */
  decide: command(v.object({ ...Which.entries, isThere: v.boolean() })).returns<void>(),
  /** The switch of the whole queue. */
  pause: command(v.object({ isPaused: v.boolean() })).returns<void>(),
  changed: news<{ id: string }>(),
}
