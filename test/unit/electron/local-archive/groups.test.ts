import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { codeOf } from '../../../../electron/common/errors.ts'
import { openDatabase } from '../../../../electron/local-archive/database.ts'
import { enterInGroups } from '../../../../electron/local-archive/enter-in-groups.ts'
import { inGroups } from '../../../../electron/local-archive/in-groups.ts'
import { openIntakeThread } from '../../../../electron/local-archive/intake/intake-thread.ts'
import { fingerprintOf } from '../../../../electron/local-archive/intake/fingerprint.ts'
import { digestOfFile, readPayload } from '../../../../electron/local-archive/payload.ts'
import { staggered } from '../../../../electron/local-archive/semaphore.ts'
import { copyWriter, type Copy } from '../../../../electron/local-archive/write-copies.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { makeBag } from '../../../packages/bags.ts'

// Of many small packages at once each is as safe as one that comes alone.

const intakeWorker = new URL('../../../../electron/local-archive/intake/worker.ts', import.meta.url)
const payloadPaths = /^data\//
const counted = { files: 3, bytes: 1013 }
const about = { identifier: 'SE/1', label: 'One', made: new Date(0), by: 'archivist' }

/** Where two copies of a package go, and under which name each is written before it has its own. */
const copiesOf = (folder: string, name: string): Copy[] =>
  ['disk-1', 'disk-2'].map((medium) => ({ medium, file: path.join(folder, medium, 'A', `${name}.tar`) }))
const partialOf = (folder: string, medium: string, name: string) =>
  path.join(folder, medium, 'A', `.${name}.tar.partial`)
const makeMedia = (folder: string) => {
  for (const medium of ['disk-1', 'disk-2']) mkdirSync(path.join(folder, medium, 'A'), { recursive: true })
}
const filesIn = (folder: string, medium: string) => readdirSync(path.join(folder, medium, 'A')).sort()

const outcomes = async (works: Promise<unknown>[]) =>
  (await Promise.allSettled(works)).map((one) =>
    one.status === 'fulfilled' ? 'done' : String((one.reason as Error).message),
  )

test('who comes while others are served is served with the next, in the order in which they came', async () => {
  const groups: number[][] = []
  const begun = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  const serve = inGroups<number, number>(async (items) => {
    groups.push(items)
    begun.resolve()
    if (groups.length === 1) await first.promise
    if (items.includes(7)) throw new Error('broken')
    return items.map((item) =>
      item === 2 ? { status: 'rejected', reason: new Error('two') } : { status: 'fulfilled', value: -item },
    )
  }, 3)
  const served = [serve(0)]
  await begun.promise
  for (let item = 1; item < 8; item += 1) served.push(serve(item))
  first.resolve()
  expect(await outcomes(served)).toEqual(['done', 'done', 'two', 'done', 'done', 'done', 'done', 'broken'])
  expect(groups).toEqual([[0], [1, 2, 3], [4, 5, 6], [7]])
  expect(await serve(9)).toBe(-9)
})

test('the next one begins when the one before has left or lasts, while there are places', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const begin = staggered(2, 100)
  const begun: string[] = []
  const beginAs = async (name: string) => {
    const leave = await begin()
    begun.push(name)
    return leave
  }
  const first = beginAs('first')
  const [second, third] = [beginAs('second'), beginAs('third')]
  await vi.advanceTimersByTimeAsync(99)
  expect(begun).toEqual(['first'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['first', 'second'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual(['first', 'second'])
  ;(await first)()
  await third
  const fourth = beginAs('fourth')
  ;(await second)()
  ;(await third)()
  await fourth
  expect(begun).toEqual(['first', 'second', 'third', 'fourth'])
  expect(vi.getTimerCount()).toBe(1)
})

test('what cannot be entered keeps nothing else out, and the others are entered in their order', async () => {
  using place = scratch()
  const database = openDatabase(place.folder)
  let transactions = 0
  const enter = enterInGroups((work) => {
    transactions += 1
    database.transaction(work)
  })
  const entering = Array.from({ length: 6 }, (_, index) =>
    enter(() => {
      database.put('language', { id: `${index}` })
      if (index === 3) throw new Error('broken')
    }),
  )
  expect(await outcomes(entering)).toEqual(['done', 'done', 'done', 'broken', 'done', 'done'])
  expect(database.list('language').map(({ id }) => id)).toEqual(['0', '1', '2', '4', '5'])
  expect(transactions).toBeLessThan(7)
  database.close()
})

test('where no transaction can be begun, everybody is told so', async () => {
  const enter = enterInGroups(() => {
    throw new Error('disk I/O error')
  })
  const entering = Array.from({ length: 3 }, () => enter(() => undefined))
  expect(await outcomes(entering)).toEqual(Array.from({ length: 3 }, () => 'disk I/O error'))
})

test('a copy that reads back wrong, and a disk that is full, stop only their own package', async () => {
  using place = scratch()
  using source = scratch()
  const { folder } = place
  makeMedia(folder)
  const names = ['sound-1', 'wrong', 'other', 'full', 'sound-2']
  const isLinux = process.platform === 'linux'
  if (isLinux) symlinkSync('/dev/full', partialOf(folder, 'disk-2', 'full'))
  const wrong = partialOf(folder, 'disk-2', 'wrong')
  const write = copyWriter(async (file) => {
    const { bytes, sha256 } = await digestOfFile(file)
    return { bytes, sha256: file === wrong ? sha256.replaceAll(/./g, '0') : sha256 }
  })
  const said = await outcomes(
    names.map(async (name) => {
      const bag = makeBag(path.join(source.folder, name), { 'External-Identifier': name })
      const payload = await readPayload(bag, payloadPaths, counted)
      return write({ folder: bag, payload }, name, copiesOf(folder, name))
    }),
  )
  expect(said[1]).toMatch(/^The copy on disk-2 reads back differently: wrote [0-9a-f]{64}, read 0{64}/)
  if (isLinux) expect(said[3]).toMatch(/^ENOSPC/)
  expect([said[0], said[2], said[4]]).toEqual(['done', 'done', 'done'])
  for (const medium of ['disk-1', 'disk-2'])
    expect(filesIn(folder, medium)).toEqual(
      ['other.tar', 'sound-1.tar', 'sound-2.tar', ...(isLinux ? [] : ['full.tar'])].sort(),
    )
})

test('the thread says of the system’s errors what they are, and goes on', async () => {
  using place = scratch()
  const intake = openIntakeThread(intakeWorker)
  const { folder } = place
  const bag = makeBag(path.join(folder, 'bag'), {})
  writeFileSync(path.join(folder, 'file'), '')
  const within = [{ medium: 'A', file: path.join(folder, 'file/A/one.tar') }]
  const wanted = { folder: bag, fingerprint: fingerprintOf(bag), payloadPaths, counted, name: 'one', about }
  const failure: unknown = await intake.copy({ ...wanted, copies: within }).catch((error: unknown) => error)
  expect(codeOf(failure)).toMatch(/^(ENOTDIR|EEXIST|ENOENT)$/)
  const { payload, tar } = await intake.copy({ ...wanted, copies: copiesOf(folder, 'one') })
  expect(payload.map(({ name }) => name)).toEqual(['data/mapp/stor.bin', 'data/tom.dat', 'data/å ä ö.txt'])
  for (const { file } of copiesOf(folder, 'one')) {
    expect(readFileSync(file).length).toBe(tar.bytes)
    expect(execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).split('\n')).toContain(
      'one/content/data/mapp/stor.bin',
    )
  }
  await intake.close()
})

const messagesOf = async (archive: RunningArchive) =>
  ((await archive.get('notifications/?page_size=500')) as { message: string }[]).map(({ message }) => message)

interface Family {
  information_packages: { id: string; label: string; generation: number; message_digest: string }[]
}
const packagesOf = async (archive: RunningArchive) =>
  ((await archive.get('information-packages/')) as Family[]).flatMap((one) => one.information_packages)

/** Whether each package that is shown has all of its copies, of the digest that is said of it. */
const shownWithCopies = async (archive: RunningArchive, copies: number) => {
  const packages = await packagesOf(archive)
  const objects = (await archive.get('storage-objects/')) as { ip: string; content_location_value: string }[]
  for (const { id, message_digest } of packages) {
    const files = objects.filter(({ ip }) => ip === id).map((object) => object.content_location_value)
    expect(files).toHaveLength(copies)
    const sums = execFileSync('sha256sum', files, { encoding: 'utf8' }).trim().split('\n')
    expect(sums.map((line) => line.slice(0, 64))).toEqual(files.map(() => message_digest))
  }
  return packages.length
}

/** Lets bags that have one identifier come all at once; in the middle some that are none. */
const sendMany = (data: string, from: string, count: number, refused: number[]) => {
  for (let nth = 0; nth < count; nth += 1) {
    const name = `bag-${String(nth).padStart(3, '0')}`
    const bag = makeBag(path.join(from, name), {
      'External-Identifier': 'SE/1',
      'External-Description': name,
    })
    if (refused.includes(nth)) writeFileSync(path.join(bag, 'data/tom.dat'), 'x')
    renameSync(bag, path.join(data, 'ingest', name))
  }
}

test('many at once are preserved in the order in which they came, those between them refused in turn', async () => {
  using place = scratch()
  using source = scratch()
  const archive = await startArchive(place.folder)
  const refused = [0, 17, 18, 39]
  sendMany(place.folder, source.folder, 40, refused)
  const messages = await until(async () => {
    const said = await messagesOf(archive)
    return said.length === 40 ? said : undefined
  })
  expect(messages.toReversed().map((message) => message.slice(0, 7))).toEqual(
    Array.from({ length: 40 }, (_, nth) => `bag-${String(nth).padStart(3, '0')}`),
  )
  const packages = await packagesOf(archive)
  expect(packages.map(({ generation }) => generation)).toEqual(packages.map((_, index) => index + 1))
  expect(packages.map(({ label }) => label)).toEqual(packages.map(({ label }) => label).toSorted())
  expect(await shownWithCopies(archive, 3)).toBe(40 - refused.length)
  expect(readdirSync(path.join(place.folder, 'set-aside')).sort()).toEqual(
    refused.map((nth) => `bag-${String(nth).padStart(3, '0')}`),
  )
  await archive.stop()
})

test('killed while many are on their way, it preserves each once, and shows none without its copies', async () => {
  using place = scratch()
  using source = scratch()
  let archive = await startArchive(place.folder)
  const count = 120
  sendMany(place.folder, source.folder, count, [])
  for (const shown of [1, 25, 60, 61]) {
    await until(async () => ((await packagesOf(archive)).length >= shown ? true : undefined))
    await archive.kill()
    archive = await startArchive(place.folder)
    await shownWithCopies(archive, 3)
  }
  await until(async () => ((await packagesOf(archive)).length === count ? true : undefined))
  expect(await shownWithCopies(archive, 3)).toBe(count)
  const labels = (await packagesOf(archive)).map(({ label }) => label)
  expect(labels).toEqual([...new Set(labels)].sort())
  await until(() => (readdirSync(path.join(place.folder, 'working')).length === 0 ? true : undefined))
  await archive.stop()
}, 120_000)

test('killed between the syncs and the commit, it writes the copies once more and enters them', async () => {
  using place = scratch()
  let archive = await startArchive(place.folder)
  const targets = (await archive.get('storage-targets/')) as { target: string }[]
  const media = (await archive.get('storage-mediums/')) as {
    medium_id: string
    storage_target: { id: string }
  }[]
  await archive.kill()
  expect(targets.length).toBe(media.length)
  const bag = makeBag(path.join(place.folder, 'working/job-1/bag'), { 'External-Identifier': 'SE/1' })
  const database = openDatabase(place.folder)
  database.sqlite
    .prepare(
      `insert into job (id, name, package, stage, reason, made)
        values ('job-1', 'bag', 'package-1', 'working', null, '2026')`,
    )
    .run()
  const copies = database.list('storage medium').map((medium) => {
    const target = database.one('storage target', String(medium['storage_target']))
    const name = String(medium['medium_id'])
    return { medium: name, file: path.join(String(target?.['target']), name, 'package-1.tar') }
  })
  database.close()
  const intake = openIntakeThread(intakeWorker)
  const wanted = {
    folder: bag,
    fingerprint: fingerprintOf(bag),
    payloadPaths,
    counted,
    name: 'package-1',
    about,
  }
  const { tar } = await intake.copy({ ...wanted, copies })
  await intake.close()
  for (const { file } of copies) expect(readFileSync(file).length).toBe(tar.bytes)

  archive = await startArchive(place.folder)
  await until(async () => ((await packagesOf(archive)).length === 1 ? true : undefined))
  expect(await shownWithCopies(archive, copies.length)).toBe(1)
  expect((await packagesOf(archive)).map(({ id }) => id)).toEqual(['package-1'])
  const stored = readdirSync(path.join(place.folder, 'storage'), { recursive: true, encoding: 'utf8' })
  expect(stored.filter((name) => name.includes('package-1'))).toHaveLength(copies.length)
  await archive.stop()
})
