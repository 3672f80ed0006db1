import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { readAsked } from '../../electron/contract/search-filters.ts'
import NarrowedBy from '../../renderer/pages/search/NarrowedBy.svelte'

// The page's door is there before any page is.
const one = vi.hoisted(() => {
  const ask = vi.fn()
  Object.assign(window, { bridge: { application: {}, archive: { description: { one: ask } } } })
  return ask
})

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

const choices = {
  states: [],
  types: [],
  policies: [],
  media: [],
  agents: [{ id: 'a1', name: 'Byggnadsnämnden' }],
  archives: [],
}

test('who and what a search is limited to is called by name, also where it is none of the first choices', async () => {
  one.mockImplementation((_archive: string, { list, id }: { list: string; id: string }) =>
    Promise.resolve(
      id === 'gone'
        ? { failure: { kind: 'not-found', what: id } }
        : { value: { title: list === 'agents' ? 'Drätselkammaren' : 'Hamnens arkiv' } },
    ),
  )
  const limits = () => screen.getAllByRole('listitem').map((limit) => limit.textContent.trim())
  const asked = readAsked('agents=a1,a900,gone&archives=t1')
  const { rerender } = render(NarrowedBy, { asked, choices: undefined, onchange: () => undefined })
  // No id stands there for a moment, before the names have come.
  expect(limits()).toEqual(['Agent: …×', 'Agent: …×', 'Agent: …×', 'Archive: …×'])
  await rerender({ choices })
  await vi.waitFor(() =>
    expect(limits()).toEqual([
      'Agent: Byggnadsnämnden×',
      'Agent: Drätselkammaren×',
      'Agent: gone×',
      'Archive: Hamnens arkiv×',
    ]),
  )
  expect(one.mock.calls.map(([, record]: unknown[]) => record)).toEqual([
    { list: 'agents', id: 'a900' },
    { list: 'agents', id: 'gone' },
    { list: 'tags', id: 't1' },
  ])
})
