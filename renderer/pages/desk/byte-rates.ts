/** Before that nobody can say how fast something goes. */
const soonestMs = 3_000

/**
 * How fast each of several things goes of which only is told how far they are.
 * @param now in milliseconds
 */
export const openByteRates = (now: () => number) => {
  const begun = new Map<string, { at: number; bytes: number }>()
  return {
    /** Bytes a second since this was first called for it; 0 where that is not known yet. */
    of: (id: string, bytes: number): number => {
      const first = begun.get(id)
      if (!first || bytes < first.bytes) {
        begun.set(id, { at: now(), bytes })
        return 0
      }
      const ms = now() - first.at
      return ms < soonestMs ? 0 : Math.round(((bytes - first.bytes) / ms) * 1_000)
    },
    /** It stopped: what comes later is measured anew. */
    forget: (id: string): void => void begun.delete(id),
  }
}
