import { fireEvent, render, screen } from '@testing-library/svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { DeskMessage, ShownAlert } from '../../electron/contract/alerts.ts'
import Desk from '../../renderer/pages/desk/Desk.svelte'

// The page's door is there before any page is.
const { asked, answers, quiet } = await vi.hoisted(async () => {
  const { applicationContract, archiveContract } = await import('../../electron/contract/index.ts')
  const none = { count: 0, first: [] }
  const answers: Record<string, unknown> = {
    'transfers.groups': { troubled: none, drafts: none, working: none, waiting: none },
    'packages.list': { rows: [], lines: 0, total: 0 },
    'orders.list': [],
    'dips.unfinished': [],
    'files.unfinished': [],
    'outbox.list': { items: [], total: 0 },
    'transfers.list': { rows: [], lines: 0, of: 1 },
    'transfers.create': { id: 'new' },
  }
  const quiet = { rows: [], messages: [], total: 0, unread: 0, asOf: null }
  const failure = { kind: 'disk', trouble: 'full', path: '' }
  const asked: string[] = []
  /** Whatever has no answer here is never answered. */
  const callOf = (name: string, kind: string) => () => {
    if (kind === 'news') return () => undefined
    asked.push(name)
    if (!(name in answers)) return new Promise(() => undefined)
    return Promise.resolve(answers[name] instanceof Error ? { failure } : { value: answers[name] })
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
  return { asked, answers, quiet }
})
beforeEach(() => {
  asked.length = 0
  answers['alerts.list'] = quiet
})

test('what the archive told is asked once for the whole Desk', async () => {
  render(Desk)
  await screen.findByRole('heading', { name: 'From the archive' })
  expect(asked.filter((name) => name === 'alerts.list')).toHaveLength(1)
})

const told: ShownAlert = {
  id: 1,
  tells: 'other',
  message: 'Oxen is now in workspace',
  text: 'Oxen is now in workspace',
  time: '2026-11-23T16:43:00.000Z',
  seen: false,
  package: null,
  keys: ['n1'],
  isUnread: false,
}
const stopped: DeskMessage = {
  key: 't1',
  content: { says: 'stopped', name: 'Oxen' },
  place: 'transfers/1',
  isFailure: true,
}
const listed = (rows: ShownAlert[], more: object = {}) => ({ ...quiet, rows, total: rows.length, ...more })

test.for([
  ['nothing', quiet, true],
  ['what is read', listed([told]), true],
  ['something unread', listed([{ ...told, isUnread: true }], { unread: 1 }), false],
  ['something unread that is not listed', listed([told], { total: 900, unread: 1 }), false],
  ['a failure that is read', listed([{ ...told, tells: 'failure' }]), false],
  ['a failure of this desk', listed([], { messages: [stopped] }), false],
  ['messages that cannot be read', new Error(), false],
] as const)('beside %s, that nothing waits is said: %s', async ([, alerts, isSaid]) => {
  answers['alerts.list'] = alerts
  render(Desk)
  if (alerts instanceof Error) await screen.findByRole('button', { name: 'Try again' })
  else await screen.findAllByRole('heading', { name: /From the archive|New since|Earlier messages/ })
  expect(screen.queryAllByText('Nothing waits for you.')).toHaveLength(isSaid ? 1 : 0)
})

test('one button of the Desk is the main one, also where a first transfer is taught', async () => {
  const before = answers['transfers.list']
  answers['transfers.list'] = { rows: [], lines: 0, of: 0 }
  const { container } = render(Desk)
  await screen.findByRole('button', { name: 'Begin a transfer' })
  expect([...container.querySelectorAll('button.main')].map(({ textContent }) => textContent)).toEqual([
    'New transferCtrl+N',
  ])
  answers['transfers.list'] = before
})

test('Ctrl+N begins a transfer on the Desk, as it does in their list', async () => {
  render(Desk)
  await screen.findByRole('heading', { name: 'From the archive' })
  await fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true })
  await vi.waitFor(() => expect(location.hash).toBe('#/transfers/new'))
})

test('Ctrl+N that is held down begins one transfer', async () => {
  render(Desk)
  for (const repeat of [false, true, true]) {
    await fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true, repeat })
    await vi.waitFor(() => expect(location.hash).toBe('#/transfers/new'))
    await new Promise<void>((done) => queueMicrotask(done))
  }
  expect(asked.filter((name) => name === 'transfers.create')).toHaveLength(1)
})

test('of a dissemination package it is said what is being done, and not that it is done', async () => {
  const task = { id: 't', order: 'o', label: 'Thursday', identifier: 'd', agreement: 'a', dip: 'd1' }
  const item = { package: 'p', label: 'Plans', identifier: 'i', asked: null, state: 'copied', step: null }
  answers['dips.unfinished'] = [
    { ...task, items: [item], stage: 'create', state: 'working', failure: null, message: '' },
  ]
  render(Desk)
  await screen.findByText('Being made · 1 of 1 from storage')
  answers['dips.unfinished'] = []
})

test('what needs somebody is shown once all of it is known, and until then that it is waited for', async () => {
  delete answers['dips.unfinished']
  const { unmount } = render(Desk)
  await vi.waitFor(() => expect(asked).toContain('packages.list'))
  // All that was answered has been drawn by the next turn.
  await new Promise((done) => setTimeout(done))
  expect(screen.queryByRole('heading', { name: 'From the archive' })).toBeNull()
  expect(screen.getAllByText('One moment …').length).toBeGreaterThan(0)
  unmount()
  answers['dips.unfinished'] = []
  render(Desk)
  await screen.findByRole('heading', { name: 'From the archive' })
})
