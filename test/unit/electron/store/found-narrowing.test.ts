import path from 'node:path'
import { expect, test } from 'vitest'
import type { FoundFacet } from '../../../../electron/contract/find.ts'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import type { HeldFilters } from '../../../../electron/contract/search.ts'
import { answersOf } from '../../../desks/answers.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const uuid = (number: number) => `${String(number).padStart(8, '0')}-aaaa-4000-8000-000000000000`
const some = (number: number, label: string, more: object = {}) => ({
  id: uuid(number),
  label,
  object_identifier_value: `SE/${number}`,
  package_type: 2,
  state: 'Preserved',
  entry_date: '2024-03-01T10:00:00Z',
  ...more,
})

/** Asks about packages that are held; gives their labels, and what narrows them with counts. */
const held = (folder: string, packages: unknown[]) => {
  const file = path.join(folder, 'cache.sqlite')
  const copy = openLocalCopy(file)
  copy.hold('packages', packages, at)
  copy.index()
  copy.close()
  const answers = answersOf(file)
  const asking = (typed: string, filters: Partial<HeldFilters>) => ({
    typed,
    filters: { ...heldFilters(nothing), ...filters },
    most: 500,
  })
  return {
    labels: (typed: string, filters: Partial<HeldFilters> = {}) =>
      answers
        .foundList(asking(typed, filters))
        .hits.map(({ title }) => title.map(({ text }) => text).join('')),
    list: (typed: string, filters: Partial<HeldFilters> = {}) => answers.foundList(asking(typed, filters)),
    ids: (typed: string, filters: Partial<HeldFilters> = {}) =>
      answers.foundIds({ ...asking(typed, filters), group: null }).ids,
    counts: (field: FoundFacet, typed: string, filters: Partial<HeldFilters> = {}) =>
      answers
        .foundFacets(asking(typed, filters))
        .find((facet) => facet.field === field)
        ?.values.map(({ value, count }) => [value, count]),
  }
}

const happened = (id: number, day: string, eventDetail: string) => ({
  id,
  eventType: 30300,
  eventDetail,
  eventDateTime: `${day}T12:00:00Z`,
})

test('of events that are equally good hits the latest stand first, with words and without', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const copy = openLocalCopy(file)
  const days = ['2025-06-01', '2024-01-01', '2026-02-01', '2025-01-01']
  const whole = days.map((day, nth) => happened(nth + 1, day, 'Preserved'))
  copy.hold('events', [...whole, happened(5, '2026-03-01', 'Unpreserved')], at)
  copy.index()
  copy.close()
  const answers = answersOf(file)
  const which = (typed: string, from = '') => ({ typed, filters: heldFilters({ ...nothing, from }), most: 3 })
  const listed = (typed: string, from?: string) =>
    answers.foundList(which(typed, from)).hits.map(({ id }) => id)
  const latest = ['events 3', 'events 1', 'events 4']
  expect(listed('preserved')).toEqual(latest)
  expect(listed('', '2000-01-01')).toEqual(['events 5', 'events 3', 'events 1'])
  const [group] = answers.found({ ...which('preserved'), group: 'events' }).groups
  expect(group?.hits.map(({ id }) => id)).toEqual(latest)
})

const ofZebra = { agents: { CREATOR_ORGANIZATION: { name: 'Zebra' } } }

test('beside the only filter that is chosen stands how many each of its values leads to', () => {
  using place = scratch()
  const { counts, labels, ids } = held(place.folder, [
    some(1, 'Kartor'),
    some(2, 'Ritningar', { state: 'Ingesting', entry_date: '2025-03-01T10:00:00Z' }),
    some(3, 'Protokoll'),
  ])
  expect(counts('states', '', { states: ['Ingesting'] })).toEqual([
    ['Preserved', 2],
    ['Ingesting', 1],
  ])
  expect(counts('years', '', { from: '2025-01-01', to: '2025-12-31' })).toEqual([
    ['2024', 2],
    ['2025', 1],
  ])
  // Without anything that is asked for nothing is found all the same.
  expect([counts('states', '') ?? [], labels('', { kinds: ['packages'] }), ids('')]).toEqual([[], [], []])
})

test('what is chosen is counted however many values stand before it', () => {
  using place = scratch()
  const { counts } = held(
    place.folder,
    Array.from({ length: 121 }, (_, number) =>
      some(number, 'Kartor', { agents: { CREATOR_ORGANIZATION: { name: `Nämnd ${number % 60}` } } }),
    ),
  )
  expect(counts('creators', 'kartor')).toHaveLength(50)
  expect(counts('creators', 'kartor', { creators: ['Nämnd 9'] })).toContainEqual(['Nämnd 9', 2])
  expect(counts('creators', 'kartor', { creators: ['Nämnd 9'] })?.[0]).toEqual(['Nämnd 0', 3])
})

test('words are excluded from what filters alone lead to', () => {
  using place = scratch()
  const { counts, labels, ids } = held(place.folder, [some(1, 'Kartor'), some(2, 'Ritningar', ofZebra)])
  expect(labels('-ritning', { states: ['Preserved'] })).toEqual(['Kartor'])
  expect(labels('-zebra NOT kod:"SE/1"', { from: '2024-03-01' })).toEqual([])
  expect(ids('-ritning', { states: ['Preserved'] })).toEqual([`packages ${uuid(1)}`])
  expect(counts('creators', '-ritning', { states: ['Preserved'] })).toEqual([])
  expect(counts('creators', '-karta', { states: ['Preserved'] })).toEqual([['Zebra', 1]])
})

test('what only the archive’s own index has types for is found without them, and that is said', () => {
  using place = scratch()
  const packages = [some(1, 'Kartor', ofZebra), some(2, 'Ritningar')]
  const { counts, list, labels, ids } = held(place.folder, packages)
  expect(list('kartor', { types: ['AIP'] })).toMatchObject({ total: 1, isWithoutIndexFilters: false })
  for (const filters of [{ types: ['e-mail'] }, { indices: ['document'] }]) {
    expect(list('kartor', filters)).toMatchObject({
      total: 1,
      kinds: [{ group: 'packages', total: 1 }],
      isWithoutIndexFilters: true,
    })
    expect(counts('creators', 'kartor', filters)).toEqual([['Zebra', 1]])
    expect(ids('kartor', filters)).toEqual([`packages ${uuid(1)}`])
    expect(ids('kartor', { ...filters, kinds: ['events'] })).toEqual([])
  }
  expect(labels('kartor', { types: ['e-mail'], states: ['Ingesting'] })).toEqual([])
  // Nothing else leads to any of what is held.
  expect(labels('', { types: ['e-mail'] })).toEqual([])
})

test('a word is excluded wherever it stands, also from what is called as was typed', () => {
  using place = scratch()
  const { labels } = held(place.folder, [some(1, 'Protokoll A'), some(2, 'Protokoll B', ofZebra)])
  expect(labels('protokoll -zebra')).toEqual(['Protokoll A'])
})

test('a long word that is excluded may go on, however much is found', () => {
  using place = scratch()
  const { labels } = held(place.folder, [
    ...Array.from({ length: 510 }, (_, number) => some(number, `Handlingarna ${number}`)),
    some(600, 'Handlingarna, kyrkoprotokollen'),
  ])
  expect(labels('handlingarna')).toContain('Handlingarna, kyrkoprotokollen')
  expect(labels('handlingarna -kyrkoproto')).not.toContain('Handlingarna, kyrkoprotokollen')
})

test('what an address or a clipboard may hold beside words and days breaks nothing', () => {
  using place = scratch()
  const { labels } = held(place.folder, [some(1, 'Kartor')])
  expect(labels('kar\0')).toEqual(['Kartor'])
  for (const typed of ['kar\0tor', '"kar\0', '-kar\0 kod:a\0b']) expect(labels(typed)).toEqual([])
  for (const day of ['2026-13-01', '9999-99-99']) {
    expect(labels('', { from: day })).toEqual([])
    expect(labels('', { kinds: ['events'], to: day })).toEqual([])
  }
})
