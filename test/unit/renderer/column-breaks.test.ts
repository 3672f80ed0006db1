import { expect, test } from 'vitest'
import { breaksOf } from '../../../renderer/pages/print/column-breaks.ts'

const column = (...texts: string[]) => ({ texts, isExact: false })
const label = column('Label', 'Byggnadsnämndens ritningar, kv. Oxen, andra leveransen')

test('dates and codes stand in one line on paper, and words are broken only where there is no room', () => {
  expect(
    breaksOf([
      label,
      { texts: ['Identifier', 'SE/STA/1037'], isExact: true },
      column('Where the copies lie', 'Rock vault, Säter · LTO-0869; Server room 2 · DISK-A'),
      column('Size', '37.9 GB'),
      column('Changed', '16 Nov 2023, 09:30'),
    ]),
  ).toEqual(['between words', 'nowhere', 'between words', 'nowhere', 'nowhere'])
  const digest = { texts: ['Digest', '9c417be004d9'.repeat(8)], isExact: true }
  expect(breaksOf([label, digest])).toEqual(['between words', 'anywhere'])
})

test('a date stands in one line beside a digest that would leave it no room', () => {
  const about = column('About', `Folder · ${'9c417be004d9'.repeat(5)}`)
  const time = column('Time', '25 Nov 2026, 23:54')
  expect(breaksOf([time, column('What happened', 'Checksum verified'), about])).toEqual([
    'nowhere',
    'nowhere',
    'anywhere',
  ])
})

test('what all columns need is never wider than the paper', () => {
  const breaks = breaksOf(Array.from({ length: 12 }, () => column('Heading', 'Skolhälsovårdens')))
  expect(breaks).toContain('anywhere')
  expect(breaks.filter((how) => how !== 'anywhere').length).toBeLessThan(6)
})
