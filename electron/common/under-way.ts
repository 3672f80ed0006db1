/** Work that is under way, for whoever has to wait for it. */
export const openUnderWay = () => {
  const works = new Set<Promise<unknown>>()
  return {
    /** Notes some work until it is over, however that ends. */
    note: <T>(work: Promise<T>): Promise<T> => {
      const over = () => void works.delete(work)
      works.add(work)
      work.then(over, over)
      return work
    },
    /** Waits for what is under way now. */
    settled: async (): Promise<void> => void (await Promise.allSettled(works)),
  }
}
