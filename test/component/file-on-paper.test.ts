import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { FileCheck } from '../../electron/contract/reader.ts'
import FileOnPaper from '../../renderer/pages/reader/FileOnPaper.svelte'
import { Opening } from '../../renderer/pages/reader/opening.svelte.ts'
import { shownDesk } from '../../renderer/state/desk.svelte.ts'

const working: FileCheck = { key: 'k', state: 'working', bytes: 0, total: 1, verdict: null, failure: null }

// The page's door is there before any page is.
const { told, open, check } = vi.hoisted(() => {
  const [open, check] = [vi.fn(), vi.fn()]
  const told: ((check: FileCheck, archive: string) => void)[] = []
  const news = () => () => undefined
  const answer = () => Promise.resolve({ value: null })
  const checked = (listener: (check: FileCheck, archive: string) => void) => {
    told.push(listener)
    return () => undefined
  }
  const reader = { open, check, close: answer, identify: answer, arrived: news, checked }
  Object.assign(window, { bridge: { application: { viewer: { ended: news } }, archive: { reader } } })
  return { told, open, check }
})

test('a file that is still being compared is put on paper once that is over', async () => {
  open.mockResolvedValue({ value: { key: 'k', bytes: 0, isByParts: true } })
  check.mockResolvedValue({ value: working })
  const place = { package: 'p', path: 'a.txt' }
  const opening = new Opening({ desk: shownDesk(), place, looked: '', listener: {} })
  const close = opening.begin()
  const onready = vi.fn()
  render(FileOnPaper, { opening, title: 'Letters', onready, onpages: () => undefined })
  await vi.waitFor(() => expect(opening.isIdentified).toBe(true))
  await tick()
  expect(screen.getByText('Checked').nextElementSibling?.textContent.trim()).toBe('Being compared')
  expect(onready).toHaveBeenLastCalledWith(false)
  const verdict = { is: 'unsaid', algorithm: 'SHA-256', digest: 'abcd', preserved: '', source: '' } as const
  told.forEach((listener) => listener({ ...working, state: 'done', verdict }, ''))
  await tick()
  expect(screen.getByText('Checked').nextElementSibling?.textContent.trim()).toBe('No checksum is given')
  expect(onready).toHaveBeenLastCalledWith(true)
  close()
})
