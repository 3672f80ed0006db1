import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunksOf } from '../../../../electron/common/chunks.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { digestOf } from '../../../../electron/jobs/kinds/transfer/comparison.ts'
import { present } from '../../../support/present.ts'
import { failureOf } from '../../../packages/packing.ts'
import type { Resumption } from '../../../../electron/archive-client/download.ts'
import {
  place,
  tar,
  startEssarch,
  stopEssarch,
  clientOf,
  openDesk,
  heldOf,
  listing,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

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

test('a digest is known however its algorithm is written, and a checksum that is none is not', async () => {
  const { signal } = new AbortController()
  const written = await Promise.all(['SHA-256', 'sha256'].map((named) => digestOf(tar, named, signal)))
  expect(new Set(written)).toEqual(new Set([createHash('sha256').update(readFileSync(tar)).digest('hex')]))
  expect(await digestOf(tar, 'Adler-32', signal)).toBeUndefined()
})

test('what is stopped while a large file is compared stops at once', async () => {
  await expect(digestOf(tar, 'MD5', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  expect(await digestOf(tar, 'MD5', new AbortController().signal)).toMatch(/^[0-9a-f]{32}$/)
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
