import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import { listFiles, pathOf } from '../../../../electron/dialects/essarch/files.ts'
import { takeBack } from '../../../../electron/jobs/kinds/transfer/reception.ts'
import { digestOf } from '../../../../electron/jobs/kinds/transfer/comparison.ts'
import { present } from '../../../support/present.ts'
import { failureOf } from '../../../packages/packing.ts'
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
  reception,
  openSip,
  descriptionOf,
  lay,
  nonsense,
} from '../../../desks/submissions.ts'

beforeAll(startEssarch)
afterAll(stopEssarch)

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
    altrecordids: { SUBMISSIONAGREEMENT: [essarch().agreement] },
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
