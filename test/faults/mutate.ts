type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A source of numbers from 0 to 1 that is the same for the same seed. */
export const seeded = (seed: number) => {
  let state = (seed * 2_654_435_761) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

const odd: Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  '',
  ' ',
  'x',
  'null',
  '0',
  '<b>fet</b>',
  '\u0000',
  '\ud800',
  'å'.repeat(5_000),
  '2026-13-45T99:99:99Z',
  '../../../etc/passwd',
  '{}',
  [],
  [[]],
  [null],
  {},
  { id: null },
  { id: {} },
  { name: [] },
  [{}],
  [1, 'a', null, {}],
  { __proto__: null, constructor: 'x' },
]

/**
 * A copy of a value in which about `share` of all that is inside was replaced, left out, doubled or renamed.
 */
export const mutate = (value: Json, random: () => number, share: number): Json => {
  const pick = <T>(from: T[]) => from[Math.floor(random() * from.length)] as T
  if (random() < share) return pick(odd)
  if (Array.isArray(value)) {
    const items = value.map((item) => mutate(item, random, share))
    return random() < share ? [...items, ...items.slice(0, 2)] : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inside]): [string, Json][] => {
      if (random() < share)
        return pick<[string, Json][]>([
          [],
          [[`${key}_new`, inside]],
          [
            [key, inside],
            [`extra_${key}`, inside],
          ],
        ])
      return [[key, mutate(inside, random, share)]]
    }),
  )
}
