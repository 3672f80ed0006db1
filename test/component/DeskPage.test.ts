import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import Desk from '../../renderer/pages/desk/Desk.svelte'

// The page's door is there before any page is.
const asked = await vi.hoisted(async () => {
  const { applicationContract, archiveContract } = await import('../../electron/contract/index.ts')
  const none = { count: 0, first: [] }
  const answers: Record<string, unknown> = {
    'transfers.groups': { troubled: none, drafts: none, working: none, waiting: none },
    'packages.list': { rows: [], lines: 0, total: 0 },
    'orders.list': [],
    'alerts.list': { rows: [], messages: [], total: 0, unread: 0, asOf: null },
  }
  const asked: string[] = []
  /** Whatever has no answer here is never answered. */
  const callOf = (name: string, kind: string) => () => {
    if (kind === 'news') return () => undefined
    asked.push(name)
    return name in answers ? Promise.resolve({ value: answers[name] }) : new Promise(() => undefined)
  }
  const callsOf = (contract: Record<string, Record<string, { kind: string }>>) =>
    Object.fromEntries(
      Object.entries(contract).map(([feature, members]) => [
        feature,
        Object.fromEntries(
          Object.entries(members).map(([member, { kind }]) => [member, callOf(`${feature}.${member}`, kind)]),
        ),
      ]),
    )
  Object.assign(window, {
    bridge: { application: callsOf(applicationContract), archive: callsOf(archiveContract) },
  })
  return asked
})

test('what the archive told is asked once for the whole Desk', async () => {
  render(Desk)
  await screen.findByRole('heading', { name: 'From the archive' })
  expect(asked.filter((name) => name === 'alerts.list')).toHaveLength(1)
})
