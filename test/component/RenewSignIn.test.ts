import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import RenewSignIn from '../../renderer/pages/frame/RenewSignIn.svelte'
import { go } from '../../renderer/state/place.svelte.ts'
import { someAccount } from './some-session.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-03-01T08:00:00Z') }))
afterEach(() => vi.useRealTimers())

const account = { ...someAccount, endsAt: '2026-03-01T18:00:00Z' }
const pass = (hours: number) => vi.advanceTimersByTimeAsync(hours * 3_600_000)

test('a renewal is offered two hours before the end, once more half an hour before it, and not afterwards', async () => {
  go('packages')
  render(RenewSignIn, { account })
  expect(screen.queryByRole('status')).toBeNull()
  await pass(8.1)
  go('desk')
  // There it is one of the things that need somebody.
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull())
  go('packages')
  await screen.findByRole('status')
  await fireEvent.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('status')).toBeNull()
  await pass(1.5)
  await fireEvent.click(screen.getByRole('button', { name: 'Later' }))
  await pass(0.2)
  expect(screen.queryByRole('status')).toBeNull()
})

test('without a known end nothing is asked', async () => {
  render(RenewSignIn, { account: someAccount })
  await pass(20)
  expect(screen.queryByRole('status')).toBeNull()
})
