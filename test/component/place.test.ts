import { expect, test } from 'vitest'
import { go, onward, place } from '../../renderer/state/place.svelte.ts'

test('whoever has gone elsewhere while a command was carried out is not called back', () => {
  go('orders', 'draft')
  const goOn = onward()
  go('packages')
  goOn('orders', '7')
  expect([place.name, place.id]).toEqual(['packages', ''])

  go('orders', 'draft')
  onward()('orders', '7')
  expect([place.name, place.id]).toEqual(['orders', '7'])
})
