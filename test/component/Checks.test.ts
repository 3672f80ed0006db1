import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { Check } from '../../electron/contract/checks.ts'
import CheckPage from '../../renderer/pages/checks/CheckPage.svelte'
import Checks from '../../renderer/pages/checks/Checks.svelte'
import Footer from '../../renderer/pages/frame/Footer.svelte'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const list = vi.hoisted(() => {
  const list = vi.fn<() => unknown>()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  Object.assign(window, {
    bridge: {
      application: {
        checks: { list, changed: () => () => undefined },
        updates: { newer: value(null), changed: () => () => undefined },
      },
      archive: { views: { all: value({}), keep: value(null) } },
    },
  })
  return list
})

// jsdom has no menus that lie above a page.
HTMLElement.prototype.showPopover = () => undefined

const check = (id: string, path: string, began: string, state: Check['state']): Check => ({
  id,
  path,
  began,
  state,
  progress: { files: 0, ofFiles: 0, bytes: 0, ofBytes: 0, file: '' },
  report: null,
  digests: [],
  package: null,
  comparisons: [],
  sentOn: null,
  failure: null,
})
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[0]?.textContent.trim())

test('checks are sorted, narrowed and chosen as the rows of every list are', async () => {
  go('checks', '', '')
  list.mockResolvedValue({
    value: [
      check('1', '/in/oxen.tar', '2026-11-23T16:43:00.000Z', 'stopped'),
      check('2', '/in/bilar.zip', '2026-11-24T16:43:00.000Z', 'failed'),
    ],
  })
  render(Checks)
  await vi.waitFor(() => expect(names()).toEqual(['bilar.zip', 'oxen.tar']))
  for (const heading of screen.getAllByRole('columnheader')) {
    const sort = within(heading).getByRole('button', { name: /^(?!Width)/ })
    await fireEvent.click(sort)
    const first = [heading.getAttribute('aria-sort'), names().join()]
    await fireEvent.click(sort)
    const second = [heading.getAttribute('aria-sort'), names().join()]
    expect([first[0], second[0]].toSorted()).toEqual(['ascending', 'descending'])
    expect(first[1]).not.toBe(second[1])
  }
  const grid = screen.getByRole('grid')
  await fireEvent.keyDown(grid, { key: 'a', ctrlKey: true })
  const bar = await screen.findByRole('toolbar', { name: 'With all that is chosen' })
  expect(bar.textContent).toContain('2 chosen')
  await fireEvent.keyDown(grid, { key: 'Escape' })
  expect(screen.queryByRole('toolbar', { name: 'With all that is chosen' })).toBeNull()
  await fireEvent.contextMenu(screen.getByRole('gridcell', { name: 'oxen.tar' }))
  await screen.findByRole('menuitem', { name: 'Copy the identifier', hidden: true })

  go('checks', '', 'state=stopped')
  await vi.waitFor(() => expect(names()).toEqual(['oxen.tar']))
  expect(screen.getByRole('button', { name: 'Take off: State: Stopped' })).toBeTruthy()
  go('checks', '', 'text=nothing')
  await screen.findByText('Nothing matches all of these filters.')
})

test('where nothing was checked yet there are no tools for rows, and the foot names no key for them', async () => {
  go('checks', '', '')
  list.mockResolvedValue({ value: [] })
  render(Footer)
  const page = render(Checks)
  await screen.findByText('Nothing was checked yet.')
  screen.getByText('Ctrl+K: Commands')
  expect([screen.queryByText('Columns'), screen.queryByRole('button', { name: 'Print …' })]).toEqual([
    null,
    null,
  ])
  page.unmount()
  list.mockResolvedValue({ value: [check('1', '/in/oxen.tar', '2026-11-23T16:43:00.000Z', 'done')] })
  render(Checks)
  await vi.waitFor(() => expect(names()).toEqual(['oxen.tar']))
  screen.getByText(/^Arrow keys move/)
  screen.getByText('Columns')
  screen.getByRole('button', { name: 'Print …' })
})

test('checksums in what was found stand apart, so that they can be compared sign by sign', () => {
  const [listed, found] = ['1f'.repeat(32), '03'.repeat(32)]
  const report: Check['report'] = {
    path: '/in/bag',
    format: 'bagit',
    form: 'folder',
    version: '1.0',
    state: 'invalid',
    errors: 1,
    warnings: 0,
    findings: [
      {
        level: 'error',
        code: 'mismatch',
        file: 'manifest-sha256.txt',
        line: 1,
        detail: `data/brev.txt: ${listed} ≠ ${found}`,
      },
    ],
    more: [],
    counts: { files: 1, folders: 1, bytes: 17 },
    algorithms: ['sha256'],
    info: [],
  }
  const done = check('1', '/in/bag', '2026-11-23T16:43:00.000Z', 'done')
  render(CheckPage, { check: { ...done, report } })
  const digests = [listed, found].map((digest) => screen.getByText(digest))
  expect(digests.map((digest) => digest.classList.contains('mono'))).toEqual([true, true])
  expect(digests[0]?.parentElement?.textContent).toContain(`Listed: ${listed}. Found: ${found}.`)
})

test('where nothing was checked yet the page says what a check is, and begins one', async () => {
  list.mockResolvedValue({ value: [] })
  go('checks', '', '')
  render(Checks)
  await screen.findByText('Nothing was checked yet.')
  screen.getByText(/^A check reads every file of a package/)
  const mains = [...document.querySelectorAll('button.main')].map(({ textContent }) => textContent.trim())
  expect(mains).toEqual(['Check a package in a folder'])
})
