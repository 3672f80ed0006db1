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
const list = { reading: [], exact: [], hits: [], total: 0, isMore: false, waiting: 0, asOf: null }
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
  expect(screen.queryByText('Counts of what is held on this computer')).toBeNull()
  unmount()
  show([{ group: 'packages', total: 2, isMore: false }])
  screen.getByText('Counts of what is held on this computer')
})

test('what only packages are counted by says so', () => {
  const kinds = [{ group: 'packages' as const, total: 2, isMore: false }]
  const { unmount } = show(kinds)
  expect(screen.queryByText('Of the packages among them:')).toBeNull()
  unmount()
  const values = ['m1', 'm2'].map((value) => ({ value, name: value, count: 2 }))
  show(kinds, [{ field: 'media', values, isMore: false }])
  const note = screen.getByText('Of the packages among them:')
  const [kind, medium] = screen.getAllByRole('group').slice(-2)
  expect(kind?.compareDocumentPosition(note)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(medium?.compareDocumentPosition(note)).toBe(Node.DOCUMENT_POSITION_PRECEDING)
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
  expect(screen.queryByRole('group', { name: 'Years' })).toBeNull()
  expect(document.body.textContent).not.toMatch(/Infinity/)
})

test('the agents that a search can be limited to stand by name, in the language of the page', () => {
  setLanguage('sv')
  show([])
  const options = [...screen.getByLabelText('Aktör').querySelectorAll('option')].map(({ value }) => value)
  setLanguage('en')
  expect(options.filter(Boolean)).toEqual(['Arkivet 2', 'Arkivet 10', 'Valnämnden', 'Östra hamnen'])
})
