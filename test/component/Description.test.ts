import { render, screen } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Description from '../../renderer/pages/description/Description.svelte'
import { go } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const { facet, referred, tree, told, learnt } = vi.hoisted(() => {
  const [facet, referred] = [vi.fn(), vi.fn()]
  const hearers = new Set<(said: unknown, archive: string) => void>()
  const told = (list: string) => hearers.forEach((hear) => hear({ list }, ''))
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const changed = (hear: (said: unknown, archive: string) => void) => {
    hearers.add(hear)
    return () => hearers.delete(hear)
  }
  const none = value({ rows: [], total: 0, of: 0, lines: 0, asOf: null })
  const tree = vi.fn(none)
  const silent = { changed: () => () => undefined }
  const learning = new Set<(said: unknown, archive: string) => void>()
  const learnt = () => learning.forEach((hear) => hear({}, ''))
  const archive = {
    description: {
      list: none,
      tree,
      referred,
      facet,
      counts: value([]),
      uniform: value([]),
      changed,
    },
    capabilities: {
      changed: (hear: (said: unknown, archive: string) => void) => {
        learning.add(hear)
        return () => learning.delete(hear)
      },
    },
    outbox: silent,
    orders: silent,
    packages: silent,
    views: { all: value({}), keep: value(null) },
  }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { facet, referred, tree, told, learnt }
})

test('what there is in a list is counted anew when more of it has come', async () => {
  referred.mockResolvedValue({ value: [] })
  facet.mockImplementation((_archive: string, { field }: { field: string }) =>
    Promise.resolve({
      value: [
        { value: '1', name: `Minutes of ${field}`, count: 16 },
        { value: '2', name: 'Registers', count: 2 },
      ],
    }),
  )
  setLanguage('en')
  go('description')
  render(Description)
  await vi.waitFor(() => expect(referred).toHaveBeenCalledOnce())
  referred.mockResolvedValue({ value: ['structure-units'] })
  told('agents')
  told('tags')
  await screen.findByRole('link', { name: /^Minutes of structure-units/ })
  expect(referred).toHaveBeenCalledTimes(2)
})

test('what stands in open rows is asked for once an archive has said that it is to be asked for', async () => {
  referred.mockResolvedValue({ value: [] })
  setLanguage('en')
  go('description')
  tree.mockClear()
  const { unmount } = render(Description)
  await vi.waitFor(() => expect(tree).toHaveBeenCalledOnce())
  learnt()
  await vi.waitFor(() => expect(tree).toHaveBeenCalledTimes(2))
  unmount()
  learnt()
  expect(tree).toHaveBeenCalledTimes(2)
})
