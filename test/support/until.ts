/** Waits until a look at the world gives something. */
export const until = async <T>(
  look: () => Promise<T | undefined> | T | undefined,
  forMs = 30_000,
): Promise<T> => {
  for (
    const began = performance.now();
    performance.now() - began < forMs;
    await new Promise((next) => setTimeout(next, 100))
  ) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`Waited ${forMs} ms in vain`)
}
