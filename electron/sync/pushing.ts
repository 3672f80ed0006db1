import { openPush, type Push } from '../archive-client/push.ts'

const firstWaitMs = 5_000
const longestWaitMs = 300_000

/** Keeps the channel to the archive that is shown open, and tries again later and later where there is none. */
export const openPushing = ({
  access,
  heard,
}: {
  access: () => { url: string; cookie: string } | undefined
  heard: () => void
}) => {
  let open: { push: Push; url: string; cookie: string } | undefined
  let waitMs = firstWaitMs
  let timer: NodeJS.Timeout | undefined

  const close = () => {
    clearTimeout(timer)
    open?.push.close()
    open = undefined
  }
  const follow = () => {
    const wanted = access()
    if (open && open.url === wanted?.url && open.cookie === wanted.cookie) return
    close()
    if (!wanted || wanted.cookie === '') return
    const began = performance.now()
    const push = openPush({
      ...wanted,
      heard: () => {
        waitMs = firstWaitMs
        heard()
      },
      ended: () => {
        open = undefined
        // A channel that stood for long is tried again soon.
        waitMs = performance.now() - began > longestWaitMs ? firstWaitMs : Math.min(longestWaitMs, waitMs * 2)
        timer = setTimeout(follow, waitMs)
        timer.unref()
      },
    })
    open = { push, ...wanted }
  }
  return { follow, close }
}
