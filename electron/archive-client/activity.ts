import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { PremisEvent } from '../contract/packages.ts'
import type { Reach } from './http.ts'
import { plainList } from './listing.ts'
import * as wire from './wire.ts'

const Event = v.looseObject({
  id: wire.id,
  eventType: v.optional(v.fallback(v.union([v.number(), v.string()]), ''), ''),
  eventDetail: wire.text,
  eventDateTime: wire.text,
  eventOutcome: v.optional(v.fallback(v.nullable(v.union([v.number(), v.string()])), null), null),
  eventOutcomeDetailNote: wire.text,
  linkingAgentIdentifierValue: wire.text,
  information_package: wire.maybeId,
  linkingObjectIdentifierValue: wire.maybeText,
  transfer: wire.maybeId,
})
const Notification = v.looseObject({
  id: wire.id,
  level: wire.text,
  message: wire.text,
  time_created: wire.text,
  seen: v.optional(v.fallback(v.boolean(), false), false),
})

const toEvent = (value: unknown): PremisEvent => {
  const it = v.parse(Event, value)
  return {
    id: Number(it.id),
    type: String(it.eventType),
    detail: it.eventDetail,
    time: it.eventDateTime,
    at: Date.parse(it.eventDateTime) || 0,
    failed: it.eventOutcome === null ? null : String(it.eventOutcome) === '1',
    note: it.eventOutcomeDetailNote,
    agent: it.linkingAgentIdentifierValue,
    package: it.information_package ?? it.linkingObjectIdentifierValue,
    transfer: it.transfer,
  }
}

export interface Notification {
  id: number
  level: string
  message: string
  time: string
  seen: boolean
  /** The time in milliseconds since 1970; 0 where it cannot be read. */
  at: number
}

const toNotification = (value: unknown): Notification => {
  const it = v.parse(Notification, value)
  return {
    id: Number(it.id),
    level: it.level,
    message: it.message,
    time: it.time_created,
    seen: it.seen,
    at: Date.parse(it.time_created) || 0,
  }
}

/** PREMIS events (specification 6; fields as ESSArch shows them). */
export const events = plainList('events/', toEvent)

/** Whether an event says that the archive took a bag in: received (30000) or preserved (30300). */
export const isReceipt = ({ type }: PremisEvent) => type === '30000' || type === '30300'

/** Notifications of the logged-in user (specification 2.13). */
export const notifications = plainList('notifications/', toNotification)

/**
 * One cheap request that tells whether there is anything new: how many notifications there are, and the newest of them. An archive
 * that knows no pages gives its whole list, which is as telling.
 */
export const glanceAt = async ({ skim }: Pick<Reach, 'skim'>): Promise<string> => {
  const digest = createHash('sha256')
  const { count } = await skim('notifications/?page_size=1', (part) => {
    digest.update(part)
    return true
  })
  return `${count} ${digest.digest('hex')}`
}

/** Says that a notification was seen, where an archive lets one: the interface of the specification has no such request. */
export const markSeen = ({ patch }: Pick<Reach, 'patch'>, id: number): Promise<unknown> =>
  patch(`notifications/${id}/`, { seen: true })
