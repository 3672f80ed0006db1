import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import FirstSteps from '../../renderer/pages/desk/FirstSteps.svelte'

// The page's door is there before any page is.
const transfers = vi.hoisted(() => {
  const list = vi.fn()
  Object.assign(window, {
    bridge: { application: {}, archive: { transfers: { list, changed: () => () => undefined } } },
  })
  return { list }
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
