import { expect, test } from 'vitest'
import { lineForFile, longestContent } from '../../electron/contract/orders.ts'
import { orderedFiles } from '../../renderer/pages/orders/ordered-files.ts'

test('of the words of an order the files are those that stand after the name of their package', () => {
  const item = { label: 'Kv. Oxen: 4', identifier: 'K 4' } as Parameters<typeof orderedFiles>[1]
  const content =
    'For table 4\nKv. Oxen: 4: content/data/plan 1, källare.tif\nKv. Oxen: a/b.tif\nKv. Oxen: 4: c.txt'
  expect(orderedFiles({ content }, item)).toEqual(['content/data/plan 1, källare.tif', 'c.txt'])
  expect(orderedFiles({ content: '' }, item)).toEqual([])
})

const itemOf = (label: string, identifier: string) =>
  ({ label, identifier }) as Parameters<typeof orderedFiles>[1]

test('a file is asked for of the package that has it, whatever else is called so', () => {
  const items = [
    itemOf('Protokoll', 'A 1'),
    itemOf('Protokoll', 'A 2'),
    itemOf('Protokoll\u2028A 1', 'A 4'),
    itemOf('A 5', 'A 5'),
  ]
  const content = items.map((item, at) => lineForFile(item, `${at}.tif`)).join('\n')
  expect(items.map((item) => orderedFiles({ content }, item))).toEqual(
    items.map((_item, at) => [`${at}.tif`]),
  )
})

test('a name that is broken, or longer than the words of an order, is one line that fits', () => {
  const item = itemOf(`Brev\n\u{1f600}${'x'.repeat(4_000)}\u{1f600}`, '\u{1f600}'.repeat(2_000))
  const line = lineForFile(item, `content/a\r\nOther: ${'y'.repeat(3_900)}`)
  expect([line.split(/[\r\n]/).length, line.length < longestContent, line.isWellFormed()]).toEqual([
    1,
    true,
    true,
  ])
  expect(orderedFiles({ content: line }, item)).toEqual([`content/a Other: ${'y'.repeat(3_900)}`])
})
