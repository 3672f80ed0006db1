import { expect, test } from 'vitest'
import { counted, median, percentile, seconds, sound, table, times } from '../bench/measure.ts'

test('a bench that measured nonsense fails with a sentence', () => {
  expect(sound('a start', 0.5, 's')).toBe(0.5)
  expect(() => sound('a start', -1, 's')).toThrow('The bench measured nonsense: a start is -1 s.')
  expect(() => sound('a start', 7_200, 's')).toThrow(/is 7200 s/)
  expect(() => seconds(NaN)).toThrow(/nonsense/)
  expect(() => times(1 / 0)).toThrow(/nonsense/)
  expect(() => percentile([], 0.95)).toThrow('of 0 values 0 were counted')
  expect(median([3, 1, 2])).toBe(2)
  expect(counted('presses of a key', [5, 6], 2)).toEqual([5, 6])
  expect(() => counted('presses of a key', [5], 200)).toThrow('of 200 presses of a key 1 were counted')
  expect(() => counted('presses of a key', [], 0)).toThrow(/nonsense/)
  // As the window was once said to have had its first row.
  expect(() => table('The window', [{ 'first row after the first byte ms': -1.8e12 }])).toThrow(
    'The window: first row after the first byte ms is -1800000000000 ms',
  )
  expect(() => table('The window', [{ presses: -Infinity }])).toThrow(/presses is -Infinity/)
})
