import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openBatches } from '../../../../electron/jobs/kinds/batch/batches.ts'
import { blankDraft } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { countSource } from '../../../../electron/jobs/kinds/transfer/sources.ts'
import { openTransfers } from '../../../../electron/jobs/kinds/transfer/transfers.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { scripts } from '../../../packages/packing.ts'
import { builtFile } from '../../../support/built.ts'
import { scratch } from '../../../support/scratch.ts'

const place = scratch()
afterAll(() => place[Symbol.dispose]())

/** A batch of two rows; `meanwhile` is done while the source of a row is being counted. */
const openBatch = async (meanwhile: (name: string) => Promise<unknown>) => {
  const folder = path.join(place.folder, crypto.randomUUID())
  const letterOf = (name: string) => path.join(folder, 'arv', name, 'brev.txt')
  for (const name of ['Album 1', 'Album 2']) {
    mkdirSync(path.dirname(letterOf(name)), { recursive: true })
    writeFileSync(letterOf(name), name)
  }
  const now = () => new Date()
  const bugs: unknown[] = []
  const reportBug = (error: unknown) => {
    bugs.push(error)
    return ''
  }
  const store = openDeskStore(path.join(folder, 'desk.sqlite'))
  const copy = openLocalCopy(path.join(folder, 'copy.sqlite'))
  const cacheOf = () => copy.cache
  const engine = openEngine({
    isPaused: store.isPaused,
    dueJobs: store.dueJobs,
    now,
    random: () => 0,
    reportBug,
  })
  const transfers = openTransfers({
    engine,
    store,
    cacheOf,
    dialectOf: () => specification,
    capabilitiesOf: () => someCapabilities,
    findClient: () => undefined,
    noteExchange: () => undefined,
    packagesFolder: path.join(folder, 'packages'),
    scripts,
    version: '1',
    now,
    wait: () => Promise.resolve(),
    changed: () => undefined,
    progress: () => undefined,
    reportBug,
  })
  const batches = openBatches({
    engine,
    store,
    cacheOf,
    transfers,
    now,
    tableScript: builtFile('table-worker.js'),
    countSource: async (file, packing) => {
      await meanwhile(path.basename(file))
      return countSource(file, packing, scripts)
    },
    blank: (archive, id) => blankDraft(store, { archive, id, now: now() }),
    profileOf: transfers.draftProfile,
    changed: () => undefined,
  })
  const { id } = await batches.open('a', 'folder', path.join(folder, 'arv'))
  return {
    id,
    batches,
    transfers,
    letterOf,
    ids: store.batch(id)?.ids ?? [],
    states: async () => (await batches.one(id)).rows.map(({ state }) => state),
    close: async () => {
      await engine.stop()
      store.close()
      copy.close()
      expect(bugs).toEqual([])
    },
  }
}

test('a batch that is stopped while the source of a row is counted packs nothing more', async () => {
  let isStopped = false
  const batch = await openBatch(async (name) => {
    if (isStopped || name !== 'Album 2') return
    isStopped = true
    await batch.batches.stop(batch.id)
  })
  await batch.batches.run(batch.id, false)
  expect(await batch.states()).toEqual(['prepared', null])
  await batch.batches.run(batch.id, false)
  expect(await batch.states()).toEqual(['prepared', 'prepared'])
  await batch.close()
})

test('a draft that a person packs while its row is counted stays as the person packed it', async () => {
  let isAgain = false
  const batch = await openBatch(async (name) => {
    if (!isAgain || name !== 'Album 1') return
    await batch.transfers.recount(first)
    await batch.transfers.packWhole(first)
    packedAt = batch.transfers.need(first).times.prepared
  })
  const [first = ''] = batch.ids
  let packedAt: string | null = null
  rmSync(batch.letterOf('Album 1'))
  await batch.batches.run(batch.id, false)
  expect(await batch.states()).toEqual(['draft', 'prepared'])
  writeFileSync(batch.letterOf('Album 1'), 'found')
  isAgain = true
  await batch.batches.run(batch.id, false)
  expect(packedAt).not.toBeNull()
  expect(batch.transfers.need(first)).toMatchObject({ state: 'prepared', times: { prepared: packedAt } })
  await batch.close()
})
