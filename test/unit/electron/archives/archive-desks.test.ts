import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive } from '../../../../electron/archives/archive.ts'
import type { ArchiveContract } from '../../../../electron/contract/index.ts'
import type { Vault } from '../../../../electron/vault/vault.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { openWindowless } from '../../../desks/windowless.ts'

const place = scratch()
const inPlace = (name: string) => path.join(place.folder, name)
let first: RunningArchive
let second: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  first = await startArchive(inPlace('first'), '--sample', '--dialect', 'essarch')
  second = await startArchive(inPlace('second'))
  proxy = await startFaultyServer(first.url)
})
afterAll(async () => {
  await proxy.stop()
  await first.stop()
  await second.stop()
  place[Symbol.dispose]()
})

/** A vault that a desk finds again when it is opened anew. */
const openLastingVault = (): Vault => {
  const secrets = new Map<string, string>()
  return {
    keep: (id, secret) => Promise.resolve((secrets.set(id, secret), 'this session' as const)),
    read: (id) => {
      const secret = secrets.get(id)
      return Promise.resolve(secret === undefined ? undefined : { secret, keptIn: 'this session' as const })
    },
    forget: (id) => Promise.resolve(void secrets.delete(id)),
  }
}

const flat = {
  view: 'flat' as const,
  sort: 'label' as const,
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 200,
}

test('what was begun at one archive goes on while another is shown and the first is signed in to again', async () => {
  mkdirSync(inPlace('source'))
  writeFileSync(inPlace('source/brev.txt'), 'Ett brev')
  const desk = openWindowless(inPlace('desk'), {
    choose: () => Promise.resolve([inPlace('source')]),
    chooseTarget: () => Promise.resolve(inPlace('fetched')),
  })
  const { session } = desk.features
  const { packages, files, transfers, connection } = desk.archiveFeatures
  const { username, password } = first
  const { archive: id } = await session.signIn({ url: proxy.url, username, password })
  const archive = desk.archiveOf(id)
  await connection.refresh(archive, undefined)
  const { rows } = await packages.list(archive, flat)
  const held = rows.find(({ type }) => type === 'AIP') ?? expect.fail('no package')
  const listed = await files.list(archive, { package: held.id, path: '' })
  const file = listed.find(({ isFolder }) => !isFolder) ?? expect.fail('no file')
  const { id: transfer, form } = await transfers.create(archive, undefined)
  const [agreement] = await transfers.agreements(archive, undefined)
  await transfers.add(archive, { id: transfer, what: 'folder' })
  await transfers.save(archive, {
    id: transfer,
    form: { ...form, name: 'Letters', agreement: agreement?.id ?? '' },
  })

  proxy.misbehave('is slow', /\/files\//)
  await files.download(archive, { package: held.id, path: file.name })
  await transfers.pack(archive, { id: transfer })
  const { archive: other } = await session.signIn({
    url: second.url,
    username: second.username,
    password: second.password,
  })
  await session.show({ archive: other })
  await session.signInAgain({ archive: id, password })
  await session.show({ archive: other })
  await until(async () =>
    (await transfers.one(archive, { id: transfer })).state === 'prepared' ? true : undefined,
  )
  await transfers.send(archive, { id: transfer })

  await until(() => (existsSync(inPlace('fetched')) ? true : undefined))
  await until(async () =>
    (await transfers.one(archive, { id: transfer })).remote === null ? undefined : true,
  )
  const named = (running: RunningArchive) =>
    running
      .get('information-packages/?view_type=flat&pager=none')
      .then((found) => (found as { label: string }[]).filter(({ label }) => label === 'Letters').length)
  expect([await named(first), await named(second)]).toEqual([1, 0])
  expect(desk.archives.last()?.id).toBe(other)
  expect((await transfers.list(desk.archiveOf(other), { offset: 0, limit: 50 })).lines).toBe(0)
  await desk.stop()
})

test('whoever signs in again leaves no token behind, while another desk of theirs goes on with its own', async () => {
  const vault = openLastingVault()
  const [desk, other] = [openWindowless(inPlace('renewed'), { vault }), openWindowless(inPlace('beside'))]
  const { username, password } = first
  const { session } = desk.features
  const { archive: id } = await session.signIn({ url: proxy.url, username, password })
  await other.features.session.signIn({ url: first.url, username, password })
  const tokenOf = async () => (await vault.read(id))?.secret ?? ''
  const statusBy = async (token: string) =>
    (await fetch(`${first.url}/api/me/`, { headers: { authorization: `Token ${token}` } })).status
  await desk.archiveFeatures.connection.refresh(desk.archiveOf(id), undefined)
  // What is being read by then is read to its end.
  proxy.misbehave('holds', /information-packages\/\?.*page_size/)
  const reading = desk.archiveFeatures.connection.refresh(desk.archiveOf(id), undefined)
  await until(() => (proxy.met()['holds'] ? true : undefined))
  const former = await tokenOf()
  await session.signInAgain({ archive: id, password })
  const renewed = await tokenOf()
  expect([await statusBy(former), await statusBy(renewed)]).toEqual([200, 200])
  proxy.misbehave('none')
  await proxy.goOn()
  await reading
  expect(desk.archiveOf(id).connection()).toMatchObject({ state: 'online', failure: null })
  await until(async () => ((await statusBy(former)) === 401 ? true : undefined))
  expect(await statusBy(renewed)).toBe(200)
  expect(await other.archives.last()?.client().get('me/')).toMatchObject({ username })
  await desk.stop()
  await other.stop()
})

test('an archive that starts late holds no other up', async () => {
  const vault = openLastingVault()
  const { url, username, password } = second
  const before = openWindowless(inPlace('late'), {
    vault,
    startLocalArchive: () =>
      Promise.resolve({ url: first.url, username: first.username, password: first.password }),
  })
  const { archive: id } = await before.features.session.signIn({ url, username, password })
  await before.features.session.signInHere({ sample: false })
  await before.stop()

  const desk = openWindowless(inPlace('late'), {
    vault,
    startLocalArchive: () => new Promise(() => undefined),
  })
  void desk.goOn()
  const states = () =>
    desk.archives.status().archives.map(({ account, connection }) => ({
      archive: account.archive,
      state: connection.state,
      isRead: connection.asOf !== null && !connection.refreshing,
    }))
  await until(() => (states().some(({ archive, isRead }) => archive === id && isRead) ? true : undefined))
  expect(states().find(({ archive }) => archive === 'here')?.state).toBe('connecting')
  await desk.stop()
})

test('while its window is made a desk reads the rows of the archive that was shown last', async () => {
  const asked: unknown[] = []
  const watch = (message: unknown) => {
    const { worker } = message as { worker: Worker }
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (request: { body?: { name: string; archive: string } }) => {
      if (request.body) asked.push([worker.threadName, request.body.name, request.body.archive])
      post(request)
    }
  }
  subscribe('worker_threads', watch)
  const nobody = openWindowless(inPlace('reading'))
  await nobody.prepare()
  expect(asked).toEqual([])
  const { url, username, password } = second
  const { archive: id } = await nobody.features.session.signIn({ url, username, password })
  await nobody.stop()

  asked.length = 0
  const desk = openWindowless(inPlace('reading'))
  await desk.prepare()
  expect(asked).toEqual([['answers questions', 'packages', id]])
  unsubscribe('worker_threads', watch)
  await desk.stop()
})

test('until its window has drawn a page a desk connects and reads nothing, nor once it has stopped', async () => {
  const vault = openLastingVault()
  const { url, username, password } = second
  const before = openWindowless(inPlace('drawing'), { vault })
  const { archive: id } = await before.features.session.signIn({ url, username, password })
  await before.stop()

  const begun: string[] = []
  const watch = (message: unknown) => void begun.push((message as { worker: Worker }).worker.threadName ?? '')
  subscribe('worker_threads', watch)
  const stateOf = (desk: ReturnType<typeof openWindowless>) => desk.archiveOf(id).connection()
  const stopped = openWindowless(inPlace('drawing'), { vault })
  const late = Promise.withResolvers<void>()
  const over = stopped.goOn(late.promise)
  await until(() => (stateOf(stopped).state === 'online' ? true : undefined))
  await stopped.stop()
  late.resolve()
  await over
  expect(begun).toEqual([])

  const desk = openWindowless(inPlace('drawing'), { vault })
  const drawn = Promise.withResolvers<void>()
  const going = desk.goOn(drawn.promise)
  await until(() => (stateOf(desk).state === 'online' ? true : undefined))
  expect(begun).toEqual([])
  drawn.resolve()
  await going
  await until(() => (stateOf(desk).asOf === null ? undefined : true))
  expect(begun).toContain('reads lists')
  unsubscribe('worker_threads', watch)
  await desk.stop()
})

test('an archive on this computer that ended is started by the next attempt, and by whoever turns to it', async () => {
  const clock = { at: Date.parse('2026-03-01T09:00:00Z') }
  let starts = 0
  const desk = openWindowless(inPlace('ended'), {
    now: () => new Date(clock.at),
    startLocalArchive: () => {
      starts += 1
      return Promise.resolve(second)
    },
  })
  await desk.goOn()
  const { session } = desk.features
  const { archive: id } = await session.signInHere({ sample: false })
  const state = () => desk.archiveOf(id).connection().state
  const settled = () => until(() => (state() === 'online' ? true : undefined))
  await settled()
  // It has ended, and nobody answers where it was.
  const end = () => {
    desk.localEnded(false)
    expect(state()).toBe('refused')
  }
  end()
  await session.show({ archive: id })
  await until(() => (starts === 2 ? true : undefined))
  await settled()
  await until(() => {
    // A poll may reach it: this one ends again and again.
    if (starts === 2) desk.localEnded(false)
    clock.at += 2_000
    return starts === 3 ? true : undefined
  })
  await settled()
  // It takes no more what it gave: nobody can sign in there by hand.
  await until(() => {
    if (starts === 3) desk.archiveOf(id).noteExchange({ kind: 'signed-out' })
    clock.at += 2_000
    return starts === 4 ? true : undefined
  })
  await settled()
  await desk.stop()
})

test('an archive is not forgotten while something of it is unsent; then what was read goes, and the work stays', async () => {
  const desk = openWindowless(inPlace('forgetting'))
  const { session, outbox } = desk.features
  const { transfers, connection, packages } = desk.archiveFeatures
  const { url, username, password } = first
  const { archive: id } = await session.signIn({ url, username, password })
  const archive = desk.archiveOf(id)
  await connection.refresh(archive, undefined)
  expect((await packages.list(archive, flat)).total).toBeGreaterThan(0)
  const { id: transfer } = await transfers.create(archive, undefined)
  await outbox.pause({ isPaused: true })
  await transfers.createDelivery(archive, { name: 'Not sent yet' })
  const copies = () => readdirSync(inPlace('forgetting/archive-cache')).filter((name) => name.startsWith(id))

  await expect(session.forget({ archive: id })).rejects.toMatchObject({
    failure: { kind: 'conflict', detail: 'busy-archive' },
  })
  expect([copies().length > 0, desk.archives.all().length]).toEqual([true, 1])

  const { items } = await outbox.list(undefined)
  for (const item of items) await outbox.remove({ id: item.id })
  await session.forget({ archive: id })
  expect(copies()).toEqual([])
  expect(desk.archives.all()).toEqual([])
  await expect(session.forget({ archive: id })).rejects.toMatchObject({ failure: { kind: 'signed-out' } })

  await session.signIn({ url, username, password })
  await connection.refresh(desk.archiveOf(id), undefined)
  expect((await packages.list(desk.archiveOf(id), flat)).total).toBeGreaterThan(0)
  expect((await transfers.one(desk.archiveOf(id), { id: transfer })).id).toBe(transfer)
  await desk.stop()
})

test('calls find only jobs of the archive that they name, and a transfer of another one is not taken over', async () => {
  mkdirSync(inPlace('stick'))
  let chosen = inPlace('stick')
  const desk = openWindowless(inPlace('desk of two'), { choose: () => Promise.resolve([chosen]) })
  const { session } = desk.features
  const { transfers, orders } = desk.archiveFeatures
  const signIn = async ({ url, username, password }: RunningArchive) =>
    desk.archiveOf((await session.signIn({ url, username, password })).archive)
  const [one, other] = [await signIn(first), await signIn(second)]
  const { id, form } = await transfers.create(one, undefined)
  await transfers.save(one, { id, form: { ...form, name: 'Parish' } })
  const gone = { failure: { kind: 'not-found', what: id } }
  const calls: [kind: keyof ArchiveContract, ...rest: string[]][] = [
    ['transfers', 'one', 'save', 'pack', 'send', 'sendNow', 'createLike', 'remove', 'restore', 'handOver'],
    ['batch', 'one', 'run', 'stop', 'remove'],
    ['outbox', 'values', 'hold', 'sendNow', 'remove', 'restore'],
    ['dips', 'goOn', 'stop', 'forget'],
    ['files', 'resume', 'stop', 'forget'],
  ]
  for (const [feature, ...names] of calls)
    for (const name of names) {
      const members: Record<string, (archive: Archive, input: never) => unknown> =
        desk.archiveFeatures[feature]
      const call = members[name] ?? expect.fail(name)
      await expect(
        Promise.resolve().then(() => call(other, { id, form, by: 1 } as never)),
        `${feature}.${name}`,
      ).rejects.toMatchObject(gone)
    }
  const { id: order } = await orders.begin(one, undefined)
  await expect(
    Promise.resolve().then(() => orders.save(other, { id: order, name: 'x', content: '' })),
  ).rejects.toMatchObject({
    failure: { kind: 'not-found' },
  })
  await transfers.handOver(one, { id })
  chosen = inPlace('stick/Parish.transfer')
  const elsewhere = { failure: { kind: 'other-archive', archive: one.id, name: new URL(first.url).host } }
  await expect(async () => transfers.takeOver(other, undefined)).rejects.toMatchObject(elsewhere)
  expect(await transfers.takeOver(one, undefined)).toMatchObject({ id, handedOver: null })
  await desk.stop()
})
