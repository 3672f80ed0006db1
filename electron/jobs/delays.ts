import type { Failure } from '../contract/failure.ts'
import type { LookupTally } from '../store/desk/desk-store.ts'

const delaysS = [10, 20, 40, 60, 120, 240, 300]
/** As long as an archive is left alone at most, whatever it asks. */
const longestS = 24 * 3600

/**
 * When something was tried last and when it is tried again; both by the clock of the computer as it was then.
 */
export interface Wait {
  triedAt?: string | null
  nextAt: string | null
}

/**
 * When something that could not be sent is tried again: later each time, as late as the archive asks
 * (Retry-After), and a little later still, so that desks do not all come at once.
 * @param attempts how many attempts failed before
 * @param random from 0 to 1
 */
export const nextAttempt = (attempts: number, failure: Failure | null, now: Date, random: number) => {
  const asked = failure?.kind === 'server-broke' ? (failure.retryAfterS ?? 0) : 0
  const seconds = Math.max(
    Math.min(asked, longestS),
    (delaysS[Math.min(attempts, delaysS.length - 1)] ?? 300) * (1 + random * 0.2),
  )
  return { triedAt: now.toISOString(), nextAt: new Date(now.getTime() + seconds * 1000).toISOString() }
}

/**
 * Whether the time of an attempt has come. One that was made later than now was made by a clock that was
 * ahead: its wait says nothing.
 */
export const isDueAt = ({ triedAt, nextAt }: Wait, now: Date) => {
  if (nextAt === null) return true
  const leftMs = Date.parse(nextAt) - now.getTime()
  return leftMs <= 0 || leftMs > longestS * 1000 || (triedAt ?? '') > now.toISOString()
}

export const noLookups: LookupTally = { lookups: 0, waitedMs: 0 }
/** Longer than servers and the proxies before them work at one request. */
const leastWaitMs = 300_000
const leastLookups = 2
/** As it is once nothing can be under way any more. */
export const enoughLookups: LookupTally = { lookups: leastLookups, waitedMs: leastWaitMs }

/**
 * The tally after one more lookup that found nothing. A wait counts as long as it was meant to be at most, so
 * that a clock that is put forward shortens nothing.
 */
export const afterLookup = (
  tally: LookupTally = noLookups,
  { triedAt, nextAt }: Wait,
  now: Date,
): LookupTally => {
  const [began, ends] = [Date.parse(triedAt ?? ''), Date.parse(nextAt ?? '')]
  const waitedMs = Math.max(0, Math.min(now.getTime(), ends) - began)
  return { lookups: tally.lookups + 1, waitedMs: tally.waitedMs + (waitedMs || 0) }
}

/** Whether what several lookups over minutes did not find is surely not there, and may be sent again. */
export const isSurelyAbsent = ({ lookups, waitedMs }: LookupTally) =>
  lookups >= leastLookups && waitedMs >= leastWaitMs
