import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { FileEntry } from '../../electron/contract/files.ts'
import { checkedByItself, type FileCheck, type Verdict } from '../../electron/contract/reader.ts'
import FileFacts from '../../renderer/pages/reader/FileFacts.svelte'
import { Opening } from '../../renderer/pages/reader/opening.svelte.ts'
import { shownDesk } from '../../renderer/state/desk.svelte.ts'

// The page's door is there before any page is.
const { open, check } = vi.hoisted(() => {
  const [open, check] = [vi.fn(), vi.fn()]
  const news = () => () => undefined
  const answer = () => Promise.resolve({ value: null })
  const notes = () => Promise.resolve({ value: [] })
  const reader = { open, check, notes, close: answer, identify: answer, arrived: news, checked: news }
  const viewer = { ended: news }
  Object.assign(window, { bridge: { application: { viewer }, archive: { reader } } })
  return { open, check }
})

const verdictOf = (is: Verdict['is']): FileCheck => ({
  key: 'k',
  state: 'done',
  bytes: 1,
  total: 1,
  verdict: { is, algorithm: 'SHA-256', digest: 'abcd', preserved: 'ef01', source: 'manifest-sha256.txt' },
  failure: null,
})

/** A tree whose folders are read where it has a file. */
const treeOf = (entry: FileEntry | undefined) => ({
  entryOf: () => entry,
  isRead: entry !== undefined,
  failure: undefined,
})

/** A file of so many bytes, opened, with what is said of it, and how its frame tells something. */
const openFile = async (bytes: number, is: Verdict['is'] = 'preserved') => {
  check.mockReset().mockResolvedValue({ value: verdictOf(is) })
  open.mockReset().mockResolvedValue({ value: { key: 'k', bytes, isByParts: true } })
  const place = { package: 'p', path: 'a.tif' }
  const opening = new Opening({ desk: shownDesk(), place, looked: '', listener: {} })
  const close = opening.begin()
  const { unmount, rerender } = render(FileFacts, {
    opening,
    tree: treeOf(undefined),
    page: undefined,
    onbeside: () => undefined,
  })
  await vi.waitFor(() => expect(opening.isIdentified).toBe(true))
  const frame = document.body.appendChild(document.createElement('iframe')).contentWindow
  if (!frame) throw new Error('There is no frame.')
  const unfollow = opening.viewing?.follow(frame)
  return {
    rerender,
    tell: (data: unknown) => opening.viewing?.hear(new MessageEvent('message', { source: frame, data })),
    leave: () => {
      unfollow?.()
      unmount()
      close()
    },
  }
}

test.each([
  ['preserved', 'This is what was preserved'],
  ['changed', 'NOT what was preserved'],
  ['unsaid', 'No checksum is given'],
] as const)('what is short is compared by itself, and it is said that it is %s', async (is, said) => {
  const { leave } = await openFile(checkedByItself, is)
  expect(await screen.findByRole('heading', { name: said })).toBeTruthy()
  leave()
})

test('of what was read by parts alone that is said, and a check is offered', async () => {
  const { tell, leave } = await openFile(checkedByItself + 1)
  tell({ told: 'read', bytes: 262_144, isWhole: false })
  expect(await screen.findByRole('heading', { name: 'Only parts of it were read' })).toBeTruthy()
  expect(check).not.toHaveBeenCalled()
  await fireEvent.click(screen.getByRole('button', { name: 'Check the whole file' }))
  expect(await screen.findByRole('heading', { name: 'This is what was preserved' })).toBeTruthy()
  leave()
})

test('what was read whole to be drawn is compared, however long it is', async () => {
  const { tell, leave } = await openFile(checkedByItself + 1)
  tell({ told: 'read', bytes: checkedByItself + 1, isWhole: true })
  tell({ told: 'read', bytes: checkedByItself + 1, isWhole: true })
  expect(await screen.findByRole('heading', { name: 'This is what was preserved' })).toBeTruthy()
  expect(check).toHaveBeenCalledTimes(1)
  leave()
})

const valueOf = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent.trim()

test('what a folder says of a file has its line before the folder is read', async () => {
  const { rerender, leave } = await openFile(checkedByItself)
  expect([await valueOf('Size'), await valueOf('Changed')]).toEqual(['16.8 MB', '…'])
  const entry = { name: 'a.tif', isFolder: false, isContainer: false, bytes: 1 }
  await rerender({ tree: treeOf({ ...entry, modified: '2026-11-23T07:00:00Z' }) })
  expect(await valueOf('Changed')).toMatch(/23 Nov/)
  await rerender({ tree: treeOf({ ...entry, modified: null }) })
  expect(screen.queryByText('Changed')).toBeNull()
  leave()
})

test('what is never found out of a file keeps its line', async () => {
  const { tell, leave } = await openFile(checkedByItself)
  expect([await valueOf('Kind'), await valueOf('Format')]).toEqual(['…', 'not known'])
  tell({ told: 'trouble', trouble: 'too large', detail: '' })
  await vi.waitFor(async () => expect(await valueOf('Kind')).toBe('not known'))
  leave()
})
