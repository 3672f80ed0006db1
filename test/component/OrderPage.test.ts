import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import OpenedLast from '../../renderer/pages/desk/OpenedLast.svelte'
import OrderPage from '../../renderer/pages/orders/OrderPage.svelte'
import { loadViews } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const nothing = { name: '', content: '', responsible: '', rooms: [], nowhere: [], raw: '', asOf: null }
  const draft = { id: 'o1', kind: 'draft', packages: 0, made: null, failure: null, ...nothing }
  const news = () => () => undefined
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = {
    orders: { one: value(draft), save: value(null), changed: news },
    packages: { changed: news },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
})

test('an order is among what was opened last by the name that it was given, also by who left at once', async () => {
  await loadViews('a')
  const page = render(OrderPage, { id: 'o1' })
  await screen.findByRole('heading', { name: 'Unnamed order' })
  const first = render(OpenedLast)
  expect(screen.getByRole('link', { name: 'Unnamed order' })).toBeTruthy()
  first.unmount()
  await fireEvent.input(screen.getByLabelText(/^Name/), { target: { value: 'Thursday, table 4' } })
  page.unmount()
  render(OpenedLast)
  expect(screen.getByRole('link', { name: 'Thursday, table 4' })).toBeTruthy()
})
