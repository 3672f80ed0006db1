import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Download, FileEntry } from '../../electron/contract/files.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Verdict } from '../../electron/contract/reader.ts'
import Files from '../../renderer/pages/packages/Files.svelte'

// The page's door is there before any page is.
const { list, downloads, resume } = vi.hoisted(() => {
  const [list, downloads, resume] = [vi.fn(), vi.fn(), vi.fn()]
  const news = () => () => undefined
  const files = {
    list,
    downloads,
    resume,
    progress: news,
  }
  Object.assign(window, { bridge: { application: {}, archive: { files } } })
  return { list, downloads, resume }
})

beforeEach(() => downloads.mockResolvedValue({ value: [] }))

const entry = (name: string): FileEntry => ({
  name,
  isFolder: !name.includes('.'),
  isContainer: name.endsWith('.tar'),
  bytes: 1,
  modified: null,
})
const folders: Record<string, string[]> = {
  '': ['content', 'mets.xml'],
  content: ['a.tar'],
  'content/a.tar': ['a'],
  'content/a.tar/a': ['data'],
  'content/a.tar/a/data': ['empty.txt', 'other.txt'],
}
const answer = ({ path }: { path: string }) => Promise.resolve({ value: (folders[path] ?? []).map(entry) })

test('folders that hold one folder each are entered in one go, and left one by one', async () => {
  list.mockImplementation((_archive: string, asked: { path: string }) => answer(asked ?? { path: '' }))
  render(Files, { of: 'p' })
  await fireEvent.click(await screen.findByRole('button', { name: 'Open content' }))
  expect(await screen.findByRole('button', { name: 'Look at empty.txt' })).toBeTruthy()
  const crumbs = () =>
    [...screen.getByRole('navigation').querySelectorAll('button')].map((button) => button.textContent)
  expect(crumbs()).toEqual(['Package', 'content', 'a.tar', 'a', 'data'])
  expect(screen.getByRole('navigation').textContent).toMatch(/^Package\u00a0› content\u00a0› a\.tar\u00a0› a/)
  await fireEvent.click(screen.getByRole('button', { name: 'Look at empty.txt' }))
  expect(decodeURIComponent(location.hash)).toBe('#/reader/p?path=content/a.tar/a/data/empty.txt')
  await fireEvent.click(screen.getByRole('button', { name: 'a.tar' }))
  expect(await screen.findByRole('button', { name: 'Open a' })).toBeTruthy()
  expect(crumbs()).toEqual(['Package', 'content', 'a.tar'])
  expect(screen.getByRole('button', { name: 'Download the whole file' })).toBeTruthy()
})

test('what one may not see is a quiet line', async () => {
  const failure: Failure = { kind: 'not-allowed', detail: '' }
  list.mockResolvedValue({ failure })
  render(Files, { of: 'p' })
  expect(await screen.findByText(/Your role there does not let you/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

const saved = (is: Verdict['is'], state: Download['state']): Download => ({
  id: is,
  package: 'p',
  path: `content/${is}.tif`,
  target: `/home/anna/${is}.tif`,
  state,
  bytesDone: 3,
  bytes: 3,
  failure: null,
  verdict: { is, algorithm: 'SHA-256', digest: 'ab', preserved: 'cd', source: 'manifest-sha256.txt' },
})

test('a saved file says whether it is what was preserved; another is fetched anew', async () => {
  list.mockResolvedValue({ value: [] })
  const uncompared = { ...saved('unsaid', 'done'), verdict: null }
  downloads.mockResolvedValue({
    value: [saved('preserved', 'done'), saved('changed', 'altered'), uncompared],
  })
  resume.mockResolvedValue({ value: undefined })
  render(Files, { of: 'p' })
  const [preserved, changed, notYet] = await screen.findAllByRole('listitem')
  expect(preserved?.textContent).toMatch(/preserved\.tif\s*Saved\s*3 B of 3 B\s*This is what was preserved/)
  expect(preserved && within(preserved).queryByRole('button', { name: 'Fetch it again' })).toBeNull()
  expect(changed?.textContent).toMatch(
    /Altered.*NOT what was preserved.*Its SHA-256 is not the one that manifest-sha256\.txt names\./s,
  )
  expect(notYet?.textContent).toMatch(/Saved\s*3 B of 3 B\s*Not compared with what was preserved/)
  await fireEvent.click(screen.getByRole('button', { name: 'Fetch it again' }))
  expect(resume.mock.calls.at(-1)?.at(-1)).toEqual({ id: 'changed' })
})
