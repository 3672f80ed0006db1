import { expect, test, vi } from 'vitest'
import type { TreeRow } from '../../electron/contract/description.ts'
import { openListActs } from '../../renderer/pages/frame/list-acts.ts'
import { kindsAmong, onPaperAsTree } from '../../renderer/pages/description/tree-words.ts'
import { Selection } from '../../renderer/parts/selection.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => Object.assign(window, { bridge: { application: {}, archive: {} } }))

const row = (id: string, kind: TreeRow['kind'], to: string, depth: number): TreeRow => ({
  id,
  kind,
  to: {
    list: kind === 'package' ? 'information-packages' : kind === 'unit' ? 'structure-units' : 'tags',
    id: to,
  },
  title: `Title of ${to}`,
  note: '',
  depth,
  hasChildren: kind !== 'package',
  isNew: false,
})
/** A unit of a structure that two archives share, with the same package below it in each of them. */
const tree = [
  row('a', 'archive', 'archive-1', 0),
  row('a/u', 'unit', 'unit', 1),
  row('a/u/p', 'package', 'package', 2),
  row('b', 'archive', 'archive-2', 0),
  row('b/u', 'unit', 'unit', 1),
  row('b/u/p', 'package', 'package', 2),
]

test('of all rows of a tree the packages are ordered, each once, and each record copied once', async () => {
  const selection = new Selection<TreeRow>((first, count) =>
    Promise.resolve(tree.slice(first, first + count)),
  )
  const order = vi.fn()
  const copied: string[] = []
  document.execCommand = () => {
    copied.push(document.querySelector('textarea')?.value ?? '')
    return true
  }
  const acts = openListActs<TreeRow>({
    selection,
    open: () => undefined,
    order,
    packageOf: ({ kind, to }) => (kind === 'package' ? to.id : undefined),
    save: () => undefined,
    onPaper: () => ({ rows: [], columns: [], narrowed: '' }),
    identifierOf: ({ to }) => to.id,
  })
  await selection.all(tree.length)
  expect(selection.count).toBe(6)
  expect(acts.chosen.order?.text).toBe('Add to order')
  acts.chosen.order?.run()
  expect(order).toHaveBeenCalledWith(['package'])
  acts.chosen.copy.run()
  expect(copied).toEqual(['archive-1\nunit\npackage\narchive-2'])
})

test('what is chosen of a tree is called by what it is, and stands on paper as far in as it lies', () => {
  expect(kindsAmong(tree)).toBe('2 archives, 2 structure units, 2 packages')
  expect(kindsAmong(tree.slice(0, 1))).toBe('1 archive')
  expect(onPaperAsTree(tree).map(({ title }) => title.length - title.trimStart().length)).toEqual([
    0, 1, 2, 0, 1, 2,
  ])
})
