import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeAll, expect, test, vi } from 'vitest'
import Guide from '../../renderer/pages/help/Guide.svelte'
import { go, goTo, place } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))
// jsdom has no layout to scroll in.
beforeAll(() => {
  Element.prototype.scrollTo = () => undefined
  Element.prototype.scrollIntoView = () => undefined
})

test('a page stands beside the list of all, and Esc goes back to where one was', async () => {
  go('packages', 'abc')
  goTo('help/transfers')
  render(Guide)
  expect(screen.getByRole('heading', { level: 1, name: 'Transfers' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Transfers', current: 'page' })).toBeTruthy()
  goTo('help/orders')
  expect(await screen.findByRole('heading', { level: 1, name: 'Orders' })).toBeTruthy()
  await fireEvent.keyDown(window, { key: 'Escape' })
  expect([place.name, place.id]).toEqual(['packages', 'abc'])
})

test('one looks for words as one types, and comes to the heading below which they stand', async () => {
  goTo('help')
  render(Guide)
  const box = screen.getByRole('searchbox')
  await fireEvent.input(box, { target: { value: 'one walk' } })
  const [hit] = screen.getAllByRole('link', { name: /walking list/ })
  expect(hit?.getAttribute('href')).toBe('#/help/orders?at=slips-and-the-walking-list')
  expect(screen.getByRole('status').textContent).toMatch(/found/)
  goTo('help/orders?at=slips-and-the-walking-list')
  await expect.poll(() => document.activeElement?.textContent).toBe('Slips and the walking list')
  await fireEvent.input(box, { target: { value: 'zeppelin' } })
  expect(screen.getByText('The guide says nothing of “zeppelin”.')).toBeTruthy()
  await fireEvent.keyDown(box, { key: 'Escape' })
  expect(screen.getByRole('navigation')).toBeTruthy()
  expect(place.name).toBe('help')
})

test('a page that is not there is said to be missing', () => {
  goTo('help/former')
  render(Guide)
  expect(screen.getByText('The guide has no such page.')).toBeTruthy()
})

test('nothing that is written in the guide is taken for markup', () => {
  for (const page of ['transfers', 'keys', 'words']) {
    goTo(`help/${page}`)
    const { container, unmount } = render(Guide)
    expect(container.querySelectorAll('script, img, iframe, style')).toHaveLength(0)
    expect(container.textContent).not.toMatch(/\*\*|\]\(|&\w+;|^#/)
    unmount()
  }
})
