import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { findReception, layInReception } from '../../../../electron/jobs/kinds/transfer/reception.ts'
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
  sendKilled,
  listing,
  reception,
  openManyFiles,
  descriptionOf,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

test('many files are laid into the reception, where a drive leads there, and keep their name and place', async () => {
  const archive = clientOf('reader')
  const desk = await openManyFiles(archive)
  expect(await desk.submit()).toMatchObject({ state: 'sent' })
  expect(desk.kept().reception).toBe(reception())
  expect(await desk.finish()).toMatchObject({ state: 'preserved', compared: 'MD5' })
  const held = await archive.get(`information-packages/${desk.kept().package}/`)
  expect(held).toMatchObject({ label: 'Många filer', object_identifier_value: desk.id, state: 'Preserved' })
  expect(readdirSync(reception())).toEqual([])
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
  const partial = path.join(essarch().data, 'reception', `${desk.id}.${laid.desk}.partial`, 'content')
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
  expect(readdirSync(reception())).toEqual([desk.id])
  const broken: ArchiveClient = listing(archive, (address, rows) => {
    if (address.startsWith('ip-reception/') || address.startsWith('paths/'))
      throw new Failed({ kind: 'not-allowed', detail: '' })
    return rows
  })
  expect(await desk.submit(broken)).toMatchObject({ state: 'sent', reception: null })
  expect(readdirSync(reception())).toEqual([])
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
    expect(readdirSync(reception())).toEqual([])
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
    expect(readdirSync(reception())).toEqual([])
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
