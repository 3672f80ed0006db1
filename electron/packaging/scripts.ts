/**
 * The scripts of the threads that pack and check.
 * @param main a file of the folder that main was built into; they lie beside it
 */
export const scriptsBeside = (main: string) => ({
  pack: {
    foreman: new URL('./packing-foreman.js', main),
    hand: new URL('./packing-hand.js', main),
  },
  check: {
    checker: new URL('./checker.js', main),
    hand: new URL('./check-hand.js', main),
  },
})
export type PackagingScripts = ReturnType<typeof scriptsBeside>
