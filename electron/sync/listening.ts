import { background, toProcess } from '../common/background.ts'
import type { Access } from '../archive-client/http.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Connection } from '../contract/session.ts'
import { openPolling } from './polling.ts'
import { openPushing } from './pushing.ts'
import type { Refresh } from './refresh.ts'

interface Parts {
  access: () => Access | undefined
  dialect: () => Pick<Dialect, 'news'>
  connection: () => Pick<Connection, 'state'>
  /** It runs on this computer. */
  isHere: boolean
  refresh: Pick<Refresh, 'poll' | 'changes' | 'whole' | 'wholeTookMs' | 'wholeAgeMs' | 'givesChanges'>
  routing: Routing
  isExpecting: () => boolean
  now: () => Date
}

/** The hour at which people begin to work. */
const nightEnds = 5

/** Listens for what an archive has to tell: by its channel, and by looking. */
export const openListening = ({
  access,
  dialect,
  connection,
  isHere,
  refresh,
  routing,
  isExpecting,
  now,
}: Parts) => {
  const { poll, changes, whole, wholeTookMs, wholeAgeMs, givesChanges } = refresh
  const channel = () => {
    const { pushPath: path } = dialect().news
    const { url, cookie } = access() ?? {}
    return url === undefined || cookie === undefined ? undefined : { url, path, cookie }
  }
  const pushing = openPushing({ access: channel, routing, heard: () => background(poll(), toProcess) })
  const stopPolling = openPolling({
    state: () => {
      const { state } = connection()
      return {
        isHere,
        isOffline: state === 'offline' || state === 'refused',
        isExpecting: isExpecting(),
        wholeTookMs: wholeTookMs(),
        givesChanges: givesChanges(),
        wholeAgeMs: wholeAgeMs(),
        isNight: now().getHours() < nightEnds,
      }
    },
    poll: async () => {
      pushing.follow()
      await poll()
    },
    changes,
    whole,
    clock: () => performance.now(),
  })
  return {
    /** The connection changed: a sign-in was renewed, or the archive was reached. */
    follow: pushing.follow,
    stop: () => {
      stopPolling()
      pushing.close()
    },
  }
}
