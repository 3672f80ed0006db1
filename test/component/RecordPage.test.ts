import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { RecordPage as Page } from '../../electron/contract/description.ts'
import RecordPage from '../../renderer/pages/description/RecordPage.svelte'
import { capabilities } from '../../renderer/state/capabilities.svelte.ts'
import { someCapabilities } from '../archives/capabilities.ts'

// The page's door is there before any page is.
const one = vi.hoisted(() => {
  const one = vi.fn()
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = {
    description: { one, changed: () => () => undefined },
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return one
})

const target: Page = {
  title: 'disk-a',
  note: '',
  path: [],
  fields: [],
  tables: [],
  leading: [],
  packages: [],
  related: [],
  raw: '{}',
  asOf: null,
}

test('a status that is yes or no says whether a target is in use; any other is called a status', async () => {
  const open = async (value: string) => {
    one.mockResolvedValue({ value: { ...target, fields: [{ name: 'status', value, code: null, to: null }] } })
    const { unmount } = render(RecordPage, { list: 'storage-targets', id: 't1' })
    const term = await screen.findByRole('term')
    const said = [term.textContent, term.nextElementSibling?.textContent]
    unmount()
    return said
  }
  expect(await open('true')).toEqual(['Enabled', 'yes'])
  expect(await open('Written to')).toEqual(['Status', 'Written to'])
})

test.each([true, false])(
  'while an archive is asked whether a record can be changed, room is kept for that: %s',
  async (isChangeable) => {
    one.mockResolvedValue({ value: target })
    const agents = { list: 'agents', reads: 'yes', way: 'list', isChangeable } as const
    capabilities.now = { ...someCapabilities, asked: null, lists: [] }
    const { container, unmount } = render(RecordPage, { list: 'agents', id: 'a1' })
    await screen.findByRole('heading', { name: 'disk-a' })
    const room = container.querySelector('.acts')
    expect(room).not.toBeNull()
    capabilities.now = { ...someCapabilities, lists: [agents] }
    await vi.waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Change' }) !== null).toBe(isChangeable),
    )
    expect(container.querySelector('.acts')).toBe(room)
    unmount()
    capabilities.now = null
  },
)
