import { randomUUID } from 'node:crypto'
import { eventTypes, outcome, type EventCode } from './codes.ts'
import type { Body, Database } from './database.ts'

/** Writes a PREMIS event about a package, a transfer or a delivery. */
export const writeEvent = (
  { put, nextNumber }: Database,
  now: Date,
  code: EventCode,
  event: {
    package?: string | undefined
    transfer?: string | undefined
    delivery?: number | undefined
    failed?: boolean
    note: string
    by: string
  },
) =>
  put('event', {
    id: nextNumber('event'),
    eventIdentifierValue: randomUUID(),
    eventType: code,
    eventDateTime: now.toISOString(),
    eventDetail: eventTypes[code],
    eventVersion: '1',
    eventOutcome: event.failed ? outcome.failure : outcome.success,
    eventOutcomeDetailNote: event.note,
    linkingAgentIdentifierValue: event.by,
    linkingAgentRole: 'Archivist',
    information_package: event.package ?? null,
    transfer: event.transfer ?? null,
    delivery: event.delivery ?? null,
  })

/** Leaves a notification for a person (specification 2.13). */
export const notify = (
  { put, nextNumber }: Database,
  now: Date,
  user: Body,
  level: 'success' | 'error',
  message: string,
  seen = false,
) =>
  put('notification', {
    id: nextNumber('notification'),
    user,
    level,
    message,
    time_created: now.toISOString(),
    seen,
  })
