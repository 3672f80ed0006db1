import { entryIn } from '../../../electron/common/records.ts'
import type { FilterChoices } from '../../../electron/contract/find.ts'
import type { SearchFilters } from '../../../electron/contract/search.ts'
import { listFilters, type ListFilter } from '../../../electron/contract/search-filters.ts'
import { say, shown, spokenLanguage } from '../../language/say.svelte.ts'
import type { ArchiveDesk } from '../../bridge.svelte.ts'

/** What is narrowed by its values, which are counted in what has them. */
export const facetFilters = ['states', 'creators', 'policies', 'media'] as const satisfies ListFilter[]

/** Filters whose values are chosen from what is held: nobody counts how much of them was found. */
export const otherFilters: ListFilter[] = listFilters.filter(
  (filter) => filter !== 'kinds' && !facetFilters.some((facet) => facet === filter),
)

export const isFilteredBeyondFacets = (asked: SearchFilters) =>
  otherFilters.some((filter) => asked[filter].length > 0)

/** How many values are chosen of those that are counted, which stand beside what was found alone. */
export const chosenFacets = (asked: SearchFilters) =>
  asked.kinds.length + facetFilters.reduce((sum, filter) => sum + asked[filter].length, 0)

/** By name: an archive gives its records in the order in which they came into it. */
const named = (list: { id: string; name: string }[] | undefined) => {
  const { compare } = new Intl.Collator(spokenLanguage(), { numeric: true })
  const values = (list ?? []).map(({ id, name }) => ({ value: id, text: name || id }))
  return values.toSorted((a, b) => compare(a.text, b.text))
}
/** A value of a filter as a person reads it; as it is where it is an id, or has no word. */
export const wordOfValue = (filter: ListFilter, value: string): string => {
  if (filter === 'states') return shown.word(value)
  if (filter === 'types') return shown.kind(value)
  return filter === 'indices' ? (entryIn(say.search.parts, value) ?? value) : value
}
const plain = (list: string[] | undefined) => (list ?? []).map((value) => ({ value, text: value }))

/** What filters can be set to, each value with its name, as far as it is known without counting. */
export const offeredFrom = (
  choices: FilterChoices | undefined,
): Partial<Record<ListFilter, { value: string; text: string }[]>> => ({
  types: plain(choices?.types).map(({ value }) => ({ value, text: shown.kind(value) })),
  agents: named(choices?.agents),
  archives: named(choices?.archives),
  policies: named(choices?.policies),
  media: named(choices?.media),
  indices: Object.entries(say.search.parts).map(([value, text]) => ({ value, text })),
  extensions: plain(['pdf', 'xml', 'tif', 'jpg', 'docx', 'txt', 'wav', 'tar']),
})

/** Filters whose values are ids of records, and the lists of these. */
const recordLists = { agents: 'agents', archives: 'tags' } as const
export const isOfRecords = (filter: ListFilter): filter is keyof typeof recordLists => filter in recordLists

/** What the record is called that a search is limited to; its id where no name is to be had. */
export const titleOfRecord = async (desk: ArchiveDesk, filter: keyof typeof recordLists, id: string) => {
  const title = await desk.description.one({ list: recordLists[filter], id }).then(
    (page) => page.title,
    () => '',
  )
  return title || id
}

/** What values that a search is limited to are called, in the order of its filters; kinds are left out. */
export const namesOfLimits = async (desk: ArchiveDesk, asked: SearchFilters): Promise<string[]> => {
  const offered = offeredFrom(await desk.find.choices())
  const nameOf = async (filter: ListFilter, value: string) => {
    const known = offered[filter]?.find((option) => option.value === value)?.text
    return known ?? (isOfRecords(filter) ? titleOfRecord(desk, filter, value) : wordOfValue(filter, value))
  }
  const filters = listFilters.filter((filter) => filter !== 'kinds')
  return Promise.all(filters.flatMap((filter) => asked[filter].map((value) => nameOf(filter, value))))
}
