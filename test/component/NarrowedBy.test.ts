import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { readAsked } from '../../electron/contract/search-filters.ts'
import NarrowedBy from '../../renderer/pages/search/NarrowedBy.svelte'

test('every limit of a search that no facet shows stands beside it, and is taken off there', async () => {
  const changes: unknown[] = []
  render(NarrowedBy, {
    asked: readAsked('q=ritningar&extension=tif,pdf&medium=m1&from=2019-01-01'),
    choices: undefined,
    onchange: (some: object) => changes.push(some),
  })
  const limits = screen.getAllByRole('listitem').map((limit) => limit.textContent.trim())
  expect(limits).toEqual(['Extension: tif×', 'Extension: pdf×', 'From: 1 January 2019×'])
  expect(screen.getByRole('button', { name: 'Take off: Extension: tif' })).toBeTruthy()
  for (const limit of screen.getAllByRole('button').slice(1)) await fireEvent.click(limit)
  expect(changes).toEqual([{ extensions: ['tif'] }, { from: '' }])
})
