import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listOf } from '../../../../electron/dialects/dialect.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { informationPackages } from '../../../../electron/dialects/specification/packages.ts'
import { media } from '../../../../electron/dialects/specification/storage.ts'
import { definitionOf, listNames } from '../../../../electron/contract/lists.ts'
import { alerts } from '../../../../electron/features/alerts.ts'
import { description } from '../../../../electron/features/description.ts'
import { packages } from '../../../../electron/features/packages.ts'
import { storage } from '../../../../electron/features/storage.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { answersOf } from '../../../desks/answers.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { archiveOf, startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { mutate, seeded } from '../../../faults/mutate.ts'
import { refreshedSubjects, type Subject } from '../../../../electron/contract/subjects.ts'
import { inTreeOrder } from '../../../../electron/store/cache/tree-order.ts'

const definitionOfSubject = (subject: Subject) => {
  const list = listOf(specification, subject)
  if (!list) throw new Error(`There is no list ${subject}`)
  return list
}
const subjects: Subject[] = [...refreshedSubjects, ...listNames.map((list): Subject => `description/${list}`)]

const place = scratch()
let archive: RunningArchive
let given: Record<string, Parameters<typeof mutate>[0][]>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const paths = [...new Set(subjects.map((subject) => definitionOfSubject(subject).path))]
  given = Object.fromEntries(
    await Promise.all(
      paths.map(
        async (address) => [address, (await archive.get(address)) as Parameters<typeof mutate>[0][]] as const,
      ),
    ),
  )
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

describe.each(Array.from({ length: 40 }, (_, index) => index + 1))(
  'answers that were tampered with, seed %i',
  (seed) => {
    test('are read record by record, and every page of the desk can be made from what is left', async () => {
      const random = seeded(seed)
      const share = 0.002 * seed
      const lists = Object.fromEntries(
        Object.entries(given).map(([address, records]) => [
          address,
          records.slice(0, 120).map((record) => mutate(record, random, share)),
        ]),
      )
      const { cache, hold, close } = openLocalCopy(path.join(place.folder, `cache-${seed}.sqlite`))
      const desk = openDeskStore(path.join(place.folder, `desk-${seed}.sqlite`))
      const { ask } = answersOf(path.join(place.folder, `cache-${seed}.sqlite`))
      for (const subject of subjects) {
        const { path: address, read } = definitionOfSubject(subject)
        for (const [from, element] of (lists[address] ?? []).entries())
          for (const it of read(element, from).unreadable)
            expect(it).toEqual({
              path: expect.stringMatching(`^/api/${address}.*\\[\\d+\\]`) as string,
              why: expect.stringMatching(/./) as string,
              raw: it.raw,
            })
        hold(subject, lists[address] ?? [], '2026-01-01T00:00:00Z')
        const { rows } = cache.database
          .prepare('select count(*) as rows from held where subject = ?')
          .get(subject) as { rows: number }
        const { notes } = cache.database
          .prepare('select count(*) as notes from unreadable where subject = ?')
          .get(subject) as { notes: number }
        if (!address.startsWith('information-packages') && !address.startsWith('locations'))
          expect([address, rows + notes]).toEqual([
            address,
            new Set(lists[address]?.map((element) => JSON.stringify(element ?? null))).size,
          ])
      }

      const archive = archiveOf('a')
      const cacheOf = () => cache
      const now = () => new Date('2026-01-01T00:00:00Z')
      const pages = {
        packages: packages({
          capabilitiesOf: () => null,
          cacheOf,
          store: desk,
          ask,
          markSeen: () => undefined,
        }),
        storage: storage({ cacheOf, ask }),
        description: description({
          capabilitiesOf: () => null,
          whenAsked: () => Promise.resolve(),
          isJobOf: () => true,
          cacheOf,
          ask,
          now,
          creations: { list: () => [] } as never,
          thread: { markSeen: () => undefined, holdOptions: () => undefined },
          refresh: () => Promise.resolve(),
          readContents: () => Promise.resolve(),
        }).calls,
        alerts: alerts({ cacheOf, store: desk, now, seen: () => undefined }),
      }
      for (const view of ['tree', 'flat'] as const) {
        const { rows, total } = await pages.packages.list(archive, {
          view,
          sort: 'label',
          descending: false,
          filter: '',
          open: [],
          offset: 0,
          limit: 500,
        })
        expect(rows.length).toBe(Math.min(500, total))
        for (const { id } of rows)
          expect(await pages.packages.one(archive, { id })).toHaveProperty('package.id', id)
      }
      const { media } = await pages.storage.overview(archive, undefined)
      for (const { id } of media)
        expect(await pages.storage.medium(archive, { id })).toHaveProperty('medium.id', id)
      await pages.alerts.list(archive, undefined)
      for (const list of listNames) {
        const { rows, of } = await pages.description.list(archive, {
          list,
          within: null,
          filter: '',
          open: [],
          offset: 0,
          limit: 500,
        })
        if (!definitionOf(list).isTree) expect(rows.length).toBe(of)
        for (const { id } of rows)
          expect(await pages.description.one(archive, { list, id })).toHaveProperty('title')
      }
      close()
      desk.close()
    })
  },
)

test('what is not a record at all is named with its place', () => {
  const listings = [5, null, { id: 'a', medium_id: 'A' }, { medium_id: 'B' }, []].map((element, from) =>
    media.read(element, from),
  )
  expect(listings.flatMap(({ rows }) => rows.map(({ model }) => model.name))).toEqual(['A'])
  expect(listings.flatMap(({ unreadable }) => unreadable.map(({ path: at }) => at))).toEqual([
    '/api/storage-mediums/[0]',
    '/api/storage-mediums/[1]',
    '/api/storage-mediums/[3].id',
    '/api/storage-mediums/[4].id',
  ])
  const nested = informationPackages.read(
    { id: 'aic', information_packages: [{ id: 'x' }, { label: 'no id' }] },
    7,
  )
  expect(nested.unreadable.map(({ path: at }) => at)).toEqual([
    '/api/information-packages/[7].information_packages[1].id',
  ])
})

test('a tree whose rows point at one another in a ring, at nothing, or at themselves shows every row', () => {
  const unit = (id: number, parent: number | null) => ({
    id: String(id),
    title: `unit ${id}`,
    note: '',
    parent: parent === null ? null : String(parent),
  })
  const ordered = inTreeOrder([unit(1, 2), unit(2, 1), unit(3, 3), unit(4, 99), unit(5, 4), unit(6, null)])
  expect(ordered.map(({ id }) => id).sort()).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(ordered.filter(({ above }) => above !== null)).toEqual([{ id: '5', above: '4' }])
})
