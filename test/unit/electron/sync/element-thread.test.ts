import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openElementThread, type ElementThread } from '../../../../electron/sync/element-thread.ts'
import { scratch } from '../../../support/scratch.ts'
import { packageAt } from '../../../bench/many-packages.ts'
import { builtFile } from '../../../support/built.ts'
import { readLongList, serveList, type Bounds } from '../../../archives/long-list.ts'

const place = scratch()
let copies = 0
const bugs: unknown[] = []
const reportBug = (error: unknown) => String(bugs.push(error))
const inOneThread = openElementThread(undefined, reportBug)
const inTwo = (script = builtFile('element-worker.js')) => openElementThread(script, reportBug)

const newFile = () => path.join(place.folder, `${(copies += 1)}.sqlite`)
const read = (
  url: string,
  elementThread: ElementThread,
  { file = newFile(), bounds }: { file?: string; bounds?: Bounds } = {},
) => readLongList(url, elementThread, file, bounds)

/** More than a megabyte of packages, among which are what a reader has trouble with. */
const troublesome = () => {
  const packages: unknown[] = Array.from({ length: 900 }, (_, number) => packageAt(number))
  packages[3] = { label: 'without an id' }
  packages[500] = { label: 'without an id either', id: null }
  packages[600] = { ...packageAt(17), label: 'another one with the id of the eighteenth' }
  packages[700] = packageAt(40)
  packages[701] = 'a text'
  packages[702] = { ...packageAt(702), label: 'Räkenskaper “från” \u{1F4DC} \\" å\\' }
  return packages
}

test.each([64 * 1024, 1_500, 700_000])(
  'a long list that comes in parts of %i bytes is the same, read in one thread or in two',
  async (partBytes) => {
    using server = await serveList(JSON.stringify(troublesome(), null, 1), partBytes)
    const alone = await read(server.url, inOneThread)
    const apart = await read(server.url, inTwo())
    expect([alone.apart, apart.apart]).toEqual([0, 1])
    expect(apart.found).toEqual(alone.found)
    expect(apart.held.unreadable.length).toBeGreaterThan(0)
    expect(apart.held).toEqual(alone.held)
  },
)

/** As a first reading leaves a copy that was broken off. */
const forgetReading = (file: string) => {
  const database = new DatabaseSync(file)
  database.exec('delete from refreshed')
  database.close()
}

test('a first reading that was broken off goes on from what came', async () => {
  const packages = Array.from({ length: 900 }, (_, number) => packageAt(number))
  using server = await serveList(JSON.stringify(packages))
  const files = [newFile(), newFile()] as const
  const readBoth = async () => {
    const alone = await read(server.url, inOneThread, { file: files[0] })
    const apart = await read(server.url, inTwo(), { file: files[1] })
    files.forEach(forgetReading)
    return { alone, apart }
  }
  const first = await readBoth()
  expect(first.apart.apart).toBe(1)
  const again = await readBoth()
  expect(again.apart.found).toEqual(again.alone.found)
  expect(again.apart.held).toEqual(again.alone.held)

  const changed = packages.filter((_, number) => number % 90 !== 7)
  changed[400] = { ...packageAt(405), label: 'changed' }
  changed.splice(500, 0, packageAt(2_000), packageAt(2_001))
  changed.push(...changed.splice(600, 30), packageAt(2_002))
  server.give(JSON.stringify(changed))
  const last = await readBoth()
  expect(last.apart.found).toEqual(last.alone.found)
  expect(last.apart.held).toEqual(last.alone.held)
  expect(last.apart.held.held).toHaveLength(changed.length)
})

test('a thread reads one body after the other', async () => {
  using first = await serveList(JSON.stringify(troublesome()))
  using second = await serveList(long)
  const thread = inTwo()
  const alone = await read(second.url, inOneThread)
  expect((await read(first.url, thread)).apart).toBe(1)
  const apart = await read(second.url, thread)
  expect(apart.apart).toBe(1)
  expect(apart.held).toEqual(alone.held)
})

const long = JSON.stringify(Array.from({ length: 600 }, (_, number) => packageAt(number)))
test.each([
  ['breaks off', long.slice(0, -1000)],
  ['has an element that is none', `${long.slice(0, -1)},,{}]`],
  ['ends with a comma', `${long.slice(0, -1)},]`],
  ['is followed by something', `${long}]`],
  ['has an element that is no JSON', `${long.slice(0, -1)},{"id": nothing}]`],
  ['is nested too deep', `${long.slice(0, -1)},${'['.repeat(300)}${']'.repeat(300)}]`],
])('a long list that %s is told so, as in one thread', async (_, text) => {
  using server = await serveList(text)
  const alone = await read(server.url, inOneThread)
  const apart = await read(server.url, inTwo())
  expect(apart.apart).toBe(1)
  expect(alone.found.failure).toMatchObject({ kind: 'server-broke' })
  expect(apart.found).toEqual(alone.found)
})

test('nothing is taken of what follows an element that is none', async () => {
  const packages = Array.from({ length: 2_000 }, (_, number) => JSON.stringify(packageAt(number)))
  using server = await serveList(`[${packages.slice(0, 400).join()},nothing,${packages.slice(400).join()}]`)
  const { found, held } = await read(server.url, inTwo())
  expect(found.failure).toMatchObject({ kind: 'server-broke', detail: 'not-json' })
  const known = new Set(Array.from({ length: 400 }, (_, number) => packageAt(number).id))
  expect(held.held.length).toBeGreaterThan(0)
  expect(held.held.filter(({ id }) => !known.has(String(id)))).toEqual([])
})

test('a list that goes on beyond its bounds is left, and the thread with it', async () => {
  using server = await serveList(long)
  const bounds = { rows: 400, bytes: Infinity }
  const { found, apart, held } = await read(server.url, inTwo(), { bounds })
  expect(apart).toBe(1)
  expect(found.failure).toMatchObject({ kind: 'server-broke', detail: 'too-long' })
  expect(held.held).toEqual([])
})

test('a thread that cannot begin is a bug, and no word on the archive', async () => {
  using server = await serveList(long)
  const script = new URL('data:text/javascript,throw new Error("broken")')
  const { found } = await read(server.url, inTwo(script))
  expect(found.failure).toMatchObject({ kind: 'bug' })
  expect(String(bugs)).toContain('broken')
})
