import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { blankDraft } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { countSource, sum } from '../../../../electron/jobs/kinds/transfer/sources.ts'
import type { Capabilities } from '../../../../electron/contract/capabilities.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'
import { layInReception, takeBack } from '../../../../electron/jobs/kinds/transfer/reception.ts'
import type { KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'
import { present } from '../../../support/present.ts'
import { failureOf, scripts } from '../../../packages/packing.ts'
import {
  place,
  laid,
  essarch,
  startEssarch,
  stopEssarch,
  clientOf,
  openDesk,
  heldOf,
  listing,
  openGeneration,
  reception,
  openManyFiles,
  openSip,
  descriptionOf,
  lay,
  openWholeDesk,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

/** A drive that leads to the reception, and how it goes away and comes back. */
const openDrive = (archive: ArchiveClient) => {
  const folder = path.join(place.folder, crypto.randomUUID())
  const come = () => symlinkSync(reception(), folder, 'dir')
  come()
  const client = listing(archive, (address, rows) =>
    address === 'paths/' ? [{ entity: 'ingest_reception', value: folder }] : rows,
  )
  return { folder, client, come, go: () => rmSync(folder, { force: true }) }
}

test('what lies on a drive that goes away before it is over is said, and removed once that is back', async () => {
  const drive = openDrive(clientOf('reader'))
  const leaving: ArchiveClient = Object.assign({}, drive.client, {
    bytes: (...asked: Parameters<ArchiveClient['bytes']>) => {
      drive.go()
      return drive.client.bytes(...asked)
    },
  })
  const desk = await openSip(leaving)
  await lay(desk)
  const { store, transfers, idle, close } = openWholeDesk(leaving)
  store.laidPackages.note(desk.kept(), { reception: drive.folder, mountPoint: '' })
  transfers.keep({ ...desk.kept(), state: 'prepared', reception: drive.folder, isWaiting: true })
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(desk.id)).toMatchObject({ state: 'preserved', compared: 'MD5' })
  const left = () => transfers.leftInOf(transfers.need(desk.id))
  expect(left()).toBe(drive.folder)
  await transfers.follow('a')
  await idle()
  expect(left()).toBe(drive.folder)
  expect(readdirSync(reception()).sort()).toEqual([`${desk.id}.tar`, `${desk.id}.xml`])
  // What a share leaves behind is an empty folder.
  mkdirSync(drive.folder)
  store.laidPackages.note(desk.kept(), { reception: drive.folder, mountPoint: drive.folder })
  await transfers.follow('a')
  await idle()
  expect(left()).toBe(drive.folder)
  store.laidPackages.note(desk.kept(), { reception: drive.folder, mountPoint: '' })
  rmSync(drive.folder, { recursive: true })
  drive.come()
  await transfers.follow('a')
  await idle()
  expect(left()).toBeNull()
  expect(readdirSync(reception())).toEqual([])
  await close()
})

test('what was half laid when its drive went away goes over the interface, and is removed there later', async () => {
  const drive = openDrive(clientOf('reader'))
  const desk = await openManyFiles(drive.client)
  const { store, transfers, idle, close } = openWholeDesk(drive.client)
  store.laidPackages.note(desk.kept(), { reception: drive.folder, mountPoint: '' })
  const partial = `${desk.id}.${store.laidPackages.desk}.partial`
  mkdirSync(path.join(drive.folder, partial, 'content.partial'), { recursive: true })
  drive.go()
  const begun = { sending: 'submitting', reception: drive.folder, isWaiting: true } as const
  transfers.keep({ ...desk.kept(), ...begun, packing: { ...desk.kept().packing, upload: 'each file' } })
  // What lies there may yet be needed.
  await transfers.follow('a')
  await idle()
  expect(transfers.leftInOf(transfers.need(desk.id))).toBeNull()
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(desk.id)).toMatchObject({ state: 'preserved', compared: 'MD5', reception: null })
  expect(transfers.leftInOf(transfers.need(desk.id))).toBe(drive.folder)
  drive.come()
  await transfers.follow('a')
  await idle()
  expect(transfers.leftInOf(transfers.need(desk.id))).toBeNull()
  expect(readdirSync(reception())).toEqual([])
  await close()
})

test('nothing is laid where a drive was that went away, and what lies there is removed', async () => {
  const archive = clientOf('reader')
  const desk = await openSip(archive)
  // What a share leaves behind is an empty folder.
  const left = path.join(place.folder, crypto.randomUUID())
  mkdirSync(left)
  const options = { scripts: scripts.pack, signal: new AbortController().signal }
  const laying = layInReception(desk.kept(), left, {
    ...options,
    describe: descriptionOf(desk),
    mountPoint: left,
    laid,
  })
  expect(await failureOf(laying)).toEqual({ kind: 'disk', trouble: 'gone', path: left })
  expect(readdirSync(left)).toEqual([])

  writeFileSync(path.join(left, `${desk.id}.tar`), 'laid when the drive went away')
  laid.note(desk.kept(), { reception: left, mountPoint: left })
  await takeBack(laid, desk)
  expect(readdirSync(left)).toEqual([])
  // Of the drive nobody knows.
  expect(laid.of(desk.id)).toHaveLength(1)
})

test('what is taken off the list while its drive is away is removed from there later', async () => {
  const drive = openDrive(clientOf('reader'))
  const desk = await openSip(drive.client)
  await lay(desk)
  const { store, transfers, idle, close } = openWholeDesk(drive.client)
  store.laidPackages.note(desk.kept(), { reception: drive.folder, mountPoint: '' })
  transfers.keep({ ...desk.kept(), state: 'prepared' })
  transfers.keep({ ...desk.kept(), state: 'refused', sending: null, reception: drive.folder })
  // The archive may be asked for it again.
  await transfers.follow('a')
  await idle()
  expect(readdirSync(reception()).sort()).toEqual([`${desk.id}.tar`, `${desk.id}.xml`])
  drive.go()
  transfers.putAway(desk.id, new Date().toISOString())
  await transfers.follow('a')
  await idle()
  drive.come()
  await transfers.follow('a')
  await idle()
  expect(readdirSync(reception())).toEqual([])
  expect(store.laidPackages.transfers('a')).toEqual([])
  await close()
})

test('a draft is packed as one tar, sent, followed until it is preserved, and its package is let go', async () => {
  const archive = clientOf('reader')
  const { store, transfers, bugs, idle, close } = openWholeDesk(archive)
  const source = path.join(place.folder, 'källa')
  const id = crypto.randomUUID()
  const draft = blankDraft(store, { archive: 'a', id, now: new Date() })
  const counted = await countSource(source, draft.packing, scripts)
  transfers.keep({
    ...draft,
    form: { ...draft.form, name: 'Handlingar' },
    sources: [counted],
    counts: sum([counted]),
  })
  const packable = transfers.need(id)
  for (const identifier of ['..', 'SE/1037', 'SE.1037', 'urn:uuid:1037', 'brev ', 'två\nrader', '']) {
    transfers.keep({ ...packable, form: { ...packable.form, identifier } })
    expect(await failureOf(Promise.resolve().then(() => transfers.pack(id)))).toEqual({
      kind: 'not-ready',
      missing: ['identifier'],
    })
  }
  transfers.keep(packable)
  await transfers.packWhole(id)
  const prepared = transfers.need(id)
  expect(prepared).toMatchObject({ state: 'prepared', failure: null, sip: { form: 'tar' } })
  expect(() => transfers.send(id)).toThrow(Failed)
  expect(await failureOf(Promise.resolve().then(() => transfers.send(id)))).toEqual({
    kind: 'not-ready',
    missing: ['agreement'],
  })

  transfers.keep({ ...prepared, form: { ...prepared.form, agreement: essarch().agreement } })
  transfers.send(id)
  await idle()
  const done = transfers.need(id)
  expect(done).toMatchObject({ state: 'preserved', compared: 'MD5', sending: null, failure: null })
  expect(existsSync(done.sip?.path ?? '')).toBe(false)
  expect(bugs).toEqual([])
  await close()
})

test('what is packed before the archive said what it can do waits for that, and goes then', async () => {
  const archive = clientOf('reader')
  let capabilities: Capabilities | null = null
  const { store, transfers, idle, close } = openWholeDesk(archive, () => capabilities)
  const source = path.join(place.folder, 'källa')
  const id = crypto.randomUUID()
  const draft = blankDraft(store, { archive: 'a', id, now: new Date() })
  const counted = await countSource(source, draft.packing, scripts)
  transfers.keep({
    ...draft,
    form: { ...draft.form, name: 'Handlingar', delivery: '1', agreement: essarch().agreement },
    sources: [counted],
    counts: sum([counted]),
  })
  await transfers.packWhole(id)
  transfers.send(id)
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({
    state: 'prepared',
    isWaiting: true,
    sending: null,
    failure: null,
  })
  expect(await heldOf(archive, { id })).toEqual([])

  capabilities = { ...someCapabilities, submission: 'whole' }
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'preserved', compared: 'MD5' })
  await close()
})

test('what was to go over the interface is not registered without its delivery where that is gone', async () => {
  const archive = clientOf('archivist')
  const { transfers, idle, close } = openWholeDesk(archive, () => someCapabilities)
  const desk = openDesk(archive)
  transfers.keep({ ...desk.kept(), form: { ...desk.kept().form, delivery: '' }, isWaiting: true })
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(desk.id)).toMatchObject({
    state: 'prepared',
    sending: null,
    failure: { kind: 'not-ready', missing: ['delivery'] },
  })
  await close()
})

test('a new generation goes over the interface alone', async () => {
  const archive = clientOf('reader')
  const { transfers, idle, close } = openWholeDesk(archive, () => someCapabilities)
  const { desk } = await openGeneration(archive)
  transfers.keep({ ...desk.kept(), isWaiting: true })
  expect(transfers.transportOf(desk.kept())).toEqual({ by: 'interface', folder: null })
  expect(transfers.hasDestination(desk.kept())).toBe(false)
  await transfers.sendDue('a')
  await idle()
  expect(transfers.need(desk.id)).toMatchObject({ sending: 'submitting', failure: null })
  await close()
})

test('a package that was removed in the archive after it was submitted may be sent again', async () => {
  const archive = clientOf('reader')
  const sent = openDesk(archive)
  await sent.submit()
  const { transfers, idle, close, bugs } = openWholeDesk(archive)
  const { kept, id } = sent
  transfers.keep(kept())
  const gone = present(kept().remote)
  await archive.delete(`information-packages/${gone}/?delete_files=true`)
  while ((await heldOf(archive, sent)).length > 0) await pass(5)
  await transfers.follow('a')
  await idle()
  const unseen = { kind: 'unconfirmed', what: 'submission' }
  expect(transfers.need(id)).toMatchObject({ state: 'sent', failure: { ...unseen, mayBeSent: false } })
  expect(() => transfers.sendAgain(id)).toThrow(Failed)
  // Minutes later it is not there still.
  const waited = { nextAt: null, doubt: { lookups: 1, waitedMs: 300_000 } }
  transfers.keep({ ...transfers.need(id), ...waited })
  await transfers.follow('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'sent', failure: { ...unseen, mayBeSent: true } })
  transfers.sendAgain(id)
  await idle()
  const done = transfers.need(id)
  expect(done).toMatchObject({ state: 'preserved', compared: 'MD5', failure: null })
  expect(done.remote).not.toBe(gone)
  expect(await heldOf(archive, sent)).toHaveLength(1)
  expect(bugs).toEqual([])
  await close()
})

test('a package that was only not shown for a while is not made twice, and goes on', async () => {
  const archive = clientOf('reader')
  const sent = openDesk(archive)
  await sent.submit()
  let isShown = false
  const shy = listing(archive, (address, rows) =>
    isShown || !address.startsWith('information-packages') ? rows : [],
  )
  const { transfers, idle, close } = openWholeDesk(shy)
  const { kept, id } = sent
  const { remote } = kept()
  transfers.keep({ ...kept(), doubt: { lookups: 1, waitedMs: 300_000 } })
  await transfers.follow('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ failure: { kind: 'unconfirmed', mayBeSent: true } })
  transfers.sendAgain(id)
  await idle()
  expect(transfers.need(id)).toMatchObject({
    state: 'prepared',
    failure: { kind: 'conflict', detail: 'unseen' },
    remote,
  })
  isShown = true
  transfers.send(id)
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'preserved', compared: 'MD5', remote })
  expect(await heldOf(archive, sent)).toHaveLength(1)
  await close()
})

test('what was submitted is finished a few at a time, and not while the outbox is stopped', async () => {
  const archive = clientOf('reader')
  const all = Array.from({ length: 5 }, () => openDesk(archive))
  for (const desk of all) await desk.submit()
  let most = 0
  const counting: ArchiveClient = listing(archive, (_address, rows) => {
    most = Math.max(most, all.filter(({ id }) => transfers.isUnderWay(id)).length)
    return rows
  })
  const { store, transfers, idle, close } = openWholeDesk(counting)
  for (const { kept } of all) transfers.keep(kept())
  const states = () => new Set(all.map(({ id }) => transfers.need(id).state))
  store.setPaused('a', true)
  await transfers.follow('a')
  await transfers.followSubmitted('a')
  await idle()
  expect({ states: states(), most }).toEqual({ states: new Set(['sent']), most: 0 })

  store.setPaused('a', false)
  await transfers.follow('a')
  await transfers.followSubmitted('a')
  while (states().has('sent') || states().has('received')) await pass(5)
  expect({ states: states(), most }).toEqual({ states: new Set(['preserved']), most: 3 })
  await close()
})

test('a transfer whose drive was away goes on by itself once that is back', async () => {
  const archive = clientOf('reader')
  const sent = openDesk(archive)
  await sent.submit()
  const { transfers, idle, close } = openWholeDesk(archive)
  const { kept, id } = sent
  const folder = path.join(place.folder, crypto.randomUUID())
  const file = path.join(folder, 'package.tar')
  transfers.keep({ ...kept(), sip: { ...present(kept().sip), path: file } })
  await transfers.follow('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'received', failure: { kind: 'disk', trouble: 'gone' } })
  mkdirSync(folder)
  renameSync(sent.file, file)
  transfers.keep({ ...transfers.need(id), nextAt: null })
  await transfers.follow('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'preserved', compared: 'MD5', failure: null })
  await close()
})

test.skipIf(process.platform === 'win32')(
  'names that the archive cannot take each by itself are said before anything is packed',
  async () => {
    const { store, transfers, close } = openWholeDesk(clientOf('reader'))
    const source = path.join(place.folder, 'Udda namn')
    for (const folder of ['brev\n1', '  ', 'vanlig'])
      mkdirSync(path.join(source, folder), { recursive: true })
    for (const name of [
      'brev\n1/a.txt',
      '  /a.txt',
      'vanlig/a.txt',
      'vanlig/\n.txt',
      'vanlig/\t',
      'vanlig/ a.txt',
    ])
      writeFileSync(path.join(source, name), 'a')
    const draft = blankDraft(store, { archive: 'a', id: crypto.randomUUID(), now: new Date() })
    const counted = await countSource(source, draft.packing, scripts)
    const blank = await countSource(path.join(source, '  '), draft.packing, scripts)
    transfers.keep({ ...draft, sources: [counted, blank], counts: sum([counted, blank]) })
    const kept = transfers.need(draft.id)
    expect(transfers.refusableOf(kept)).toMatchObject({ unnameable: 5 })
    const body = { ...draft, sources: [{ ...counted, unnameable: undefined }] }
    transfers.keep(JSON.parse(JSON.stringify(body)) as KeptTransfer)
    expect(transfers.refusableOf(transfers.need(draft.id))).toMatchObject({ unnameable: 0 })
    await close()
  },
)

test('what a backup brings back goes on over the interface, and is made no second time', async () => {
  const archive = clientOf('reader')
  const sent = openDesk(archive)
  await sent.submit()
  const { store, transfers, idle, close } = openWholeDesk(archive)
  const { kept, id } = sent
  // As it was before it was sent.
  store.keepTransfer({
    ...kept(),
    state: 'prepared',
    sending: null,
    remote: null,
    isWaiting: true,
    wasRestored: true,
    times: { ...kept().times, sent: null },
  })
  await transfers.sendDue('a')
  await transfers.follow('a')
  await idle()
  expect(transfers.need(id)).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(await heldOf(archive, { id })).toHaveLength(1)
  await close()
})
