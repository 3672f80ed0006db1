import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { SessionStatus } from '../../electron/contract/session.ts'
import Capabilities from '../../renderer/pages/settings/Capabilities.svelte'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'
import { reached } from './some-session.ts'

// The page's door is there before any page is.
const { status, told } = vi.hoisted(() => {
  const status = vi.fn()
  const told: ((status: SessionStatus) => void)[] = []
  const changed = (listener: (status: SessionStatus) => void) => {
    told.push(listener)
    return () => undefined
  }
  Object.assign(window, { bridge: { application: { session: { status, changed } }, archive: {} } })
  return { status, told }
})

test('an archive that went away while it was asked what it can do is not waited for', async () => {
  status.mockResolvedValue({ value: reached('online') })
  await session.start()
  capabilities.now = { ...someCapabilities, asked: null }
  render(Capabilities)
  screen.getByText('One moment …')
  told.forEach((listener) => listener(reached('offline')))
  await tick()
  screen.getByText(/shown once the archive answers/)
  expect(screen.queryByText('One moment …')).toBeNull()
})
