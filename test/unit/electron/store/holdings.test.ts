import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  riskKinds,
  riskyColumns,
  type RiskKind,
  type RiskyColumn,
} from '../../../../electron/contract/storage.ts'
import { placementTables } from '../../../../electron/store/cache/placements.ts'
import { openHoldings } from '../../../../electron/store/lists/holdings.ts'
import { openSortOrders } from '../../../../electron/store/lists/sort-orders.ts'
import { answersOf } from '../../../desks/answers.ts'
import { scratch } from '../../../support/scratch.ts'
import { takeBackTo } from '../../../desks/earlier-copy.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

const at = '2026-01-01T00:00:00Z'
const methods = ['m1', 'm2', 'm3'].map((id) => ({ id, name: id, enabled: id !== 'm3' }))
const policies = [{ id: 'p', policy_name: 'Two copies', policy_stat: true, storage_methods: methods }]
const targets = [
  { id: 't1', name: 'Disk', status: true, max_capacity: 100 },
  { id: 't2', name: 'Tape', status: true, max_capacity: 100 },
  { id: 'off', name: 'Old', status: false, max_capacity: 0 },
]
const longAgo = '2020-01-01T00:00:00Z'
const lately = new Date().toISOString()
const media = [
  {
    id: 'a',
    medium_id: 'A',
    status: 20,
    location: 'Room 1',
    used_capacity: 95,
    storage_target: 't1',
    create_date: longAgo,
  },
  {
    id: 'b',
    medium_id: 'B',
    status: 20,
    location: 'Room 2',
    used_capacity: 10,
    storage_target: 't2',
    create_date: longAgo,
  },
  {
    id: 'c',
    medium_id: 'C',
    status: 30,
    location: 'Room 1',
    used_capacity: 99,
    storage_target: 't2',
    create_date: longAgo,
  },
  {
    id: 'd',
    medium_id: 'D',
    status: 100,
    location: 'Room 2',
    used_capacity: 0,
    storage_target: 't2',
    create_date: lately,
  },
  {
    id: 'e',
    medium_id: 'E',
    status: 20,
    location: 'Room 3',
    used_capacity: 0,
    storage_target: 'off',
    create_date: lately,
  },
]
/** Each package with the media that its copies lie on. */
const lying: Record<string, string[]> = {
  sound: ['a', 'b'],
  none: [],
  few: ['b'],
  'on a failed one': ['a', 'd'],
  'one room': ['a', 'c'],
  'one medium': ['c', 'c'],
  unreachable: ['e', 'e'],
  young: [],
}
const packages = [...Object.keys(lying), 'family'].map((id) => ({
  id,
  label: id,
  object_identifier_value: `ID ${id}`,
  package_type: id === 'family' ? 1 : 2,
  archived: id !== 'young',
  policy: 'p',
  // The largest is the oldest.
  object_size: id.length,
  entry_date: `20${40 - id.length}-01-01T00:00:00Z`,
}))
const copies = Object.entries(lying).flatMap(([id, on]) =>
  on.map((medium, index) => ({
    id: `${id} ${index}`,
    ip: id,
    medium_id: medium.toUpperCase(),
    storage_medium: medium,
    content_location_value: '/x',
    last_changed_local: medium === 'b' ? longAgo : lately,
  })),
)

/** A copy of all that is written above. */
const copyIn = (file: string) => {
  const copy = openLocalCopy(file)
  for (const [subject, rows] of Object.entries({ policies, targets, media, packages, objects: copies }))
    copy.hold(subject as 'media', rows, at)
  return copy
}

test('what is at risk is weighed for placements: neither packages nor their copies are read for that', () => {
  using place = scratch()
  const { cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const plans = queryPlansOf(cache.database, () => {
    openHoldings(cache, openSortOrders(cache.database))
  })
  const scans = plans.filter((step) => /^SCAN (package|held|o)\b/.test(step))
  expect(new Set(scans)).toEqual(
    new Set([
      'SCAN package USING COVERING INDEX package_by_placement',
      'SCAN package USING COVERING INDEX package_top_by_date',
      // What is shown as a covering index where it has no expressions.
      'SCAN held USING INDEX held_object_by_medium',
    ]),
  )
  close()
})

test('a package that moves to other media is weighed by where it lies now', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const copy = copyIn(file)
  const answers = answersOf(file)
  const named = (kind: RiskKind) =>
    answers.risky({ kind, offset: 0, limit: 100 }).rows.map(({ name }) => name)
  copy.hold(
    'objects',
    copies
      .filter(({ ip }) => ip !== 'sound')
      .map((one) => (one.id === 'few 0' ? { ...one, medium_id: 'A', storage_medium: 'a' } : one))
      .concat(copies.filter(({ ip }) => ip === 'few').map((one) => ({ ...one, id: 'few 1' }))),
    at,
  )
  expect([named('no copies'), named('few copies'), named('one medium')]).toEqual([
    ['none', 'sound'],
    ['on a failed one'],
    ['one medium', 'unreachable'],
  ])
  copy.hold(
    'media',
    media.map((one) => (one.id === 'b' ? { ...one, status: 100 } : one)),
    at,
  )
  expect(named('few copies')).toEqual(['few', 'on a failed one'])
  copy.close()
})

test('a copy of an earlier version gets the placements of its packages', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const placed = (database: DatabaseSync) =>
    database
      .prepare(
        'select p.id, s.copies from package p left join placement s on s.number = p.placement order by id',
      )
      .all()
  const before = copyIn(file)
  const placements = placed(before.cache.database)
  before.cache.close()
  takeBackTo(before.writer.database, placementTables)
  before.writer.close()
  const copy = openLocalCopy(file)
  expect(placed(copy.cache.database)).toEqual(placements)
  expect(placements).toContainEqual({ id: 'one medium', copies: '[["c","C"],["c","C"]]' })
  copy.close()
})

test('each rule finds what it says, and its whole list', () => {
  using place = scratch()
  const file = path.join(place.folder, 'cache.sqlite')
  const copy = copyIn(file)
  const answers = answersOf(file)
  const expected: Partial<Record<RiskKind, string[]>> = {
    'no copies': ['none'],
    'disabled target': ['unreachable'],
    'few copies': ['few', 'on a failed one'],
    'one medium': ['few', 'one medium', 'unreachable'],
    'one room': ['one room'],
    'nearly full': ['A'],
    'long unchanged': ['B'],
    'failed medium': ['D'],
  }
  const found = Object.fromEntries(
    riskKinds.map((kind) => [
      kind,
      answers.risky({ kind, offset: 0, limit: 100 }).rows.map(({ name }) => name),
    ]),
  )
  expect(found).toEqual(expected)
  expect(Object.fromEntries(answers.storage().risks.map(({ kind, total }) => [kind, total]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([kind, names]) => [kind, names.length])),
  )
  // What a row says is what the rule looked at: a copy on a failed medium is none.
  const few = answers.risky({ kind: 'few copies', offset: 0, limit: 100 })
  expect(few.rows).toMatchObject([
    { id: 'few', copies: 1, wanted: 2, where: 'Room 2 · B' },
    { id: 'on a failed one', copies: 1, wanted: 2, where: 'Room 1 · A; Room 2 · D' },
  ])
  // Generations are what is at risk; the package that they are of counts beside them nowhere.
  expect(few.of).toBe(packages.length - 1)
  expect(answers.storage().growth.reduce((sum, { generations }) => sum + generations, 0)).toBe(few.of)
  const sorted = (kind: RiskKind, sort: RiskyColumn, descending: boolean) =>
    answers.risky({ kind, sort, descending, offset: 0, limit: 100 }).rows
  for (const kind of riskKinds)
    for (const sort of riskyColumns) {
      const rising = sorted(kind, sort, false)
      expect(rising.map((row) => row[sort])).toEqual(
        rising.map((row) => row[sort]).toSorted((a, b) => (a < b ? -1 : Number(a > b))),
      )
      expect(sorted(kind, sort, true).map((row) => row[sort])).toEqual(
        rising.map((row) => row[sort]).reverse(),
      )
    }
  expect(answers.risky({ kind: 'one medium', offset: 1, limit: 1 }).rows.map(({ id }) => id)).toEqual([
    'one medium',
  ])
  copy.close()
})
