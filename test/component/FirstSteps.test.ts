import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import FirstSteps from '../../renderer/pages/desk/FirstSteps.svelte'
import { loadViews } from '../../renderer/state/views.svelte.ts'

// The page's door is there before any page is.
const transfers = vi.hoisted(() => {
  const [list, keep] = [vi.fn(), vi.fn()]
  const views = { all: () => Promise.resolve({ value: {} }), keep }
  Object.assign(window, {
    bridge: { application: {}, archive: { transfers: { list, changed: () => () => undefined }, views } },
  })
  return { list, keep }
})

test('a first transfer is taught until there is one, whatever became of it', async () => {
  transfers.list.mockResolvedValue({ value: { rows: [], lines: 0, of: 0 } })
  const { unmount } = render(FirstSteps)
  expect(await screen.findByRole('heading', { name: /first transfer/ })).toBeTruthy()
  unmount()
  transfers.list.mockResolvedValue({ value: { rows: [], lines: 0, of: 1 } })
  render(FirstSteps)
  await vi.waitFor(() => expect(transfers.list).toHaveBeenCalledTimes(2))
  await Promise.resolve()
  expect(screen.queryByRole('heading')).toBeNull()
})

test('who does not want to be taught is not taught again, also not after a new start', async () => {
  transfers.list.mockResolvedValue({ value: { rows: [], lines: 0, of: 0 } })
  transfers.keep.mockResolvedValue({ value: null })
  await loadViews('a')
  const { unmount } = render(FirstSteps)
  await fireEvent.click(await screen.findByRole('button', { name: 'Do not show this again' }))
  expect(screen.queryByRole('heading')).toBeNull()
  unmount()
  const asked = transfers.list.mock.calls.length
  render(FirstSteps)
  await vi.waitFor(() => expect(transfers.list).toHaveBeenCalledTimes(asked + 1))
  await Promise.resolve()
  expect(screen.queryByRole('heading')).toBeNull()
  await vi.waitFor(() =>
    expect(transfers.keep).toHaveBeenCalledExactlyOnceWith('a', {
      list: 'first-steps',
      body: '{"isSeen":true}',
    }),
  )
})
