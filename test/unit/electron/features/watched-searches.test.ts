import path from 'node:path'
import { expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { searches } from '../../../../electron/features/searches.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { answersOf } from '../../../desks/answers.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const at = '2026-01-01T00:00:00Z'
const generation = (id: string, number: number, state: string) => ({
  id,
  label: 'Oxen',
  object_identifier_value: `Oxen ${number}`,
  package_type: 2,
  state,
  generation: number,
  aic: 'oxen',
})
const family = {
  id: 'oxen',
  label: 'Oxen',
  object_identifier_value: 'Oxen',
  package_type: 1,
  state: 'Preserved',
}

/** A desk that watches what is preserved, over a local copy whose packages are as they are laid there. */
const open = (folder: string, typed = '', states = ['Preserved'], types: string[] = []) => {
  const file = path.join(folder, 'cache.sqlite')
  const copy = openLocalCopy(file)
  const answers = answersOf(file)
  const store = openDeskStore(path.join(folder, 'desk.sqlite'))
  const told: unknown[] = []
  const world = { isFull: false }
  const filters = { ...heldFilters(nothing), states, types }
  const found = () => answers.foundIds({ typed, filters, most: 1_000, group: null })
  const parts = {
    store,
    dialectOf: () => specification,
    creations: { of: () => [] },
    notices: {
      ofDesk: (_archive: string, message: unknown) => {
        if (world.isFull) throw new Error('database or disk is full')
        return Promise.resolve(void told.push(message))
      },
    },
    ask: (question: string) =>
      Promise.resolve(
        question === 'storedSearches'
          ? [{ id: 's', title: 'Preserved', query: { state: 'Preserved' } }]
          : found(),
      ),
    now: () => new Date(at),
    choose: () => Promise.resolve([]),
    chooseTarget: () => Promise.resolve(undefined),
    changed: () => undefined,
  }
  const { calls, watch } = searches(parts as unknown as Parameters<typeof searches>[0])
  const archive = { id: 'a' } as Parameters<typeof calls.list>[0]
  return {
    hold: (packages: object[]) => {
      copy.hold('packages', packages, at)
      copy.index()
    },
    holdAgents: (...names: string[]) => {
      copy.hold(
        'description/agents',
        names.map((name) => ({ id: name, title: name })),
        at,
      )
      copy.index()
    },
    found,
    list: () => answers.foundList({ typed, filters, most: 1_000 }),
    watch: () => watch('a'),
    begin: () => calls.notify(archive, { id: 's', isTold: true }),
    news: async () => (await calls.list(archive, undefined))[0]?.news,
    told,
    world,
    [Symbol.dispose]: () => {
      store.close()
      copy.close()
    },
  }
}

test('an earlier generation is no news where the newest is found no more; a new generation is', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.hold([family, generation('g1', 1, 'Preserved'), generation('g2', 2, 'Preserved')])
  expect(desk.found()).toMatchObject({ ids: ['packages g2'], otherGenerations: {} })
  await desk.begin()
  desk.hold([family, generation('g1', 1, 'Preserved'), generation('g2', 2, 'Preserving')])
  expect(desk.found()).toMatchObject({
    ids: ['packages g1'],
    otherGenerations: { 'packages g1': expect.arrayContaining(['packages g2', 'packages oxen']) as string[] },
  })
  await desk.watch()
  expect([desk.told, await desk.news()]).toEqual([[], 0])
  desk.hold([family, ...['g1', 'g2', 'g3'].map((id, index) => generation(id, index + 1, 'Preserved'))])
  await desk.watch()
  expect([desk.told.length, await desk.news()]).toEqual([1, 1])
  // That one was told; what is found in its place afterwards is no news either.
  desk.hold([
    family,
    generation('g1', 1, 'Preserved'),
    generation('g2', 2, 'Preserving'),
    generation('g3', 3, 'Preserving'),
  ])
  await desk.watch()
  expect([desk.told.length, await desk.news()]).toEqual([1, 0])
})

test('a package of which nothing was found before is news, whichever generation of it is found', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.hold([])
  await desk.begin()
  desk.hold([family, generation('g1', 1, 'Preserved'), generation('g2', 2, 'Preserving')])
  await desk.watch()
  expect([desk.told.length, await desk.news()]).toEqual([1, 1])
})

test('what is in a list that is read for the first time is no news; what comes into it afterwards is', async () => {
  using place = scratch()
  using desk = open(place.folder, 'oxen', [])
  desk.hold([family, generation('g1', 1, 'Preserved')])
  await desk.begin()
  desk.holdAgents('Oxen & Co')
  expect(desk.found().ids).toHaveLength(2)
  await desk.watch()
  expect([desk.told, await desk.news()]).toEqual([[], 0])
  desk.holdAgents('Oxen & Co', 'Oxen & Sons')
  await desk.watch()
  expect([desk.told.length, await desk.news()]).toEqual([1, 1])
})

test('what is found since a type is left out that nothing has any more is no news', async () => {
  using place = scratch()
  using desk = open(place.folder, 'oxen', [], ['AIP'])
  const alone = (id: string, type: number) => ({ ...generation(id, 1, ''), aic: null, package_type: type })
  desk.hold([alone('a', 2), alone('b', 0)])
  expect(desk.found()).toMatchObject({ ids: ['packages a'], isWithoutIndexFilters: false })
  await desk.begin()
  desk.hold([alone('b', 0), alone('c', 0)])
  expect(desk.found().ids).toHaveLength(desk.list().total)
  await desk.watch()
  expect([desk.told, await desk.news()]).toEqual([[], 0])
  desk.hold([alone('b', 0), alone('c', 0), alone('d', 0)])
  await desk.watch()
  expect([desk.told.length, await desk.news()]).toEqual([1, 1])
  // From here on it is asked for again.
  desk.hold([alone('b', 0), alone('c', 0), alone('d', 0), alone('e', 2)])
  await desk.watch()
  expect([desk.found().ids, desk.told.length, await desk.news()]).toEqual([['packages e'], 2, 1])
})

test('what could not be told for want of space is told later', async () => {
  using place = scratch()
  using desk = open(place.folder)
  desk.hold([])
  await desk.begin()
  desk.hold([family, generation('g1', 1, 'Preserved')])
  desk.world.isFull = true
  await expect(desk.watch()).rejects.toThrow('full')
  desk.world.isFull = false
  await desk.watch()
  await desk.watch()
  expect(desk.told).toHaveLength(1)
})
