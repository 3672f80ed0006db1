/** Leaves a failure to the process: main writes it to the log as a bug, a thread or a program ends by it. */
export const toProcess = (error: unknown): never => {
  throw error
}

/**
 * Lets something go on that nobody waits for. A promise is begun in no other way without being awaited.
 * @param failed hears of its failure: the log of whoever begins it, or `toProcess`
 */
export const background = (work: Promise<unknown> | undefined, failed: (error: unknown) => unknown): void => {
  work?.catch(failed)
}
