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

const shown = {
  exact: [],
  selection: new Selection<Found>(() => Promise.resolve([])),
  menuOf: () => [],
  onorder: () => undefined,
  oninspect: () => undefined,
  isSeenFromTop: () => true,
}
const many = (word: string): Found[] =>
  Array.from({ length: 50 }, (_, at) => ({ ...event, id: `events ${word}${at}` }))

test('what an archive says of an event is said in the language of who reads, its matches marked', () => {
  setLanguage('sv')
  const { container } = render(FoundHits, {
    hits: [event],
    ...shown,
  })
  expect(container.querySelector('.line')?.textContent).toBe('Händelse eller meddelande · Bevarat i 3 kopior')
  expect([...container.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['3'])
})

test('Space looks at what was found, and with Ctrl it chooses, as in every list', async () => {
  const oninspect = vi.fn()
  const selection = new Selection<Found>(() => Promise.resolve([event]))
  render(FoundHits, { hits: [event], ...shown, selection, oninspect })
  const link = screen.getByRole('link', { name: 'AIP preserved' })
  await fireEvent.keyDown(link, { key: ' ' })
  expect(oninspect).toHaveBeenCalledExactlyOnceWith(event)
  expect(selection.count).toBe(0)
  await fireEvent.keyDown(link, { key: ' ', ctrlKey: true })
  expect(selection.ids).toEqual(['events e1'])
  expect(oninspect).toHaveBeenCalledOnce()
})

test('who comes back is at the hit that was opened, also where it was found anew before it was left', async () => {
  const hits = many('a')
  const { unmount, rerender } = render(FoundHits, { hits, ...shown })
  const [, opened] = screen.getAllByRole('link')
  if (opened) await fireEvent.click(opened)
  await rerender({ hits: [...hits] })
  unmount()
  const { container } = render(FoundHits, { hits, ...shown })
  await vi.waitFor(() => expect(document.activeElement).toBe(container.querySelectorAll('a.title')[1]))
})

test('what is found while one types is drawn as far as it is in view, and then whole', async () => {
  const { container, rerender } = render(FoundHits, { hits: many('a'), ...shown })
  const lines = () => container.querySelectorAll('li').length
  expect(lines()).toBe(50)
  await rerender({ hits: many('b') })
  expect(lines()).toBeLessThan(50)
  expect(lines() * 44).toBeGreaterThanOrEqual(innerHeight)
  await vi.waitFor(() => expect(lines()).toBe(50))
})

test('where something is scrolled away all that is found is drawn at once', async () => {
  const { container, rerender } = render(FoundHits, {
    hits: many('a'),
    ...shown,
    isSeenFromTop: () => false,
  })
  await rerender({ hits: many('b') })
  expect(container.querySelectorAll('li').length).toBe(50)
})
