import { keysOf } from '../../../electron/common/records.ts'
import {
  packageFields,
  type ComparedColumn,
  type PackageField,
  type WhichPackages,
} from '../../../electron/contract/packages.ts'
import type { FacetValue, ListFilters } from '../../../electron/contract/filters.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { filtersOf, queryOf } from '../../state/place-filters.ts'
import { addressOfList, narrow, place } from '../../state/place.svelte.ts'
import { ListView } from '../../state/views.svelte.ts'

type Which = Omit<WhichPackages, 'offset' | 'limit'>

/** The columns in their order, each with its width in pixels; null takes the room that is left. */
export const packageColumns = {
  label: { width: null, isRight: false },
  identifier: { width: 160, isRight: false },
  creator: { width: 160, isRight: false },
  state: { width: 96, isRight: false },
  bytes: { width: 76, isRight: true },
  copies: { width: 64, isRight: false },
  generations: { width: 96, isRight: true },
  changed: { width: 96, isRight: true },
} as const
export type PackageColumn = keyof typeof packageColumns
export const packageColumnNames = keysOf(packageColumns)
/** Shown until somebody chooses others, as far as they do not say the same in every row. */
const usual: readonly PackageColumn[] = ['label', 'bytes', 'copies', 'changed']

const defaults = {
  view: 'tree',
  sort: 'changed',
  descending: true,
  /** What the list was narrowed to, as it stands in the address. */
  query: '',
  open: [] as string[],
  /** None stands for the usual ones. */
  columns: [] as string[],
  /** Columns that said the same in every row when the list was seen last. */
  uniform: [] as string[],
  /** What somebody dragged: "state=120", in pixels. */
  widths: [] as string[],
  top: 0,
  at: 0,
}

/** The words of a person, by which texts are filtered as they are typed. */
const textField = 'text'

/** How the list of packages is shown, kept for its archive; what it is narrowed to is in the address. */
export const openPackageView = () => {
  const list = new ListView('packages', defaults)
  const filters = $derived(place.name === 'packages' ? filtersOf(place.query) : {})
  const text = $derived(filters[textField]?.[0] ?? '')
  const withText = (fields: ListFilters): ListFilters =>
    text === '' ? fields : { [textField]: [text], ...fields }
  const which = (): Which => {
    const { view, sort, descending, open } = list.value
    return {
      view: view === 'flat' ? 'flat' : 'tree',
      sort: packageColumnNames.find((name) => name === sort) ?? 'changed',
      descending,
      filter: shown.wordOfArchive(text),
      filters: Object.fromEntries(
        packageFields
          .filter((field) => filters[field] !== undefined)
          .map((field) => [field, [...(filters[field] ?? [])]]),
      ),
      open,
    }
  }
  const columns = () => {
    const { columns: chosen, uniform } = list.value
    return packageColumnNames.filter((name) =>
      chosen.length > 0
        ? name === 'label' || chosen.includes(name)
        : usual.includes(name) && !uniform.includes(name),
    )
  }
  const widthOf = (column: PackageColumn): string => {
    const dragged = list.value.widths.find((width) => width.startsWith(`${column}=`))?.split('=')[1]
    const { width } = packageColumns[column]
    if (dragged !== undefined) return column === 'label' ? `minmax(${dragged}px, 1fr)` : `${dragged}px`
    return width === null ? 'minmax(120px, 1fr)' : `${width}px`
  }
  return {
    list,
    which,
    columns,
    widths: () => columns().map(widthOf).join(' '),
    widen: (column: PackageColumn, width: number | null) => {
      const others = list.value.widths.filter((other) => !other.startsWith(`${column}=`))
      list.change({ widths: width === null ? others : [...others, `${column}=${width}`] })
    },
    get fields(): ListFilters {
      const { [textField]: _, ...fields } = filters
      return fields
    },
    get text() {
      return text
    },
    filterText: (typed: string) => {
      const { [textField]: _, ...fields } = filters
      narrow(typed === '' ? fields : { [textField]: [typed], ...fields }, true)
    },
    filterFields: (fields: ListFilters) => narrow(withText(fields)),
    addressOfFields: (fields: ListFilters) => addressOfList('packages', queryOf(withText(fields))),
    keepUniform: (uniform: ComparedColumn[]) => {
      if (uniform.join() !== list.value.uniform.join()) list.change({ uniform })
    },
  }
}

/** What a value that the list is filtered by is called. */
export const textOfFacet = (
  field: PackageField,
  { value, name }: Pick<FacetValue, 'value' | 'name'>,
): string => {
  if (field === 'state') return shown.word(value) || say.lists.without
  if (field === 'copies') return say.packages.copiesCount(Number(value))
  if (field !== 'size') return name || value || say.lists.without
  const [from = '', to = ''] = value.split('-')
  if (to === '') return say.lists.atLeast(shown.size(Number(from)))
  return from === '0'
    ? say.lists.below(shown.size(Number(to)))
    : say.lists.between(shown.size(Number(from)), shown.size(Number(to)))
}
