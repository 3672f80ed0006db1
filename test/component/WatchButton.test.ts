import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import WatchButton from '../../renderer/pages/search/WatchButton.svelte'

// The page's door is there before any page is.
const store = vi.hoisted(() => {
  const answer = (value: unknown) => () => Promise.resolve({ value })
  const stored = vi.fn(answer({ refusal: null }))
  const choices = answer({
    states: [],
    types: [],
    policies: [{ id: 'p1', name: 'Two media' }],
    media: [{ id: 'm1', name: 'Tape 7' }],
    agents: [],
    archives: [],
  })
  const one = answer({ title: 'Drätselkammaren' })
  Object.assign(window, {
    bridge: {
      application: {},
      archive: { find: { choices }, description: { one }, searches: { store: stored } },
    },
  })
  return stored
})

test('a watched search is called by its words and the names of what it is limited to', async () => {
  const address = 'q=ritningar&policy=p1&medium=m1&agents=a900'
  render(WatchButton, { address, stored: { value: [] } })
  await fireEvent.click(screen.getByRole('button', { name: 'Watch this search' }))
  await vi.waitFor(() => expect(store).toHaveBeenCalledOnce())
  expect(store.mock.calls[0]).toMatchObject([
    '',
    { name: 'ritningar, Drätselkammaren, Two media, Tape 7', address, isTold: true },
  ])
})

test('a type that nothing held has is called by its word in the name of a search too', async () => {
  setLanguage('sv')
  store.mockClear()
  render(WatchButton, { address: 'q=ritningar&type=e-mail&indices=document', stored: { value: [] } })
  await fireEvent.click(screen.getByRole('button', { name: 'Bevaka sökningen' }))
  await vi.waitFor(() => expect(store).toHaveBeenCalledOnce())
  expect(store.mock.calls[0]).toMatchObject(['', { name: 'ritningar, Filer, e-post' }])
  setLanguage('en')
})
