import { background, toProcess } from '../common/background.ts'

/** How things stand, as far as they say how often an archive is asked. */
export interface PollingState {
  /** It runs on this computer. */
  isHere: boolean
  isOffline: boolean
  /** Something was sent, and the archive has not said what became of it. */
  isExpecting: boolean
  /** How long reading all lists took last. */
  wholeTookMs: number
  /** It gives what has changed alone. */
  givesChanges: boolean
  /** How long ago everything was read; null where it never was. */
  wholeAgeMs: number | null
  /** It is night where this computer stands: nobody works with the archive. */
  isNight: boolean
}

const second = 1_000
const hour = 3_600 * second
/** A reading of all lists that takes longer is dear. */
const dearMs = 60 * second
/** What is dear is read whole once a night; on a computer that is off at night, every third day. */
const nightlyMs = 20 * hour
const seldomMs = 72 * hour
/** At most this share of the time goes into reading all lists again. */
const share = 50

/** Whether what has changed is read instead of everything, which is left for the night. */
export const isDear = ({ wholeTookMs, givesChanges }: Pick<PollingState, 'wholeTookMs' | 'givesChanges'>) =>
  givesChanges && wholeTookMs > dearMs

/** Whether what is held was read whole so lately that what has changed since is enough to go on with. */
export const isRecent = (wholeAgeMs: number | null): boolean => wholeAgeMs !== null && wholeAgeMs < seldomMs

/**
 * How long to wait between two polls of an archive. A poll is one cheap request, and reading what has changed
 * takes some; reading all lists is dear, and the more there is to read the rarer it is done unasked. It is
 * rarest where it only brings what can be seen in no other way.
 */
export const waits = (
  state: PollingState,
): { lookMs: number; pollMs: number; changesMs: number; wholeMs: number } => {
  const { isHere, isOffline, isExpecting, wholeTookMs, isNight } = state
  const changesMs = isHere
    ? isExpecting
      ? 3 * second
      : 60 * second
    : isExpecting
      ? 60 * second
      : 300 * second
  return {
    lookMs: isHere ? 3 * second : 5 * second,
    pollMs: isHere ? 3 * second : isOffline || isExpecting ? 5 * second : 20 * second,
    changesMs,
    wholeMs: isDear(state)
      ? isNight
        ? nightlyMs
        : seldomMs
      : Math.max(changesMs, Math.min(share * wholeTookMs, hour)),
  }
}

interface Parts {
  state: () => PollingState
  poll: () => Promise<void>
  changes: () => Promise<unknown>
  whole: () => Promise<void>
  /** Milliseconds of a clock that nobody sets. */
  clock: () => number
  /** How often it looks whether something is due, in milliseconds. */
  lookMs?: number
}

/** Looks at the archive again and again, as often as is gentle. */
export const openPolling = ({
  state,
  poll,
  changes,
  whole,
  clock,
  lookMs = waits(state()).lookMs,
}: Parts) => {
  /** What falls due before the next look is done now. */
  const isOver = (began: number, waitMs: number) => clock() - began > waitMs - lookMs / 2
  let polledAt = clock()
  let changedAt = clock()
  let readAt = clock()
  const tick = async () => {
    const standing = state()
    const { pollMs, changesMs, wholeMs } = waits(standing)
    const now = clock()
    // What is dear and failed is not tried again at once.
    const isDue = isDear(standing)
      ? isOver(readAt, hour) && (standing.wholeAgeMs ?? Infinity) >= wholeMs
      : isOver(readAt, wholeMs)
    if (isDue) {
      readAt = changedAt = polledAt = now
      await whole()
      readAt = clock()
      return
    }
    if (standing.givesChanges && isOver(changedAt, changesMs)) {
      changedAt = now
      await changes()
    }
    if (isOver(polledAt, pollMs)) {
      polledAt = now
      await poll()
    }
  }
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    background(
      tick().finally(() => (isBusy = false)),
      toProcess,
    )
  }, lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
