import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Found } from '../../electron/contract/find.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import { Selection } from '../../renderer/parts/selection.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))
const { default: FoundHits } = await import('../../renderer/pages/search/FoundHits.svelte')
afterEach(() => setLanguage('en'))

const event: Found = {
  id: 'events e1',
  group: 'events',
  title: [{ text: 'AIP preserved', isMatch: false }],
  note: [
    { text: 'Preserved in ', isMatch: false },
    { text: '3', isMatch: true },
    { text: ' copies', isMatch: false },
  ],
  excerpt: [],
  to: { list: 'events', id: 'e1' },
  place: '',
  generation: null,
  state: '',
  at: '2026-11-23T07:00:00.000Z',
  facts: null,
}

test('what an archive says of an event is said in the language of who reads, its matches marked', () => {
  setLanguage('sv')
  const { container } = render(FoundHits, {
    hits: [event],
    exact: [],
    selection: new Selection<Found>(() => Promise.resolve([])),
    menuOf: () => [],
    onorder: () => undefined,
    oninspect: () => undefined,
  })
  expect(container.querySelector('.line')?.textContent).toBe('Händelse eller meddelande · Bevarat i 3 kopior')
  expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['3'])
})

test('Space looks at what was found, and with Ctrl it chooses, as in every list', async () => {
  const oninspect = vi.fn()
  const selection = new Selection<Found>(() => Promise.resolve([event]))
  const more = { menuOf: () => [], onorder: () => undefined, oninspect }
  render(FoundHits, { hits: [event], exact: [], selection, ...more })
  const link = screen.getByRole('link', { name: 'AIP preserved' })
  await fireEvent.keyDown(link, { key: ' ' })
  expect(oninspect).toHaveBeenCalledExactlyOnceWith(event)
  expect(selection.count).toBe(0)
  await fireEvent.keyDown(link, { key: ' ', ctrlKey: true })
  expect(selection.ids).toEqual(['events e1'])
  expect(oninspect).toHaveBeenCalledOnce()
})
