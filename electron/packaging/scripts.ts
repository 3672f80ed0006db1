/**
 * The scripts of the threads that pack and check.
 * @param main a file of the folder that main was built into; they lie beside it
 */
export const packagingScripts = (main: string) => ({
  pack: {
    coordinator: new URL('./packing-coordinator.js', main),
    worker: new URL('./packing-worker.js', main),
  },
  check: {
    checker: new URL('./checker.js', main),
    worker: new URL('./check-worker.js', main),
    metsChecker: new URL('./mets-checker.js', main),
    claimWorker: new URL('./claim-worker.js', main),
    crcWorker: new URL('./crc-worker.js', main),
  },
})
export type PackagingScripts = ReturnType<typeof packagingScripts>
export type PackingScripts = PackagingScripts['pack']
export type CheckScripts = PackagingScripts['check']
