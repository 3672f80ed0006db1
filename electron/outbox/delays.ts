import type { Failure } from '../contract/failure.ts'

const delaysS = [10, 20, 40, 60, 120, 240, 300]

/**
 * When something that could not be sent is tried again: later each time, as late as the archive asks (Retry-After), and a little
 * later still, so that desks do not all come at once.
 * @param attempts how often it was tried in vain before
 * @param random from 0 to 1
 */
export const nextAttempt = (attempts: number, failure: Failure, now: Date, random: number): string => {
  const asked = failure.kind === 'server-broke' ? (failure.retryAfterS ?? 0) : 0
  const seconds = Math.max(
    asked,
    (delaysS[Math.min(attempts, delaysS.length - 1)] ?? 300) * (1 + random * 0.2),
  )
  return new Date(now.getTime() + seconds * 1000).toISOString()
}

export const isDueAt = (nextAt: string | null, now: Date) =>
  nextAt === null || Date.parse(nextAt) <= now.getTime()

/** Failures that pass by themselves: the desk tries again without being asked. */
export const passes = ({ kind }: Failure) =>
  kind === 'offline' || kind === 'signed-out' || kind === 'server-broke'
