import { keysOf } from '../../../electron/common/records.ts'
import type { WhichPackages } from '../../../electron/contract/packages.ts'
import { shown } from '../../language/say.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'

type Which = Omit<WhichPackages, 'offset' | 'limit'>

/** The columns of the list in their order, with how wide each is. */
export const packageColumns = {
  label: { width: 'minmax(0, 1fr)', sort: 'label', isRight: false },
  identifier: { width: 'minmax(80px, 25%)', sort: null, isRight: false },
  state: { width: '76px', sort: 'state', isRight: false },
  bytes: { width: '66px', sort: 'bytes', isRight: true },
  copies: { width: '58px', sort: 'copies', isRight: false },
  generations: { width: '88px', sort: null, isRight: true },
  changed: { width: '92px', sort: 'changed', isRight: true },
} as const
export type PackageColumn = keyof typeof packageColumns
export const packageColumnNames = keysOf(packageColumns)

const defaults = {
  view: 'tree',
  sort: 'changed',
  descending: true,
  filter: '',
  open: [] as string[],
  columns: ['label', 'state', 'copies', 'changed'],
  top: 0,
  at: 0,
}
const sorts: Which['sort'][] = ['label', 'state', 'bytes', 'copies', 'changed']

/** How the list of packages is shown, kept for its archive. */
export const openPackageView = () => {
  const list = new ListView('packages', defaults)
  const which = (): Which => {
    const { view, sort, descending, filter, open } = list.value
    return {
      view: view === 'flat' ? 'flat' : 'tree',
      sort: sorts.find((name) => name === sort) ?? 'changed',
      descending,
      filter: shown.wordOfArchive(filter),
      open,
    }
  }
  const columns = () =>
    packageColumnNames.filter((name) => name === 'label' || list.value.columns.includes(name))
  return { list, which, columns }
}
