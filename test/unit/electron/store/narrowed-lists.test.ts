import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { sortKey } from '../../../../electron/store/cache/text-functions.ts'
import type { ActivityRow } from '../../../../electron/contract/activity.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const place = scratch()
let archive: Awaited<ReturnType<typeof startArchive>>
let desk: Awaited<ReturnType<typeof open>>
const open = async () => {
  const source = path.join(place.folder, 'source')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  const opened = openWindowless(path.join(place.folder, 'desk'), {
    choose: () => Promise.resolve([source]),
  })
  const { session, connection, description, transfers } = opened.features
  await session.signIn({ url: archive.url, username: archive.username, password: archive.password })
  await connection.refresh(undefined)
  for (const list of ['agents', 'tags'] as const)
    await until(async () => {
      const { asOf } = await description.list({ ...everything(list), offset: 0, limit: 1 })
      return asOf ?? undefined
    })
  for (const [name, organization] of [
    ['Östra hamnen', 'Stadsarkivet'],
    ['alvar', 'Hamnkontoret'],
    ['Brev', 'Stadsarkivet'],
  ] as const) {
    const { id, form } = await transfers.create(undefined)
    await transfers.save({ id, form: { ...form, name, organization } })
  }
  return opened
}
const everything = (list: 'agents' | 'tags' | 'locations') => ({ list, within: null, filter: '', open: [] })

beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  desk = await open()
})
afterAll(async () => {
  await desk.stop()
  await archive.stop()
  place[Symbol.dispose]()
})
const some = { offset: 0, limit: 50 }

test('transfers are looked through, narrowed with counts, and sorted by their own letters', async () => {
  const { transfers } = desk.features
  const names = async (which: Omit<Parameters<typeof transfers.list>[0], 'offset' | 'limit'>) => {
    const { rows, lines, of } = await transfers.list({ ...which, ...some })
    expect([rows.length, of]).toEqual([lines, 3])
    return rows.map(({ name }) => name)
  }
  expect(await names({})).toEqual(['Brev', 'alvar', 'Östra hamnen'])
  expect(await names({ sort: 'name' })).toEqual(['alvar', 'Brev', 'Östra hamnen'])
  expect(await names({ sort: 'name', descending: true })).toEqual(['Östra hamnen', 'Brev', 'alvar'])
  expect(await names({ filter: 'ÖSTRA' })).toEqual(['Östra hamnen'])
  expect(await names({ filters: { organization: ['Stadsarkivet'] } })).toEqual(['Brev', 'Östra hamnen'])
  expect(await names({ filters: { organization: ['Stadsarkivet'], state: ['sent'] } })).toEqual([])
  expect(await transfers.facet({ field: 'organization', filters: { organization: ['Nobody'] } })).toEqual([
    { value: 'Stadsarkivet', name: '', count: 2 },
    { value: 'Hamnkontoret', name: '', count: 1 },
  ])
  expect(await transfers.facet({ field: 'state', filter: 'brev' })).toEqual([
    { value: 'draft', name: '', count: 1 },
  ])
  expect(await transfers.beginning({ begins: 'ö', from: 0, sort: 'name' })).toEqual({ line: 2 })
  expect(await transfers.beginning({ begins: 'ö', from: 0, filter: 'brev' })).toEqual({ line: null })
  const { rows } = await transfers.list(some)
  const linesOf = async (which: { sort?: 'name'; filter?: string }) => {
    const lines = []
    for (const { id } of rows) lines.push((await transfers.line({ ...which, id })).line)
    return lines
  }
  expect(await linesOf({})).toEqual([0, 1, 2])
  expect(await linesOf({ sort: 'name' })).toEqual([1, 0, 2])
  expect(await linesOf({ filter: 'brev' })).toEqual([0, null, null])
})

test('records are narrowed by what they refer to, and its counts are those of the rows that come', async () => {
  const { description } = desk.features
  const fields = await description.referred({ list: 'agents' })
  expect(fields).toContain('agent-types')
  const whole = await description.list({ ...everything('agents'), ...some })
  const values = await description.facet({ ...everything('agents'), field: 'agent-types' })
  expect(values.length).toBeGreaterThan(0)
  for (const { value, name, count } of values) {
    const references = { 'agent-types': [value] }
    const { total, of } = await description.list({ ...everything('agents'), references, ...some })
    expect([name === '', total, of]).toEqual([false, count, whole.of])
  }
})

test('a tree is not narrowed by what its records stand below', async () => {
  const fields = await desk.features.description.referred({ list: 'tags' })
  expect(fields).toContain('agents')
  expect(fields).not.toContain('tags')
})

test('columns that say the same in every row are told, of what a list is narrowed to', async () => {
  const { transfers, description, activity } = desk.features
  // Nothing is packed, and each draft has an identifier.
  const uniform = await transfers.uniform({})
  expect([uniform.includes('size'), uniform.includes('identifier')]).toEqual([true, false])
  expect(await transfers.uniform({ filter: 'brev' })).toEqual([])
  for (const [list, uniform] of [
    ['agents', ['note']],
    ['tags', []],
  ] as const) {
    const { rows } = await description.list({ ...everything(list), sort: 'id', ...some })
    expect(rows.length).toBeGreaterThan(1)
    expect(new Set(rows.map(({ note }) => note)).size === 1).toBe(uniform.length === 1)
    expect(await description.uniform({ list, within: null, filter: '' })).toEqual(uniform)
  }
  const all = { filters: {}, filter: '', from: '', to: '' }
  expect(await activity.uniform(all)).toEqual([])
  expect(await activity.uniform({ ...all, filters: { source: ['desk'] } })).toContain('source')
})

test('transfers that were chosen are given as they are now, whatever their number', async () => {
  const { transfers } = desk.features
  const { rows } = await transfers.list({ sort: 'name', ...some })
  const ids = [rows[2]?.id ?? '', rows[0]?.id ?? '']
  const chosen = await transfers.list({ ids, sort: 'name', ...some })
  expect(chosen.rows.map(({ name }) => name)).toEqual(['alvar', 'Östra hamnen'])
})

test('what stands below a record is told in the order in which the tree has it', async () => {
  const { description } = desk.features
  const tops = await description.list({ ...everything('tags'), ...some })
  const below: string[][] = []
  for (const { id } of tops.rows) {
    const tree = await description.list({ ...everything('tags'), open: [id], ...some })
    const at = tree.rows.findIndex((row) => row.id === id) + 1
    const next = tree.rows.findIndex(({ depth }, index) => index >= at && depth === 0)
    const inTree = tree.rows.slice(at, next < 0 ? undefined : next).map((row) => row.id)
    const { related } = await description.one({ list: 'tags', id })
    const told = related.find(({ list }) => list === 'tags')?.rows.map((row) => row.id) ?? []
    expect(told).toEqual(inTree)
    below.push(told)
  }
  expect(Math.max(...below.map(({ length }) => length))).toBeGreaterThan(2)
})

test('nodes of a tree that are narrowed or sorted are one flat list', async () => {
  const { description } = desk.features
  const tree = await description.list({ ...everything('tags'), ...some })
  const flat = await description.list({ ...everything('tags'), sort: 'title', ...some })
  expect(flat.lines).toBeGreaterThan(tree.lines)
  expect(flat.rows.every(({ depth }) => depth === 0)).toBe(true)
  const titles = flat.rows.map(({ title }) => title.toLowerCase())
  expect(titles[0]?.localeCompare(titles[1] ?? '', 'sv')).toBeLessThanOrEqual(0)
})

test('what happened is counted by who tells of it, how it ended, what it was and by whom', async () => {
  const { activity } = desk.features
  const all = { filters: {}, filter: '', from: '', to: '' }
  const { total } = await activity.list({ ...all, ...some })
  for (const field of ['source', 'outcome', 'what', 'agent'] as const) {
    const values = await activity.facet({ ...all, field })
    expect(values.reduce((sum, { count }) => sum + count, 0)).toBe(total)
    for (const { value, count } of values) {
      const narrowed = await activity.list({ ...all, filters: { [field]: [value] }, ...some })
      expect([field, value, narrowed.total, narrowed.of]).toEqual([field, value, count, total])
    }
  }
  const oldest = await activity.list({ ...all, sort: 'time', descending: false, ...some, limit: 500 })
  const newest = await activity.list({ ...all, ...some, limit: 500 })
  expect(oldest.rows.map(({ id }) => id)).toEqual(newest.rows.map(({ id }) => id).toReversed())
  const bySource = await activity.list({ ...all, sort: 'source', ...some, limit: 500 })
  expect(bySource.rows.at(0)?.source).toBe('desk')
  const inOrder = (texts: string[]) =>
    texts.toSorted((a, b) => (a === b ? 0 : sortKey(a) < sortKey(b) ? -1 : 1))
  for (const [sort, textOf] of [
    ['what', ({ what }: ActivityRow) => what],
    ['about', ({ package: about, note }: ActivityRow) => `${about?.label ?? ''} ${note}`],
  ] as const) {
    const events = { ...all, filters: { source: ['event'] }, sort, ...some, limit: 500 }
    const texts = (await activity.list(events)).rows.map(textOf)
    expect(new Set(texts).size, sort).toBeGreaterThan(1)
    expect(texts, sort).toEqual(inOrder(texts))
    const last = (await activity.list({ ...events, descending: true })).rows.map(textOf)
    expect(last, sort).toEqual(inOrder(texts).toReversed())
    // Whoever tells of them, they stand among each other.
    expect((await activity.list({ ...all, sort, ...some })).total).toBe(total)
  }
})

test('what happened is found by what one reads of it: the name of a package, and words of a language', async () => {
  const { activity } = desk.features
  const all = { filters: {}, filter: '', from: '', to: '', ...some, limit: 500 }
  const { rows } = await activity.list(all)
  const label = rows.map((row) => row.package?.label ?? '').find((name) => name !== '') ?? ''
  expect(label).not.toBe('')
  const found = await activity.list({ ...all, filter: label })
  expect(found.rows.map(({ id }) => id)).toEqual(
    expect.arrayContaining(rows.filter((row) => row.package?.label === label).map(({ id }) => id)),
  )
  const what = rows.find(({ source }) => source === 'event')?.what ?? ''
  const acts = rows.filter((row) => row.what === what).map(({ id }) => id)
  const inWords = { ...all, filter: 'no archive writes that' }
  expect((await activity.list(inWords)).total).toBe(0)
  const said = await activity.list({ ...inWords, saying: [what] })
  expect(said.rows.map(({ id }) => id)).toEqual(acts)
  expect((await activity.facet({ ...inWords, saying: [what], field: 'what' })).length).toBe(1)
})

test('a list for paper is the one on screen', async () => {
  const { printing, description } = desk.features
  const which = { ...everything('agents'), sort: 'title' as const, offset: 0, limit: 1 }
  const { rows } = await description.list({ ...which, limit: 500 })
  const drawn = await printing.rows({ list: 'records', which })
  expect(drawn.isWhole).toBe(true)
  expect(drawn.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
})

test('transfers are narrowed by their delivery, by its name, and by how large they are', async () => {
  const { transfers, connection } = desk.features
  const { rows } = await transfers.list({ sort: 'name', ...some })
  const [first, second] = rows.map(({ id }) => id)
  if (first === undefined || second === undefined) return expect.fail('There are no transfers.')
  const delivery = await transfers.createDelivery({ name: 'Hamnen 2026' })
  const { form } = await transfers.one({ id: first })
  await transfers.save({ id: first, form: { ...form, delivery: delivery.id } })
  await transfers.add({ id: second, what: 'folder' })
  await connection.refresh(undefined)
  const named = () => transfers.facet({ field: 'delivery' })
  // The one that was created is called by its name before the archive has it, and after that.
  expect(await named()).toEqual([
    { value: '', name: '', count: 2 },
    { value: delivery.id, name: 'Hamnen 2026', count: 1 },
  ])
  const of = async (filters: Parameters<typeof transfers.list>[0]['filters']) =>
    (await transfers.list({ filters, ...some })).rows.map(({ id }) => id)
  expect(await of({ delivery: [delivery.id] })).toEqual([first])
  expect(await transfers.facet({ field: 'size' })).toEqual([{ value: '0-1000000', name: '', count: 3 }])
  expect(await of({ size: ['1000000-100000000', '1000000000000-'] })).toEqual([])
  // An address may say anything.
  expect(await of({ size: ['0-1e999', 'x; drop', '5'] })).toHaveLength(3)
  expect((await of({ size: ['0-1000000'], delivery: [''] })).toSorted()).toEqual(
    rows
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  )
})

test('who begins a transfer twice goes on with the one of which nothing was said', async () => {
  const { transfers } = desk.features
  const first = await transfers.create(undefined)
  expect((await transfers.create(undefined)).id).toBe(first.id)
  await transfers.save({ id: first.id, form: { ...first.form, name: 'Dagböcker' } })
  const second = await transfers.create(undefined)
  expect(second.id).not.toBe(first.id)
  // What lies in it is not to be lost sight of.
  await transfers.add({ id: second.id, what: 'folder' })
  const third = await transfers.create(undefined)
  expect(third.id).not.toBe(second.id)
  for (const { id } of [first, second, third]) await transfers.remove({ id })
})
