import { openArchiveClient } from '../../../archives/archive-client.ts'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { deliver, stepOf } from '../../../../electron/jobs/kinds/transfer/delivery.ts'
import { lostMount, mountPointOf } from '../../../../electron/jobs/kinds/transfer/ingest-folder.ts'
import { findRegistered } from '../../../../electron/jobs/kinds/transfer/registration.ts'
import { openDeskStore, type KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { pack, scripts } from '../../../packages/packing.ts'
import { preparedTransfer } from '../../../desks/kept-jobs.ts'

const place = scratch()
const now = () => new Date()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'))
  proxy = await startFaultyServer(archive.url)
})
afterEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

const prepare = async (name: string) => {
  const id = randomUUID()
  const store = openDeskStore(path.join(place.folder, `${id}.sqlite`))
  const source = path.join(place.folder, `${id} källa`)
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), name)
  const bag = path.join(place.folder, `${id} bag`)
  const { counts, manifest, content } = await pack([source], bag, { info: [['External-Identifier', id]] })
  const prepared = preparedTransfer({ id, name }, { path: bag, counts, manifest, content })
  const transfer: KeptTransfer = {
    ...prepared,
    form: { ...prepared.form, description: 'En rad' },
    isWaiting: true,
  }
  store.keepTransfer(transfer)
  const send = (
    sent: KeptTransfer = store.transfer(id) ?? transfer,
    ingestFolder: string | null = path.join(archive.data, 'ingest'),
    chosenFolders: string[] = [],
  ) =>
    deliver(sent, {
      archive: openArchiveClient(proxy.url, archive.basic),
      ingestFolder,
      chosenFolders,
      scripts,
      now,
      change: (changed, change) =>
        store.keepTransfer({ ...(store.transfer(changed) ?? transfer), ...change }),
      wasReceived: () => false,
      mountPointOf: (where) => store.mountPointOf('a', where),
      signal: new AbortController().signal,
      onPlan: () => undefined,
      onProgress: () => undefined,
    })
  return { id, store, send, kept: () => store.transfer(id) }
}
const registered = async (name: string) =>
  ((await archive.get('transfers/')) as { id: string; name: string }[]).filter(
    (transfer) => transfer.name === name,
  )
const preserved = (id: string) =>
  until(async () => {
    const aics = (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: unknown[]
    }[]
    return aics.find(({ object_identifier_value }) => object_identifier_value === id)?.information_packages
      .length
  })

test('a transfer is registered, handed over and preserved', async () => {
  const { id, send } = await prepare('Hel väg')
  expect(await send()).toMatchObject({ state: 'sent', isWaiting: false })
  expect(await registered('Hel väg')).toMatchObject([{ description: `En rad\n\n[Lectern ${id}]` }])
  expect(await preserved(id)).toBe(1)
})

test('an answer that is lost makes no second transfer', async () => {
  const { id, send, kept } = await prepare('Tappat svar')
  proxy.misbehave('drops the answer', /^POST \/api\/transfers/)
  await expect(send()).rejects.toThrow(Failed)
  expect(await registered('Tappat svar')).toHaveLength(1)
  expect(kept()).toMatchObject({ remote: null, sending: 'registering' })
  proxy.misbehave('none')
  expect(await send()).toMatchObject({ state: 'sent' })
  expect(await registered('Tappat svar')).toHaveLength(1)
  expect(await preserved(id)).toBe(1)
})

test('one that surely did not reach the archive is registered at the next attempt, without any lookups', async () => {
  const { send, kept } = await prepare('Aldrig framme')
  proxy.misbehave('unauthorized', /^POST /)
  await expect(send()).rejects.toMatchObject({ failure: { kind: 'signed-out' } })
  expect(kept()).toMatchObject({ remote: null, sending: null })
  proxy.misbehave('none')
  expect(await send()).toMatchObject({ state: 'sent' })
})

test('an archive that answers nothing is sent nothing, and the transfer goes as soon as it answers', async () => {
  const { send, kept } = await prepare('Inget svar')
  proxy.misbehave('closes', /./)
  await expect(send()).rejects.toMatchObject({ failure: { kind: 'offline' } })
  expect(kept()).toMatchObject({ remote: null, sending: null })
  proxy.misbehave('none')
  expect(await send()).toMatchObject({ state: 'sent' })
})

test('a list of transfers that may lack some does not say that ours is not there', async () => {
  // Twelve, it says, and whatever is asked gives the same ten.
  const rows = Array.from({ length: 10 }, (_, id) => ({ id, name: '', description: '' }))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', count: '12' })
    response.end(JSON.stringify(rows))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const there = openArchiveClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await there.list('transfers/')).toHaveLength(10)
  await expect(findRegistered(there, [{ id: 'ours' }])).rejects.toMatchObject({
    failure: { kind: 'server-broke', detail: 'unexpected' },
  })
  await there.close()
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
})

test('a refusal carries the fields, and the draft is as it was', async () => {
  const { send, kept, store } = await prepare('Avvisad')
  const it = kept()
  if (it) store.keepTransfer({ ...it, form: { ...it.form, delivery: '999' } })
  await expect(send()).rejects.toMatchObject({
    failure: { kind: 'refused', fields: { delivery: ['Invalid pk "999" - object does not exist.'] } },
  })
  expect(kept()).toMatchObject({ remote: null, form: { description: 'En rad' } })
})

test('killed between the new name and the note of it, the bag is not handed over again', async () => {
  const { id, send, store } = await prepare('Dödad')
  const sent = await send()
  await preserved(id)
  // As the store stands when the process dies right after the renaming.
  store.database
    .prepare(`update job set state = 'sending', body = json_set(body, '$.sending', 'renaming') where id = ?`)
    .run(sent.id)
  expect(await send(store.transfer(id))).toMatchObject({ state: 'sent' })
  // The archive takes in one after the other: what came after it would have come to has been taken in.
  const next = await prepare('Efter den dödade')
  await next.send()
  expect(await preserved(next.id)).toBe(1)
  expect(await preserved(id)).toBe(1)
})

test('killed while copying, the half copy is replaced and the archive never sees it', async () => {
  const { id, send, store, kept } = await prepare('Halv kopia')
  const remote = (await send().then(() => kept()))?.remote ?? ''
  await preserved(id)
  const again = await prepare('Halv kopia två')
  const half = path.join(archive.data, 'ingest', `.${remote}-x`)
  mkdirSync(half)
  const it = again.kept()
  if (it) again.store.keepTransfer({ ...it, remote: `${remote}-x`, sending: 'copying' })
  await again.send()
  expect(existsSync(half)).toBe(false)
  expect(await preserved(again.id)).toBe(1)
  store.close()
})

test('an ingest folder that cannot be reached is named, and nothing is lost', async () => {
  const { send, kept } = await prepare('Ingen mapp')
  const nowhere = path.join(place.folder, 'not mounted')
  await expect(send(undefined, nowhere)).rejects.toMatchObject({
    failure: { kind: 'no-ingest-folder', path: nowhere },
  })
  expect(kept()?.remote).not.toBeNull()
  expect(await send()).toMatchObject({ state: 'sent' })
  expect(await registered('Ingen mapp')).toHaveLength(1)
})

test('an ingest folder of which nothing can be learnt is not taken for one that is not there', async () => {
  const { send, kept } = await prepare('Oläslig mapp')
  // A link to itself: neither there nor not there (ELOOP), as a share that fails (EIO, ESTALE).
  const folder = path.join(place.folder, 'loop')
  symlinkSync(folder, folder)
  await expect(send(undefined, folder)).rejects.toMatchObject({
    failure: { kind: 'disk', trouble: 'other', path: folder },
  })
  expect(kept()).toMatchObject({ state: 'sending', sending: 'registering' })
})

test('a share that was lost before the bag had its name leaves it unsent, and it goes on when the share is back', async () => {
  const { send, kept, store } = await prepare('Tappad mapp')
  const folder = path.join(place.folder, 'mount point')
  await expect(send(undefined, folder)).rejects.toThrow(Failed)
  mkdirSync(folder)
  const it = kept()
  if (it) store.keepTransfer({ ...it, sending: 'renaming', ingestFolder: folder })
  await expect(send()).rejects.toMatchObject({
    failure: { kind: 'unconfirmed', what: 'package', mayBeSent: false },
  })
  expect(kept()).toMatchObject({ state: 'sending', sending: 'renaming', doubt: { lookups: 1 } })
  mkdirSync(path.join(folder, `.${it?.remote}`))
  expect(await send()).toMatchObject({ state: 'sent' })
  expect(readdirSync(folder)).toEqual([it?.remote])
})

// A link to a folder on another device lies as a mounted share does: here memory, on Linux.
const memory = '/dev/shm'
const hasOtherDevice = existsSync(memory) && statSync(memory).dev !== statSync(place.folder).dev

test.skipIf(!hasOtherDevice)(
  'a folder at which nothing is mounted any more is no ingest folder',
  async () => {
    const { send, kept, store } = await prepare('Omonterad mapp')
    const share = mkdtempSync(path.join(memory, 'lectern-test-'))
    const folder = path.join(place.folder, 'share')
    symlinkSync(share, folder)
    expect(await send(undefined, folder)).toMatchObject({ state: 'sent', mountPoint: folder })
    rmSync(folder)
    rmSync(share, { recursive: true })
    mkdirSync(folder)
    const sent = kept() ?? expect.fail('no transfer')
    // The next one to the same folder; the desk knows what lay there from the one before.
    const next = { ...sent, id: randomUUID(), state: 'prepared', sending: null } as const
    store.keepTransfer(next)
    await expect(send(next, folder)).rejects.toMatchObject({
      failure: { kind: 'not-mounted', path: folder, mountPoint: folder },
    })
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a folder lies below the nearest mount point above it', async () => {
  const folder = path.join(place.folder, 'deep', 'deeper')
  mkdirSync(folder, { recursive: true })
  expect(await mountPointOf(folder)).toBe(await mountPointOf(place.folder))
  expect([lostMount(null, '/'), lostMount('/', '/mnt/a'), lostMount('/mnt/a', '/')]).toEqual([
    null,
    null,
    '/mnt/a',
  ])
})

test('nothing goes to a folder on another computer before somebody has chosen it', async () => {
  const { id, send, kept } = await prepare('Nätverksmapp')
  // Two slashes name another computer on Windows; here the same folder as one does.
  const folder = `/${path.join(archive.data, 'ingest')}`
  await expect(send(undefined, folder)).rejects.toMatchObject({
    failure: { kind: 'network-folder', path: folder },
  })
  expect(await registered('Nätverksmapp')).toHaveLength(0)
  expect(kept()).toMatchObject({ remote: null, ingestFolder: null })
  await expect(send(undefined, '\\\\10.0.0.7\\ingest')).rejects.toMatchObject({
    failure: { kind: 'network-folder' },
  })
  expect(await send(undefined, folder, [folder])).toMatchObject({ state: 'sent', ingestFolder: folder })
  expect(await preserved(id)).toBe(1)
})

test('after a restore, too, a folder on another computer is looked into only if somebody has chosen it', async () => {
  const { kept } = await prepare('Återställd nätverksmapp')
  const it = kept() ?? expect.fail('no transfer')
  const folder = `/${path.join(place.folder, 'another computer')}`
  mkdirSync(path.join(folder, 'r1'), { recursive: true })
  mkdirSync(path.join(folder, '.r2'))
  expect(await stepOf({ ...it, remote: 'r1' }, folder, [])).toBe(null)
  expect(await stepOf({ ...it, remote: 'r2' }, folder, [folder])).toBe('copying')
  expect(await stepOf({ ...it, remote: 'r3', sending: 'copying' }, folder, [folder])).toBe(null)
  expect(await stepOf({ ...it, remote: 'r1' }, folder, [folder])).toBe('renaming')
})

test('a packed bag that vanished is named', async () => {
  const { send, kept } = await prepare('Borta')
  const bag = kept()?.sip?.path ?? ''
  renameSync(bag, `${bag} elsewhere`)
  await expect(send()).rejects.toMatchObject({ failure: { kind: 'source', trouble: 'vanished', path: bag } })
  expect(readdirSync(path.join(archive.data, 'ingest'))).not.toContain(`.${kept()?.remote}`)
})

test('a bag that was damaged since it was packed is not handed over', async () => {
  const { send, kept } = await prepare('Skadad')
  const bag = kept()?.sip?.path ?? ''
  const [source] = readdirSync(path.join(bag, 'data'))
  writeFileSync(path.join(bag, 'data', source ?? '', 'brev.txt'), 'skadaD')
  await expect(send()).rejects.toMatchObject({
    failure: { kind: 'bad-package', path: bag, errors: 1, first: { code: 'mismatch' } },
  })
  expect(
    readdirSync(path.join(archive.data, 'ingest')).filter((name) => name.includes(String(kept()?.remote))),
  ).toEqual([])
})

test('one that was refused and made a draft again is another one in the archive, also if its answer is lost', async () => {
  const { id, send, kept, store } = await prepare('Igen')
  expect(await send()).toMatchObject({ state: 'sent' })
  const first = kept() ?? expect.fail('no transfer')
  store.keepTransfer({ ...first, state: 'refused' })
  store.keepTransfer({ ...first, state: 'draft', remote: null, formerRegistrations: 1 })
  store.keepTransfer({ ...first, state: 'packing', remote: null, formerRegistrations: 1 })
  store.keepTransfer({ ...first, state: 'prepared', remote: null, formerRegistrations: 1 })
  proxy.misbehave('drops the request', /^POST \/api\/transfers/)
  await expect(send()).rejects.toThrow(Failed)
  proxy.misbehave('none')
  await expect(send()).rejects.toMatchObject({ failure: { kind: 'unconfirmed' } })
  expect(kept()).toMatchObject({ remote: null, sending: 'registering' })
  expect(await registered('Igen')).toMatchObject([{ description: `En rad\n\n[Lectern ${id}]` }])
})

test('a package goes to where the archive takes packages now, not where an attempt began', async () => {
  const { send, kept, store } = await prepare('Flyttad mapp')
  const former = path.join(place.folder, 'former')
  mkdirSync(former)
  const begun = kept() ?? expect.fail('no transfer')
  store.keepTransfer({ ...begun, sending: 'copying', ingestFolder: former, remote: '7' })
  const now = path.join(place.folder, 'now')
  mkdirSync(now)
  expect(await send(undefined, now)).toMatchObject({ state: 'sent', ingestFolder: now })
  expect([readdirSync(former), readdirSync(now)]).toEqual([[], ['7']])
})
