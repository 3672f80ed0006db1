import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../../../electron/archive-client/http.ts'
import type { Dissemination } from '../../../../electron/contract/dips.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import { withDialect } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { lookUpIn } from '../../../../electron/dialects/lookups.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import type { StepContext } from '../../../../electron/jobs/kinds/dissemination/step-context.ts'
import { steps } from '../../../../electron/jobs/kinds/dissemination/steps.ts'
import { uploadFiles } from '../../../../electron/jobs/kinds/transfer/upload.ts'
import type { PreservedFile, SubmissionStatus } from '../../../../electron/dialects/models.ts'
import { conventions } from '../../../../electron/dialects/specification/conventions.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startDialect } from '../../../archives/dialects.ts'
import { uploadPlace } from '../../../desks/upload-place.ts'

let essarch: Awaited<ReturnType<typeof startDialect>>
let archive: ReturnType<typeof openClient>
beforeAll(async () => {
  essarch = await startDialect('essarch')
  const { password } = present(essarch.archive.others.find(({ username }) => username === 'reader'))
  const proof = `Basic ${Buffer.from(`reader:${password}`).toString('base64')}`
  archive = openClient(essarch.archive.url, proof, () => 'en', conventions)
})
afterAll(async () => {
  await archive.stop()
  await essarch.stop()
})

const find = async (identifier: string) => present(await submission.find(archive, identifier))

/** Waits until the archive has done what it works at; a failure ends it too. */
const reached = (identifier: string, step: SubmissionStatus['step']) =>
  until(async () => {
    const status = await find(identifier)
    return status.hasFailed || status.step === step ? status : undefined
  })

/** A package that is ready for its files. */
const prepared = async (identifier: string): Promise<string> => {
  await submission.create(archive, { identifier, label: `Brev, ${identifier}` })
  const { id, step } = await find(identifier)
  expect(step).toBe('registered')
  const agreement = present((await submission.agreements(archive))[0]).id
  await submission.agree(archive, id, agreement)
  expect(await find(identifier)).toMatchObject({ step: 'agreed', agreement })
  await submission.lock(archive, id, agreement)
  expect((await find(identifier)).step).toBe('locked')
  await submission.prepare(archive, id)
  expect((await reached(identifier, 'prepared')).hasFailed).toBe(false)
  return id
}

const upload = async (id: string, path: string, chunks: string[]) => {
  for (const [index, text] of chunks.entries())
    await submission.sendChunk(archive, uploadPlace(id), path, {
      number: index + 1,
      bytes: Buffer.from(text),
    })
  await submission.merge(archive, uploadPlace(id), path, 1)
}

/** Has what was uploaded made and submitted. */
const submitted = async (identifier: string, id: string) => {
  await submission.finishUpload(archive, id)
  expect((await find(identifier)).step).toBe('uploaded')
  await submission.make(archive, id)
  const created = await reached(identifier, 'created')
  if (created.hasFailed) return created
  await submission.submit(archive, id)
  return reached(identifier, 'submitted')
}

test('a package is brought over the interface by the ordinary role, until it is preserved and compared', async () => {
  const id = await prepared('over-rest')
  const path = 'content/mapp å/brev 100%.txt'
  const [first, second] = ['Ett ', 'brev']
  const chunk = { number: 1, bytes: first.length }
  expect(await submission.hasChunk(archive, uploadPlace(id), path, chunk)).toBe(false)
  await submission.sendChunk(archive, uploadPlace(id), path, { number: 1, bytes: Buffer.from(first) })
  expect(await submission.hasChunk(archive, uploadPlace(id), path, chunk)).toBe(true)
  expect(await submission.sizesIn(archive, uploadPlace(id), 'content/mapp å')).not.toContain('brev 100%.txt')
  await submission.sendChunk(archive, uploadPlace(id), path, { number: 2, bytes: Buffer.from(second) })
  await submission.merge(archive, uploadPlace(id), path, 1)
  expect((await submission.sizesIn(archive, uploadPlace(id), 'content/mapp å')).get('brev 100%.txt')).toBe(8)
  expect(await submission.sizesIn(archive, uploadPlace(id), 'content/another')).toEqual(new Map())

  expect((await submitted('over-rest', id)).hasFailed).toBe(false)
  await submission.receive(archive, 'over-rest')
  expect((await reached('over-rest', 'received')).id).toBe(id)
  await submission.preserve(archive, id)
  expect((await reached('over-rest', 'preserved')).hasFailed).toBe(false)

  const files: PreservedFile[] = []
  await submission.contents(archive, id, (file) => files.push(file), new AbortController().signal)
  const digest = createHash('md5')
    .update(first + second)
    .digest('hex')
  expect(files).toContainEqual({ path: `content/over-rest/${path}`, bytes: 8, digest, algorithm: 'MD5' })
})

test('an identifier that the archive has is refused, and the package is found by it', async () => {
  await submission.create(archive, { identifier: 'twice', label: 'Brev' })
  const again = submission.create(archive, { identifier: 'twice', label: 'Brev' })
  await expect(again).rejects.toThrow(Failed)
  await expect(again).rejects.toMatchObject({ failure: { kind: 'conflict' } })
  expect(await submission.find(archive, 'twic')).toBeUndefined()
})

test('a chunk of which a part lies there, as on a disk that was full, is sent anew', async () => {
  const id = await prepared('partial')
  const [path, whole] = ['content/brev.txt', Buffer.from('Ett brev')]
  await submission.sendChunk(archive, uploadPlace(id), path, { number: 1, bytes: Buffer.from('Ett') })
  const chunk = { number: 1, bytes: whole.length }
  expect(await submission.hasChunk(archive, uploadPlace(id), path, chunk)).toBe(false)
  await submission.sendChunk(archive, uploadPlace(id), path, { number: 1, bytes: whole })
  expect(await submission.hasChunk(archive, uploadPlace(id), path, chunk)).toBe(true)
})

test('merging a file swallows waiting chunks of one whose name begins alike, so files are merged in turn', async () => {
  const id = await prepared('trap')
  await submission.sendChunk(archive, uploadPlace(id), 'content/p', {
    number: 1,
    bytes: Buffer.from('first'),
  })
  await submission.sendChunk(archive, uploadPlace(id), 'content/p_1', {
    number: 1,
    bytes: Buffer.from('second'),
  })
  await submission.merge(archive, uploadPlace(id), 'content/p', 1)
  expect((await submission.sizesIn(archive, uploadPlace(id), 'content')).get('p')).toBe('firstsecond'.length)
  await expect(submission.merge(archive, uploadPlace(id), 'content/p_1', 1)).rejects.toThrow(Failed)
})

test('a drive that fails while a file is sent is told as that', async () => {
  const id = await prepared('drive')
  using drive = scratch()
  const upload = {
    archive: withDialect(archive, specification, lookUpIn(archive, specification)),
    submission,
    place: uploadPlace(id),
    // The system opens a folder as it does a file, and does not read it.
    files: [{ file: drive.folder, path: 'content/a', bytes: 1 }],
    signal: new AbortController().signal,
    wait: () => Promise.resolve(),
    onProgress: () => undefined,
  }
  await expect(uploadFiles(upload)).rejects.toMatchObject({
    failure: { kind: 'disk', trouble: 'other', path: drive.folder },
  })
})

test('what the archive refuses is said in its own words: an unknown extension, and an empty file', async () => {
  const withDocx = await prepared('docx')
  await upload(withDocx, 'content/brev.docx', ['Ett brev'])
  const refused = await submitted('docx', withDocx)
  expect(refused).toMatchObject({ step: 'uploaded', hasFailed: true, isWorking: false })
  const reason = await submission.whyFailed(archive, withDocx)
  expect(reason).toContain('brev.docx')
  expect(submission.refusedExtension(reason)).toBe('.docx')
  expect(submission.refusedExtension(reason.replace('brev.docx', 'utan'))).toBe('')

  const withEmpty = await prepared('empty')
  await upload(withEmpty, 'content/tom.txt', [''])
  await submitted('empty', withEmpty)
  await submission.receive(archive, 'empty')
  await reached('empty', 'received')
  await submission.preserve(archive, withEmpty)
  expect(await submission.preserve(archive, withEmpty).catch((error: unknown) => error)).toBeInstanceOf(
    Failed,
  )
  expect(await reached('empty', 'preserved')).toMatchObject({ step: 'received', hasFailed: true })
  expect(await submission.whyFailed(archive, withEmpty)).toContain('tom.txt')
})

test('a dissemination package that the archive cannot make says why', async () => {
  const id = await prepared('dip-docx')
  await upload(id, 'content/brev.docx', ['Ett brev'])
  await submitted('dip-docx', id)
  const wanted = { label: 'For the reading room', identifier: 'dip-docx', agreement: '', order: '1' }
  const task: Dissemination = {
    ...wanted,
    id: '1',
    dip: id,
    createAsked: null,
    stage: 'create',
    state: 'working',
    items: [],
    failure: null,
    message: '',
  }
  const doing: StepContext = {
    archive: withDialect(archive, specification, lookUpIn(archive, specification)),
    save: (saved) => saved,
    stop: new AbortController().signal,
    now: () => new Date(),
    wait: () => Promise.resolve(),
  }
  await expect(steps.create(task, doing)).rejects.toThrow(
    /^Creating: .*brev\.docx.*is missing from mimetypes/,
  )
})

test('a dissemination package is found by its whole identifier, also where hyphens are not searched for', async () => {
  const wanted = { label: 'Plans', identifier: 'DIP-2026-11', order: '1' }
  const dissemination = present(specification.dissemination)
  await dissemination.register(archive, wanted)
  // Versions that search the ids of packages too leave the hyphens out of every word.
  const leavingOut = (address: string) =>
    address.replace(/(?<=search=)[^&]*/, (words) => words.replaceAll('-', ''))
  const earlier = { ...archive, list: (address: string) => archive.list(leavingOut(address)) }
  expect(await dissemination.find(earlier, wanted.identifier)).toMatchObject({ stage: 'registered' })
})

test('a package that is not preserved is removed with its identifier', async () => {
  const id = await prepared('discarded')
  await submission.discard(archive, uploadPlace(id))
  await until(async () => ((await submission.find(archive, 'discarded')) === undefined ? true : undefined))
  expect(await prepared('discarded')).not.toBe(id)
})

test.each([
  ['Preparing', 'STARTED', true],
  ['Preparing', 'PENDING', true],
  ['Preparing', 'SUCCESS', false],
  ['Prepared', 'SUCCESS', false],
  ['Access Workarea', 'STARTED', true],
  ['Creating', 'STARTED', true],
  ['Creating', 'FAILURE', false],
])('a package that is %s with a step that is %s is worked at: %s', async (state, stepState, isWorking) => {
  const row = { id: 'p', object_identifier_value: 'x', state, step_state: stepState }
  expect(await submission.find({ list: () => Promise.resolve([row]) }, 'x')).toMatchObject({ isWorking })
})
