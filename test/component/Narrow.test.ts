import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { FoundFacetValues } from '../../electron/contract/find.ts'
import { nothing } from '../../electron/contract/search-filters.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Narrow from '../../renderer/pages/search/Narrow.svelte'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const choices = {
  states: [],
  types: [],
  policies: [],
  media: [],
  archives: [],
  agents: ['Östra hamnen', 'Valnämnden', 'Arkivet 10', 'Arkivet 2'].map((name) => ({ id: name, name })),
}
const list = {
  reading: [],
  exact: [],
  hits: [],
  total: 0,
  isMore: false,
  isWithoutIndexFilters: false,
  waiting: 0,
  asOf: null,
}
const show = (
  kinds: { group: 'packages'; total: number; isMore: boolean }[],
  facets: FoundFacetValues[] = [],
  asked: Partial<typeof nothing> = {},
) =>
  render(Narrow, {
    asked: { ...nothing, ...asked },
    found: { ...list, kinds },
    facets,
    choices,
    onchange: () => undefined,
  })

test('nothing is said to be counted where nothing was found', () => {
  const { unmount } = show([])
  expect(screen.queryByText('Counts of what is held here')).toBeNull()
  unmount()
  show([{ group: 'packages', total: 2, isMore: false }])
  screen.getByText('Counts of what is held here')
})

test('what has values of a facet stands beside its name', () => {
  const values = ['m1', 'm2'].map((value) => ({ value, name: value, count: 2 }))
  show(
    [{ group: 'packages', total: 2, isMore: false }],
    [
      { field: 'states', values, isMore: false },
      { field: 'media', values, isMore: false },
      {
        field: 'years',
        values: ['2024', '2025'].map((value) => ({ value, name: '', count: 1 })),
        isMore: false,
      },
    ],
  )
  const groups = screen.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent)
  for (const name of ['State · packages', 'Medium · packages and copies', 'Years · packages and events'])
    expect(groups.map((text) => text?.replace('\u00a0', ' '))).toContain(name)
})

test('counts of what came last alone say that there may be more', () => {
  const values = ['Preserved', 'Received'].map((value) => ({ value, name: '', count: 50 }))
  const { unmount } = show([], [{ field: 'states', values, isMore: true }])
  expect(screen.getAllByText('50+')).toHaveLength(2)
  unmount()
  show([], [{ field: 'states', values, isMore: false }])
  expect(screen.getAllByText('50')).toHaveLength(2)
})

test('names that differ by case alone are chosen apart', () => {
  const values = ['NÄMNDEN', 'Nämnden'].map((value) => ({ value, name: '', count: 2 }))
  show([], [{ field: 'creators', values, isMore: false }], { creators: ['NÄMNDEN'] })
  const isChosen = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`)).checked
  expect([isChosen('NÄMNDEN'), isChosen('Nämnden')]).toEqual([true, false])
})

test('days alone that nothing lies within have no years', () => {
  const asked = { ...nothing, from: '1950-01-01', to: '1950-12-31' }
  render(Narrow, {
    asked,
    found: { ...list, kinds: [] },
    facets: [{ field: 'years', values: [], isMore: false }],
    choices,
    onchange: () => undefined,
  })
  expect(screen.queryByRole('group', { name: /^Years/ })).toBeNull()
  expect(document.body.textContent).not.toMatch(/Infinity/)
})

test('the agents that a search can be limited to stand by name, in the language of the page', () => {
  setLanguage('sv')
  show([])
  const options = [...screen.getByLabelText('Aktör').querySelectorAll('option')].map(({ value }) => value)
  setLanguage('en')
  expect(options.filter(Boolean)).toEqual(['Arkivet 2', 'Arkivet 10', 'Valnämnden', 'Östra hamnen'])
})

test('what shows more values looks as whatever leads on does', () => {
  const values = Array.from({ length: 9 }, (_, nth) => ({ value: `m${nth}`, name: '', count: 1 }))
  show([], [{ field: 'media', values, isMore: false }])
  expect(screen.getByRole('button', { name: '1 more' }).classList.contains('link')).toBe(true)
})
