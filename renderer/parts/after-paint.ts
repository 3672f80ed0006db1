/**
 * Puts work off until what was typed is painted: a letter that waits for a list feels slow, and a list that
 * comes a frame later does not.
 */
export const openAfterPaint = (work: () => void) => {
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = undefined
  }
  const now = () => {
    if (frame === undefined) return
    cancel()
    work()
  }
  return {
    /** Does the work after the next frame, once for all that ask for that by then. */
    later: () => {
      frame ??= requestAnimationFrame(() => (timer = setTimeout(now)))
    },
    /** Does at once what was put off, where something was. */
    now,
    cancel,
  }
}
