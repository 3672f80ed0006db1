/** Numbers and choices that are the same for the same seed (mulberry32). */
export const drawing = (seed: number) => {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(number() * end)
  return {
    number,
    below,
    one: <T>(from: readonly T[]): T => from[below(from.length)] as T,
    isOneIn: (times: number) => below(times) === 0,
  }
}

export type Draw = ReturnType<typeof drawing>
