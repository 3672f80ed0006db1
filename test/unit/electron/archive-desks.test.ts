import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Vault } from '../../../electron/vault/vault.ts'
import { scratch, startArchive, until, type RunningArchive } from '../../archive.ts'
import { startFaultyServer } from '../../faults/faulty-server.ts'
import { openWindowless } from '../../windowless.ts'

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
  const delivery = await transfers.createDelivery(archive, { name: 'Letters' })
  await transfers.add(archive, { id: transfer, what: 'folder' })
  await transfers.save(archive, { id: transfer, form: { ...form, name: 'Letters', delivery: delivery.id } })

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
    (await transfers.one(archive, { id: transfer })).stage === 'prepared' ? true : undefined,
  )
  await transfers.send(archive, { id: transfer })

  await until(() => (existsSync(inPlace('fetched')) ? true : undefined))
  await until(async () =>
    (await transfers.one(archive, { id: transfer })).remote === null ? undefined : true,
  )
  const named = (running: RunningArchive) =>
    running
      .get('transfers/')
      .then((found) => (found as { name: string }[]).filter(({ name }) => name === 'Letters').length)
  expect([await named(first), await named(second)]).toEqual([1, 0])
  expect(desk.archives.last()?.id).toBe(other)
  expect((await transfers.list(desk.archiveOf(other), undefined)).length).toBe(0)
  await desk.stop()
})

test('an archive that starts late holds no other up', async () => {
  const secrets = new Map<string, string>()
  const vault: Vault = {
    keep: (id, secret) => Promise.resolve((secrets.set(id, secret), 'this session' as const)),
    read: (id) => {
      const secret = secrets.get(id)
      return Promise.resolve(secret === undefined ? undefined : { secret, keptIn: 'this session' as const })
    },
    forget: (id) => Promise.resolve(void secrets.delete(id)),
  }
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
