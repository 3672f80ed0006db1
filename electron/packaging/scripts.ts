/** Where the scripts of the threads are: built, they lie beside main; else Node runs the sources. */
export const scriptsBeside = (caller: string) => {
  const isBuilt = caller.endsWith('.js')
  const script = (source: string, built: string) =>
    new URL(isBuilt ? `./${built}.js` : source, isBuilt ? caller : import.meta.url)
  return {
    pack: {
      foreman: script('./pack/foreman.ts', 'packing-foreman'),
      hand: script('./pack/hand.ts', 'packing-hand'),
    },
    check: {
      checker: script('./check/checker.ts', 'checker'),
      hand: script('./check/check-hand.ts', 'check-hand'),
    },
  }
}
export type PackagingScripts = ReturnType<typeof scriptsBeside>
