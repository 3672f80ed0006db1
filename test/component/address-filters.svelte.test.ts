import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import { openAddressFilters } from '../../renderer/state/address-filters.svelte.ts'
import { go } from '../../renderer/state/place.svelte.ts'

test('on paper values are called by their names once those were read, and by themselves before', () => {
  go('transfers', '', 'text=oxen&delivery=7')
  const stop = $effect.root(() => {
    const view = { value: { query: '' }, change: () => undefined }
    const narrowed = openAddressFilters('transfers', view)
    flushSync()
    const inWords = () =>
      narrowed.inWords([{ key: 'delivery', name: 'Delivery' }], (_field, { value, name }) => name || value)
    expect(inWords()).toBe('oxen · Delivery: 7')
    narrowed.remember('delivery', [{ value: '7', name: 'Hamnen 2026', count: 1 }])
    expect(inWords()).toBe('oxen · Delivery: Hamnen 2026')
  })
  stop()
})
