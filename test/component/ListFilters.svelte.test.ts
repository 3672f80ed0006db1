import { render } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { FacetValue } from '../../electron/contract/filters.ts'
import ListFilters from '../../renderer/parts/ListFilters.svelte'
import { openAddressFilters } from '../../renderer/state/address-filters.svelte.ts'
import { go } from '../../renderer/state/place.svelte.ts'

const settled = async () => {
  await new Promise((answered) => setTimeout(answered))
  await tick()
}

test('a value of the address that no row has is asked for once', async () => {
  go('transfers', '', 'delivery=7&delivery=gone')
  // Whoever asks again and again is to fail, not to hang.
  const facet = vi.fn(() => Promise.reject<FacetValue[]>(new Error('asked too often')))
  for (let answers = 0; answers < 3; answers += 1)
    facet.mockResolvedValueOnce([{ value: '7', name: 'Hamnen 2026', count: 1 }])
  const stop = $effect.root(() => {
    const view = { value: { query: '' }, change: () => undefined }
    render(ListFilters, {
      label: 'Transfers',
      narrowed: openAddressFilters('transfers', view),
      fields: [{ key: 'delivery', name: 'Delivery' }],
      facet,
      textOf: (_field: string, { value, name }: Pick<FacetValue, 'value' | 'name'>) => name || value,
    })
  })
  for (let turn = 0; turn < 5; turn += 1) await settled()
  expect(document.body.textContent).toContain('Hamnen 2026, gone')
  expect(facet).toHaveBeenCalledTimes(1)
  stop()
})
