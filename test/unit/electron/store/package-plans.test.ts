import path from 'node:path'
import { expect, test } from 'vitest'
import { scratch } from '../../../support/scratch.ts'
import { filledCopy, filledPackage, many, readAt } from '../../../bench/filled-records.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { queryPlansOf } from '../../../support/query-plans.ts'

const which = { view: 'tree', sort: 'changed', descending: true } as const
const window = { ...which, open: [], offset: 0, limit: 50 }
const fields = ['creator', 'year', 'size', 'medium', 'state'] as const

const openFilled = (folder: string) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold('packages', many(45, filledPackage), readAt)
  copy.hold('objects', many(45, filledCopy), readAt)
  return copy
}
const walksOfTexts = (plans: string[]) =>
  plans.filter((step) => step.startsWith('SCAN package USING COVERING INDEX package_text'))

test('a text leads straight to its rows by one walk through the texts', () => {
  using place = scratch()
  const { packages, cache, close } = openFilled(place.folder)
  for (const view of ['tree', 'flat'] as const) {
    const plans = queryPlansOf(cache.database, () => {
      expect(packages.list({ ...window, view, filter: 'se/sta/17' }).total).toBe(1)
    })
    expect(walksOfTexts(plans)).toHaveLength(1)
    // All that are held are counted in an index.
    expect(plans.filter((step) => /^SCAN (a|p)\b(?! USING COVERING)/.test(step))).toEqual([])
  }
  close()
})

test('what a text finds is looked for once for all fields that are counted, and counted once', () => {
  using place = scratch()
  const { packages, cache, hold, close } = openFilled(place.folder)
  const count = () => fields.map((field) => packages.facet({ ...which, filter: 'volym 4', field }))
  const plans = queryPlansOf(cache.database, () => {
    expect(count()[4]).toEqual([
      { value: 'Preserved', name: '', count: 5 },
      { value: 'Received', name: '', count: 1 },
    ])
  })
  expect(walksOfTexts(plans)).toHaveLength(1)
  expect(queryPlansOf(cache.database, count).filter((step) => step.startsWith('SCAN'))).toEqual([])
  hold('packages', many(50, filledPackage), readAt)
  expect(count()[4]).toEqual([
    { value: 'Preserved', name: '', count: 10 },
    { value: 'Received', name: '', count: 1 },
  ])
  close()
})

test('a whole list is counted in the order of its table', () => {
  using place = scratch()
  const { packages, cache, close } = openFilled(place.folder)
  for (const field of fields) {
    const plans = queryPlansOf(cache.database, () => {
      expect(packages.facet({ ...which, filter: '', field })).not.toEqual([])
    })
    expect(plans.filter((step) => /^(SCAN|SEARCH) p\b/.test(step))).toEqual([
      'SEARCH p USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
    ])
  }
  close()
})

test('what is rare among some packages and common among others is counted whole', () => {
  using place = scratch()
  const { packages, cache, hold, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const by = (number: number, name: string) => ({
    ...filledPackage(number),
    agents: { CREATOR_ORGANIZATION: { name } },
  })
  const rivals = 10_200
  const others = many(rivals, (number) => by(number, `Nämnd ${number % 5_100}`))
  const rare = by(20_000, 'Fullmäktige')
  const common = many(30, (number) => by(30_000 + number, 'Fullmäktige'))
  hold('packages', [...others, rare, ...common], readAt)
  // Those of a step are counted at once.
  cache.database.prepare('update package set number = number + 200000 where number > ?').run(rivals + 1)
  expect(packages.facet({ ...which, filter: '', field: 'creator' })[0]).toMatchObject({ count: 31 })
  close()
})
