import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { mostUnreadable } from '../../electron/contract/failure.ts'
import type { Connection } from '../../electron/contract/session.ts'
import ConnectionTrouble from '../../renderer/pages/frame/ConnectionTrouble.svelte'
import { someConnection } from './some-session.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const connection: Connection = {
  ...someConnection,
  state: 'offline',
  failure: { kind: 'offline', address: 'https://a.example', detail: 'ECONNREFUSED' },
}

test('to be without a connection is a state and no alarm', () => {
  render(ConnectionTrouble, { archive: 'a', connection })
  expect(screen.getAllByText(/https:\/\/a.example could not be reached/)).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

test('of more records that could not be read than are noted it is not said that these are all', async () => {
  const noted = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ path: `/api/agents/[${nth}]`, why: 'No id' }))
  const connected = { ...connection, failure: null }
  const { rerender } = render(ConnectionTrouble, {
    archive: 'a',
    connection: { ...connected, unreadable: noted(mostUnreadable - 1) },
  })
  expect(screen.getByText(/^99 records of the archive/)).toBeTruthy()
  await rerender({ connection: { ...connected, unreadable: noted(mostUnreadable) } })
  expect(screen.getByText(/^At least 100 records of the archive/)).toBeTruthy()
})

test('a list that may lack rows says so', () => {
  render(ConnectionTrouble, {
    archive: 'a',
    connection: {
      ...connection,
      state: 'online',
      failure: null,
      incomplete: [{ subject: 'packages', counted: 200_000 }],
    },
  })
  expect(screen.getByRole('status').textContent).toContain(
    'Packages: the archive changed while this list was read, so rows may be missing',
  )
  expect(screen.getByRole('button', { name: 'Fetch again' })).toBeTruthy()
})
