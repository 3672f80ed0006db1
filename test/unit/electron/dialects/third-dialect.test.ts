import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { dialectsOf } from '../../../../electron/dialects/dialects.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { scripts } from '../../../packages/packing.ts'
import { shelf } from '../../../third-dialect/dialect.ts'
import { laterShelf } from '../../../third-dialect/later-dialect.ts'
import { startShelf } from '../../../third-dialect/serve.ts'
import { builtFile } from '../../../support/built.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-third-dialect-'))
const dialects = dialectsOf(specification, shelf, laterShelf)
const open = () =>
  openWindowless(folder, {
    dialects,
    scripts: {
      packaging: scripts,
      reading: new URL('../../../third-dialect/reading-worker.ts', import.meta.url),
      tables: builtFile('table-worker.js'),
      questions: new URL('../../../third-dialect/questions-worker.ts', import.meta.url),
    },
  })
const window = { filter: '', open: [] as string[], offset: 0, limit: 50 }
const list = { ...window, sort: 'label' as const, descending: false }

let server: Awaited<ReturnType<typeof startShelf>>
let desk: ReturnType<typeof open>
beforeAll(async () => {
  server = await startShelf()
  desk = open()
  await desk.features.session.signIn({ url: server.url, username: 'ada', password: 'secret' })
  await desk.features.connection.refresh(undefined)
})
afterAll(async () => {
  await desk.stop()
  server.stop()
  rmSync(folder, { recursive: true })
})

test('an archive is known by the dialect in which it answers, and that is remembered', async () => {
  expect(desk.archives.last()?.known()).toMatchObject({ dialect: 'shelf', fullName: 'Ada Arkivarie' })
  const steps = await desk.features.session.check({ url: server.url })
  expect(steps.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const before = server.asked.filter((line) => line.includes('/api/')).length
  await desk.features.connection.refresh(undefined)
  expect(server.asked.filter((line) => line.includes('/api/'))).toHaveLength(before)
})

test('packages are browsed: families with their generations, pages, copies and rules', async () => {
  const { packages } = desk.features
  const tree = await packages.list({ ...list, view: 'tree' })
  expect(tree.rows.map(({ label, generations, newest }) => [label, generations, newest])).toEqual([
    ['Ledgers of the mill', 2, 'ledgers-2'],
    ['Maps of the harbour', 3, 'maps-3'],
  ])
  const flat = await packages.list({ ...list, view: 'flat', filter: 'edition 3' })
  expect(flat.rows.map(({ id, copies, wanted }) => [id, copies, wanted])).toEqual([['maps-3', 2, 2]])
  const page = await packages.one({ id: 'maps-3' })
  expect(page.generations.map(({ id }) => id)).toEqual(['maps-1', 'maps-2', 'maps-3'])
  expect([page.policyName, page.aic?.label]).toEqual(['Kept twice', 'Maps of the harbour'])
  expect(page.copies.map(({ location, path: at }) => [location, at])).toEqual([
    ['Vault', '/C1/maps-3'],
    ['Annex', '/C2/maps-3'],
  ])
  expect(await packages.now({ id: 'maps-3' })).toEqual({ steps: [], later: [], copies: null })
})

test('storage is browsed: media with what lies on them, and how full they are', async () => {
  const { media, copies } = await desk.features.storage.overview(undefined)
  expect(
    media.map(({ name, status, capacityBytes, copies: on }) => [name, status, capacityBytes, on]),
  ).toEqual([
    ['C1', 'open', 1000, 5],
    ['C2', 'full', 1000, 5],
  ])
  expect(copies).toBe(10)
})

test('what is held is found by its words, and a list of description is read when somebody looks at it', async () => {
  const which = { ...window, list: 'agents' as const, within: null }
  await expect
    .poll(async () => (await desk.features.description.list(which)).rows.map(({ title }) => title))
    .toEqual(['Ada', 'Bo', 'Cy', 'Dag'])
  const asked = { typed: 'harbour', filters: heldFilters(nothing), most: 10, group: null }
  await expect
    .poll(async () => {
      const found = await desk.features.find.ask(asked)
      return found.groups.find(({ group }) => group === 'packages')?.total
    })
    .toBe(4)
})

test('what the dialect has no words for is refused, and nothing is sent', async () => {
  const before = server.asked.length
  await expect((async () => desk.features.search.ask({ ...nothing, q: 'maps' }))()).rejects.toMatchObject({
    failure: { kind: 'not-allowed' },
  })
  expect((await desk.features.description.form({ list: 'agents' })).fields).toBeNull()
  expect(server.asked.slice(before)).toEqual([])
})

test('what is held of an archive that came to speak otherwise is read anew by its new dialect, before it is shown', async () => {
  const { packages, session } = desk.features
  const labels = async () => (await packages.list({ ...list, view: 'tree' })).rows.map(({ label }) => label)
  expect(await labels()).toEqual(['Ledgers of the mill', 'Maps of the harbour'])
  const answerLists = server.moveOn()
  await session.signIn({ url: server.url, username: 'ada', password: 'secret' })
  expect(desk.archives.last()?.known().dialect).toBe('later shelf')
  const shown = ['SIG/ledgers: Ledgers of the mill', 'SIG/maps: Maps of the harbour']
  expect(await labels()).toEqual(shown)
  answerLists()
  // Who writes the copy speaks the new dialect as well.
  await desk.features.connection.refresh(undefined)
  expect(await labels()).toEqual(shown)
})
