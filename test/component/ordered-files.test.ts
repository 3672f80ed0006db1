import { expect, test } from 'vitest'
import { orderedFiles } from '../../renderer/pages/orders/ordered-files.ts'

test('of the words of an order the files are those that stand after the name of their package', () => {
  const item = { label: 'Kv. Oxen: 4' } as Parameters<typeof orderedFiles>[1]
  const content =
    'For table 4\nKv. Oxen: 4: content/data/plan 1, källare.tif\nKv. Oxen: a/b.tif\nKv. Oxen: 4: c.txt'
  expect(orderedFiles({ content }, item)).toEqual(['content/data/plan 1, källare.tif', 'c.txt'])
  expect(orderedFiles({ content: '' }, item)).toEqual([])
})
