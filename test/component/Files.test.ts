import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { FileEntry } from '../../electron/contract/files.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import Files from '../../renderer/pages/packages/Files.svelte'

// The page's door is there before any page is.
const { list } = vi.hoisted(() => {
  const list = vi.fn()
  const news = () => () => undefined
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const files = {
    list,
    downloads: value([]),
    progress: news,
  }
  Object.assign(window, { bridge: { application: {}, archive: { files } } })
  return { list }
})

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
