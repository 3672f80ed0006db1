import type { Connect } from '../archive-client/http.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Session } from '../session/session.ts'
import type { Notices } from './notices.ts'
import { openPolling } from './polling.ts'
import { openPushing } from './pushing.ts'
import type { Refresh } from './refresh.ts'

/** Other archives that one is signed in to are asked for news so often. */
const betweenOthersMs = 60_000

interface Parts {
  session: Session
  refresh: Refresh
  notices: Pick<Notices, 'collect'>
  connect: Connect
  routing: Routing
  isExpecting: () => boolean
  bug: (error: unknown) => void
}

/** Listens for what archives have to tell: the one that is shown by its channel and by looking, the others by looking now and then. */
export const openListening = ({ session, refresh, notices, connect, routing, isExpecting, bug }: Parts) => {
  const { glance, whole, aside, wholeTookMs } = refresh
  const pushing = openPushing({
    access: () => session.reached()?.access,
    routing,
    heard: () => void glance(),
  })

  let lookingAside: Promise<void> | undefined
  const lookAtOthers = async () => {
    for (const { archive, access } of await session.others()) {
      const there = connect(access.url, access.authorization)
      const hasNews = await aside(archive, { access, archive: there }).catch(() => false)
      await there.close()
      if (hasNews) await notices.collect(archive)
    }
  }
  /** One look at a time: archives that answer late must not be asked by one look more every minute. */
  const lookAside = () => (lookingAside ??= lookAtOthers().finally(() => (lookingAside = undefined)))

  return {
    start: () => {
      const stopPolling = openPolling({
        standing: () => {
          const { account, connection } = session.status()
          return {
            isHere: account?.isHere === true,
            isOffline: connection.state === 'offline' || connection.state === 'refused',
            isExpecting: isExpecting(),
            wholeTookMs: account ? wholeTookMs(account.archive) : 0,
          }
        },
        glance: async () => {
          pushing.follow()
          await glance()
        },
        ...{ whole, clock: () => performance.now() },
      })
      const timer = setInterval(() => void lookAside().catch(bug), betweenOthersMs)
      timer.unref()
      return () => {
        stopPolling()
        clearInterval(timer)
        pushing.close()
      }
    },
    lookAside,
    /** Somebody signed in, or turned to another archive. */
    follow: pushing.follow,
  }
}
