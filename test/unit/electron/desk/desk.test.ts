import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { backups } from '../../../../electron/store/desk/backups.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { ThreadClosed } from '../../../../electron/common/request-thread.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { keptJobs } from '../../../desks/kept-jobs.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { openFilesAt } from '../../../support/open-files.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'))
  proxy = await startFaultyServer(archive.url)
})
beforeEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

const source = path.join(place.folder, 'source')
mkdirSync(source)
writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')

let desks = 0
/** The desk as main puts it together, without a window; its clock is moved by hand. */
const open = async (folder = path.join(place.folder, `desk-${(desks += 1)}`)) => {
  const clock = { at: Date.parse('2026-03-01T09:00:00Z') }
  const news: string[] = []
  const desk = openWindowless(folder, {
    sendNewsOf: (_archive, name) => void news.push(name),
    now: () => new Date(clock.at),
    choose: () => Promise.resolve([source]),
  })
  const { session, connection, transfers } = desk.features
  await session.signIn({ url: proxy.url, username: archive.username, password: archive.password })
  await connection.refresh(undefined)
  const one = async (id: string) => transfers.one({ id })
  const packed = async (delivery?: string) => {
    const { id, form } = await transfers.create(undefined)
    await transfers.add({ id, what: 'folder' })
    const chosen = delivery ?? (await transfers.createDelivery({ name: `delivery of ${id}` })).id
    await transfers.save({ id, form: { ...form, name: 'Letters', delivery: chosen } })
    await transfers.pack({ id })
    await until(async () => ((await one(id)).state === 'prepared' ? true : undefined))
    return id
  }
  return { folder, desk, clock, news, packed, one, ...desk.features }
}
const registered = async (name: string) =>
  ((await archive.get('transfers/')) as { name: string }[]).filter((transfer) => transfer.name === name)
    .length

test('a transfer that the archive puts off waits as long as it asks, and goes when its time has come', async () => {
  const { desk, clock, packed, one, transfers, connection } = await open()
  const id = await packed()
  proxy.misbehave('busy', /^POST .*transfers/)
  await transfers.send({ id })
  const put = await until(async () => ((await one(id)).nextAt === null ? undefined : one(id)))
  expect([put.attempts, Date.parse(put.nextAt ?? '') - clock.at, put.failure?.kind]).toEqual([
    1,
    77_000,
    'server-broke',
  ])
  proxy.misbehave('none')
  await connection.refresh(undefined)
  expect((await one(id)).state).toBe('prepared')
  // An archive that was busy may have registered it all the same: it is looked up first.
  await until(async () => {
    clock.at += 78_000
    await connection.refresh(undefined)
    return ['sent', 'received', 'preserved'].includes((await one(id)).state) ? true : undefined
  })
  expect(desk.unsent()).toBe(0)
  await desk.stop()
})

test('a list that the archive never gives holds up neither what waits nor what is told of what was sent', async () => {
  const { desk, clock, packed, one, transfers, alerts, connection } = await open()
  const before = (await alerts.list(undefined)).total
  const id = await packed()
  proxy.misbehave('closes', /^POST .*transfers/)
  await transfers.send({ id })
  await until(async () => ((await one(id)).failure?.kind === 'offline' ? true : undefined))
  proxy.misbehave('html 500', /storage-objects/)
  await until(async () => {
    // It is looked up first whether the archive registered it all the same.
    clock.at += 78_000
    await connection.refresh(undefined)
    return (await one(id)).state === 'preserved' ? true : undefined
  })
  expect(desk.archives.last()?.connection().failure).toMatchObject({ kind: 'server-broke', status: 500 })
  const told = await until(async () => {
    const { rows, unread, total } = await alerts.list(undefined)
    return total > before && unread > 0 ? rows : undefined
  })
  expect(told.some(({ tells, isUnread }) => tells === 'preserved' && isUnread)).toBe(true)
  await desk.stop()
})

test('a transfer goes when its time has come, though no list is read then', async () => {
  const { desk, clock, packed, one, transfers } = await open()
  await desk.goOn()
  const id = await packed()
  proxy.misbehave('unauthorized', /^POST .*transfers/)
  await transfers.send({ id })
  const { nextAt } = await until(async () =>
    (await one(id)).failure?.kind === 'signed-out' ? one(id) : undefined,
  )
  proxy.misbehave('html 500', /information-packages/)
  clock.at = Date.parse(nextAt ?? '')
  await until(async () => ((await one(id)).remote === null ? undefined : true))
  await desk.stop()
})

test('with the queue stopped nothing goes by itself, but what a person sends now', async () => {
  const { desk, news, packed, one, transfers, outbox, connection } = await open()
  const ids = [await packed(), await packed()]
  const before = await registered('Letters')
  news.length = 0
  await outbox.pause({ isPaused: true })
  // The page that shows the outbox hears of it.
  expect(news).toContain('outbox.changed')
  for (const id of ids) await transfers.send({ id })
  await connection.refresh(undefined)
  expect((await Promise.all(ids.map(one))).map(({ state, isWaiting }) => [state, isWaiting])).toEqual([
    ['prepared', true],
    ['prepared', true],
  ])
  expect([desk.unsent(), await registered('Letters')]).toEqual([2, before])
  await transfers.sendNow({ id: ids[0] ?? '' })
  await until(async () => ((await registered('Letters')) === before + 1 ? true : undefined))
  expect((await one(ids[1] ?? '')).state).toBe('prepared')
  await outbox.pause({ isPaused: false })
  await until(async () => ((await registered('Letters')) === before + 2 ? true : undefined))
  await desk.stop()
})

test('a transfer whose new delivery did not get through says what it waits for, and goes when that is mended', async () => {
  const { desk, clock, packed, one, transfers, outbox } = await open()
  proxy.misbehave('closes', /^POST .*deliveries/)
  const { id: delivery } = await transfers.createDelivery({ name: 'From the attic' })
  expect(delivery).toMatch(/^queued:/)
  expect((await transfers.deliveries(undefined)).map(({ id }) => id)).toContain(delivery)
  const id = await packed(delivery)
  await transfers.send({ id })
  expect(await one(id)).toMatchObject({ isWaiting: true, waitsFor: 'From the attic', state: 'prepared' })
  proxy.misbehave('none')
  const [creation] = (await outbox.list(undefined)).items
  await until(async () => {
    clock.at += 60_000
    await outbox.sendNow({ id: creation?.id ?? '' })
    return ['sent', 'received', 'preserved'].includes((await one(id)).state) ? true : undefined
  })
  expect((await one(id)).form.delivery).not.toMatch(/^queued:/)
  await desk.stop()
})

test('the archive on this computer is signed in to again when the token has ended', async () => {
  const desk = openWindowless(path.join(place.folder, 'desk-here'), {
    startLocalArchive: () => Promise.resolve(archive),
  })
  const { session, connection } = desk.features
  await session.signInHere({ sample: false })
  await connection.refresh(undefined)
  const { authorization } = desk.archives.last()?.access() ?? {}
  const address = `${archive.url}/api/auth/token_logoutall/`
  await fetch(address, { method: 'POST', headers: { authorization: authorization ?? '' } })
  await connection.refresh(undefined)
  await until(() => {
    const access = desk.archives.last()?.access()
    return access && access.authorization !== authorization ? true : undefined
  })
  // What could not be read then is read now; the sign of it stands no longer than that.
  await until(() => (desk.archives.last()?.connection().refreshing === false ? true : undefined))
  expect(desk.archives.last()?.connection()).toMatchObject({ state: 'online', failure: null })
  await desk.stop()
})

test('what was sent after a backup was made is not sent again when that backup comes back', async () => {
  const { folder, desk, packed, one, transfers, description, outbox } = await open()
  const [delivery] = await transfers.deliveries(undefined)
  const [sent, unsent] = [await packed(delivery?.id), await packed(delivery?.id)]
  await outbox.pause({ isPaused: true })
  await transfers.send({ id: sent })
  await description.create({ list: 'metric-types', values: { name: 'after the backup' } })
  const file = path.join(folder, 'desk.sqlite')
  const database = new DatabaseSync(file)
  await backups(database, file)()
  database.close()
  await outbox.pause({ isPaused: false })
  await until(async () => {
    await desk.features.connection.refresh(undefined)
    return (await one(sent)).state === 'preserved' ? true : undefined
  })
  await desk.stop()
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })

  const again = await open(folder)
  expect(again.desk.recovered).toMatchObject({ setAside: null })
  await again.outbox.pause({ isPaused: false })
  await until(async () => {
    again.clock.at += 60_000
    await again.connection.refresh(undefined)
    const { items } = await again.outbox.list(undefined)
    // The record does not say when it was made; a person sees that it is no older one.
    for (const { id, state } of items)
      if (state === 'undecided') await again.outbox.decide({ id, isThere: true })
    return (await again.one(sent)).state === 'preserved' && items.every(({ state }) => state === 'delivered')
      ? true
      : undefined
  })
  expect((await again.one(unsent)).state).toBe('prepared')
  await again.transfers.send({ id: unsent })
  await until(async () => {
    again.clock.at += 60_000
    await again.connection.refresh(undefined)
    return (await again.one(unsent)).state === 'preserved' ? true : undefined
  })
  const families = (await archive.get('information-packages/')) as {
    object_identifier_value: string
    information_packages: unknown[]
  }[]
  for (const id of [sent, unsent])
    expect(
      families
        .filter((item) => item.object_identifier_value === id)
        .map(({ information_packages: generations }) => generations.length),
    ).toEqual([1])
  const marked = ((await archive.get('transfers/')) as { description: string }[]).filter((transfer) =>
    [sent, unsent].some((id) => transfer.description.includes(id)),
  )
  const types = ((await archive.get('metric-types/')) as { name: string }[]).filter(
    ({ name }) => name === 'after the backup',
  )
  expect([marked.length, types.length]).toEqual([2, 1])
  await again.desk.stop()
})

test('a transfer that the archive still registers is not registered a second time', async () => {
  const { desk, clock, packed, one, transfers, connection } = await open()
  const id = await packed()
  const before = await registered('Letters')
  proxy.misbehave('delays the request', /^POST .*transfers/)
  const posted = () => proxy.met()['delays the request'] ?? 0
  const earlier = posted()
  await transfers.send({ id })
  const asked = async () => {
    const { attempts } = await one(id)
    await transfers.sendNow({ id })
    return until(async () => ((await one(id)).attempts > attempts ? one(id) : undefined))
  }
  await until(async () => ((await one(id)).attempts === 1 ? true : undefined))
  await connection.refresh(undefined)
  for (let look = 0; look < 4; look += 1) {
    clock.at += 20_000
    expect(await asked()).toMatchObject({ failure: { kind: 'unconfirmed', what: 'registration' } })
  }
  expect([posted() - earlier, await registered('Letters')]).toEqual([1, before])
  expect(desk.archives.last()?.connection()).toMatchObject({ state: 'online', failure: null })
  await proxy.goOn()
  proxy.misbehave('none')
  await transfers.sendNow({ id })
  await until(async () => {
    await connection.refresh(undefined)
    return (await one(id)).state === 'preserved' ? true : undefined
  })
  expect(await registered('Letters')).toBe(before + 1)
  await desk.stop()
})

const generationsOf = async (identifier: string) =>
  (
    (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: unknown[]
    }[]
  ).find((ip) => ip.object_identifier_value === identifier)?.information_packages.length ?? 0

/**
 * A desk whose data come from a backup that was made before a transfer was sent; it has no local copy yet.
 */
const restoredDesk = async (
  afterBackup: (id: string, desk: Awaited<ReturnType<typeof open>>) => Promise<void>,
) => {
  const first = await open()
  const id = await first.packed()
  await first.outbox.pause({ isPaused: true })
  await first.transfers.send({ id })
  const database = new DatabaseSync(path.join(first.folder, 'desk.sqlite'))
  await backups(database, path.join(first.folder, 'desk.sqlite'))()
  database.close()
  await afterBackup(id, first)
  await first.desk.stop()
  const folder = path.join(place.folder, `desk-${(desks += 1)}`)
  mkdirSync(folder)
  copyFileSync(path.join(first.folder, 'desk.sqlite.backup-1'), path.join(folder, 'desk.sqlite.backup-1'))
  return { id, folder }
}

test('after a restore a bag that the archive took and does not show yet is not brought a second time', async () => {
  const { id, folder } = await restoredDesk(async (sent, { outbox }) => {
    await outbox.pause({ isPaused: false })
    await until(async () => ((await generationsOf(sent)) === 1 ? true : undefined))
  })
  proxy.misbehave('empty list', /^GET .*(events|information-packages)/)
  const again = await open(folder)
  await again.outbox.pause({ isPaused: false })
  const mayBeSent = await until(async () => {
    again.clock.at += 60_000
    await again.connection.refresh(undefined)
    const { state, failure } = await again.one(id)
    expect(state).toBe('prepared')
    return failure?.kind === 'unconfirmed' && failure.mayBeSent ? failure : undefined
  })
  expect(mayBeSent).toMatchObject({ what: 'package' })
  proxy.misbehave('none')
  await until(async () => {
    again.clock.at += 400_000
    await again.connection.refresh(undefined)
    return (await again.one(id)).state === 'preserved' ? true : undefined
  })
  expect(await generationsOf(id)).toBe(1)
  await again.desk.stop()
})

test('after a restore a package that the archive has is not made ready a second time', async () => {
  const first = await open()
  const [one, other] = [await first.packed(), await first.packed()]
  const file = path.join(first.folder, 'desk.sqlite')
  const database = new DatabaseSync(file)
  await backups(database, file)()
  database.close()
  for (const id of [one, other]) await first.transfers.send({ id })
  await until(async () => {
    await first.connection.refresh(undefined)
    return (await generationsOf(one)) + (await generationsOf(other)) === 2 ? true : undefined
  })
  await first.desk.stop()
  // The backup was made while one of them was packed, and stood still.
  const folder = path.join(place.folder, `desk-${(desks += 1)}`)
  mkdirSync(folder)
  const backup = path.join(folder, 'desk.sqlite.backup-1')
  copyFileSync(`${file}.backup-1`, backup)
  const before = new DatabaseSync(backup)
  before
    .prepare(
      `update job set state = 'packing', body = json_set(body, '$.isPaused', json('true'), '$.sip', null)
       where id = ?`,
    )
    .run(other)
  before.close()
  const again = await open(folder)
  await until(async () => {
    again.clock.at += 60_000
    await again.connection.refresh(undefined)
    return (await again.one(other)).state === 'packing' ? undefined : true
  })
  // The packing ends, and leaves nothing.
  await until(() =>
    Promise.resolve(
      readdirSync(path.join(folder, 'bags')).some((name) => name.startsWith(other)) ? undefined : true,
    ),
  )
  const { state, isPaused, failure } = await again.one(other)
  expect(['sent', 'received', 'preserved']).toContain(state)
  expect({ isPaused, failure }).toEqual({ isPaused: false, failure: null })
  await again.desk.stop()
})

test('after a restore a bag that never got there is sent again when a person says so, and not before', async () => {
  const { id, folder } = await restoredDesk(async (marked) => {
    const [delivery] = (await archive.get('deliveries/')) as { id: number }[]
    await fetch(`${archive.url}/api/transfers/`, {
      method: 'POST',
      headers: { authorization: archive.basic, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Letters', delivery: delivery?.id, description: `[Lectern ${marked}]` }),
    })
  })
  const again = await open(folder)
  await again.outbox.pause({ isPaused: false })
  await expect(async () => again.transfers.sendAgain({ id })).rejects.toMatchObject({
    failure: { kind: 'conflict' },
  })
  await until(async () => {
    again.clock.at += 60_000
    await again.connection.refresh(undefined)
    const { failure } = await again.one(id)
    return failure?.kind === 'unconfirmed' && failure.mayBeSent ? true : undefined
  })
  expect(await generationsOf(id)).toBe(0)
  await again.transfers.sendAgain({ id })
  await until(async () => {
    await again.connection.refresh(undefined)
    return (await again.one(id)).state === 'preserved' ? true : undefined
  })
  expect(await generationsOf(id)).toBe(1)
  await again.desk.stop()
})

test('the desk waits at its end for the answers to what it has sent', async () => {
  const { folder, desk, packed, transfers, description, connection } = await open()
  const id = await packed()
  await connection.refresh(undefined)
  proxy.misbehave('is slow', /^POST /)
  const earlier = proxy.met()['is slow'] ?? 0
  void description.create({ list: 'metric-types', values: { name: 'at the end' } })
  await transfers.send({ id })
  await until(() => ((proxy.met()['is slow'] ?? 0) === earlier + 2 ? true : undefined))
  await desk.stop()
  // As the file is at that moment: nothing is written after it.
  const store = openDeskStore(path.join(folder, 'desk.sqlite'))
  const [archiveOf] = store.archives()
  const states = keptJobs(store)
    .creations(archiveOf?.id ?? '')
    .map(({ title, state }) => [title, state])
  expect(states).toContainEqual(['at the end', 'delivered'])
  const kept = store.transfer(id)
  expect(kept?.remote).toEqual(expect.any(String))
  expect(kept?.state).toBe('prepared')
  store.close()
})

test('at its end the desk waits for what it sends, then for its readers, then for the thread that writes', async () => {
  const order: string[] = []
  const begun: Worker[] = []
  /** Node tells of every thread that is made. */
  const watch = (message: unknown) => {
    const { worker } = message as { worker: Worker }
    const { threadName } = worker
    if (threadName !== 'reads lists' && threadName !== 'answers questions') return
    begun.push(worker)
    worker.once('exit', () => order.push(threadName))
  }
  subscribe('worker_threads', watch)
  const { folder, desk, description, connection, storage } = await open()
  await connection.refresh(undefined)
  await storage.overview(undefined)
  expect(begun).toHaveLength(2)
  proxy.misbehave('is slow', /^POST /)
  const earlier = proxy.met()['is slow'] ?? 0
  const create = async () => {
    await description.create({ list: 'metric-types', values: { name: 'at the very end' } })
    order.push('sent')
  }
  const sent = create()
  await until(() => ((proxy.met()['is slow'] ?? 0) > earlier ? true : undefined))
  await desk.stop()
  await sent
  expect(order).toEqual(['sent', 'answers questions', 'reads lists'])
  // Whoever asks now is told no, and wakes nothing that nobody would end.
  await expect(storage.overview(undefined)).rejects.toThrow(ThreadClosed)
  unsubscribe('worker_threads', watch)
  expect(begun).toHaveLength(2)
  if (process.platform === 'linux') expect(openFilesAt(path.join(folder, 'archive-cache'))).toEqual([])
})
