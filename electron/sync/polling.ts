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
}

const second = 1_000
/** At most this share of the time goes into reading all lists again. */
const share = 50

/**
 * How long to wait between two polls of an archive. A poll is one cheap request, and reading what has changed
 * takes some; reading all lists is dear, and the more there is to read the rarer it is done unasked. It is
 * rarest where it only brings what can be seen in no other way.
 */
export const waits = ({
  isHere,
  isOffline,
  isExpecting,
  wholeTookMs,
  givesChanges,
}: PollingState): { pollMs: number; changesMs: number; wholeMs: number } => {
  const changesMs = isHere
    ? isExpecting
      ? 3 * second
      : 60 * second
    : isExpecting
      ? 60 * second
      : 300 * second
  return {
    pollMs: isHere ? 3 * second : isOffline || isExpecting ? 5 * second : 20 * second,
    changesMs,
    wholeMs: Math.max(changesMs, Math.min(share * wholeTookMs, (givesChanges ? 12 : 1) * 3_600 * second)),
  }
}

interface Parts {
  state: () => PollingState
  poll: () => Promise<void>
  changes: () => Promise<void>
  whole: () => Promise<void>
  /** Milliseconds of a clock that nobody sets. */
  clock: () => number
}

/** Looks at the archive again and again, as often as is gentle. */
export const openPolling = ({ state, poll, changes, whole, clock }: Parts) => {
  let polledAt = clock()
  let changedAt = clock()
  let readAt = clock()
  const tick = async () => {
    const { pollMs, changesMs, wholeMs } = waits(state())
    const now = clock()
    if (now - readAt >= wholeMs) {
      readAt = changedAt = polledAt = now
      await whole()
      readAt = clock()
    } else if (now - changedAt >= changesMs) {
      changedAt = polledAt = now
      await changes()
    } else if (now - polledAt >= pollMs) {
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
  }, second)
  timer.unref()
  return () => clearInterval(timer)
}
