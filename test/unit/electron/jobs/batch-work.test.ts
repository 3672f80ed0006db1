import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

interface Meanwhile {
  /** Done while the source of a row is being counted. */
  counting?: (name: string) => Promise<unknown>
  /** Done at once when a transfer was changed. */
  changed?: (id: string) => void
}

/** A desk in a folder that works at transfers and batches of them; the same once more after it was closed. */
const openWork = (folder: string, { counting, changed }: Meanwhile = {}) => {
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
    changed: (id) => changed?.(id),
    progress: () => undefined,
    reportBug,
  })
  const blank = (archive: string, id: string) => blankDraft(store, { archive, id, now: now() })
  const batches = openBatches({
    engine,
    store,
    cacheOf,
    transfers,
    now,
    tableScript: builtFile('table-worker.js'),
    countSource: async (file, packing) => {
      await counting?.(path.basename(file))
      return countSource(file, packing, scripts)
    },
    blank,
    profileOf: transfers.draftProfile,
    changed: () => undefined,
  })
  return {
    engine,
    store,
    transfers,
    batches,
    blank,
    close: async () => {
      await engine.stop()
      store.close()
      copy.close()
      expect(bugs).toEqual([])
    },
  }
}

/** A folder with a folder for each of these names, and a letter in each. */
const albums = (...names: string[]) => {
  const folder = path.join(place.folder, crypto.randomUUID())
  const letterOf = (name: string) => path.join(folder, 'arv', name, 'brev.txt')
  for (const name of names) {
    mkdirSync(path.dirname(letterOf(name)), { recursive: true })
    writeFileSync(letterOf(name), name)
  }
  return { folder, arv: path.join(folder, 'arv'), letterOf }
}

/** A batch of two rows; `meanwhile` is done while the source of a row is being counted. */
const openBatch = async (meanwhile: (name: string) => Promise<unknown>) => {
  const { folder, arv, letterOf } = albums('Album 1', 'Album 2')
  const work = openWork(folder, { counting: meanwhile })
  const { id } = await work.batches.open('a', 'folder', arv)
  return {
    ...work,
    id,
    letterOf,
    ids: work.store.batch(id)?.ids ?? [],
    states: async () => (await work.batches.one(id)).rows.map(({ state }) => state),
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

test('a row that was being packed to be sent when the desk ended goes to the archive after the next has packed it', async () => {
  const { folder, arv } = albums('Album 1')
  const work = openWork(folder, {
    changed: (changed) => {
      if (work.store.transfer(changed)?.state === 'packing') void work.engine.stop()
    },
  })
  const template = work.blank('a', crypto.randomUUID())
  work.transfers.keep({ ...template, form: { ...template.form, delivery: 'd' } })
  const { id } = await work.batches.open('a', 'folder', arv)
  await work.batches.template(id, template.id)
  await work.batches.run(id, true)
  const [row = ''] = work.store.batch(id)?.ids ?? []
  expect(work.store.transfer(row)?.state).toBe('packing')
  await work.close()

  const next = openWork(folder)
  next.transfers.tidy(['a'])
  await next.engine.ended(row)
  expect(next.store.transfer(row)).toMatchObject({ state: 'prepared', isWaiting: true })
  await next.close()
})

test('folders whose names end with spaces are packed as themselves, not as those around them', async () => {
  const { folder, arv } = albums('Album', 'Album ', '  ')
  const work = openWork(folder)
  const { id, rows } = await work.batches.open('a', 'folder', arv)
  expect(rows.map(({ source, troubles }) => [path.relative(arv, source), troubles])).toEqual([
    ['  ', []],
    ['Album', []],
    ['Album ', []],
  ])
  await work.batches.run(id, false)
  expect((work.store.batch(id)?.ids ?? []).map((row) => work.store.transfer(row))).toMatchObject([
    { state: 'draft', failure: { kind: 'not-ready', missing: ['name'] } },
    { state: 'prepared', counts: { files: 1 } },
    { state: 'prepared', counts: { files: 1 } },
  ])
  await work.close()
})

test('a link, and a folder whose name is no text, stand among the rows and say what they are', async () => {
  const { folder, arv } = albums('Album')
  symlinkSync('Album', path.join(arv, 'Genväg'))
  mkdirSync(Buffer.concat([Buffer.from(path.join(arv, 'l')), Buffer.from([0xe5]), Buffer.from('da')]))
  const work = openWork(folder)
  const { rows } = await work.batches.open('a', 'folder', arv)
  expect(rows.map(({ name, troubles }) => [name, troubles])).toEqual([
    ['Album', []],
    ['Genväg', ['source-no-file']],
    ['l\ufffdda', ['source-no-text']],
  ])
  await work.close()
})

test('what a person begins while a batch is packed changes nothing of how its rows are packed', async () => {
  const batch = await openBatch((name) => {
    if (name !== 'Album 1') return Promise.resolve()
    const begun = batch.blank('a', crypto.randomUUID())
    batch.transfers.keep({ ...begun, packing: { ...begun.packing, form: 'zip' } })
    return Promise.resolve()
  })
  await batch.batches.run(batch.id, false)
  expect(batch.ids.map((id) => batch.store.transfer(id)?.sip?.form)).toEqual(['folder', 'folder'])
  await batch.close()
})
