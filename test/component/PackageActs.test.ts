import { fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection, SessionStatus } from '../../electron/contract/session.ts'
import { toPackage } from '../../electron/dialects/specification/packages.ts'
import PackageActs from '../../renderer/pages/packages/PackageActs.svelte'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'
import { session } from '../../renderer/state/session.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'
import { somePackagePage } from './some-package-page.ts'
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
afterEach(() => (capabilities.now = null))

const tell = async (state: Connection['state']) => {
  told.forEach((listener) => listener(reached(state)))
  await tick()
}
const page = {
  ...somePackagePage,
  package: toPackage({ id: 'b', generation: 1, permissions: ['get_from_storage'] }),
}
const seen = () =>
  screen.getAllByRole('button').map((button) => ({
    name: button.textContent.trim(),
    isMain: button.classList.contains('main'),
    whyNot: button.title,
  }))

test('what cannot be read while the archive is not reached says so, and ordering it comes first', async () => {
  capabilities.now = { ...someCapabilities, packages: { ...someCapabilities.packages, files: true } }
  status.mockResolvedValue({ value: reached('online') })
  await session.start()
  go('packages', 'b')
  render(PackageActs, { page, isWithheld: false })
  expect(seen().slice(0, 2)).toEqual([
    { name: 'Read', isMain: true, whyNot: '' },
    { name: 'Add to order+', isMain: false, whyNot: '' },
  ])
  await tell('offline')
  expect(seen().slice(0, 2)).toEqual([
    { name: 'Read', isMain: false, whyNot: 'The files lie in the archive, which is not reached now.' },
    { name: 'Add to order+', isMain: true, whyNot: '' },
  ])
  await fireEvent.click(screen.getByRole('button', { name: 'Read' }))
  expect(place.name).toBe('packages')
  await tell('online')
  expect(seen()[0]).toEqual({ name: 'Read', isMain: true, whyNot: '' })
})
