import { openPush, type Push } from '../archive-client/push.ts'
import type { Routing } from '../archive-client/routes.ts'

const firstWaitMs = 5_000
const longestWaitMs = 300_000

interface Address {
  url: string
  /** Of the channel, below the address; null where the archive has none. */
  path: string | null
  cookie: string
}

interface Parts {
  access: () => Address | undefined
  routing: Routing
  heard: () => void
}

/**
 * Keeps the channel to an archive open, and tries again later and later where there is none.
 */
export const openPushing = ({ access, routing, heard }: Parts) => {
  /** The archive that is listened to, also while the next attempt waits for its time. */
  let followed: Address | undefined
  let push: Push | undefined
  let waitMs = firstWaitMs
  let timer: NodeJS.Timeout | undefined

  const close = () => {
    clearTimeout(timer)
    push?.close()
    push = undefined
    followed = undefined
  }
  const connect = (address: Address & { path: string }) => {
    const began = performance.now()
    push = openPush({
      url: address.url,
      path: address.path,
      cookie: address.cookie,
      routing,
      heard: () => {
        waitMs = firstWaitMs
        heard()
      },
      ended: () => {
        push = undefined
        // A channel that stood for long is tried again soon.
        waitMs = performance.now() - began > longestWaitMs ? firstWaitMs : Math.min(longestWaitMs, waitMs * 2)
        timer = setTimeout(() => connect(address), waitMs)
        timer.unref()
      },
    })
  }
  /**
   * Listens to the archive from now on; asked again for the same one, the next attempt keeps its time.
   */
  const follow = () => {
    const wanted = access()
    if (followed?.url === wanted?.url && followed?.cookie === wanted?.cookie) return
    close()
    waitMs = firstWaitMs
    if (!wanted || wanted.cookie === '' || wanted.path === null) return
    const { url, path, cookie } = wanted
    followed = { url, path, cookie }
    connect({ url, path, cookie })
  }
  return { follow, close }
}
