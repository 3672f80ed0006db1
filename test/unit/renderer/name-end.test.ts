import { expect, test } from 'vitest'
import { endOf } from '../../../renderer/parts/name-end.ts'

const parts = (name: string, kept: number) => [
  name.slice(0, endOf(name, kept)),
  name.slice(endOf(name, kept)),
]

test('what names differ in at their end is left of them', () => {
  expect(parts('1938-10-03, Åhlén (CP850).txt', 12)).toEqual(['1938-10-03, Åhlén', ' (CP850).txt'])
  expect(parts('protokoll_1938_0001.tif', 8)).toEqual(['protokoll_1938_', '0001.tif'])
})

test('a short name is one part, and no character is taken apart', () => {
  expect(parts('0001.tif', 8)).toEqual(['0001.tif', ''])
  expect(parts('plan 01.tif', 8)).toEqual(['plan 01.tif', ''])
  const decomposed = 'Brev från Åhlén.tif'.normalize('NFD')
  expect(parts(decomposed, 7)).toEqual(['Brev från Åhl'.normalize('NFD'), 'én.tif'.normalize('NFD')])
  expect(parts('fotografier 😀 1.tif', 7)).toEqual(['fotografier ', '😀 1.tif'])
})

test('a name that is read from right to left stays whole', () => {
  expect(parts('מכתבים מהנמל 1938.txt', 8)).toEqual(['מכתבים מהנמל 1938.txt', ''])
})
