import { untrack } from 'svelte'
import type { FacetValue, ListFilters } from '../../electron/contract/filters.ts'
import { filtersOf, queryOf } from './place-filters.ts'
import { addressOfList, go, narrow, place, type PlaceName } from './place.svelte.ts'

/** The words of a person, by which rows are looked through as they are typed. */
const textField = 'text'
/** Which list of the place is narrowed. */
const listField = 'of'

/** What a list is narrowed to, as a sheet of paper says: the words looked for, then field by field. */
export const narrowedText = (text: string, fields: readonly { name: string; values: readonly string[] }[]) =>
  [
    ...(text === '' ? [] : [text]),
    ...fields
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => `${name}: ${values.join(', ')}`),
  ].join(' · ')

/** Where it is kept what a list was narrowed to when somebody left it. */
interface KeptQuery {
  readonly value: { query: string }
  change: (some: { query: string }) => void
}

/**
 * What the list of a place is narrowed to: it stands in the address, so that links, back and forward bring it
 * again.
 * @param onchange asks for its rows anew
 * @param list which of several lists of the place is shown: what narrows one says nothing to another
 */
export const openAddressFilters = (
  name: PlaceName,
  view: KeptQuery,
  onchange?: () => void,
  list: () => string = () => '',
) => {
  const filters = $derived.by((): ListFilters => {
    const { [listField]: [of = ''] = [], ...some } = place.name === name ? filtersOf(place.query) : {}
    return of === list() ? some : {}
  })
  const ofList = (some: ListFilters): ListFilters =>
    list() === '' || Object.keys(some).length === 0 ? some : { [listField]: [list()], ...some }
  const narrowTo = (some: ListFilters, isTyping = false) => narrow(ofList(some), isTyping)
  const text = $derived(filters[textField]?.[0] ?? '')
  const fields = $derived.by((): ListFilters => {
    const { [textField]: _, ...some } = filters
    return some
  })
  /** What values are called that were read: an address knows them by their ids alone. */
  let names = $state.raw<Readonly<Record<string, string>>>({})
  const nameOf = (field: string, value: string): string | undefined => names[`${field} ${value}`]
  let asked = place.query
  $effect(() => {
    const { name: shown, query } = place
    if (shown !== name) return
    untrack(() => {
      // Whoever comes back finds it narrowed as it was left.
      if (query !== view.value.query) view.change({ query })
      if (query !== asked) onchange?.()
      asked = query
    })
  })
  return {
    get text() {
      return text
    },
    get fields() {
      return fields
    },
    /** Of the fields of a list those that it is narrowed by. */
    of: <Field extends string>(names: readonly Field[]) => {
      const some: Partial<Record<Field, string[]>> = {}
      for (const field of names) if (fields[field] !== undefined) some[field] = [...fields[field]]
      return some
    },
    get isNarrowed() {
      return text !== '' || Object.keys(fields).length > 0
    },
    filterText: (typed: string) =>
      narrowTo(typed === '' ? fields : { [textField]: [typed], ...fields }, true),
    filterFields: (some: ListFilters) => narrowTo(text === '' ? some : { [textField]: [text], ...some }),
    clear: () => go(name, place.id, ''),
    nameOf,
    remember: (field: string, values: readonly FacetValue[]) => {
      // A value that no row has is called nothing: it is not asked for once more.
      const some = Object.fromEntries(
        (fields[field] ?? []).map((value) => [`${field} ${value}`, nameOf(field, value) ?? '']),
      )
      for (const { value, name: called } of values) some[`${field} ${value}`] = called
      names = { ...names, ...some }
    },
    /** The address of the list, narrowed to these fields beside the words. */
    addressOf: (some: ListFilters) =>
      addressOfList(name, queryOf(ofList(text === '' ? some : { [textField]: [text], ...some })), list()),
    /** What it is narrowed to, in words: "Year: 2026". */
    inWords: <Field extends string>(
      named: readonly { key: Field; name: string }[],
      textOf: (field: Field, value: FacetValue) => string,
    ) =>
      narrowedText(
        text,
        named.map(({ key, name: called }) => ({
          name: called,
          values: (fields[key] ?? []).map((value) =>
            textOf(key, { value, name: nameOf(key, value) ?? '', count: 0 }),
          ),
        })),
      ),
  }
}
