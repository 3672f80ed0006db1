import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { PackageRow } from '../../electron/contract/packages.ts'
import type { TransferRow } from '../../electron/contract/transfers.ts'
import Needs from '../../renderer/pages/desk/Needs.svelte'
import {
  needOfCreation,
  needOfRenewal,
  needOfTransfer,
  needsOfStopped,
} from '../../renderer/pages/desk/needs.ts'
import { someCapabilities } from '../archives/capabilities.ts'
import { someAccount } from './some-session.ts'
import { openByteRates } from '../../renderer/pages/desk/byte-rates.ts'
import { loadViews } from '../../renderer/state/views.svelte.ts'
import { noteOpened, openedLast } from '../../renderer/state/opened-last.ts'

// The page's door is there before any page is.
const signInAgain = vi.hoisted(() => {
  const signInAgain = vi.fn(() => Promise.resolve({ value: { archive: 'a' } }))
  const archive = {
    views: { all: () => Promise.resolve({ value: {} }), keep: () => Promise.resolve({ value: null }) },
  }
  Object.assign(window, { bridge: { application: { session: { signInAgain } }, archive } })
  return signInAgain
})

const row = (more: Partial<TransferRow>): TransferRow => ({
  id: 't1',
  state: 'prepared',
  changed: '2026-01-01T00:00:00Z',
  handedOver: null,
  isPaused: false,
  isWaiting: false,
  nextAt: null,
  waitsFor: null,
  lacks: null,
  failure: null,
  name: 'Oxen',
  identifier: 'x',
  package: null,
  generation: null,
  bytes: 1,
  ...more,
})

test('what needs a person says what happened, and leads to what is to be done', () => {
  const refused = row({ id: 't2', state: 'refused', name: 'Hamnen', failure: { kind: 'signed-out' } })
  render(Needs, {
    needs: [
      needOfTransfer(row({})),
      needOfTransfer(refused),
      needOfCreation({
        id: 'c1',
        list: 'locations',
        title: 'Shelf 4',
        state: 'undecided',
        made: '2026-01-01T00:00:00Z',
        nextAt: null,
        attempts: 1,
        failure: null,
        remote: null,
        wasFound: false,
        waitsFor: [],
      }),
    ],
    count: 5,
  })
  expect(screen.getByText(/Nobody has sent it yet/)).toBeTruthy()
  expect(needOfTransfer(row({ lacks: 'delivery' })).what).toContain('choose a delivery')
  expect(screen.getByRole('link', { name: 'Hamnen' }).getAttribute('href')).toBe('#/transfers/t2')
  expect(screen.getByRole('button', { name: /See what to do.*Hamnen/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: /Decide below.*Shelf 4/ })).toBeTruthy()
  expect(screen.getByText('3 of 5')).toBeTruthy()
})

test('a sign-in that ends soon is renewed where it stands', async () => {
  const account = { ...someAccount, name: 'Stadsarkivet', endsAt: '2026-01-01T18:00:00Z' }
  render(Needs, { needs: [needOfRenewal(account)], count: 1 })
  expect(screen.getByText(/Your sign-in ends at/)).toBeTruthy()
  await fireEvent.click(screen.getByRole('button', { name: /Renew.*Stadsarkivet/ }))
  await fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'secret' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(signInAgain).toHaveBeenCalledWith({ archive: 'a', password: 'secret', mayBeRead: false })
})

test('what was opened stands once, the last first, with any title, and no more than eight', async () => {
  await loadViews('a')
  vi.useFakeTimers({ now: Date.parse('2026-01-01T08:00:00Z') })
  noteOpened('packages', 'p0', undefined)
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9]) noteOpened('packages', `p${number}`, `Package ${number}`)
  noteOpened('storage', 'p9', 'LTO\t0418')
  noteOpened('packages', 'p9', 'Package 9, renamed')
  const opened = openedLast()
  expect(opened.map(({ place, id }) => `${place} ${id}`)).toEqual([
    'packages p9',
    'storage p9',
    ...[8, 7, 6, 5, 4, 3].map((number) => `packages p${number}`),
  ])
  expect(opened[0]).toEqual({
    place: 'packages',
    id: 'p9',
    time: '2026-01-01T08:00:00.000Z',
    title: 'Package 9, renamed',
  })
  expect(opened[1]?.title).toBe('LTO 0418')
  vi.useRealTimers()
})

test('how fast something goes is known after some seconds, in whole units, and is measured anew once it stopped or began again', () => {
  let now = 0
  const byteRates = openByteRates(() => now)
  const after = (ms: number, bytes: number) => {
    now += ms
    return byteRates.of('d', bytes)
  }
  expect(after(0, 1_000)).toBe(0)
  expect(after(500, 2_000)).toBe(0)
  expect(after(2_000, 5_000)).toBe(0)
  expect(after(500, 10_000)).toBe(3_000)
  expect(after(2_000, 0)).toBe(0)
  expect(after(3_000, 1_000)).toBe(333)
  byteRates.forget('d')
  expect(after(60_000, 1_000)).toBe(0)
  expect(after(3_000, 2_500)).toBe(500)
})

const stoppedPackage = (label: string, more: Partial<PackageRow> = {}): PackageRow => ({
  id: label,
  type: 'AIP',
  aic: null,
  label,
  identifier: `ID ${label}`,
  state: 'Preserving',
  stepState: 'FAILURE',
  work: 'failed',
  bytes: 1,
  generation: 1,
  isLast: true,
  newest: null,
  generations: 0,
  copies: 0,
  lost: 0,
  wanted: null,
  creator: '',
  changed: '2026-01-01T00:00:00Z',
  isNew: false,
  ...more,
})

test('packages that the archive stopped at are one line, for who can do something about them', () => {
  const whole = { ...someCapabilities, submission: 'whole' } as const
  const listed = (rows: PackageRow[], total = rows.length) => ({
    rows,
    total,
    of: 100,
    lines: total,
    asOf: null,
  })
  const oxen = stoppedPackage('Oxen', { id: 'aic', type: 'AIC', newest: 'oxen-2' })
  const rows = ['Hamnen', 'Lasarettet', 'Skolan'].map((label) => stoppedPackage(label))
  expect(needsOfStopped(listed([oxen]), [], whole)).toMatchObject([
    { title: 'Oxen', what: 'The archive stopped at it (Preserving).', href: '#/packages/oxen-2' },
  ])
  expect(needsOfStopped(listed([oxen, ...rows], 60), [], whole)).toMatchObject([
    {
      title: 'The archive stopped at 60 packages',
      what: 'Oxen, Hamnen, Lasarettet, …',
      href: '#/packages?work=failed',
    },
  ])
  // What this desk sent stands there as a transfer.
  const sent = [row({ identifier: 'ID Oxen' })]
  expect(needsOfStopped(listed([oxen]), sent, whole)).toEqual([])
  // All generations together may have an identifier of their own.
  const all = { ...oxen, identifier: 'ID of all', newest: 'newest' }
  expect(needsOfStopped(listed([all]), [row({ package: 'newest' })], whole)).toEqual([])
  expect(needsOfStopped(listed([oxen, ...rows]), sent, whole)[0]?.title).toContain('3 packages')
  for (const submission of ['not allowed', 'until submitted'] as const)
    expect(needsOfStopped(listed([oxen]), [], { ...whole, submission })).toEqual([])
  expect(needsOfStopped(listed([]), [], whole)).toEqual([])
})
