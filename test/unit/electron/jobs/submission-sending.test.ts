import { mkdirSync, rmSync, truncateSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { archiveSteps } from '../../../../electron/contract/transfers.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { submission } from '../../../../electron/dialects/essarch/submissions.ts'
import { reopened } from '../../../../electron/jobs/kinds/transfer/draft.ts'
import { uploadedFilesOf } from '../../../../electron/jobs/kinds/transfer/comparison.ts'
import { present } from '../../../support/present.ts'
import { uploadPlace } from '../../../desks/upload-place.ts'
import { failureOf } from '../../../packages/packing.ts'
import {
  place,
  essarch,
  startEssarch,
  stopEssarch,
  clientOf,
  openDesk,
  dying,
  heldOf,
  sendKilled,
  listing,
  openGeneration,
  nonsense,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

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

test('an archive has the longer to merge a file the larger that is', async () => {
  const asked: (number | undefined)[] = []
  const post = (_path: string, _body: unknown, answerMs?: number) =>
    Promise.resolve(void asked.push(answerMs))
  await submission.merge({ post }, uploadPlace('p'), 'content/a.tar', 1024)
  await submission.merge({ post }, uploadPlace('p'), 'content/a.tar', 50_000_000_000)
  expect(asked.map((ms) => Math.round(present(ms) / 1000))).toEqual([30, 10_030])
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
    await failureOf(
      submission.fieldsOf(nonsense(archive, /^submission-agreements\//, 'none'), essarch().agreement),
    ),
  ).toMatchObject(broke('submission-agreements/'))
  const recorded = openDesk(clientOf('archivist'))
  const [delivery] = (await archive.list('deliveries/')) as { id: number }[]
  recorded.change({ form: { ...recorded.kept().form, delivery: String(present(delivery).id) } })
  const unanswered = nonsense(clientOf('archivist'), /^transfers\//)
  expect(await recorded.submit(unanswered)).toMatchObject({ state: 'sent', record: { id: null } })
})
