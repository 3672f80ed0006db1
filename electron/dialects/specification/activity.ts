import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { entryIn } from '../../common/records.ts'
import type { Notification } from '../models.ts'
import type { PremisEvent } from '../../contract/packages.ts'
import type { Client } from '../../archive-client/http.ts'
import { plainList } from './plain-list.ts'
import * as wire from '../wire.ts'

const Event = v.looseObject({
  id: wire.serialId,
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
const WireNotification = v.looseObject({
  id: wire.serialId,
  level: wire.text,
  message: wire.text,
  time_created: wire.text,
  seen: v.optional(v.fallback(v.boolean(), false), false),
})

/** Types of events that say that the archive took something in (ESSArch). */
const receipts: Record<string, PremisEvent['receipt']> = { 30000: 'received', 30300: 'preserved' }

const toEvent = (value: unknown): PremisEvent => {
  const event = v.parse(Event, value)
  return {
    id: event.id,
    type: String(event.eventType),
    detail: event.eventDetail,
    time: event.eventDateTime,
    at: Date.parse(event.eventDateTime) || 0,
    failed: event.eventOutcome === null ? null : String(event.eventOutcome) === '1',
    note: event.eventOutcomeDetailNote,
    agent: event.linkingAgentIdentifierValue,
    package: event.information_package ?? event.linkingObjectIdentifierValue,
    transfer: event.transfer,
    receipt: entryIn(receipts, String(event.eventType)) ?? null,
  }
}

/**
 * By its level; nothing but its text says that a package was preserved, and at its end: before that the
 * package is named, which may be called so.
 */
const tellingOf = (level: string, message: string): Notification['tells'] => {
  if (level === 'error' || level === 'critical') return 'failure'
  return /(preserved|bevarad)[.!\s]*$/i.test(message) ? 'preserved' : 'other'
}

const toNotification = (value: unknown): Notification => {
  const notification = v.parse(WireNotification, value)
  return {
    id: notification.id,
    tells: tellingOf(notification.level, notification.message),
    message: notification.message,
    time: notification.time_created,
    seen: notification.seen,
    at: Date.parse(notification.time_created) || 0,
  }
}

/** PREMIS events (specification 6; fields as ESSArch shows them). */
export const events = plainList({ path: 'events/', version: 1, pageOrder: { ordering: 'id' }, read: toEvent })

/** Notifications of the logged-in user (specification 2.13). */
export const notifications = plainList({ path: 'notifications/', version: 2, read: toNotification })

/**
 * One cheap request that tells whether there is anything new: how many notifications there are, and the
 * newest of them. An archive
 * that knows no pages gives its whole list, which is as telling.
 */
export const pollNotifications = async ({ stream }: Pick<Client, 'stream'>): Promise<string> => {
  const digest = createHash('sha256')
  const { count } = await stream('notifications/?page_size=1', (part) => {
    digest.update(part)
    return true
  })
  return `${count} ${digest.digest('hex')}`
}

/**
 * Says that a notification was seen, where an archive lets one: the interface of the specification has no
 * such request.
 */
export const markSeen = ({ patch }: Pick<Client, 'patch'>, id: number): Promise<unknown> =>
  patch(`notifications/${id}/`, { seen: true })
