import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listEvents, listNotifications } from '../../../electron/archive-client/activity.ts'
import { listAgreements } from '../../../electron/archive-client/agreements.ts'
import type { Reach } from '../../../electron/archive-client/http.ts'
import type { Listing } from '../../../electron/archive-client/listing.ts'
import { listPackages } from '../../../electron/archive-client/packages.ts'
import { listRecords } from '../../../electron/archive-client/records.ts'
import { listMedia, listMethods, listObjects, listPolicies, listRelations, listTargets } from '../../../electron/archive-client/storage.ts'
import { listDeliveries, listTransfers } from '../../../electron/archive-client/transfers.ts'
import { definitionOf, listNames } from '../../../electron/contract/lists.ts'
import { alerts } from '../../../electron/features/alerts.ts'
import { description } from '../../../electron/features/description.ts'
import { packages } from '../../../electron/features/packages.ts'
import { storage } from '../../../electron/features/storage.ts'
import type { Session } from '../../../electron/session/session.ts'
import { openCache, type Subject } from '../../../electron/store/cache.ts'
import { openDeskStore } from '../../../electron/store/desk.ts'
import { scratch, startArchive, type RunningArchive } from '../../archive.ts'
import { mutate, seeded } from '../../faults/mutate.ts'

const readers: [Subject, string, (archive: Reach) => Promise<Listing<{ id: string | number }>>][] = [
  ['packages', 'information-packages/', listPackages],
  ['objects', 'storage-objects/', listObjects],
  ['media', 'storage-mediums/', listMedia],
  ['targets', 'storage-targets/', listTargets],
  ['relations', 'storage-method-target-relations/', listRelations],
  ['methods', 'storage-methods/', listMethods],
  ['policies', 'storage-policies/', listPolicies],
  ['agreements', 'submission-agreements/', listAgreements],
  ['deliveries', 'deliveries/', listDeliveries],
  ['transfers', 'transfers/', listTransfers],
  ['events', 'events/', listEvents],
  ['notifications', 'notifications/', listNotifications],
  ...listNames.map((list): (typeof readers)[number] => [`description/${list}`, `${list}/`, (archive) => listRecords(archive, list)]),
]

const place = scratch()
let archive: RunningArchive
let answers: Record<string, Parameters<typeof mutate>[0][]>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const paths = [...new Set(readers.map(([, address]) => address))]
  answers = Object.fromEntries(await Promise.all(paths.map(async (address) => [address, (await archive.get(address)) as Parameters<typeof mutate>[0][]] as const)))
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

/** An archive whose lists are these. */
const answering = (lists: Record<string, unknown[]>): Reach => ({ list: (address: string) => Promise.resolve(lists[address] ?? []) }) as never

describe.each(Array.from({ length: 40 }, (_, index) => index + 1))('answers that were tampered with, seed %i', (seed) => {
  test('are read record by record, and every page of the desk can be made from what is left', async () => {
    const random = seeded(seed)
    const share = 0.002 * seed
    const lists = Object.fromEntries(Object.entries(answers).map(([address, records]) => [address, records.slice(0, 120).map((record) => mutate(record, random, share))]))
    const cache = openCache(path.join(place.folder, `cache-${seed}.sqlite`))
    const desk = openDeskStore(path.join(place.folder, `desk-${seed}.sqlite`))
    const read = await Promise.all(readers.map(async ([subject, address, ask]) => ({ subject, address, ...(await ask(answering(lists))) })))
    for (const { address, rows, unreadable } of read) {
      if (!address.startsWith('information-packages') && !address.startsWith('locations')) expect([address, rows.length + unreadable.length]).toEqual([address, lists[address]?.length])
      for (const it of unreadable) expect(it).toEqual({ path: expect.stringMatching(`^/api/${address}.*\\[\\d+\\]`) as string, why: expect.stringMatching(/./) as string, raw: it.raw })
    }
    cache.replace('a', read, '2026-01-01T00:00:00Z')
    for (const { subject, ...list } of read) if (subject.startsWith('description/')) cache.hold('a', subject, list, '2026-01-01T00:00:00Z')
    expect(cache.unreadable('a').length).toBe(
      Math.min(
        100,
        read.reduce((sum, { unreadable }) => sum + unreadable.length, 0),
      ),
    )

    const session = { account: () => ({ archive: 'a' }), reached: () => undefined } as unknown as Session
    const now = () => new Date('2026-01-01T00:00:00Z')
    const pages = {
      packages: packages({ session, cache, desk, changed: () => undefined }),
      storage: storage({ session, cache }),
      description: description({ session, cache, now, creations: { list: () => [] } as never, changed: () => undefined, refresh: () => Promise.resolve() }),
      alerts: alerts({ session, cache }),
    }
    for (const view of ['tree', 'flat'] as const) {
      const { rows, total } = await pages.packages.list({ view, sort: 'label', descending: false, filter: '', open: [], offset: 0, limit: 500 })
      expect(rows.length).toBe(Math.min(500, total))
      for (const { id } of rows) expect(await pages.packages.one({ id })).toHaveProperty('package.id', id)
    }
    const { media } = await pages.storage.overview(undefined)
    for (const { id } of media) expect(await pages.storage.medium({ id })).toHaveProperty('medium.id', id)
    await pages.alerts.list(undefined)
    for (const list of listNames) {
      const { rows, of } = await pages.description.list({ list, within: null, filter: '', open: [], offset: 0, limit: 500 })
      if (!definitionOf(list).isTree) expect(rows.length).toBe(of)
      for (const { id } of rows) expect(await pages.description.one({ list, id })).toHaveProperty('title')
    }
    cache.close()
    desk.close()
  })
})

test('what is not a record at all is named with its place', async () => {
  const { rows, unreadable } = await listMedia(answering({ 'storage-mediums/': [5, null, { id: 'a', medium_id: 'A' }, { medium_id: 'B' }, []] }))
  expect(rows.map(({ model }) => model.name)).toEqual(['A'])
  expect(unreadable.map(({ path: at }) => at)).toEqual(['/api/storage-mediums/[0]', '/api/storage-mediums/[1]', '/api/storage-mediums/[3].id', '/api/storage-mediums/[4].id'])
  const nested = await listPackages(answering({ 'information-packages/': [{ id: 'aic', information_packages: [{ id: 'x' }, { label: 'no id' }] }] }))
  expect(nested.unreadable.map(({ path: at }) => at)).toEqual(['/api/information-packages/[0].information_packages[1].id'])
})

test('a tree whose rows point at one another in a ring, at nothing, or at themselves shows every row', async () => {
  const unit = (id: number, parent: number | null) => ({ id, name: `unit ${id}`, parent, structure: 's' })
  const { rows } = await listRecords(answering({ 'structure-units/': [unit(1, 2), unit(2, 1), unit(3, 3), unit(4, 99), unit(5, 4), unit(6, null)] }), 'structure-units')
  expect(rows.map(({ model }) => model.id).sort()).toEqual(['1', '2', '3', '4', '5', '6'])
})
