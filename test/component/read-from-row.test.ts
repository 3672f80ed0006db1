import { expect, test, vi } from 'vitest'
import type { SessionStatus } from '../../electron/contract/session.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import { openListActs } from '../../renderer/pages/frame/list-acts.ts'
import { icons } from '../../renderer/parts/icons.ts'
import { Selection } from '../../renderer/parts/selection.svelte.ts'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { go, leaveReader, place } from '../../renderer/state/place.svelte.ts'
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
const givesFiles = (files: boolean) => {
  capabilities.now = { ...someCapabilities, packages: { ...someCapabilities.packages, files } }
}

interface Row {
  id: string
  package?: string
}
const open = vi.fn()
const acts = openListActs<Row>({
  selection: new Selection<Row>(() => Promise.resolve([])),
  open,
  isRead: true,
  packageOf: (row) => row.package,
  save: () => undefined,
  onPaper: () => ({ rows: [], columns: [], narrowed: '' }),
})

test('a package is read from its row, and whoever closes the reader is back in the list', () => {
  givesFiles(true)
  go('description', 'tags', 'text=brev')
  acts.inspect?.({ id: 'row', package: 'p' })
  expect([place.name, place.id]).toEqual(['reader', 'p'])
  expect(leaveReader('p')).toBe(false)
  expect([place.name, place.id, place.query]).toEqual(['description', 'tags', 'text=brev'])
  expect(open).not.toHaveBeenCalled()
})

test('a row that is no package is opened, and a list without packages has nothing to be read', () => {
  acts.inspect?.({ id: 'row' })
  expect(open).toHaveBeenCalledWith({ id: 'row' })
  const others = openListActs<Row>({
    selection: new Selection<Row>(() => Promise.resolve([])),
    open,
    save: () => undefined,
    onPaper: () => ({ rows: [], columns: [], narrowed: '' }),
  })
  expect(others.inspect).toBeUndefined()
})

test('why a package cannot be read from its row is said where one is, in the language of who reads', async () => {
  status.mockResolvedValue({ value: reached('offline') })
  await session.start()
  go('packages')
  const row = { id: 'row', package: 'p' }
  acts.inspect?.(row)
  expect(announcement.text).toBe('The files lie in the archive, which is not reached now.')
  setLanguage('sv')
  expect(announcement.text).toBe('Filerna ligger i arkivet, som inte går att nå just nu.')
  setLanguage('en')
  told.forEach((listener) => listener(reached('online')))
  givesFiles(false)
  acts.inspect?.(row)
  expect(announcement.text).toBe('This archive does not give the files in its packages.')
  expect(place.name).toBe('packages')
  expect(acts.menuOf(row).map(({ text }) => text)).not.toContain('Read')
  givesFiles(true)
  const [opening, reading] = acts.menuOf(row)
  expect([opening?.text, reading?.text, reading?.shortcut]).toEqual(['Open', 'Read', 'Space'])
  // What is done otherwise is drawn otherwise.
  expect(icons[reading?.icon ?? 'reader']).not.toBe(icons[opening?.icon ?? 'open'])
})
