import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { SessionStatus } from '../../electron/contract/session.ts'
import { deskOf } from '../../renderer/bridge.svelte.ts'
import OpenFile from '../../renderer/pages/reader/OpenFile.svelte'
import { Opening } from '../../renderer/pages/reader/opening.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'
import { reached } from './some-session.ts'

// The page's door is there before any page is.
const { open, tell } = vi.hoisted(() => {
  const news = () => () => undefined
  const open = vi.fn()
  const listeners: ((status: SessionStatus) => void)[] = []
  const changed = (listener: (status: SessionStatus) => void) => {
    listeners.push(listener)
    return () => undefined
  }
  const status = () => new Promise(() => undefined)
  const application = { viewer: { ended: news }, session: { changed, status } }
  const reader = { open, arrived: news, checked: news, close: () => Promise.resolve({}) }
  Object.assign(window, { bridge: { application, archive: { reader } } })
  return { open, tell: (told: SessionStatus) => listeners.forEach((listener) => listener(told)) }
})

test('a file that the archive cannot be asked for is opened once it answers, and is not called readable', async () => {
  void session.start()
  tell(reached('offline'))
  open.mockResolvedValueOnce({ failure: { kind: 'offline', address: 'https://a.example', detail: '' } })
  const listener = { pressed: vi.fn(), named: vi.fn() }
  const place = { package: 'p', path: 'plan.png' }
  const opening = new Opening({ desk: deskOf('a'), place, looked: '', listener })
  opening.begin()
  render(OpenFile, { opening })
  await screen.findByText('It is not kept on this computer, and is shown once the archive answers.')
  expect(screen.queryByText(/stays readable/)).toBeNull()
  open.mockResolvedValueOnce({ value: { key: 'k', bytes: 0, isByParts: true } })
  tell(reached('online'))
  await vi.waitFor(() => expect(open).toHaveBeenCalledTimes(2))
  await vi.waitFor(() => expect(screen.queryByText(/once the archive answers/)).toBeNull())
})
