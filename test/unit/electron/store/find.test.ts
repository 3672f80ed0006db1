import path from 'node:path'
import { readQuery as inOurWords } from '../../../../electron/dialects/specification/saved-searches.ts'
import { describe, expect, test } from 'vitest'
import { heldFilters, nothing, readAsked, toAddress } from '../../../../electron/contract/search-filters.ts'
import type { FoundGroup } from '../../../../electron/contract/find.ts'
import { HeldFilters } from '../../../../electron/contract/search.ts'
import { WhichActivity } from '../../../../electron/contract/activity.ts'
import * as v from 'valibot'
import { markTerms, readQuery } from '../../../../electron/store/search/query-text.ts'
import { answersOf } from '../../../desks/answers.ts'
import { cacheFileOf } from '../../../../electron/store/cache/caches.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const uuid = (number: number) => `${String(number).padStart(8, '0')}-aaaa-4000-8000-000000000000`
const packages = [
  {
    id: uuid(1),
    label: 'Örtagården, ritningar',
    object_identifier_value: 'SE/STA/17',
    package_type: 2,
    state: 'Preserved',
    generation: 1,
    policy: 'p1',
    entry_date: '2024-03-01T10:00:00Z',
    agents: { CREATOR_ORGANIZATION: { name: 'Byggnadsnämnden' } },
  },
  {
    id: uuid(2),
    label: 'Hamnens räkenskaper',
    object_identifier_value: 'SE/STA/18',
    package_type: 2,
    state: 'Ingesting',
    generation: 1,
    policy: 'p2',
    entry_date: '2025-03-01T10:00:00Z',
  },
  {
    id: uuid(3),
    label: 'Östra hamnen, kartor över ritningar',
    object_identifier_value: 'SE/STA/19',
    package_type: 2,
    state: 'Preserved',
    generation: 1,
    policy: 'p1',
    entry_date: '2025-06-01T10:00:00Z',
  },
]
const media = [
  {
    id: 'm1',
    medium_id: 'LTO-0418',
    status: 20,
    location: 'Bandrum',
    location_status_display: 'Robot',
    storage_target: 't',
  },
  { id: 'm2', medium_id: 'DISK-A', status: 20, location: 'Serverrum', storage_target: 't' },
]
const copies = packages.map(({ id }, index) => ({
  id: `c${index}`,
  content_location_value: `/lager/${id}.tar`,
  ip: id,
  medium_id: index === 2 ? 'DISK-A' : 'LTO-0418',
  storage_medium: index === 2 ? 'm2' : 'm1',
  target_name: 'Band',
  last_changed_local: at,
}))
const agents = [{ id: 'ag1', name: { main: 'Hamnkontoret' }, notes: [{ text: 'Grundat 1870 av köpmännen' }] }]
const units = [{ id: 7, name: 'Ritningar', reference_code: 'F 1', type: 'Serie', structure: 's' }]
const events = [
  {
    id: 1,
    eventType: 30300,
    eventDetail: 'AIP preserved',
    eventDateTime: '2025-06-01T12:00:00+02:00',
    eventOutcome: 0,
    eventOutcomeDetailNote: 'Three copies',
    information_package: uuid(3),
  },
]

const open = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', packages, at)
  copy.hold('media', media, at)
  copy.hold('objects', copies, at)
  copy.hold('description/agents', agents, at)
  copy.hold('description/structure-units', units, at)
  copy.hold('events', events, at)
  copy.index()
  const answers = answersOf(path.join(folder, 'cache.sqlite'))
  const ask = (typed: string, filters: Partial<HeldFilters> = {}) =>
    answers.found({ typed, filters: { ...heldFilters(nothing), ...filters }, most: 5, group: null })
  const titles = (typed: string, group: FoundGroup = 'packages', filters: Partial<HeldFilters> = {}) =>
    (ask(typed, filters).groups.find((hits) => hits.group === group)?.hits ?? []).map(({ title }) =>
      title.map(({ text }) => text).join(''),
    )
  return { ...copy, answers, ask, titles }
}

test('words are found without their marks, by their beginning, as phrases, by field, and without others', () => {
  using place = scratch()
  const { titles, ask, close } = open(place.folder)
  expect(titles('ortag')).toEqual(['Örtagården, ritningar'])
  expect(titles('ÖRTAGÅRDEN')).toEqual(['Örtagården, ritningar'])
  expect(titles('ostra hamn')).toEqual(['Östra hamnen, kartor över ritningar'])
  expect(titles('"hamnen kartor"')).toEqual(['Östra hamnen, kartor över ritningar'])
  expect(titles('”hamnen kartor”')).toEqual(['Östra hamnen, kartor över ritningar'])
  expect(titles('"kartor hamnen"')).toEqual([])
  expect(titles('"hamn"')).toEqual([])
  expect(titles('ritningar').sort()).toEqual(['Örtagården, ritningar', 'Östra hamnen, kartor över ritningar'])
  expect(titles('ritningar -karta -kartor')).toEqual(['Örtagården, ritningar'])
  expect(titles('byggnadsnämnden')).toEqual(['Örtagården, ritningar'])
  expect(titles('namn:byggnadsnämnden')).toEqual([])
  expect(titles('text:byggnads')).toEqual(['Örtagården, ritningar'])
  expect(titles('name:ritningar text:byggnads')).toEqual(['Örtagården, ritningar'])
  expect(titles('code:17')).toEqual(['Örtagården, ritningar'])
  expect(titles('hamn', 'agents')).toEqual(['Hamnkontoret'])
  expect(titles('köpmän', 'agents')).toEqual(['Hamnkontoret'])
  expect(ask('köpmän').groups[0]?.hits[0]?.excerpt.filter(({ isMatch }) => isMatch)).toEqual([
    { text: 'köpmän', isMatch: true },
  ])
  for (const odd of [
    '"',
    '-',
    '""',
    '*',
    '(',
    'a AND',
    'NEAR(',
    'name:',
    ':',
    '\0',
    'x'.repeat(2000),
    '{name}: "',
  ])
    expect(() => ask(odd)).not.toThrow()
  close()
})

test('everything held is found in its group, with what tells why', () => {
  using place = scratch()
  const { ask, close } = open(place.folder)
  expect(ask('ritningar').groups.map(({ group, total }) => [group, total])).toEqual([
    ['packages', 2],
    ['units', 1],
  ])
  expect(ask('lto').groups.map(({ group, total }) => [group, total])).toEqual([
    ['copies', 2],
    ['media', 1],
  ])
  const [found] = ask('three copies').groups
  expect([found?.group, found?.hits[0]?.at]).toEqual(['events', '2025-06-01T12:00:00+02:00'])
  expect(ask('SE/1').groups.flatMap(({ hits }) => hits.flatMap(({ at: moment }) => moment ?? []))).toEqual([])
  expect(ask('ortag').groups[0]?.hits[0]?.title).toEqual([
    { text: 'Örtag', isMatch: true },
    { text: 'ården, ritningar', isMatch: false },
  ])
  expect(ask('').groups).toEqual([])
  close()
})

test('a record that stands below others is found with what those are called', () => {
  using place = scratch()
  const { ask, hold, index, close } = open(place.folder)
  hold(
    'description/structure-units',
    [
      { id: 7, name: 'Ritningar', reference_code: 'F 1', type: 'Serie', structure: 's' },
      { id: 8, name: 'Hus', reference_code: 'F 1 a', type: 'Serie', structure: 's', parent: 7 },
      { id: 9, name: 'Volym 1', reference_code: 'F 1 a 1', type: 'Serie', structure: 's', parent: 8 },
    ],
    at,
  )
  index()
  const withinOf = (typed: string) =>
    ask(typed).groups.flatMap(({ hits }) => hits.map(({ to, within }) => [to?.id, within]))
  expect([withinOf('volym'), withinOf('code:f name:ritningar')]).toEqual([
    [['9', ['Ritningar', 'Hus']]],
    [['7', undefined]],
  ])
  close()
})

test('a medium is found with where it lies, and what it is at as a state that can be said in any language', () => {
  using place = scratch()
  const { ask, close } = open(place.folder)
  const hits = ask('lto-0418').groups.find(({ group }) => group === 'media')?.hits
  expect(hits?.map(({ note, state }) => [note, state])).toEqual([
    [[{ text: 'Bandrum', isMatch: false }], 'Robot'],
  ])
  close()
})

test('ids, beginnings of ids, identifiers, media and reference codes lead to what they name', () => {
  using place = scratch()
  const { ask, close } = open(place.folder)
  const exact = (typed: string) => ask(typed).exact.map(({ to }) => to)
  expect(exact(uuid(2))).toEqual([{ list: 'information-packages', id: uuid(2) }])
  expect(exact(uuid(2).toUpperCase())).toEqual([{ list: 'information-packages', id: uuid(2) }])
  expect(exact('00000003')).toEqual([{ list: 'information-packages', id: uuid(3) }])
  expect(exact('SE/STA/17')).toEqual([{ list: 'information-packages', id: uuid(1) }])
  expect(exact('se/sta/17')).toEqual([{ list: 'information-packages', id: uuid(1) }])
  expect(exact(' lto-0418 ')).toEqual([{ list: 'storage-mediums', id: 'm1' }])
  expect(exact('f 1')).toEqual([{ list: 'structure-units', id: '7' }])
  expect(exact('SE/STA/1')).toEqual([])
  close()
})

test('filters narrow what has such a thing, and rule the rest out', () => {
  using place = scratch()
  const { titles, ask, close } = open(place.folder)
  expect(titles('ritningar', 'packages', { policies: ['p1'] })).toHaveLength(2)
  expect(titles('', 'packages', { states: ['Ingesting'] })).toEqual(['Hamnens räkenskaper'])
  expect(titles('', 'packages', { media: ['m2'] })).toEqual(['Östra hamnen, kartor över ritningar'])
  expect(titles('', 'copies', { media: ['m1'] })).toHaveLength(2)
  expect(titles('', 'packages', { from: '2025-03-01', to: '2025-03-01' })).toEqual(['Hamnens räkenskaper'])
  expect(titles('', 'events', { from: '2025-06-01', to: '2025-06-01' })).toEqual(['AIP preserved'])
  expect(titles('', 'events', { from: '2025-06-02' })).toEqual([])
  expect(ask('ritningar', { states: ['Preserved'] }).groups.map(({ group }) => group)).toEqual(['packages'])
  expect(ask('ritningar', { indices: ['structure_unit'] }).groups.map(({ group }) => group)).toEqual([
    'units',
  ])
  expect(titles('ritningar', 'units', { types: ['serie'] })).toEqual(['Ritningar'])
  expect(ask('ritningar', { indices: ['document'] }).groups).toEqual([])
  close()
})

test('one of several words is enough where OR stands between them, and NOT takes away', () => {
  using place = scratch()
  const { titles, close } = open(place.folder)
  expect(titles('örtagården OR räkenskaper').sort()).toEqual(['Hamnens räkenskaper', 'Örtagården, ritningar'])
  expect(titles('ritningar kartor ELLER byggnadsnämnden').sort()).toEqual([
    'Örtagården, ritningar',
    'Östra hamnen, kartor över ritningar',
  ])
  expect(titles('ritningar NOT kartor')).toEqual(['Örtagården, ritningar'])
  expect(titles('ritningar AND kartor')).toEqual(['Östra hamnen, kartor över ritningar'])
  // Names and other words stand in indexes of their own.
  expect(titles('code:18 OR text:byggnadsnämnden').sort()).toEqual([
    'Hamnens räkenskaper',
    'Örtagården, ritningar',
  ])
  expect(titles('hamnen code:19 OR text:byggnadsnämnden')).toEqual(['Östra hamnen, kartor över ritningar'])
  expect(titles('hamn -name:kartor')).toEqual(['Hamnens räkenskaper'])
  expect(titles('hamn -name:kartor -code:18')).toEqual([])
  for (const odd of ['OR', 'OR OR', 'a OR', 'OR a', 'NOT', 'a NOT', '-a OR b', 'a OR -b', 'NOT OR a'])
    expect(() => titles(odd)).not.toThrow()
  expect(titles('OR örtagården')).toEqual(['Örtagården, ritningar'])
  close()
})

test('what is excluded is not found by its name either, however many there are', () => {
  using place = scratch()
  const { hold, index, answers, titles, close } = open(place.folder)
  const named = (number: number, label: string) => ({ ...packages[1], id: uuid(number), label })
  const many = (first: number, label: string) =>
    Array.from({ length: 501 }, (_, nth) => named(first + nth, label))
  hold('packages', [...packages, named(4, 'Ritningar'), ...many(1000, 'Volym')], at)
  index()
  expect(titles('ritningar -byggnadsnämnden -kartor')).toEqual(['Ritningar'])
  hold('packages', [...many(1000, 'Volymerna'), ...many(2000, 'Volymerna, handlingarna')], at)
  index()
  const filters = heldFilters(nothing)
  const { hits } = answers.foundList({ typed: 'volymerna -handlingar', filters, most: 1000 })
  expect(new Set(hits.map(({ title }) => title.map(({ text }) => text).join('')))).toEqual(
    new Set(['Volymerna']),
  )
  close()
})

test('a part of a compound word finds it after what begins so, and excludes it', () => {
  using place = scratch()
  const { hold, index, answers, ask, titles, close } = open(place.folder)
  const named = (number: number, label: string) => ({ ...packages[0], id: uuid(number), label, agents: {} })
  hold('packages', [named(4, 'Folkskolans betyg'), named(5, 'Skolans betyg'), named(6, 'Betyg')], at)
  index()
  expect(titles('skola')).toEqual(['Skolans betyg', 'Folkskolans betyg'])
  expect(titles('betyg -skola')).toEqual(['Betyg'])
  expect(titles('name:skolan OR name:xyz').sort()).toEqual(['Folkskolans betyg', 'Skolans betyg'])
  expect(titles('"skola"')).toEqual([])
  expect(titles('sko')).toEqual(['Skolans betyg'])
  expect(ask('SKÖLA').groups[0]?.hits.at(-1)?.title).toEqual([
    { text: 'Folk', isMatch: false },
    { text: 'skola', isMatch: true },
    { text: 'ns betyg', isMatch: false },
  ])
  const list = answers.foundList({ typed: 'skola', filters: heldFilters(nothing), most: 10 })
  expect(list.hits.map(({ id }) => id)).toEqual([`packages ${uuid(5)}`, `packages ${uuid(4)}`])
  close()
})

test('a search that is kept does not find itself', () => {
  using place = scratch()
  const { hold, index, ask, close } = open(place.folder)
  hold('description/me/searches', [{ id: 's', name: 'räkenskaper', query: { q: 'räkenskaper' } }], at)
  index()
  expect(ask('räkenskaper').groups.map(({ group, total }) => [group, total])).toEqual([['packages', 1]])
  close()
})

test('as one list a package stands once, and what it can be narrowed by is counted whatever is chosen', () => {
  using place = scratch()
  const { hold, index, answers, close } = open(place.folder)
  const generation = (number: number, ofGeneration: number, state: string) => ({
    ...packages[0],
    id: uuid(number),
    aic: uuid(9),
    label: `Protokoll ${ofGeneration}`,
    object_identifier_value: `SE/STA/2${ofGeneration}`,
    generation: ofGeneration,
    state,
    entry_date: `202${ofGeneration}-03-01T10:00:00Z`,
  })
  const aic = { id: uuid(9), label: 'Protokoll', package_type: 1, object_identifier_value: 'AIC 9' }
  hold('packages', [...packages, aic, generation(6, 1, 'Preserved'), generation(7, 2, 'Ingesting')], at)
  index()
  const list = (typed: string, filters: Partial<HeldFilters> = {}) => {
    const which = { typed, filters: { ...heldFilters(nothing), ...filters }, most: 10 }
    return { ...answers.foundList(which), facets: answers.foundFacets(which) }
  }
  const facet = (found: ReturnType<typeof list>, field: string) =>
    found.facets.find((one) => one.field === field)?.values.map(({ value, count }) => [value, count])
  const folded = list('protokoll')
  expect(folded).toMatchObject({ total: 1, isMore: false })
  expect(folded.hits.map(({ id, facts }) => [id, facts?.generations])).toEqual([[`packages ${uuid(7)}`, 2]])

  const all = list('ritningar')
  expect(all.kinds).toEqual([
    { group: 'packages', total: 2, isMore: false },
    { group: 'units', total: 1, isMore: false },
  ])
  expect(facet(all, 'states')).toEqual([['Preserved', 2]])
  expect(facet(all, 'creators')).toEqual([['Byggnadsnämnden', 1]])
  expect(facet(all, 'years')).toEqual([
    ['2024', 1],
    ['2025', 1],
  ])
  // DISK-A stands before LTO-0418.
  expect(facet(all, 'media')).toEqual([
    ['m2', 1],
    ['m1', 1],
  ])
  const some = list('ritningar', { creators: ['Byggnadsnämnden'] })
  expect(some.hits.map(({ id }) => id)).toEqual([`packages ${uuid(1)}`])
  expect(facet(some, 'creators')).toEqual([['Byggnadsnämnden', 1]])
  expect(facet(some, 'media')).toEqual([['m1', 1]])
  const units = list('ritningar', { kinds: ['units'] })
  expect([units.hits.length, units.total, units.facets]).toEqual([1, 1, []])
  expect(units.kinds).toEqual(all.kinds)
  expect(list('ritningar', { from: '2025-01-01', to: '2025-12-31' }).hits).toHaveLength(1)
  expect(list('', {}).hits).toEqual([])
  expect(list('', { states: ['Ingesting'] }).hits.map(({ id }) => id)).toContain(`packages ${uuid(2)}`)
  expect(list('SE/STA/17').exact.map(({ id }) => id)).toEqual([`packages ${uuid(1)}`])
  const ofOne = list('', { creators: ['Byggnadsnämnden'] })
  const onMedium = list('', { media: ['m1'] })
  const inYear = list('', { from: '2025-01-01', to: '2025-12-31' })
  expect([ofOne, onMedium, inYear].map(({ kinds }) => kinds[0]?.total)).toEqual([2, 2, 2])
  expect(facet(ofOne, 'creators')).toContainEqual(['Byggnadsnämnden', 2])
  // With the copies on it, and itself; with the event of that year.
  expect(facet(onMedium, 'media')).toContainEqual(['m1', 5])
  expect(facet(inYear, 'years')).toContainEqual(['2025', 3])
  close()
})

test('what is counted of a value is as much as there is once one narrows by it', () => {
  using place = scratch()
  const { hold, index, answers, close } = open(place.folder)
  const generation = (number: number, ofGeneration: number, label: string) => ({
    ...packages[0],
    id: uuid(number),
    aic: uuid(9),
    label,
    object_identifier_value: `SE/STA/2${ofGeneration}`,
    generation: ofGeneration,
    entry_date: `202${ofGeneration}-03-01T10:00:00Z`,
  })
  const aic = {
    id: uuid(9),
    label: 'Protokoll över hamnen',
    package_type: 1,
    state: 'Preserved',
    object_identifier_value: 'AIC 9',
    entry_date: '2019-03-01T10:00:00Z',
  }
  // Words of the AIC alone find it, those of the older generation another year than the newest has; nor is
  // that in the AIC's state.
  const newest = { ...generation(7, 2, 'Handlingar'), state: 'Ingesting' }
  const generations = [generation(6, 1, 'Protokoll'), newest]
  hold('packages', [...packages, aic, ...generations], at)
  const times = [
    '2025-06-01T12:00:00+02:00',
    '2023-01-01T00:30:00',
    '2022-12-31T23:30:00',
    '1969-12-31T23:59:59.500',
  ]
  const more = times.map((eventDateTime, id) => ({
    ...events[0],
    id,
    eventDateTime,
    eventDetail: 'Hamnen sparad',
  }))
  hold('events', more, at)
  hold('notifications', [{ id: 1, message: 'Hamnen är sparad', create_date: at }], at)
  index()
  const searches: [string, Partial<HeldFilters>][] = [
    ['hamnen', {}],
    ['protokoll', {}],
    ['protokoll hamnen', {}],
    ['lager', {}],
    ['LTO-0418', {}],
    ['hamnen -sparad', {}],
    ['hamnen', { kinds: ['events'] }],
    ['lager', { kinds: ['copies'] }],
    ['', { media: ['m1'] }],
    ['-hamnen', { media: ['m2'] }],
    ['', { from: '2023-01-01', to: '2025-12-31' }],
    ['', { creators: ['Byggnadsnämnden'] }],
    ['', { states: ['Preserved'] }],
    ['-hamnen', { states: ['Preserved'] }],
    ['hamnen', { media: ['m1'] }],
    ['hamnen', { states: ['Preserved'] }],
  ]
  const narrowed = { states: 'states', creators: 'creators', policies: 'policies', media: 'media' } as const
  const compared = searches.flatMap(([typed, some]) => {
    const filters = { ...heldFilters(nothing), ...some }
    return answers.foundFacets({ typed, filters, most: 50 }).flatMap(({ field, values }) =>
      values.map(({ value, count }) => {
        const by =
          field === 'years'
            ? { from: `${value}-01-01`, to: `${value}-12-31` }
            : { [narrowed[field]]: [value] }
        const { total } = answers.foundList({ typed, filters: { ...filters, ...by }, most: 50 })
        return { asked: `${typed} ${JSON.stringify(some)} ${field} ${value}`, count, total }
      }),
    )
  })
  expect(compared.length).toBeGreaterThan(40)
  expect(compared.filter(({ count, total }) => count !== total)).toEqual([])
  close()
})

test('the index follows what changes and what goes, and says what it does not have yet', () => {
  using place = scratch()
  const { hold, index, titles, ask, close } = open(place.folder)
  hold('packages', [{ ...packages[0], label: 'Rosengården' }, packages[1], packages[2]], at)
  expect(ask('rosen').waiting).toBeGreaterThan(0)
  expect(titles('rosen')).toEqual([])
  index()
  expect([titles('rosen'), titles('ortag'), titles('name:ortag'), ask('rosen').waiting]).toEqual([
    ['Rosengården'],
    [],
    [],
    0,
  ])
  hold('description/structure-units', [], at)
  hold('media', [media[0]], at)
  index()
  expect([titles('ritningar', 'units'), titles('disk', 'media')]).toEqual([[], []])
  close()
})

test('what comes in place of what went has its own words, and never those of the other', () => {
  using place = scratch()
  const { hold, index, titles, close } = open(place.folder)
  hold('notifications', [{ id: 1, message: 'Tape lost', level: 40, time_created: at }], at)
  index()
  hold('notifications', [], at)
  hold('events', [...events, { ...events[0], id: 2, eventDetail: 'Copies compared' }], at)
  expect([titles('tape', 'events'), titles('lost', 'packages')]).toEqual([[], []])
  index()
  expect([titles('tape', 'events'), titles('compared', 'events')]).toEqual([[], ['Copies compared']])
  close()
})

test('what another archive holds hides nothing, and a filter overlooks nothing, however much there is', () => {
  using place = scratch()
  const copyOn = (id: string, medium: string) => ({ id, medium_id: medium, storage_medium: medium, ip: 'p' })
  const open = (archive: string) => ({
    copy: openLocalCopy(cacheFileOf(place.folder, archive)),
    copiesIn: (filters: Partial<HeldFilters> = {}) =>
      answersOf(cacheFileOf(place.folder, archive), archive).found({
        typed: 'band',
        filters: { ...heldFilters(nothing), ...filters },
        most: 5,
        group: 'copies',
      }).groups[0],
  })
  const [small, large] = [open('small'), open('large')]
  small.copy.hold('objects', [copyOn('s1', 'Band-7')], at)
  large.copy.hold('objects', [copyOn('l1', 'Band-1')], at)
  large.copy.cache.database.exec(
    `with recursive n(n) as (select 1 union all select n + 1 from n where n < 20100)
     insert into held (subject, id, element, nth, position, model, raw)
     select 'objects', 'c' || n, n + 10, 0, n, '{"package":"p","medium":"Band-2"}', '{"medium_id":"Band-2"}'
       from n`,
  )
  small.copy.index()
  large.copy.index()
  expect(small.copiesIn()).toMatchObject({ total: 1, isMore: false, hits: [{ id: 'objects s1' }] })
  expect(large.copiesIn()).toMatchObject({ total: 500, isMore: true })
  // The oldest of all hits is the only one that the filter lets through.
  expect(large.copiesIn({ media: ['Band-1'] })?.hits.map(({ id }) => id)).toEqual(['objects l1'])
  small.copy.close()
  large.copy.close()
})

describe('reading a query', () => {
  test('in terms', () => {
    expect(readQuery('örta "östra gatan" -karta name:"a b" kod:17 12:30 sub-title')).toEqual([
      { text: 'örta', isPhrase: false, isExcluded: false, isAlternative: false, field: null },
      { text: 'östra gatan', isPhrase: true, isExcluded: false, isAlternative: false, field: null },
      { text: 'karta', isPhrase: false, isExcluded: true, isAlternative: false, field: null },
      { text: 'a b', isPhrase: true, isExcluded: false, isAlternative: false, field: 'name' },
      { text: '17', isPhrase: false, isExcluded: false, isAlternative: false, field: 'code' },
      { text: '12:30', isPhrase: false, isExcluded: false, isAlternative: false, field: null },
      { text: 'sub-title', isPhrase: false, isExcluded: false, isAlternative: false, field: null },
    ])
  })
  test('words that every object of the program has are words like any other', () => {
    expect(
      readQuery('constructor valueOf constructor:karta').map(({ text, field }) => [text, field]),
    ).toEqual([
      ['constructor', null],
      ['valueOf', null],
      ['constructor:karta', null],
    ])
  })
  test('what matched is marked, nothing of the text is lost', () => {
    for (const [text, typed] of [
      ['Örtagården på Östra gatan', 'ost ort'],
      ['a b a b', '"a b"'],
      ['x', 'y'],
      ['ÅÄÖ', 'aao'],
    ] as const)
      expect(
        markTerms(text, readQuery(typed))
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    expect(
      markTerms('Örtagården på Östra gatan', readQuery('ost ort')).filter(({ isMatch }) => isMatch),
    ).toEqual([
      { text: 'Ört', isMatch: true },
      { text: 'Öst', isMatch: true },
    ])
  })
})

test('a search goes into an address and comes out of it; what ESSArch’s own page stored is read', () => {
  const asked = {
    ...nothing,
    q: 'å & ä',
    extensions: ['pdf', 'xml'],
    states: ['Preserved'],
    media: ['m1'],
    from: '2025-01-01',
    page: 3,
  }
  expect(readAsked(toAddress(asked))).toEqual(asked)
  expect(
    readAsked(
      inOurWords({
        q: 'x',
        type: 'box,volume',
        page: 1,
        page_size: 25,
        ordering: '',
        extension: 'pdf',
        archives: ['1', '2'],
        agents: [5],
        start_date_after: '2020-01-01',
      }),
    ),
  ).toMatchObject({
    q: 'x',
    types: ['box', 'volume'],
    extensions: ['pdf'],
    archives: ['1', '2'],
    agents: ['5'],
    from: '2020-01-01',
    page: 1,
  })
  // What other clients keep beside their words: since when, and the name of the search itself.
  expect(inOurWords({ q: 'x', since: '2019-01-01', id: 'one' })).toEqual({ q: 'x', from: '2019-01-01' })
  for (const odd of ['', '%', 'q=%E0%A4%A', 'page=-1', 'q=a=b&&&='])
    expect(() => readAsked(odd)).not.toThrow()
  for (const odd of [{ q: null }, { q: {} }, { type: [null, {}] }, { from: 5 }])
    expect(readAsked(odd).page).toBe(1)
})

test('a day that no calendar has is no bound of a search', () => {
  const asked = { ...heldFilters(nothing), from: '2026-13-45' }
  expect(readAsked('from=2026-13-45&to=2026-03-29T10:00')).toMatchObject({ from: '', to: '2026-03-29' })
  for (const schema of [
    v.object({ from: HeldFilters.entries.from }),
    v.object({ from: WhichActivity.entries.from }),
  ])
    expect(v.is(schema, asked)).toBe(false)
})
