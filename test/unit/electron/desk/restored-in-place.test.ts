import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { openWindowless } from '../../../desks/windowless.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'

// Files of a desk that a copy was written over: they keep their numbers on the disk.
const place = scratch()
let archive: RunningArchive
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

const source = path.join(place.folder, 'source')
mkdirSync(source)
writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
const table = path.join(place.folder, 'list.csv')
writeFileSync(table, `folder;name\n${source};Of a table\n`)

let desks = 0
const newFolder = () => path.join(place.folder, `desk-${(desks += 1)}`)
const open = async (folder: string, chosen = source) => {
  const clock = { at: Date.now() }
  const desk = openWindowless(folder, {
    now: () => new Date(clock.at),
    choose: () => Promise.resolve([chosen]),
  })
  const { session, connection, transfers, outbox } = desk.features
  await session.signIn({ url: archive.url, username: archive.username, password: archive.password })
  await connection.refresh(undefined)
  /** Lets minutes pass until something shows. */
  const later = <T>(look: () => Promise<T | undefined>) =>
    until(async () => {
      clock.at += 60_000
      await connection.refresh(undefined)
      return look()
    })
  return {
    desk,
    ...desk.features,
    later,
    isPreserved: (id: string) =>
      later(async () => ((await transfers.one({ id })).state === 'preserved' ? true : undefined)),
    /** What is in the outbox once nothing there goes on by itself. */
    settled: () =>
      later(async () => {
        const { items } = await outbox.list(undefined)
        const goesOn = items.some(({ state }) => !['delivered', 'undecided', 'refused'].includes(state))
        return goesOn ? undefined : items
      }),
  }
}
type Opened = Awaited<ReturnType<typeof open>>

/** The files of a folder as they are now; writes them over those that are there when it is called. */
const snapshotOf = (folder: string) => {
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
  const contents = new Map(files().map((file) => [file, readFileSync(file)]))
  return () => {
    for (const file of files()) if (!contents.has(file)) rmSync(file)
    for (const [file, content] of contents) {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
}

const packed = async ({ transfers }: Opened, name: string) => {
  const { id, form } = await transfers.create(undefined)
  await transfers.add({ id, what: 'folder' })
  const [delivery] = await transfers.deliveries(undefined)
  await transfers.save({ id, form: { ...form, name, delivery: present(delivery).id } })
  await transfers.pack({ id })
  await until(async () => ((await transfers.one({ id })).state === 'prepared' ? true : undefined))
  return id
}
const orderOf = async ({ orders }: Opened, name: string) => {
  const [one] = (await archive.get('information-packages/')) as { id: string }[]
  const { id } = await orders.begin(undefined)
  await orders.save({ id, name, content: '' })
  await orders.add({ id, packages: [present(one).id] })
  return id
}
/** How many records of a list say something. */
const countOf = async (list: string, said: string) =>
  ((await archive.get(`${list}/`)) as unknown[]).filter((record) => JSON.stringify(record).includes(said))
    .length
const generationsOf = async (identifier: string) =>
  (
    (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: unknown[]
    }[]
  ).find((family) => family.object_identifier_value === identifier)?.information_packages.length

test('what was sent since files of a desk were written over in place is not sent again', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.outbox.pause({ isPaused: true })
  const id = await packed(first, 'In place')
  await first.transfers.send({ id })
  await first.description.create({ list: 'metric-types', values: { name: 'in place' } })
  await first.orders.place({ id: await orderOf(first, 'on its way') })
  const draft = await orderOf(first, 'in writing')
  await first.desk.stop()
  const bringBack = snapshotOf(folder)

  const second = await open(folder)
  await second.outbox.pause({ isPaused: false })
  await second.orders.place({ id: draft })
  await second.isPreserved(id)
  await second.settled()
  await second.desk.stop()
  bringBack()

  const third = await open(folder)
  await third.outbox.pause({ isPaused: false })
  await third.orders.place({ id: draft })
  await third.isPreserved(id)
  // Whether what the archive has was of this desk only a person can tell.
  expect((await third.settled()).map(({ title, state }) => [title, state])).toEqual([
    ['in place', 'undecided'],
    ['on its way', 'undecided'],
    ['in writing', 'undecided'],
  ])
  const counts = [
    await countOf('transfers', id),
    await generationsOf(id),
    await countOf('metric-types', 'in place'),
    await countOf('orders', 'on its way'),
    await countOf('orders', 'in writing'),
  ]
  expect(counts).toEqual([1, 1, 1, 1, 1])
  // What a person says of them holds, and what is new goes as ever.
  for (const { id: one, title } of await third.settled())
    await third.outbox.decide({ id: one, isThere: title !== 'in writing' })
  await third.orders.place({ id: await orderOf(third, 'entirely new') })
  expect((await third.settled()).map(({ state }) => state)).toEqual([])
  expect([await countOf('orders', 'in writing'), await countOf('orders', 'entirely new')]).toEqual([2, 1])
  await third.desk.stop()
})

test('what is corrected before it was asked for is not sent beside what it was', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.outbox.pause({ isPaused: true })
  const form = { list: 'metric-types' } as const
  const replaces = present(
    (await first.description.create({ ...form, values: { name: 'sheet of paper' } })).queued,
  )
  await first.desk.stop()
  const bringBack = snapshotOf(folder)

  const second = await open(folder)
  await second.outbox.pause({ isPaused: false })
  await second.settled()
  await second.desk.stop()
  bringBack()

  // It is corrected twice while nothing is sent, and at two starts.
  for (const name of ['sheets of paper', 'leaves of paper']) {
    const third = await open(folder)
    await third.description.create({ ...form, values: { name }, replaces })
    await third.desk.stop()
  }
  const last = await open(folder)
  await last.outbox.pause({ isPaused: false })
  expect((await last.settled()).map(({ title, state }) => [title, state])).toEqual([
    ['leaves of paper', 'undecided'],
  ])
  expect(await countOf('metric-types', 'of paper')).toBe(1)
  // It was somebody else's, a person says: what was corrected is sent.
  await last.outbox.decide({ id: replaces, isThere: false })
  expect(await last.settled()).toEqual([])
  expect(await countOf('metric-types', 'leaves of paper')).toBe(1)
  await last.desk.stop()
})

test('an order that is written anew before it was asked for is not placed beside what it was', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const id = await orderOf(first, 'Desk nine')
  await first.desk.stop()
  const bringBack = snapshotOf(folder)

  const second = await open(folder)
  await second.orders.place({ id })
  expect(await second.settled()).toEqual([])
  await second.desk.stop()
  bringBack()

  // It is written on letter by letter, and at two starts.
  for (const name of ['Desk nine, today', 'Table four']) {
    const third = await open(folder)
    await third.orders.save({ id, name: name.slice(0, -1), content: '' })
    await third.orders.save({ id, name, content: '' })
    await third.desk.stop()
  }
  const last = await open(folder)
  await last.orders.place({ id })
  const [asked] = await last.settled()
  expect([asked?.title, asked?.state]).toEqual(['Table four', 'undecided'])
  expect([await countOf('orders', 'Desk nine'), await countOf('orders', 'Table four')]).toEqual([1, 0])
  await last.outbox.decide({ id: present(asked).id, isThere: false })
  expect(await last.settled()).toEqual([])
  expect(await countOf('orders', 'Table four')).toBe(1)
  await last.desk.stop()
})

test('an order that gets its name after a new start is not taken for others of the same package', async () => {
  const folder = newFolder()
  const first = await open(folder)
  await first.orders.place({ id: await orderOf(first, 'earlier, of the same package') })
  await first.settled()
  const id = await orderOf(first, '')
  await first.desk.stop()

  const second = await open(folder)
  await second.orders.save({ id, name: 'named later', content: '' })
  const placed = await second.orders.place({ id })
  expect((await second.orders.one({ id: placed.id })).kind).toBe('archive')
  expect(await countOf('orders', 'named later')).toBe(1)
  await second.desk.stop()
})

test('a package that was on its way into the ingest folder then is not brought there again', async () => {
  const folder = newFolder()
  const first = await open(folder)
  const id = await packed(first, 'Half copied')
  await first.desk.stop()
  const bringBack = snapshotOf(folder)
  const second = await open(folder)
  await second.transfers.send({ id })
  await second.isPreserved(id)
  const { remote } = await second.transfers.one({ id })
  await second.desk.stop()
  bringBack()
  const database = new DatabaseSync(path.join(folder, 'desk.sqlite'))
  database
    .prepare(
      `update job set state = 'sending', isWaiting = 1,
         body = json_set(body, '$.sending', 'copying', '$.remote', ?) where id = ?`,
    )
    .run(remote, id)
  database.close()

  const third = await open(folder)
  await third.isPreserved(id)
  // No folder was chosen in which to bring it.
  expect(await third.transfers.one({ id })).toMatchObject({ remote, transport: { folder: null } })
  expect(await generationsOf(id)).toBe(1)
  await third.desk.stop()
})

test('rows of a table that were sent since are not sent again', async () => {
  const folder = newFolder()
  const first = await open(folder, table)
  const batch = present(await first.batch.open({ what: 'table' }))
  await first.desk.stop()
  const bringBack = snapshotOf(folder)
  const sent = async (desk: Opened) => {
    const [delivery] = await desk.transfers.deliveries(undefined)
    await desk.batch.run({ id: batch.id, send: false })
    const [row] = (await desk.batch.one({ id: batch.id, offset: 0 })).rows
    const id = present(row?.transfer)
    const { form } = await desk.transfers.one({ id })
    await desk.transfers.save({ id, form: { ...form, delivery: present(delivery).id } })
    await desk.transfers.send({ id })
    await desk.isPreserved(id)
    await desk.desk.stop()
    return id
  }
  const id = await sent(await open(folder, table))
  bringBack()
  expect(await sent(await open(folder, table))).toBe(id)
  expect([await countOf('transfers', id), await generationsOf(id)]).toEqual([1, 1])
})

test('what went over the interface since leaves no second record of the transfer', async () => {
  const essarch = await startDialect('essarch')
  const chosen = { choose: () => Promise.resolve([source]) }
  const first = await essarch.open('archivist', chosen)
  const { transfers } = first
  const [[delivery], [agreement]] = [
    await transfers.deliveries(undefined),
    await transfers.agreements(undefined),
  ]
  const { id, form } = await transfers.create(undefined)
  await transfers.add({ id, what: 'folder' })
  const to = { delivery: present(delivery).id, agreement: present(agreement).id }
  await transfers.save({ id, form: { ...form, name: 'Over the interface', ...to } })
  await transfers.pack({ id })
  await until(async () => ((await transfers.one({ id })).state === 'prepared' ? true : undefined))
  await first.desk.stop()
  const bringBack = snapshotOf(first.folder)
  const sent = async () => {
    const again = await essarch.open('archivist', chosen, first.folder)
    await again.transfers.send({ id })
    await until(async () => {
      await again.connection.refresh(undefined)
      return (await again.transfers.one({ id })).state === 'preserved' ? true : undefined
    })
    await again.desk.stop()
  }
  await sent()
  bringBack()
  await sent()
  const list = async (address: string) =>
    ((await essarch.act('GET', address)).body as unknown[]).filter((record) =>
      JSON.stringify(record).includes(id),
    ).length
  const packages = `information-packages/?view_type=flat&object_identifier_value=${id}`
  expect([await list('transfers/'), await list(packages)]).toEqual([1, 1])
  await essarch.stop()
})
