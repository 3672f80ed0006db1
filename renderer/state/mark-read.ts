import type { Attachment } from 'svelte/attachments'

/** So long something is looked at until it counts as read. */
const readAfterMs = 1_000
/** What is read within this time is told at once. */
const gatheredMs = 100
/** So much of an element has to be in view. */
const wanted = 0.75

/**
 * What is in view for a moment is read: nothing that was scrolled past, that lies below the edge, or that
 * stood in a window at which nobody looked.
 * @param read is told what was read, a moment later
 * @returns what marks an element as one that shows the messages of these keys
 */
export const openReadMarker = (read: (keys: string[]) => void) => {
  let gathered: string[] = []
  const tell = () => {
    const keys = gathered
    gathered = []
    read(keys)
  }
  const gather = (keys: string[]) => {
    if (gathered.length === 0) setTimeout(tell, gatheredMs)
    gathered.push(...keys)
  }
  return (keys: string[]): Attachment<HTMLElement> =>
    (element) => {
      let isInView = false
      let timer: ReturnType<typeof setTimeout> | undefined
      const watch = () => {
        const isLookedAt = isInView && document.visibilityState === 'visible' && document.hasFocus()
        if (isLookedAt) timer ??= setTimeout(gather, readAfterMs, keys)
        else {
          clearTimeout(timer)
          timer = undefined
        }
      }
      const observer = new IntersectionObserver(
        (entries) => {
          isInView = (entries.at(-1)?.intersectionRatio ?? 0) >= wanted
          watch()
        },
        { threshold: [0, wanted, 1] },
      )
      observer.observe(element)
      const leaving = new AbortController()
      const { signal } = leaving
      addEventListener('focus', watch, { signal })
      addEventListener('blur', watch, { signal })
      document.addEventListener('visibilitychange', watch, { signal })
      return () => {
        leaving.abort()
        observer.disconnect()
        clearTimeout(timer)
      }
    }
}
