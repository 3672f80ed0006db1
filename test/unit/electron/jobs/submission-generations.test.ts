import { rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunksOf } from '../../../../electron/common/chunks.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { present } from '../../../support/present.ts'
import { uploadPlace } from '../../../desks/upload-place.ts'
import { failureOf } from '../../../packages/packing.ts'
import type { openDesk } from '../../../desks/submissions.ts'
import {
  essarch,
  startEssarch,
  stopEssarch,
  clientOf,
  heldOf,
  sendKilled,
  openGeneration,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

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
  rmSync(path.join(essarch().data, 'packages-over-rest', desk.id, lost))
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
  writeFileSync(path.join(essarch().data, 'packages-over-rest', desk.id, changed), 'another')
  await expect(desk.finish()).rejects.toMatchObject({
    failure: { kind: 'not-as-sent', trouble: 'changed', path: changed },
  })
})
