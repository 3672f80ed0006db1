import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chunksOf } from '../../../../electron/common/chunks.ts'
import { archiveSteps } from '../../../../electron/contract/transfers.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import type { DescribedContainer } from '../../../../electron/dialects/reception.ts'
import { listFiles, pathOf } from '../../../../electron/dialects/essarch/files.ts'
import { formatNamed } from '../../../../electron/packaging/formats.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { blankDraft, reopened } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { countSource, sum } from '../../../../electron/jobs/kinds/transfer/sources.ts'
import { openTransfers } from '../../../../electron/jobs/kinds/transfer/transfers.ts'
import type { CacheOf } from '../../../../electron/store/cache/caches.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import type { Capabilities } from '../../../../electron/contract/capabilities.ts'
import { someCapabilities } from '../../../archives/capabilities.ts'
import {
  findReception,
  layInReception,
  takeBack,
} from '../../../../electron/jobs/kinds/transfer/reception.ts'
import { mountPointOf } from '../../../../electron/jobs/kinds/transfer/ingest-folder.ts'
import { uploadedFilesOf } from '../../../../electron/jobs/kinds/transfer/comparison.ts'
import { finish, submit } from '../../../../electron/jobs/kinds/transfer/submission.ts'
import { digestOf } from '../../../../electron/jobs/kinds/transfer/upload.ts'
import type { KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { uploadPlace } from '../../../desks/upload-place.ts'
import { preparedTransfer } from '../../../desks/kept-jobs.ts'
import { failureOf, pack, scripts } from '../../../packages/packing.ts'
import type { Resumption } from '../../../../electron/archive-client/download.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'

const place = scratch()
const tar = path.join(place.folder, 'package.tar')
const bag = path.join(place.folder, 'package')
let packed: Awaited<ReturnType<typeof pack>>
let packedFolder: Awaited<ReturnType<typeof pack>>
let essarch: Awaited<ReturnType<typeof startDialect>>
let agreement = ''
const { laidPackages: laid } = openDeskStore(':memory:')
beforeAll(async () => {
  // Each step of the archive takes a moment, so that hundreds of submissions fit into a test.
  process.env['ESSARCH_TASK_MS'] = '5'
  essarch = await startDialect('essarch')
  delete process.env['ESSARCH_TASK_MS']
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.docx'), 'Ett brev')
  writeFileSync(path.join(source, 'tom'), '')
  packed = await pack([source], tar, { form: 'tar' })
  const known = path.join(place.folder, 'Kända format')
  mkdirSync(path.join(known, 'mapp å'), { recursive: true })
  writeFileSync(path.join(known, 'mapp å', 'brev 100%.txt'), 'Ett brev')
  // Merging the first takes what waits of the second, whose name begins alike.
  writeFileSync(path.join(known, 'bild.tif'), 'first')
  writeFileSync(path.join(known, 'bild.tif_1.tif'), 'second')
  packedFolder = await pack([known], bag, { form: 'folder' })
  agreement = present((await submission.agreements(clientOf('reader')))[0]).id
})
afterAll(async () => {
  await essarch.stop()
  place[Symbol.dispose]()
})

const clientOf = (username: string): ArchiveClient => {
  const { password } = present(
    [essarch.archive, ...essarch.archive.others].find((account) => account.username === username),
  )
  return openArchiveClient(
    essarch.archive.url,
    `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  )
}

/** A desk with one transfer that is packed: as one tar, or as a folder of which each file goes by itself. */
const openDesk = (
  archive: ArchiveClient,
  name = 'Brev',
  form: 'tar' | 'folder' = 'tar',
  id: string = crypto.randomUUID(),
  desksLaid = laid,
) => {
  const file = path.join(place.folder, `${id}${form === 'tar' ? '.tar' : ''}`)
  cpSync(form === 'tar' ? tar : bag, file, { recursive: true })
  const { counts, manifest, content } = form === 'tar' ? packed : packedFolder
  const sip = { path: file, counts, manifest, content, form }
  const prepared = preparedTransfer({ id, name }, sip)
  let kept: KeptTransfer = { ...prepared, form: { ...prepared.form, agreement } }
  const sent: number[] = []
  const noted = new Map<string, boolean>()
  let clock = () => new Date()
  let wait = async (): Promise<void> => void (await pass(3))
  // How fast this computer's disk is just now decides nothing here.
  let writeSpeed = Infinity
  const parts = (client: ArchiveClient, mayReceive = true, signal = new AbortController().signal) => ({
    archive: client,
    change: (_id: string, change: Partial<KeptTransfer>) => (kept = { ...kept, ...change }),
    current: () => kept,
    noteExtension: (extension: string, isAccepted: boolean) => void noted.set(extension, isAccepted),
    laid: desksLaid,
    scripts,
    mayReceive,
    mayRecord: true,
    writeSpeedOf: () => Promise.resolve(writeSpeed),
    signal,
    now: () => clock(),
    wait: () => wait(),
    onPlan: () => undefined,
    onProgress: ({ bytes }: { bytes: number }) => void sent.push(bytes),
  })
  return {
    id,
    file,
    sent,
    noted,
    kept: () => kept,
    /** Packs another source in place of what was packed. */
    packAnew: async (source: string) => {
      rmSync(file, { recursive: true })
      const { counts, manifest, content } = await pack([source], file, { form })
      kept = { ...kept, sip: { ...present(kept.sip), counts, manifest, content } }
    },
    change: (change: Partial<KeptTransfer>) => (kept = { ...kept, ...change }),
    /** Writes to drives so fast, in bytes a second. */
    writeAt: (bytesPerSecond: number) => (writeSpeed = bytesPerSecond),
    /** Goes by another clock, and waits otherwise. */
    goBy: (other: { clock: typeof clock; wait: typeof wait }) => ({ clock, wait } = other),
    submit: (client = archive) => submit(kept, parts(client)),
    finish: (client = archive, mayReceive = true, signal?: AbortSignal) =>
      finish(kept, parts(client, mayReceive, signal)),
  }
}

/**
 * A client that a desk is killed with: at a request that changes something, before it leaves or once it was
 * answered. Whoever is killed at another finds what a kill before the next of them leaves.
 */
const dying = (archive: ArchiveClient, at: number, when: 'before' | 'after') => {
  let requests = 0
  const died = new Error('killed')
  const guard =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      requests += 1
      if (requests > at) throw died
      if (requests === at && when === 'before') throw died
      const answer = await ask(...given)
      if (requests === at) throw died
      return answer
    }
  return {
    died,
    requests: () => requests,
    client: {
      ...archive,
      post: guard(archive.post),
      patch: guard(archive.patch),
      delete: guard(archive.delete),
      upload: guard(archive.upload),
    },
  }
}

/** What the archive holds of a transfer. */
const heldOf = async (archive: ArchiveClient, { id }: { id: string }) => {
  const query = new URLSearchParams({ view_type: 'flat', object_identifier_value: id })
  return (await archive.list(`information-packages/?${query.toString()}`)) as { id: string; state: string }[]
}

test('a transfer is submitted, received and preserved by the ordinary role, and compared with what was sent', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  expect(await desk.submit()).toMatchObject({ state: 'sent', failure: null, isWaiting: false })
  expect(desk.sent.at(-1)).toBe(statSync(desk.file).size)
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5', sending: null })
  const [held, ...others] = await heldOf(archive, desk)
  expect(others).toEqual([])
  expect(held).toMatchObject({ id: desk.kept().package, state: 'Preserved' })
})

/** Sends what is killed at a request, and goes on with it as the desk does that is started again. */
const sendKilled = async (
  desk: ReturnType<typeof openDesk>,
  archive: ArchiveClient,
  at: number,
  when: 'before' | 'after',
): Promise<{ killed: boolean; requests: number }> => {
  const { client, died, requests } = dying(archive, at, when)
  try {
    await desk.submit(client)
    await desk.finish(client)
    return { killed: false, requests: requests() }
  } catch (error) {
    if (error !== died) throw error
  }
  if (desk.kept().state !== 'sent' && desk.kept().state !== 'received') await desk.submit()
  await desk.finish()
  return { killed: true, requests: requests() }
}

// What a kill before a request leaves, one after the request before it leaves too, but for what the desk
// wrote down between the two; and files follow one another alike.
test.each([
  ['before', 'tar', 3],
  ['after', 'tar', 1],
  ['after', 'folder', 4],
] as const)(
  'killed %s a request, a transfer that goes as a %s goes on: nothing is lost, doubled or half (each %i.)',
  async (when, form, step) => {
    const archive = clientOf('reader')
    for (let at = 1; ; at += step) {
      const desk = openDesk(archive, 'Brev', form)
      const { killed, requests } = await sendKilled(desk, archive, at, when)
      // It was preserved before it could be killed: every request had its turn.
      if (!killed) {
        expect(requests).toBeLessThan(at)
        expect(at).toBeGreaterThan(10)
        break
      }
      expect(desk.kept()).toMatchObject({ state: 'preserved', compared: 'MD5' })
      expect(await heldOf(archive, desk)).toHaveLength(1)
      const { id } = present((await heldOf(archive, desk))[0])
      const files = await uploadedFilesOf(desk.kept())
      const folders = new Set(files.map((file) => path.dirname(file.path)))
      for (const folder of folders)
        expect(await submission.sizesIn(archive, uploadPlace(id), `content/${desk.id}/${folder}`)).toEqual(
          new Map(
            files
              .filter((file) => path.dirname(file.path) === folder)
              .map((file) => [path.basename(file.path), file.bytes]),
          ),
        )
    }
  },
)

test('a file that the archive refuses is named, remembered, and what it left there makes way for the next attempt', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive, 'Brev', 'folder')
  const source = path.join(place.folder, 'Med tabell')
  mkdirSync(source)
  const unknown = path.join(source, 'tabell.csv')
  writeFileSync(path.join(source, 'bild.tif'), 'first')
  writeFileSync(unknown, 'a;b')
  await desk.packAnew(source)
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'refused' } })
  expect(desk.noted).toEqual(new Map([['.csv', false]]))
  const [refused] = await heldOf(archive, desk)

  rmSync(unknown)
  await desk.packAnew(source)
  desk.change({ sending: null, remote: null, refusedPackage: present(refused).id, steps: [] })
  await desk.submit()
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(desk.noted.get('.tif')).toBe(true)
  const held = await heldOf(archive, desk)
  expect(held).toHaveLength(1)
  expect(held[0]?.id).not.toBe(refused?.id)
  expect(desk.kept().steps?.map(({ step }) => step)).toEqual(
    archiveSteps.filter((step) => step !== 'agreed' || desk.kept().steps?.some((seen) => seen.step === step)),
  )
})

test('a METS that writes paths as URIs names the files that were sent', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive, 'Brev', 'folder')
  await desk.submit()
  const encoding: ArchiveClient = Object.assign({}, archive, {
    bytes: async (...asked: Parameters<ArchiveClient['bytes']>) => {
      const answer = await archive.bytes(...asked)
      const encoded = (await text(answer.body)).replaceAll(/file:\/{3}[^"]*/g, encodeURI)
      return { ...answer, body: chunksOf(Readable.from([Buffer.from(encoded)])) }
    },
  })
  expect(await desk.finish(encoding)).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('what is stopped while the archive names what it holds stops at once', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  const stopped = new AbortController()
  const slow: ArchiveClient = Object.assign({}, archive, {
    bytes: async (address: string, part?: Resumption, stop?: AbortSignal) => {
      const answer = await archive.bytes(address, part, stop)
      const body = async function* () {
        for await (const bytes of answer.body) {
          yield bytes
          stopped.abort()
          if (!stop?.aborted) throw new Error('Nobody stops it.')
          stop.throwIfAborted()
        }
      }
      return { ...answer, body: body() }
    },
  })
  await expect(desk.finish(slow, true, stopped.signal)).rejects.toMatchObject({ name: 'AbortError' })
})

test('one file among many that is not what was sent is found', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive, 'Brev', 'folder')
  await desk.submit()
  const source = path.join(place.folder, 'Annat')
  cpSync(path.join(place.folder, 'Kända format'), path.join(source, 'Kända format'), { recursive: true })
  appendFileSync(path.join(source, 'Kända format', 'bild.tif'), '!')
  await desk.packAnew(path.join(source, 'Kända format'))
  await expect(desk.finish()).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'size', path: 'content/Kända format/bild.tif' },
  })
})

test('what a backup brought back after its package was let go is preserved, and compared with nothing', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  const submitted = desk.kept()
  await desk.finish()
  rmSync(desk.file)
  desk.change({ ...submitted })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: null })
})

test('what is no longer as it was packed is not sent', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive, 'Brev', 'folder')
  rmSync(path.join(desk.file, 'data', 'Kända format', 'bild.tif'))
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'bad-package' } })
  const cut = openDesk(archive)
  truncateSync(cut.file, 700)
  await expect(cut.submit()).rejects.toMatchObject({ failure: { kind: 'bad-package' } })
})

test.each([
  ['at', 1],
  ['after', 2],
] as const)('a package that was begun under another identifier is removed %s a kill', async (_, at) => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const stopping: ArchiveClient = Object.assign({}, archive, {
    post: (address: string, ...given: [unknown, number?]) =>
      address.endsWith('/prepare/')
        ? Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' }))
        : archive.post(address, ...given),
  })
  await expect(desk.submit(stopping)).rejects.toThrow(Failed)
  const identifier = `other-${desk.id}`
  const { sip } = desk.kept()
  const draft = reopened(desk.kept(), true)
  desk.change({ ...draft, sip, state: 'prepared', form: { ...draft.form, identifier } })
  const { client, died } = dying(archive, at, 'before')
  await expect(desk.submit(client)).rejects.toBe(died)
  expect(await desk.submit()).toMatchObject({ state: 'sent', refusedPackage: null })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  while ((await heldOf(archive, desk)).length > 0) await pass(5)
  expect(await heldOf(archive, { id: identifier })).toHaveLength(1)
})

test('what was submitted under another identifier stays', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  const identifier = `other-${desk.id}`
  const { sip } = desk.kept()
  const draft = reopened(desk.kept(), true)
  desk.change({ ...draft, sip, state: 'prepared', form: { ...draft.form, identifier } })
  await desk.submit()
  expect((await heldOf(archive, desk))[0]?.state).toBe('Submitted')
})

test('what the archive goes on with meanwhile is not removed there', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  const [held] = await heldOf(archive, desk)
  desk.change({ state: 'prepared', sending: null, remote: null, refusedPackage: present(held).id, steps: [] })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  expect(await heldOf(archive, desk)).toHaveLength(1)
})

test('a package of somebody else under a typed identifier is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive, 'Deras')
  await theirs.submit()
  const desk = openDesk(archive)
  const { form } = desk.kept()
  // An attempt whose answer was lost, and one that made a package that is gone since.
  desk.change({
    form: { ...form, identifier: theirs.id, name: 'Vår' },
    sending: 'submitting',
    state: 'prepared',
  })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  desk.change({ state: 'sent', remote: crypto.randomUUID() })
  await expect(desk.finish()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  expect((await heldOf(archive, theirs))[0]?.state).toBe('Submitted')
})

/** A client of an archive whose connection breaks at some addresses before anything arrives. */
const breakingAt = (archive: ArchiveClient, addresses: RegExp): ArchiveClient => {
  const broken = () =>
    Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' }))
  return Object.assign({}, archive, {
    post: (address: string, ...given: [unknown, number?]) =>
      addresses.test(address) ? broken() : archive.post(address, ...given),
    patch: (address: string, body: unknown) =>
      addresses.test(address) ? broken() : archive.patch(address, body),
  })
}
const creating = /^information-packages\/$/
const agreeing = /^information-packages\/[^/]+\/$/

test('a package of the same name and identifier that another account made is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'delivery-7' } })
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  const producer = clientOf('producer')
  const desk = openDesk(producer)
  // An attempt that never arrived, though its answer seemed lost.
  const lost = { sending: 'submitting', state: 'prepared' } as const
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-7' }, ...lost })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  theirs.change({ ...lost, remote: null })
  expect(await theirs.submit()).toMatchObject({ state: 'sent' })
})

test('a package of the same name, identifier and account that another desk works at is never ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  for (const one of [theirs, desk]) one.change({ form: { ...one.kept().form, identifier: 'delivery-12' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, /create/))).rejects.toThrow(Failed)
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  await theirs.submit()
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

/** A client of an archive that answers some lists otherwise. */
const listing = (
  archive: ArchiveClient,
  change: (address: string, rows: Record<string, unknown>[]) => unknown[],
): ArchiveClient =>
  Object.assign({}, archive, {
    list: async (address: string) =>
      change(address, (await archive.list(address)) as Record<string, unknown>[]),
  })

test('a package that another desk made while ours was lost is not taken over, nor removed', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive, 'Deras')
  const desk = openDesk(archive)
  for (const one of [theirs, desk]) one.change({ form: { ...one.kept().form, identifier: 'delivery-8' } })
  desk.change({ sending: 'submitting', state: 'prepared' })
  const late: ArchiveClient = Object.assign({}, archive, {
    post: async (address: string, body: unknown, answerMs?: number) => {
      if (address === 'information-packages/') await theirs.submit()
      return archive.post(address, body, answerMs)
    },
  })
  await expect(desk.submit(late)).rejects.toThrow(Failed)
  expect(desk.kept()).toMatchObject({ remote: null, sending: null })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('an archive that goes back again and again is not asked without end', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  let asked = 0
  const backwards = Object.assign(
    listing(archive, (_address, rows) =>
      rows.map((row) =>
        row['object_identifier_value'] === desk.id
          ? Object.assign({}, row, {
              state: asked % 2 === 0 ? 'Uploaded' : 'Created',
              step_state: 'SUCCESS',
            })
          : row,
      ),
    ),
    {
      post: (address: string, body: unknown, answerMs?: number) => {
        if (address.endsWith('/create/') || address.endsWith('/submit/')) asked += 1
        return address.endsWith('/create/') || address.endsWith('/submit/')
          ? Promise.resolve({})
          : archive.post(address, body, answerMs)
      },
    },
  )
  await expect(desk.submit(backwards)).rejects.toMatchObject({ failure: { kind: 'server-broke' } })
  expect(asked).toBeLessThan(10)
})

test.each([
  ['back', -86_400_000],
  ['forward', 86_400_000],
])('a clock that is set %s while the archive works neither ends nor lengthens a wait', async (_, setMs) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    let [set, waits] = [0, 0]
    desk.goBy({
      clock: () => new Date(Date.now() + set),
      wait: async () => {
        await pass(1)
        set += setMs
        waits += 1
        if (waits > 100) throw new Error('It waits for ever.')
        vi.advanceTimersByTime(1_500)
      },
    })
    const idle: ArchiveClient = Object.assign({}, archive, {
      post: (address: string, ...given: [unknown, number?]) =>
        address.endsWith('/prepare/') ? Promise.resolve({}) : archive.post(address, ...given),
    })
    await expect(desk.submit(idle)).rejects.toMatchObject({ failure: { detail: 'too-slow' } })
    expect(waits).toBeGreaterThan(30)
  } finally {
    vi.useRealTimers()
  }
})

test('what is preserved is, whatever failed that was done with it afterwards', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  const failing = listing(archive, (_address, rows) =>
    rows.map((row) =>
      row['state'] === 'Preserved' ? Object.assign({}, row, { step_state: 'FAILURE' }) : row,
    ),
  )
  expect(await desk.finish(failing)).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a package that this account does not see now is gone on with when it does', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const stopping: ArchiveClient = Object.assign({}, archive, {
    post: (address: string, body: unknown, answerMs?: number) =>
      address.endsWith('/prepare/')
        ? Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' }))
        : archive.post(address, body, answerMs),
  })
  await expect(desk.submit(stopping)).rejects.toThrow(Failed)
  const { remote } = desk.kept()
  const blind = listing(archive, (address, rows) => (address.startsWith('information-packages') ? [] : rows))
  await expect(desk.submit(blind)).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'unseen' } })
  expect(desk.kept()).toMatchObject({ sending: 'submitting', remote })
  expect(await desk.submit()).toMatchObject({ state: 'sent', remote })
})

test('a package that the archive shows only after minutes is still ours, under a typed identifier too', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    const identifier = 'delivery-14'
    desk.change({ form: { ...desk.kept().form, identifier } })
    desk.goBy({
      clock: () => new Date(),
      wait: async () => {
        await pass(1)
        vi.advanceTimersByTime(5_000)
      },
    })
    const blind = listing(archive, () => [])
    await expect(desk.submit(blind)).rejects.toMatchObject({ failure: { detail: 'too-slow' } })
    const failure = { kind: 'conflict', detail: 'unseen' } as const
    expect(await failureOf(desk.submit(blind))).toEqual(failure)
    // A person may send it again, or give it another identifier.
    desk.change({ state: 'prepared', failure })
    const { transfers, close } = openWholeDesk(archive)
    expect(transfers.constraintsOf(desk.kept())).toEqual(['opened'])
    await close()
    expect(await desk.submit()).toMatchObject({ state: 'sent' })
    expect(await heldOf(archive, { id: identifier })).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('a package that was removed in the archive is made anew', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const stopping: ArchiveClient = Object.assign({}, archive, {
    patch: () => Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' })),
  })
  await expect(desk.submit(stopping)).rejects.toThrow(Failed)
  const gone = present(desk.kept().remote)
  await archive.delete(`information-packages/${gone}/?delete_files=true`)
  while ((await heldOf(archive, desk)).length > 0) await pass(5)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(desk.kept().remote).not.toBe(gone)
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a file that the archive still merges is waited for, and not sent again', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const name = path.basename(desk.file)
  let looks = 0
  let chunks = 0
  const merging = Object.assign(
    listing(archive, (address, rows) => {
      if (!address.includes('/files/')) return rows
      looks += 1
      const { size } = statSync(desk.file)
      return looks > 3 ? [{ name, type: 'file', size }] : [{ name, type: 'file', size: size - 4 + looks }]
    }),
    { upload: () => Promise.resolve(void (chunks += 1)) },
  )
  await desk.submit(merging)
  expect({ isLookedAt: looks > 3, chunks }).toEqual({ isLookedAt: true, chunks: 0 })
})

test('what is stopped while a large file is compared stops at once', async () => {
  await expect(digestOf(tar, 'MD5', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(await digestOf(tar, 'MD5', new AbortController().signal)).toMatch(/^[0-9a-f]{32}$/)
})

test('an archive has the longer to merge a file the larger that is', async () => {
  const asked: (number | undefined)[] = []
  const post = (_path: string, _body: unknown, answerMs?: number) =>
    Promise.resolve(void asked.push(answerMs))
  await submission.merge({ post }, uploadPlace('p'), 'content/a.tar', 1024)
  await submission.merge({ post }, uploadPlace('p'), 'content/a.tar', 50_000_000_000)
  expect(asked.map((ms) => Math.round(present(ms) / 1000))).toEqual([30, 10_030])
})

/** A desk with a transfer that adds to a package which another one brought. */
const openGeneration = async (archive: ArchiveClient, form: 'tar' | 'folder' = 'tar') => {
  const former = openDesk(archive, 'Brev', 'folder')
  await former.submit()
  await former.finish()
  const desk = openDesk(archive, 'Brev, tillägg', form)
  const generationOf = { id: present(former.kept().package), title: 'Brev' }
  desk.change({ form: { ...desk.kept().form, agreement: '', generationOf } })
  return { former, desk }
}

const generationsOf = async (archive: ArchiveClient, id: string) => {
  const whole = (await archive.get(`information-packages/${id}/`)) as { aic: { id: string } }
  const all = (await archive.list('information-packages/?view_type=flat')) as {
    aic: string
    generation: number
    object_identifier_value: string
    state: string
  }[]
  return all
    .filter(({ aic }) => aic === whole.aic.id)
    .map(({ generation, object_identifier_value: identifier, state }) => ({ generation, identifier, state }))
    .sort((a, b) => a.generation - b.generation)
}

test('a new generation holds all that the former holds, and what was added', async () => {
  const archive = clientOf('reader')
  const { former, desk } = await openGeneration(archive)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  const id = present(desk.kept().package)
  expect(await generationsOf(archive, id)).toEqual([
    { generation: 0, identifier: former.id, state: 'Preserved' },
    { generation: 1, identifier: desk.id, state: 'Preserved' },
  ])
  const held = await submission.sizesIn(archive, uploadPlace(id), 'content')
  expect(held.get(`${desk.id}.tar`)).toBe(statSync(desk.file).size)
  expect(
    await submission.sizesIn(archive, uploadPlace(id), `content/${former.id}/content/Kända format/mapp å`),
  ).toEqual(new Map([['brev 100%.txt', 8]]))
})

test('killed after any request, a new generation goes on: there is one, and it is whole', async () => {
  const archive = clientOf('reader')
  for (let at = 1; ; at += 1) {
    const { desk } = await openGeneration(archive)
    const { killed, requests } = await sendKilled(desk, archive, at, 'after')
    if (!killed) {
      expect(requests).toBeLessThan(at)
      expect(at).toBeGreaterThan(5)
      break
    }
    expect(desk.kept()).toMatchObject({ state: 'preserved', compared: 'MD5' })
    expect(await generationsOf(archive, present(desk.kept().package))).toHaveLength(2)
  }
})

test('files that were added to a new generation each by itself are found where they were laid', async () => {
  const { desk } = await openGeneration(clientOf('reader'), 'folder')
  await desk.submit()
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a generation that was opened is gone on with when its opening could not be followed', async () => {
  const archive = clientOf('reader')
  const { desk } = await openGeneration(archive)
  desk.change({ form: { ...desk.kept().form, identifier: 'brev-2' } })
  const cut: ArchiveClient = Object.assign({}, archive, {
    get: (address: string) =>
      address.startsWith('steps/')
        ? Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNREFUSED' }))
        : archive.get(address),
  })
  await expect(desk.submit(cut)).rejects.toThrow(Failed)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a generation that somebody else opened under the same identifier is not touched', async () => {
  const archive = clientOf('reader')
  const { desk: theirs } = await openGeneration(archive)
  const { desk } = await openGeneration(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'X-2' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'X-2' } })
  // Both look before either has opened it.
  let isOpened = false
  const late: ArchiveClient = Object.assign({}, archive, {
    post: async (address: string, body: unknown, answerMs?: number) => {
      if (address.endsWith('/access/') && !isOpened) {
        isOpened = true
        await theirs.submit()
      }
      return archive.post(address, body, answerMs)
    },
  })
  await expect(desk.submit(late)).rejects.toThrow(Failed)
  expect(desk.kept().refusedPackage ?? null).toBeNull()
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a new generation that the archive could not open to its end makes way for the next attempt', async () => {
  const archive = clientOf('reader')
  const { desk } = await openGeneration(archive)
  const failed = { id: 's', status: 'FAILURE', label: 'Access AIP' }
  const breaking: ArchiveClient = Object.assign({}, archive, {
    get: (address: string) => (address.startsWith('steps/') ? Promise.resolve(failed) : archive.get(address)),
  })
  expect(await failureOf(desk.submit(breaking))).toMatchObject({
    kind: 'refused',
    fields: { '': ['Access AIP'] },
  })
  expect(desk.kept()).toMatchObject({ sending: null, remote: null })
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await desk.finish()).toMatchObject({ state: 'preserved' })
  const made = await generationsOf(archive, present(desk.kept().package))
  expect(made.map(({ identifier }) => identifier).filter((one) => one === desk.id)).toHaveLength(1)
})

test('a package of somebody else is not removed where a new generation under its identifier fails', async () => {
  const archive = clientOf('reader')
  const { desk } = await openGeneration(archive)
  const identifier = 'brev-3'
  desk.change({ form: { ...desk.kept().form, identifier } })
  const failed = { id: 's', status: 'FAILURE', label: 'Access AIP' }
  const late: ArchiveClient = Object.assign({}, archive, {
    get: (address: string) => (address.startsWith('steps/') ? Promise.resolve(failed) : archive.get(address)),
    post: async (address: string, ...given: [unknown, number?]) => {
      if (!address.endsWith('/access/')) return archive.post(address, ...given)
      await submission.create(clientOf('producer'), { identifier, label: 'Deras' })
      return { step: 's' }
    },
  })
  await expect(desk.submit(late)).rejects.toMatchObject({ failure: { kind: 'refused' } })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  expect(await heldOf(archive, { id: identifier })).toMatchObject([{ label: 'Deras' }])
})

test('a new generation from which something is gone is not called preserved', async () => {
  const archive = clientOf('reader')
  const { former, desk } = await openGeneration(archive)
  await desk.submit()
  const lost = `content/${former.id}/content/Kända format/bild.tif`
  rmSync(path.join(essarch.data, 'packages-over-rest', desk.id, lost))
  await expect(desk.finish()).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'missing', path: lost },
  })
})

/** A client to which the archive describes the former generation otherwise. */
const describing = (
  archive: ArchiveClient,
  former: ReturnType<typeof openDesk>,
  change: (mets: string) => string,
): ArchiveClient =>
  Object.assign({}, archive, {
    bytes: async (...asked: Parameters<ArchiveClient['bytes']>) => {
      const answer = await archive.bytes(...asked)
      if (!asked[0].includes(present(former.kept().package))) return answer
      return { ...answer, body: chunksOf(Readable.from([Buffer.from(change(await text(answer.body)))])) }
    },
  })
const sha256 = (mets: string) =>
  mets
    .replaceAll(/CHECKSUM="[^"]*"/g, `CHECKSUM="${'0'.repeat(64)}"`)
    .replaceAll('CHECKSUMTYPE="MD5"', 'CHECKSUMTYPE="SHA-256"')

test('generations with digests by different algorithms are compared by name and size', async () => {
  const archive = clientOf('reader')
  const { former, desk } = await openGeneration(archive)
  await desk.submit()
  const longer = describing(archive, former, (mets) => sha256(mets).replace(/SIZE="5"/, 'SIZE="6"'))
  await expect(desk.finish(longer)).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'changed' },
  })
  const unsized = describing(archive, former, (mets) => sha256(mets).replaceAll(/ SIZE="\d+"/g, ''))
  await expect(desk.finish(unsized)).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'no digest' },
  })
  const other = describing(archive, former, sha256)
  expect(await desk.finish(other)).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a file of the former generation that is another now is said to be another', async () => {
  const archive = clientOf('reader')
  const { former, desk } = await openGeneration(archive)
  await desk.submit()
  const changed = `content/${former.id}/content/Kända format/bild.tif`
  writeFileSync(path.join(essarch.data, 'packages-over-rest', desk.id, changed), 'another')
  await expect(desk.finish()).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'changed', path: changed },
  })
})

test.each([
  ['archivist', 1],
  ['reader', 0],
] as const)(
  'where %s names a delivery, the archive keeps %i record of the transfer',
  async (username, count) => {
    const archive = clientOf(username)
    const [delivery] = (await archive.list('deliveries/')) as { id: number }[]
    const desk = openDesk(archive)
    desk.change({ form: { ...desk.kept().form, delivery: String(present(delivery).id) } })
    await desk.submit()
    expect(await desk.finish()).toMatchObject({ state: 'preserved' })
    const records = (await archive.list('transfers/')) as { id: string; description: string }[]
    const ours = records.filter(({ description }) => description.includes(desk.id))
    expect(ours).toHaveLength(count)
    expect(desk.kept().record).toEqual(
      count === 1 ? { id: String(ours[0]?.id) } : { id: null, wasRefused: true },
    )
  },
)

const reception = () => path.join(essarch.data, 'reception')

/** A desk whose transfer has so many files that a drive is faster, and sends each by itself. */
const openManyFiles = async (archive: ArchiveClient) => {
  const desk = openDesk(archive, 'Många filer', 'folder')
  const source = path.join(place.folder, 'många')
  mkdirSync(source, { recursive: true })
  for (let file = 0; file < 200; file += 1) writeFileSync(path.join(source, `${file}.txt`), `${file}`)
  await desk.packAnew(source)
  return desk
}

test('many files are laid into the reception, where a drive leads there, and keep their name and place', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(desk.kept().reception).toBe(path.join(essarch.data, 'reception'))
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  const held = await archive.get(`information-packages/${desk.kept().package}/`)
  expect(held).toMatchObject({ label: 'Många filer', object_identifier_value: desk.id, state: 'Preserved' })
  expect(readdirSync(path.join(essarch.data, 'reception'))).toEqual([])
})

test('a drive that is slower than the interface is passed over, and keeps nothing', async () => {
  const desk = await openManyFiles(clientOf('reader'))
  desk.writeAt(1)
  expect(await desk.submit()).toMatchObject({ state: 'sent', reception: null })
  expect(readdirSync(reception())).toEqual([])
})

test('what was packed before is never laid in place of what is packed now', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const partial = path.join(essarch.data, 'reception', `${desk.id}.${laid.desk}.partial`, 'content')
  mkdirSync(partial, { recursive: true })
  writeFileSync(path.join(partial, 'taken out.txt'), 'secret')
  await desk.submit()
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a package that is damaged before it is laid there can be made a draft again', async () => {
  const desk = await openManyFiles(clientOf('reader'))
  rmSync(path.join(desk.file, 'bagit.txt'))
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'bad-package' } })
  expect(desk.kept()).toMatchObject({ sending: null, remote: null })
})

test('what was laid into the reception and not received there is taken back when it goes another way', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const refusing: ArchiveClient = Object.assign({}, archive, {
    post: (address: string, body: unknown, answerMs?: number) =>
      address.startsWith('ip-reception/')
        ? Promise.reject(new Failed({ kind: 'not-allowed', detail: '' }))
        : archive.post(address, body, answerMs),
  })
  await expect(desk.submit(refusing)).rejects.toThrow(Failed)
  expect(readdirSync(path.join(essarch.data, 'reception'))).toEqual([desk.id])
  const broken: ArchiveClient = listing(archive, (address, rows) => {
    if (address.startsWith('ip-reception/') || address.startsWith('paths/'))
      throw new Failed({ kind: 'not-allowed', detail: '' })
    return rows
  })
  expect(await desk.submit(broken)).toMatchObject({ state: 'sent', reception: null })
  expect(readdirSync(path.join(essarch.data, 'reception'))).toEqual([])
})

test('killed after any request, what is laid there goes on', async () => {
  const archive = clientOf('reader')
  for (let at = 1; ; at += 1) {
    const desk = await openManyFiles(archive)
    const { killed } = await sendKilled(desk, archive, at, 'after')
    if (!killed) {
      expect(at).toBeGreaterThan(3)
      break
    }
    expect(desk.kept()).toMatchObject({ state: 'preserved', compared: 'MD5' })
    expect(await heldOf(archive, desk)).toHaveLength(1)
    expect(readdirSync(path.join(essarch.data, 'reception'))).toEqual([])
  }
})

test.each([
  ['not-found', { kind: 'not-found', what: 'ip-reception/' }],
  [
    'a page of another server',
    { kind: 'server-broke', address: 'ip-reception/', status: 404, detail: 'html', excerpt: '' },
  ],
] as const)(
  'an archive without a route to its reception (%s) is sent to over the interface',
  async (_, failure) => {
    const archive = clientOf('reader')
    const desk = await openManyFiles(archive)
    const routeless: ArchiveClient = Object.assign({}, archive, {
      post: (address: string, body: unknown, answerMs?: number) =>
        address.startsWith('ip-reception/')
          ? Promise.reject(new Failed(failure))
          : archive.post(address, body, answerMs),
    })
    expect(await desk.submit(routeless)).toMatchObject({ state: 'sent', reception: null })
    expect(readdirSync(path.join(essarch.data, 'reception'))).toEqual([])
    expect(await failureOf(desk.finish(routeless))).toMatchObject({ kind: 'not-found' })
    expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  },
)

/** An archive whose drive is away until it is asked where its reception is. */
const withDriveAway = (archive: ArchiveClient): ArchiveClient => {
  const away = `${reception()} away`
  renameSync(reception(), away)
  return listing(archive, (address, rows) => {
    if (address === 'paths/' && existsSync(away)) renameSync(away, reception())
    return rows
  })
}

test('what could not be removed of an earlier attempt is never received in place of what is packed now', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  mkdirSync(path.join(reception(), desk.id, 'content'), { recursive: true })
  writeFileSync(path.join(reception(), desk.id, 'content', 'taken out.txt'), 'secret')
  desk.change({ reception: reception() })
  expect(await desk.submit(withDriveAway(archive))).toMatchObject({ reception: reception() })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('the archive is given what was packed and nothing else that lies beside it', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const partial = path.join(reception(), `${desk.id}.${laid.desk}.partial`)
  // As a desk leaves it that is killed once all was copied.
  cpSync(path.join(desk.file, 'data'), path.join(partial, 'content'), { recursive: true })
  mkdirSync(path.join(partial, 'content.work'))
  writeFileSync(path.join(partial, 'content.work', 'plan'), '')
  writeFileSync(path.join(partial, 'probe'), '')
  desk.change({ sending: 'submitting', reception: reception() })
  let given: string[] = []
  const looking: ArchiveClient = Object.assign({}, archive, {
    post: (address: string, ...rest: [unknown, number?]) => {
      if (address.startsWith('ip-reception/')) given = readdirSync(path.join(reception(), desk.id))
      return archive.post(address, ...rest)
    },
  })
  await desk.submit(looking)
  expect(given.sort()).toEqual(['content', 'metadata'])
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

/** A second desk with the same transfer, as with a copy of its data. */
const openTwin = (archive: ArchiveClient, desk: ReturnType<typeof openDesk>) => {
  const { laidPackages } = openDeskStore(':memory:')
  const twin = openDesk(archive, 'Många filer', 'folder', desk.id, laidPackages)
  return { ...twin, laid: laidPackages }
}

test('two desks that lay the same transfer at once lay all of it, and the archive takes it once', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const twin = openTwin(archive, desk)
  await desk.packAnew(path.join(place.folder, 'många'))
  twin.change({ sip: desk.kept().sip })
  await Promise.all([desk.submit(), twin.submit()])
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(await twin.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(await heldOf(archive, desk)).toHaveLength(1)
  expect(readdirSync(reception())).toEqual([])
})

test('a desk that comes second into the reception leaves what another has laid there', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const folder = path.join(reception(), desk.id)
  const twin = openDeskStore(':memory:').laidPackages
  let isFirst = true
  const options = (one: typeof laid, onPlan = () => undefined) => ({
    scripts: scripts.pack,
    signal: new AbortController().signal,
    describe: descriptionOf(desk),
    mountPoint: '',
    laid: one,
    onPlan,
  })
  await layInReception(
    desk.kept(),
    reception(),
    options(twin, () => {
      // The other was done while this one copied, and the archive takes that.
      mkdirSync(path.join(folder, 'content'), { recursive: true })
      writeFileSync(path.join(folder, 'content', 'first.txt'), '')
      isFirst = false
    }),
  )
  expect(isFirst).toBe(false)
  expect(readdirSync(path.join(folder, 'content'))).toEqual(['first.txt'])
  expect(readdirSync(reception())).toEqual([desk.id])
  rmSync(folder, { recursive: true })
})

test('nothing is written where a link leads that somebody laid into the reception', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  const elsewhere = path.join(place.folder, crypto.randomUUID())
  mkdirSync(elsewhere)
  writeFileSync(path.join(elsewhere, 'probe'), 'mine')
  symlinkSync(elsewhere, path.join(reception(), `${desk.id}.${laid.desk}.partial`), 'dir')
  expect(await desk.submit()).toMatchObject({ reception: reception() })
  expect(readdirSync(elsewhere)).toEqual(['probe'])
  expect(readFileSync(path.join(elsewhere, 'probe'), 'utf8')).toBe('mine')
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a folder that only has the name of the reception is left alone, and the interface taken', async () => {
  const archive = clientOf('reader')
  const elsewhere = path.join(place.folder, 'another reception')
  mkdirSync(elsewhere)
  const client: ArchiveClient = {
    ...archive,
    list: async (address) =>
      address === 'paths/' ? [{ entity: 'ingest_reception', value: elsewhere }] : archive.list(address),
  }
  const desk = await openManyFiles(archive)
  expect(await findReception(desk.kept(), { archive: client, submission, laid })).toBe(null)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('what lies on a drive that is away stays noted when the empty folder in its place is chosen', async () => {
  const archive = clientOf('reader')
  // What a share leaves behind is an empty folder.
  const left = path.join(place.folder, crypto.randomUUID())
  mkdirSync(left)
  const client = listing(archive, (address, rows) =>
    address === 'paths/' ? [{ entity: 'ingest_reception', value: left }] : rows,
  )
  const desk = await openManyFiles(archive)
  laid.note(desk.kept(), { reception: left, mountPoint: left })
  expect(await findReception(desk.kept(), { archive: client, submission, laid })).toBe(null)
  expect(laid.of(desk.id)).toEqual([{ reception: left, mountPoint: left }])
  expect(readdirSync(left)).toEqual([])
})

test('a package that was sent as one tar is looked into as if it lay open', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  await desk.finish()
  const id = present(desk.kept().package)
  const inside = `content/${desk.id}/content`
  const names = async (at: string) =>
    (await listFiles(archive, id, at)).map(({ name, isFolder, isContainer }) => ({
      name,
      is: isFolder ? 'folder' : isContainer ? 'container' : 'file',
    }))
  const name = `${desk.id}.tar`
  expect(await names(inside)).toEqual([{ name, is: 'container' }])
  const [top] = await names(`${inside}/${name}`)
  expect(top?.is).toBe('folder')
  const payload = `${inside}/${name}/${top?.name}/data/källa`
  expect(await names(payload)).toEqual([
    { name: 'brev.docx', is: 'file' },
    { name: 'tom', is: 'file' },
  ])
  const parts: Buffer[] = []
  const { body } = await archive.bytes(pathOf(id, `${payload}/brev.docx`))
  for await (const part of body) parts.push(part)
  expect(Buffer.concat(parts).toString()).toBe('Ett brev')
})

test('what a person says of a package for its agreement is set before the archive uses it, and once', async () => {
  const archive = clientOf('reader')
  const fields = await submission.fieldsOf(archive, agreement)
  expect(fields.map(({ key, usual, isRequired }) => [key, usual, isRequired])).toEqual([
    ['archivist_organization_name', 'Förslagsmyndigheten', false],
    ['START_DATE', '1995-01-01', true],
    ['index_files', 'true', false],
  ])
  const desk = openDesk(archive)
  const said = { archivist_organization_name: 'Byggnadsnämnden', index_files: 'false' }
  desk.change({ form: { ...desk.kept().form, agreementValues: said } })
  await desk.submit()
  await desk.finish()
  const id = present(desk.kept().package)
  const rows = (await archive.list(`profile-ip/?ip=${id}`)) as {
    profile_type: string
    data: { data: Record<string, unknown> }
    data_versions: string[]
  }[]
  const dataOf = (type: string) => present(rows.find((row) => row.profile_type === type))
  for (const type of ['submit_description', 'sip', 'aip'])
    expect(dataOf(type)).toMatchObject({
      data: { data: { archivist_organization_name: 'Byggnadsnämnden' } },
      data_versions: { length: 2 },
    })
  expect(dataOf('sip').data.data['START_DATE']).toBe('1995-01-01')
  expect(dataOf('aip').data.data['index_files']).toBe(false)
  // It is locked by then.
  await expect(
    submission.fillIn(archive, id, 'before preparing', { START_DATE: '1900-01-01' }),
  ).rejects.toThrow(Failed)
})

test.each([
  ['profile', 'get', /^profiles\//, { template: 'none' }],
  ['list of profiles', 'list', /^profile-ip\//, { profile_type: 7 }],
  ['data', 'list', /^profile-ip\//, { data: 'none' }],
  ['relation', 'list', /^profile-ip\//, { id: null }],
] as const)(
  'what a person says for the agreement is never dropped where the %s cannot be read',
  async (_, method, at, answer) => {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    const agreementValues = { START_DATE: '1900-01-01', index_files: 'false', another_agreements: 'x' }
    desk.change({ form: { ...desk.kept().form, agreementValues } })
    const broken: ArchiveClient = Object.assign({}, archive, {
      get: async (address: string) => (method === 'get' && at.test(address) ? answer : archive.get(address)),
      list: async (address: string) => {
        const rows = await archive.list(address)
        return method === 'list' && at.test(address)
          ? rows.map((row) => Object.assign({}, row, answer))
          : rows
      },
    })
    expect(await failureOf(desk.submit(broken))).toMatchObject({
      kind: 'server-broke',
      detail: 'unexpected',
      address: expect.stringContaining('profile') as string,
    })
    expect((await heldOf(archive, desk))[0]?.state).toBe('Preparing')
    await desk.submit()
    expect(await failureOf(desk.finish(broken))).toMatchObject({ kind: 'server-broke' })
    expect((await heldOf(archive, desk))[0]?.state).toBe('Received')
    expect(await desk.finish()).toMatchObject({ state: 'preserved' })
  },
)

test('a field without a key takes none of the others of its profile with it', async () => {
  const archive = clientOf('reader')
  const headed: ArchiveClient = Object.assign({}, archive, {
    get: async (address: string) => {
      const answer = await archive.get(address)
      const { template } = answer as { template?: unknown[] }
      return template ? Object.assign({}, answer, { template: [{ template: '<hr/>' }, ...template] }) : answer
    },
  })
  expect(await submission.fieldsOf(headed, agreement)).toEqual(await submission.fieldsOf(archive, agreement))
})

test('the fields of an agreement are known from the lists of the archive, and not from half of them', async () => {
  const archive = clientOf('reader')
  const lists = new Map<string, unknown[]>()
  for (const list of ['submission-agreements', 'profiles'])
    lists.set(list, await archive.list(`${list}/?pager=none`))
  const held = (list: string, id: string) =>
    lists.get(list)?.find((record) => (record as { id: unknown }).id === id)
  expect(submission.fieldsIn(held, agreement)).toEqual(await submission.fieldsOf(archive, agreement))
  const without = (key: string) => (list: string, id: string) => {
    const record = held(list, id)
    return list === 'profiles' && record ? Object.assign({}, record, { [key]: undefined }) : record
  }
  expect(submission.fieldsIn(without('template'), agreement)).toBe(null)
  expect(submission.fieldsIn(() => undefined, agreement)).toBe(null)
  expect(submission.fieldsIn(held, 'another')).toBe(null)
})

/** A desk whose transfer is an E-ARK SIP in one tar; `tags` is what is said of it further. */
const openSip = async (
  archive: ArchiveClient,
  {
    source = path.join(place.folder, 'källa'),
    tags = {},
  }: { source?: string; tags?: Record<string, string> } = {},
) => {
  const desk = openDesk(archive)
  const file = path.join(place.folder, `${desk.id}-sip.tar`)
  const sip = formatNamed('e-ark-sip')
  const { counts, manifest, content } = await sip.write(
    {
      sources: [source],
      form: 'tar',
      algorithms: ['sha256'],
      record: {
        ...sip.describe([]),
        identifier: desk.kept().form.identifier,
        organization: 'Nämnden',
        further: Object.entries(tags),
      },
      profile: null,
      software: 'Lectern 1.0',
      made: new Date(),
    },
    file,
    { scripts: scripts.pack, signal: new AbortController().signal },
  )
  desk.change({
    packing: { ...desk.kept().packing, format: 'e-ark-sip', version: '2.2.0' },
    form: { ...desk.kept().form, organization: 'Nämnden' },
    sip: { ...present(desk.kept().sip), path: file, counts, manifest, content },
  })
  return desk
}

test('an E-ARK SIP goes as one tar, and its METS and representations are shown from inside it', async () => {
  const archive = clientOf('reader')
  const desk = await openSip(archive)
  // An archive that lays out representations itself is sent nothing.
  const own = nonsense(archive, /^profiles\//, {
    structure: [{ name: 'metadata' }, { name: 'representations' }],
  })
  expect(await failureOf(desk.submit(own))).toEqual({ kind: 'not-ready', missing: ['format'] })
  expect(await heldOf(archive, desk)).toEqual([])
  await desk.submit()
  expect(await desk.finish()).toMatchObject({ state: 'preserved' })
  const id = present(desk.kept().package)
  const { identifier } = desk.kept().form
  const inside = async (folder: string) => (await listFiles(archive, id, folder)).map(({ name }) => name)
  const content = `content/${desk.id}/content`
  expect(await inside(content)).toEqual([`${desk.id}.tar`])
  const top = `${content}/${desk.id}.tar/${identifier}`
  expect(await inside(top)).toEqual(expect.arrayContaining(['METS.xml', 'metadata', 'representations']))
  expect(await inside(`${top}/representations/rep1/data/källa`)).toEqual(['brev.docx', 'tom'])
})

/** What was preserved of a desk's SIP, as people see it. */
const shownOf = async (archive: ArchiveClient, desk: ReturnType<typeof openDesk>) => {
  const id = present(desk.kept().package)
  const inside = async (folder: string) => (await listFiles(archive, id, folder)).map(({ name }) => name)
  const content = `content/${desk.id}/content`
  return {
    kept: await inside(content),
    sip: await inside(`${content}/${desk.id}.tar/${desk.id}`),
    data: await inside(`${content}/${desk.id}.tar/${desk.id}/representations/rep1/data`),
  }
}

test('a large E-ARK SIP is laid into the reception as a tar with its description, and kept as it is', async () => {
  const archive = clientOf('reader')
  const source = path.join(place.folder, 'film')
  mkdirSync(source)
  writeFileSync(path.join(source, 'film.mxf'), '')
  // What is less goes over the interface.
  truncateSync(path.join(source, 'film.mxf'), 257 * 1024 * 1024)
  const tags = { 'ARCHIVIST ORGANIZATION': 'Vattenverket & Co', 'dc:date': '1921/1932-02' }
  const desk = await openSip(archive, { source, tags })
  rmSync(source, { recursive: true })
  let waiting: unknown
  const looking: ArchiveClient = Object.assign({}, archive, {
    post: async (address: string, ...given: [unknown, number?]) => {
      if (address === `ip-reception/${desk.id}/receive/`) {
        waiting = await archive.get(`ip-reception/${desk.id}/`)
        expect(given[0]).toEqual({})
      }
      return archive.post(address, ...given)
    },
  })
  expect(await desk.submit(looking)).toMatchObject({ state: 'sent', reception: reception() })
  expect(readdirSync(reception()).sort()).toEqual([`${desk.id}.tar`, `${desk.id}.xml`])
  expect(waiting).toMatchObject({
    label: 'Brev',
    start_date: '1921-01-01',
    end_date: '1932-02-29',
    altrecordids: { SUBMISSIONAGREEMENT: [agreement] },
    agents: {
      ARCHIVIST_ORGANIZATION: { name: 'Vattenverket & Co' },
      CREATOR_ORGANIZATION: { name: 'Nämnden' },
      ARCHIVIST_SOFTWARE: { name: 'Lectern', notes: ['1.0', 'E-ARK SIP 2.2.0'] },
    },
  })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(readdirSync(reception())).toEqual([])
  expect(await archive.get(`information-packages/${desk.kept().package}/`)).toMatchObject({
    label: 'Brev',
    object_identifier_value: desk.id,
    start_date: expect.stringMatching(/^1921-01-01T/) as string,
    agents: { ARCHIVIST_ORGANIZATION: { name: 'Vattenverket & Co' } },
  })
  expect(await shownOf(archive, desk)).toEqual({
    kept: [`${desk.id}.tar`],
    sip: expect.arrayContaining(['METS.xml', 'metadata', 'representations']) as string[],
    data: ['film'],
  })
})

/** The description of a desk's container. */
const descriptionOf =
  ({ id }: { id: string }) =>
  (file: DescribedContainer['file']): string =>
    submission.describeContainer({
      identifier: id,
      label: 'Brev',
      agreement,
      type: 'E-ARK SIP 2.2.0',
      software: 'Lectern 1.0',
      archivist: '',
      organization: 'Nämnden',
      person: '',
      start: '',
      end: '',
      made: new Date(),
      file,
    })

/** Lays the SIP of a desk into the reception; `killed` says where the desk dies. */
const lay = async (
  desk: ReturnType<typeof openDesk>,
  killed: 'never' | 'copying' | 'describing' = 'never',
) => {
  const stop = new AbortController()
  laid.note(desk.kept(), { reception: reception(), mountPoint: await mountPointOf(reception()) })
  if (killed !== 'never') desk.change({ state: 'sending', sending: 'submitting' })
  const laying = layInReception(desk.kept(), reception(), {
    scripts: scripts.pack,
    signal: stop.signal,
    onPlan: () => {
      if (killed === 'copying') stop.abort()
    },
    mountPoint: '',
    laid,
    describe: (file) => {
      if (killed === 'describing') throw new Error('killed')
      return descriptionOf(desk)(file)
    },
  })
  desk.change({ state: 'sending', sending: 'submitting', reception: reception() })
  return laying.then(
    () => true,
    () => false,
  )
}

test('a desk that is killed while it lays a container goes on, and the archive sees it only when it is whole', async () => {
  const archive = clientOf('reader')
  const desk = await openSip(archive)
  const isSeen = async () =>
    ((await archive.list(`ip-reception/?search=${desk.id}`)) as { object_path?: string }[]).some(
      ({ object_path: file }) => file?.endsWith('.tar'),
    )
  expect(await lay(desk, 'copying')).toBe(false)
  expect(readdirSync(reception())).toEqual([`${desk.id}.${laid.desk}.partial`])
  expect(await isSeen()).toBe(false)
  expect(await lay(desk, 'describing')).toBe(false)
  expect(readdirSync(reception())).toEqual([`${desk.id}.${laid.desk}.partial`])
  expect(await isSeen()).toBe(false)
  expect(await failureOf(archive.post(`ip-reception/${desk.id}/receive/`, {}))).toMatchObject({
    kind: 'not-found',
  })
  const { mtimeMs } = statSync(path.join(reception(), `${desk.id}.${laid.desk}.partial`, 'package.tar'))
  expect(await lay(desk)).toBe(true)
  // It was not copied again.
  expect(statSync(path.join(reception(), `${desk.id}.tar`)).mtimeMs).toBe(mtimeMs)
  expect(readdirSync(reception()).sort()).toEqual([`${desk.id}.tar`, `${desk.id}.xml`])
  expect(await isSeen()).toBe(true)
  await desk.submit()
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect((await shownOf(archive, desk)).data).toEqual(['källa'])
  expect(readdirSync(reception())).toEqual([])
})

test.each(['before', 'after'] as const)(
  'killed %s any request, a container is received once',
  async (when) => {
    const archive = clientOf('reader')
    for (let at = 1; ; at += 1) {
      const desk = await openSip(archive)
      await lay(desk)
      const { killed } = await sendKilled(desk, archive, at, when)
      expect(desk.kept()).toMatchObject({ state: 'preserved', compared: 'MD5' })
      expect(await heldOf(archive, desk)).toHaveLength(1)
      expect(readdirSync(reception())).toEqual([])
      if (!killed) {
        expect(at).toBeGreaterThan(2)
        break
      }
    }
  },
)

/** Changes a container where the content of its file lies; it is as long as before. */
const damage = (file: string) => {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(1, 2_000, 2_100))
}

test('a container that was damaged in the reception is refused, and is taken back when it is sent again', async () => {
  const archive = clientOf('reader')
  const desk = await openSip(archive)
  await lay(desk)
  damage(path.join(reception(), `${desk.id}.tar`))
  // The archive may have found it before this desk looks again.
  expect(await failureOf(desk.submit().then(() => desk.finish()))).toMatchObject({
    kind: 'refused',
    fields: { '': [expect.stringContaining('Redundancy check')] },
  })
  // As a draft that is made again.
  const made = await heldOf(archive, desk)
  desk.change({ state: 'prepared', sending: null, remote: null, refusedPackage: present(made[0]).id })
  expect(await desk.submit()).toMatchObject({ state: 'sent', reception: null })
  expect(readdirSync(reception())).toEqual([])
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test.each([
  ['another file', (file: string) => writeFileSync(file, 'another')],
  ['nothing', (file: string) => rmSync(file)],
  ['a damaged container', (file: string) => damage(file)],
] as const)('%s under the name of a container is never described as what was packed', async (_, lose) => {
  const archive = clientOf('reader')
  for (const isDescribed of [true, false]) {
    const desk = await openSip(archive)
    await lay(desk)
    lose(path.join(reception(), `${desk.id}.tar`))
    if (!isDescribed) rmSync(path.join(reception(), `${desk.id}.xml`))
    expect(await lay(desk)).toBe(true)
    const bytes = readFileSync(path.join(reception(), `${desk.id}.tar`))
    const said = readFileSync(path.join(reception(), `${desk.id}.xml`), 'utf8')
    const isWhole = said.includes(`CHECKSUM="${createHash('sha256').update(bytes).digest('hex')}"`)
    const outcome = await desk
      .submit()
      .then(() => desk.finish())
      .catch((error: unknown) => error)
    if (isWhole) expect(outcome).toMatchObject({ state: 'preserved', compared: 'MD5' })
    // Nobody reads it once more over the drive; the archive does.
    else expect(outcome).toMatchObject({ failure: { kind: 'refused' } })
    expect(isWhole).toBe(!isDescribed || bytes.subarray(2_000, 2_100).some((byte) => byte !== 1))
    // What was refused stays there for another attempt of the archive.
    await takeBack(laid, desk)
    expect(readdirSync(reception())).toEqual([])
  }
})

test('a container with a file of an unknown extension in it is not preserved, a tar with it is', async () => {
  const archive = clientOf('reader')
  const desk = await openSip(archive)
  cpSync(desk.kept().sip?.path ?? '', path.join(reception(), `${desk.id}.tar`))
  const file = path.join(reception(), `${desk.id}.tar`)
  const described = descriptionOf(desk)({
    name: `${desk.id}.tar`,
    bytes: statSync(file).size,
    sha256: present(await digestOf(file, 'SHA-256', new AbortController().signal)),
  })
  writeFileSync(path.join(reception(), `${desk.id}.xml`), described)
  desk.change({ state: 'sending', sending: 'submitting', reception: reception() })
  await archive.post(`ip-reception/${desk.id}/receive/`, {})
  await desk.submit()
  expect(await failureOf(desk.finish())).toMatchObject({
    kind: 'refused',
    fields: { '': [expect.stringContaining('brev.docx')] },
  })
  rmSync(file)
  rmSync(path.join(reception(), `${desk.id}.xml`))
})

/** A client of an archive that answers one address with something that nobody can read. */
const nonsense = (archive: ArchiveClient, at: RegExp, answer: unknown = { nothing: true }): ArchiveClient =>
  Object.assign({}, archive, {
    get: (address: string) => (at.test(address) ? Promise.resolve(answer) : archive.get(address)),
    post: (address: string, ...given: [unknown, number?]) =>
      at.test(address) ? Promise.resolve(answer) : archive.post(address, ...given),
    list: async (address: string) =>
      at.test(address)
        ? (await archive.list(address)).map((row) => Object.assign({}, row, answer))
        : archive.list(address),
  })

test('an answer that cannot be read is the failure of an archive that broke, with its address', async () => {
  const archive = clientOf('reader')
  const broke = (address: string) => ({
    kind: 'server-broke',
    status: 200,
    detail: 'unexpected',
    address: expect.stringContaining(address) as string,
  })
  const { desk } = await openGeneration(archive)
  expect(await failureOf(desk.submit(nonsense(archive, /^steps\//)))).toMatchObject(broke('steps/'))
  const said = openDesk(archive)
  said.change({ form: { ...said.kept().form, agreementValues: { START_DATE: '1900-01-01' } } })
  expect(await failureOf(said.submit(nonsense(archive, /^profiles\//, 'none')))).toMatchObject(
    broke('profiles/'),
  )
  expect(await failureOf(said.submit(nonsense(archive, /^profile-ip-data\//)))).toMatchObject(
    broke('profile-ip-data/'),
  )
  expect(
    await failureOf(submission.fieldsOf(nonsense(archive, /^submission-agreements\//, 'none'), agreement)),
  ).toMatchObject(broke('submission-agreements/'))
  const recorded = openDesk(clientOf('archivist'))
  const [delivery] = (await archive.list('deliveries/')) as { id: number }[]
  recorded.change({ form: { ...recorded.kept().form, delivery: String(present(delivery).id) } })
  const unanswered = nonsense(clientOf('archivist'), /^transfers\//)
  expect(await recorded.submit(unanswered)).toMatchObject({ state: 'sent', record: { id: null } })
})

test('an identifier that somebody else has used is said before anything is made', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-9' } })
  await submission.create(archive, { identifier: 'delivery-9', label: 'Another' })
  await expect(desk.submit()).rejects.toMatchObject({ failure: { kind: 'conflict', detail: 'identifier' } })
  expect(desk.kept().sending).toBeNull()
})

/** A client of an archive that writes identifiers another way. */
const rewriting = (archive: ArchiveClient, rewritten: (identifier: string) => string): ArchiveClient =>
  Object.assign({}, archive, {
    post: (address: string, body: unknown, answerMs?: number) => {
      if (address !== 'information-packages/') return archive.post(address, body, answerMs)
      const { object_identifier_value: identifier, ...others } = body as { object_identifier_value: string }
      return archive.post(address, { ...others, object_identifier_value: rewritten(identifier) }, answerMs)
    },
  })

test.each([
  ['in small letters', (identifier: string) => identifier.toLowerCase()],
  ['without its dots', (identifier: string) => identifier.replaceAll('.', '')],
])(
  'an archive that keeps an identifier %s is said to do so, and is asked for one package',
  async (_, rewritten) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const archive = clientOf('reader')
      let creations = 0
      const changing = rewriting(archive, (identifier) => {
        creations += 1
        return rewritten(identifier)
      })
      const desk = openDesk(archive)
      const identifier = `SE.${desk.id}`
      desk.change({ form: { ...desk.kept().form, identifier } })
      desk.goBy({
        clock: () => new Date(),
        wait: async () => {
          await pass(1)
          vi.advanceTimersByTime(5_000)
        },
      })
      const changed = { kind: 'conflict', detail: 'identifier changed' }
      expect(await failureOf(desk.submit(changing))).toEqual(changed)
      const [made] = await heldOf(archive, { id: rewritten(identifier) })
      expect(desk.kept()).toMatchObject({ sending: 'submitting', remote: present(made).id })
      expect(await failureOf(desk.submit(changing))).toEqual(changed)
      expect(creations).toBe(1)

      // With another identifier what was made makes way.
      const { sip } = desk.kept()
      const draft = reopened(desk.kept(), true)
      const form = { ...draft.form, identifier: desk.id }
      desk.change({ ...draft, sip, state: 'prepared', form })
      expect(await desk.submit()).toMatchObject({ state: 'sent' })
      while ((await heldOf(archive, { id: rewritten(identifier) })).length > 0) await pass(5)
    } finally {
      vi.useRealTimers()
    }
  },
)

test('another package under an identifier much like a typed one is never taken for ours', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'delivery-11' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'Delivery.11' } })
  await theirs.submit()
  const cut: ArchiveClient = Object.assign({}, archive, {
    post: () => Promise.reject(new Failed({ kind: 'offline', address: archive.url, detail: 'ECONNRESET' })),
  })
  await expect(desk.submit(cut)).rejects.toThrow(Failed)
  expect(desk.kept()).toMatchObject({ sending: 'submitting', remote: null })
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('words of an identifier that are divided otherwise are those of another', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'SE.11.1' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'SE.1.11' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await theirs.submit()).toMatchObject({ state: 'sent' })
})

test('a package under a like identifier that somebody goes on with is not removed for another one', async () => {
  const archive = clientOf('reader')
  const theirs = openDesk(archive)
  const desk = openDesk(archive)
  theirs.change({ form: { ...theirs.kept().form, identifier: 'SE111' } })
  desk.change({ form: { ...desk.kept().form, identifier: 'SE.111' } })
  await expect(desk.submit(breakingAt(archive, creating))).rejects.toThrow(Failed)
  await expect(theirs.submit(breakingAt(archive, agreeing))).rejects.toThrow(Failed)
  await expect(desk.submit()).rejects.toMatchObject({ failure: { detail: 'identifier changed' } })
  await expect(theirs.submit(breakingAt(archive, /create/))).rejects.toThrow(Failed)
  const { remote } = theirs.kept()
  const { sip } = desk.kept()
  const draft = reopened(desk.kept(), true)
  desk.change({ ...draft, sip, state: 'prepared', form: { ...draft.form, identifier: desk.id } })
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(await theirs.submit()).toMatchObject({ state: 'sent', remote })
  expect(await theirs.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

test('a list that lacks a package for a moment says nothing of its identifier', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  desk.change({ form: { ...desk.kept().form, identifier: 'delivery-13' } })
  await expect(desk.submit(breakingAt(archive, /prepare/))).rejects.toThrow(Failed)
  const { remote } = desk.kept()
  let looks = 0
  const late = listing(archive, (address, rows) => {
    if (address.includes('object_identifier_value')) looks += 1
    return looks <= 2 && address.includes('object_identifier_value') ? [] : rows
  })
  expect(await desk.submit(late)).toMatchObject({ state: 'sent', remote })
})

test('what is not received by this role stays sent, and is followed until somebody has received it', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  expect(await desk.finish(archive, false)).toMatchObject({ state: 'sent' })
  const other = openDesk(archive)
  await other.submit()
  await submission.receive(archive, desk.id)
  let state = ''
  while (state !== 'received') ({ state } = await desk.finish(archive, false))
  expect(desk.kept().times.received).not.toBeNull()
})

test('what an attempt in vain left is gone once another went well', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const failure = { kind: 'offline', address: archive.url, detail: 'ECONNRESET' } as const
  const inVain = { failure, attempts: 3, nextAt: '2100-01-01T00:00:00.000Z' }
  const untried = { failure: null, attempts: 0, nextAt: null }
  desk.change(inVain)
  expect(await desk.submit()).toMatchObject({ state: 'sent', ...untried })
  desk.change(inVain)
  expect(await desk.finish(archive, false)).toMatchObject({ state: 'sent', ...untried })
  await submission.receive(archive, desk.id)
  while ((await heldOf(archive, desk))[0]?.state !== 'Received') await pass(5)
  desk.change(inVain)
  expect(await desk.finish(archive, false)).toMatchObject({ state: 'received', ...untried })
  desk.change(inVain)
  expect(await desk.finish(archive, false)).toMatchObject({ state: 'received', ...untried })
  expect(await desk.finish()).toMatchObject({ state: 'preserved', ...untried })
})

test.each([true, false])(
  'a state that nobody has met is said, whether this account may receive (%s)',
  async (mayReceive) => {
    const archive = clientOf('reader')
    const desk = openDesk(archive)
    await desk.submit()
    const strange = listing(archive, (_address, rows) =>
      rows.map((row) => Object.assign({}, row, { state: 'In quarantine' })),
    )
    await expect(desk.finish(strange, mayReceive)).rejects.toMatchObject({
      failure: { kind: 'server-broke', detail: 'unexpected', excerpt: 'In quarantine' },
    })
  },
)

test('what the archive holds otherwise than it was sent is never called preserved', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  await desk.submit()
  writeFileSync(desk.file, Buffer.alloc(statSync(desk.file).size, 'another'))
  await expect(desk.finish()).rejects.toThrow(Failed)
  expect(desk.kept().state).toBe('received')
  await expect(desk.finish()).rejects.toMatchObject({
    failure: { kind: 'bad-package' },
  })
})

test('what the archive finishes while the drive with its package is away waits until that is back', async () => {
  const archive = clientOf('reader')
  const desk = openDesk(archive)
  const drive = path.join(place.folder, crypto.randomUUID())
  const away = `${drive} away`
  mkdirSync(drive)
  const file = path.join(drive, path.basename(desk.file))
  renameSync(desk.file, file)
  desk.change({ sip: { ...present(desk.kept().sip), path: file } })
  await desk.submit()
  renameSync(drive, away)
  expect(await failureOf(desk.finish())).toEqual({ kind: 'disk', trouble: 'gone', path: file })
  expect(desk.kept().state).toBe('received')
  // What a share leaves behind is an empty folder.
  mkdirSync(drive)
  desk.change({ packageMountPoint: drive })
  expect(await failureOf(desk.finish())).toEqual({ kind: 'disk', trouble: 'gone', path: file })
  rmSync(drive, { recursive: true })
  renameSync(away, drive)
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
})

/** A desk on disk with everything that works at transfers; its archive takes packages over the interface. */
const openWholeDesk = (
  archive: ArchiveClient,
  capabilitiesOf = (): Capabilities | null => ({ ...someCapabilities, submission: 'whole' }),
) => {
  const folder = path.join(place.folder, crypto.randomUUID())
  mkdirSync(folder)
  const store = openDeskStore(path.join(folder, 'desk.sqlite'), () => new Date())
  const bugs: unknown[] = []
  const reportBug = (error: unknown) => String(bugs.push(error))
  const engine = openEngine({
    isPaused: store.isPaused,
    dueJobs: store.dueJobs,
    now: () => new Date(),
    random: () => 0,
    reportBug,
  })
  const cache = { where: () => [], some: () => [], packages: { identified: () => [] } }
  const transfers = openTransfers({
    engine,
    store,
    cacheOf: (() => cache) as unknown as CacheOf,
    dialectOf: () => specification,
    capabilitiesOf,
    findClient: () => archive,
    noteExchange: () => undefined,
    packagesFolder: path.join(folder, 'packages'),
    scripts,
    version: '1',
    now: () => new Date(),
    wait: async () => void (await pass(3)),
    changed: () => undefined,
    progress: () => undefined,
    reportBug,
  })
  return {
    store,
    transfers,
    bugs,
    idle: async () => {
      while (engine.running().length > 0) await Promise.all(engine.running().map(engine.ended))
    },
    close: async () => {
      await engine.stop()
      store.close()
    },
  }
}

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
  const draft = blankDraft(store, 'a', id, new Date())
  const counted = await countSource(source, draft.packing, scripts)
  transfers.keep({
    ...draft,
    form: { ...draft.form, name: 'Handlingar' },
    sources: [counted],
    counts: sum([counted]),
  })
  const packable = transfers.need(id)
  for (const identifier of ['..', 'SE/1037', 'brev ', 'två\nrader', '']) {
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

  transfers.keep({ ...prepared, form: { ...prepared.form, agreement } })
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
  const draft = blankDraft(store, 'a', id, new Date())
  const counted = await countSource(source, draft.packing, scripts)
  transfers.keep({
    ...draft,
    form: { ...draft.form, name: 'Handlingar', delivery: '1', agreement },
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
  expect(transfers.routeOf(desk.kept())).toEqual({ by: 'interface', folder: null })
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
  store.pause('a', true)
  await transfers.follow('a')
  await transfers.followSubmitted('a')
  await idle()
  expect({ states: states(), most }).toEqual({ states: new Set(['sent']), most: 0 })

  store.pause('a', false)
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
    const draft = blankDraft(store, 'a', crypto.randomUUID(), new Date())
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
