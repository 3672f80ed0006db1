import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import PageSheet from '../../renderer/pages/print/PageSheet.svelte'
import PrintView from '../../renderer/pages/print/PrintView.svelte'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const place = document.createElement('div')
place.className = 'place'
beforeEach(() => {
  place.innerHTML = '<div><h1>Desk</h1><p data-waiting>One moment …</p></div>'
  document.body.append(place)
})
afterEach(() => place.remove())
const answer = () => place.querySelector('[data-waiting]')?.replaceWith('Twelve packages')

test('a page that waits for its answer is on paper with it, and stays as it was then', async () => {
  const { container } = render(PageSheet)
  expect(container.textContent).toContain('One moment')
  answer()
  await vi.waitFor(() => expect(container.textContent).toContain('Twelve packages'))
  place.querySelector('h1')?.append(' of today')
  await Promise.resolve()
  expect(container.querySelector('h1')?.textContent).toBe('Desk')
})

test('nothing is printed as long as the page waits for its answer', async () => {
  render(PrintView, { wanted: { kind: undefined, list: undefined } })
  const isReady = () => screen.getByRole('button', { name: 'Print on paper' }).ariaDisabled !== 'true'
  await vi.waitFor(() => expect(isReady()).toBe(false))
  answer()
  await vi.waitFor(() => expect(isReady()).toBe(true))
})
