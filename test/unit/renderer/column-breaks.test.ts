import { expect, test } from 'vitest'
import { breaksOf } from '../../../renderer/pages/print/column-breaks.ts'

test('dates and codes stand in one line on paper, and words are broken only where there is no room', () => {
  const label = ['Label', 'Byggnadsnämndens ritningar, kv. Oxen, andra leveransen']
  expect(
    breaksOf([label, ['Identifier', 'SE/STA/1037'], ['Size', '37.9 GB'], ['Changed', '16 Nov 2023, 09:30']]),
  ).toEqual(['between words', 'nowhere', 'nowhere', 'nowhere'])
  const digest = ['Digest', '9c417be004d9'.repeat(8)]
  expect(breaksOf([label, digest])).toEqual(['between words', 'anywhere'])
})

test('what all columns need is never wider than the paper', () => {
  const word = ['Heading', 'Skolhälsovårdens']
  const breaks = breaksOf(Array.from({ length: 12 }, () => word))
  expect(breaks).toContain('anywhere')
  expect(breaks.filter((how) => how !== 'anywhere').length).toBeLessThan(6)
})
