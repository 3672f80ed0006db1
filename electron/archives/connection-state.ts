import type { Failure } from '../contract/failure.ts'
import type { Connection } from '../contract/session.ts'

/** A short answer that takes longer than this is late. */
const lateMs = 3_000

/** Codes of a network that does not lead to the archive; by others somebody is there and refuses. */
const isRefusal = (code: string) =>
  /^(ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET|EPROTO)$|CERT|TLS|SSL/.test(code)

const stateAfter = (failure: Failure | null, tookMs: number): Connection['state'] => {
  // The disk of this computer says nothing of the archive.
  if (failure === null || failure.kind === 'disk') return tookMs > lateMs ? 'slow' : 'online'
  if (failure.kind === 'signed-out' || failure.kind === 'unencrypted') return 'signed-out'
  if (failure.kind === 'proxy') return 'offline'
  if (failure.kind === 'offline') return isRefusal(failure.detail) ? 'refused' : 'offline'
  return failure.kind === 'server-broke' && failure.detail === 'too-slow' ? 'slow' : 'refused'
}

/** How the connection with an archive stands. */
export const openConnectionState = (changed: () => void) => {
  let state: Connection['state'] = 'signed-out'
  let failure: Failure | null = null
  let isRefreshing = false
  let lookedAt: string | null = null
  return {
    now: () => ({ state, refreshing: isRefreshing, failure, lookedAt }),
    connecting: () => {
      state = 'connecting'
      failure = null
      changed()
    },
    opened: () => {
      state = 'online'
      failure = null
      // Its lists are read next; nobody takes the time until then for the time after.
      isRefreshing = true
      changed()
    },
    /** What the last exchange with the archive showed, and how long a short answer took, in milliseconds. */
    noteExchange: (trouble: Failure | null, tookMs = 0) => {
      failure = trouble
      state = stateAfter(trouble, tookMs)
      changed()
    },
    /** What has changed there was looked for. */
    noteLooked: (time: string) => {
      lookedAt = time
      changed()
    },
    setRefreshing: (is: boolean) => {
      isRefreshing = is
      changed()
    },
  }
}
