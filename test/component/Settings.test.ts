import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeAll, expect, test, vi } from 'vitest'
import type { ProgramState } from '../../electron/contract/settings.ts'
import Settings from '../../renderer/pages/settings/Settings.svelte'
import { session } from '../../renderer/state/session.svelte.ts'
import { settings } from '../../renderer/state/settings.svelte.ts'
import { someAccount, someConnection } from './some-session.ts'

// The page's door is there before any page is.
const { read, change, status } = vi.hoisted(() => {
  const [read, change, status] = [vi.fn(), vi.fn(), vi.fn()]
  const news = () => () => undefined
  const application = {
    settings: { read, change, changed: news },
    session: { status, changed: news },
    network: { status: () => Promise.resolve({ value: null }) },
  }
  Object.assign(window, { bridge: { application, archive: {} } })
  return { read, change, status }
})

const held: ProgramState = {
  settings: {
    theme: 'light',
    language: 'en',
    notices: true,
    quiet: false,
    closeToTray: true,
    startWithSystem: false,
    updates: false,
    proxy: 'system',
    proxyAddress: '',
    proxyScript: '',
  },
  systemLanguage: 'en',
  version: '0.1.0',
  vault: '',
  dataFolder: '/desk',
  recovered: null,
  noticesBlocked: '',
}

beforeAll(async () => {
  read.mockResolvedValue({ value: held })
  const archives = [{ account: someAccount, connection: someConnection }]
  status.mockResolvedValue({ value: { archives, lastUrl: '', lastUsername: '' } })
  await Promise.all([settings.start(), session.start()])
})

test.each([
  ['Language', 'sv', 'en'],
  ['Theme', 'dark', 'light'],
  ['Proxy on the way to archives', 'none', 'system'],
])('%s shows what holds where the change of it could not be kept', async (label, chosen, holds) => {
  change.mockResolvedValue({ failure: { kind: 'disk', trouble: 'full', path: '' } })
  render(Settings)
  const select = screen.getByLabelText<HTMLSelectElement>(label)
  expect(select.value).toBe(holds)
  await fireEvent.change(select, { target: { value: chosen } })
  await screen.findByRole('alert')
  expect(select.value).toBe(holds)
})
