import { render, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import ListNav from '../../renderer/pages/description/ListNav.svelte'
import { groups } from '../../renderer/pages/description/address.ts'

// The page's door is there before any page is.
const counts = vi.hoisted(() => {
  const counts = vi.fn()
  const archive = { description: { counts, changed: () => () => undefined } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return counts
})
afterEach(() => setLanguage('en'))

test.for(['en', 'sv'] as const)(
  'vocabularies stand in the order of their names in %s, counted',
  async (to) => {
    const lists = groups.find(({ name }) => name === 'vocabularies')?.lists ?? []
    expect(lists.length).toBeGreaterThan(5)
    counts.mockResolvedValue({ value: lists.map((list, index) => ({ list, count: index + 1 })) })
    setLanguage(to)
    render(ListNav, { current: lists[0] ?? 'tags' })
    const summary = screen.getByText(to === 'sv' ? 'Vokabulärer' : 'Vocabularies', { selector: 'summary' })
    const group = summary.closest('details')
    if (!group) throw new Error('The vocabularies stand in no group.')
    await vi.waitFor(() => expect(group.querySelectorAll('.num:not(:empty)')).toHaveLength(lists.length))
    const entries = within(group).getAllByRole<HTMLAnchorElement>('link')
    const names = entries.map(({ firstChild }) => firstChild?.textContent ?? '')
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, to)))
    const told = entries.map(({ hash, lastChild }) => [hash.split('/').at(-1), lastChild?.textContent])
    expect(new Map(told.map(([list, count]) => [list, count]))).toEqual(
      new Map(lists.map((list, index) => [list, String(index + 1)])),
    )
  },
)
