import { entryIn, keysOf } from '../../../electron/common/records.ts'
import {
  packageFields,
  type PackageField,
  type PackageSort,
  type WhichPackages,
} from '../../../electron/contract/packages.ts'
import type { FacetValue } from '../../../electron/contract/filters.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { openAddressFilters } from '../../state/address-filters.svelte.ts'
import { listDefaults, openColumns, type ColumnStyle } from '../../state/columns.svelte.ts'
import { textOfSizeRange } from '../../state/size-range.ts'
import { openSorting } from '../../state/sorting.ts'
import { ListView } from '../../state/views.svelte.ts'

type Which = Omit<WhichPackages, 'offset' | 'limit'>

/** The columns in their order. */
const packageColumns = {
  label: { width: 'minmax(120px, 1fr)' },
  identifier: { width: '160px' },
  creator: { width: '160px' },
  state: { width: '96px' },
  bytes: { width: '76px', isRight: true },
  copies: { width: '64px' },
  generations: { width: '96px', isRight: true },
  changed: { width: '96px', isRight: true },
} as const satisfies Record<PackageSort, ColumnStyle>
export type PackageColumn = PackageSort
export const packageColumnNames = keysOf(packageColumns)

const defaults = { ...listDefaults, view: 'tree', open: [] as string[] }

/**
 * How the list of packages is shown, kept for its archive; what it is narrowed to is in the address.
 * @param onsort asks for its rows in another order
 * @param onnarrow asks for others, where it is narrowed to something else
 */
export const openPackageView = ({ onsort, onnarrow }: { onsort: () => void; onnarrow: () => void }) => {
  const list = new ListView('packages', defaults)
  const narrowed = openAddressFilters('packages', list, onnarrow)
  const sorting = openSorting({
    columns: packageColumnNames,
    view: list,
    usual: { column: 'changed', descending: true },
    largestFirst: packageColumnNames.filter((name) => 'isRight' in packageColumns[name]),
    onchange: onsort,
  })
  const which = (): Which => ({
    view: list.value.view === 'flat' ? 'flat' : 'tree',
    sort: sorting.column ?? 'changed',
    descending: sorting.descending,
    filter: shown.wordOfArchive(narrowed.text),
    filters: narrowed.of(packageFields),
    open: list.value.open,
  })
  return {
    list,
    which,
    narrowed,
    sorting,
    columns: openColumns({
      styles: packageColumns,
      title: 'label',
      usual: ['label', 'bytes', 'copies', 'changed'],
      // Narrower than this the titles would be cut.
      spare: { columns: ['bytes'], belowWidth: 560 },
      view: list,
    }),
  }
}

/** What a value that the list is filtered by is called. */
export const textOfFacet = (
  field: PackageField,
  { value, name }: Pick<FacetValue, 'value' | 'name'>,
): string => {
  if (field === 'state') return shown.word(value) || say.lists.without
  if (field === 'work') return entryIn(say.packages.works, value) ?? value
  if (field === 'copies') return say.packages.copiesCount(Number(value))
  return field === 'size' ? textOfSizeRange(value) : name || value || say.lists.without
}
