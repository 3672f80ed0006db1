import { expect, test } from 'vitest'
import { openRecycledRows } from '../../../renderer/parts/recycled-rows.ts'

const indexes = (rows: { index: number }[]) => rows.map(({ index }) => index)
const keys = (rows: { key: number }[]) => rows.map(({ key }) => key)

test('a row that stays keeps its elements, and one that comes takes those of one that went', () => {
  const draw = openRecycledRows()
  const before = draw(0, 4)
  expect(keys(before)).toEqual([0, 1, 2, 3])
  const after = draw(2, 6)
  expect(indexes(after)).toEqual([2, 3, 4, 5])
  expect(keys(after)).toEqual([2, 3, 0, 1])
  // What stays is the same object, so that nothing of it is drawn again.
  expect(after[0]).toBe(before[2])
})

test('after a jump the elements stand in the order that they had', () => {
  const draw = openRecycledRows()
  draw(0, 4)
  expect(draw(1_000, 1_004)).toEqual([
    { index: 1_000, key: 0 },
    { index: 1_001, key: 1 },
    { index: 1_002, key: 2 },
    { index: 1_003, key: 3 },
  ])
})

test('no two rows have the same elements, however the list grows, shrinks and ends', () => {
  const draw = openRecycledRows()
  const windows = [
    [0, 5],
    [3, 12],
    [100, 103],
    [101, 110],
    [4, 4],
    [2, 9],
  ] as const
  for (const [first, end] of windows) {
    const rows = draw(first, end)
    expect(indexes(rows)).toEqual(Array.from({ length: end - first }, (_, offset) => first + offset))
    expect(new Set(keys(rows)).size).toBe(rows.length)
  }
  expect(draw(7, 3)).toEqual([])
})
