import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../electron/local-archive/database.ts'
import { InvalidPackage, readPayload } from '../../../../electron/local-archive/payload.ts'
import { strictCheck } from '../../../../electron/local-archive/strict-check.ts'
import { formatNamed } from '../../../../electron/packaging/formats.ts'
import { fingerprintOf } from '../../../../electron/local-archive/intake/fingerprint.ts'
import { openReceived } from '../../../../electron/local-archive/unpack.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { makeBag, writeBag, zipFolder } from '../../../packages/bags.ts'
import { scripts } from '../../../packages/packing.ts'

const messagesOf = async (archive: RunningArchive) =>
  ((await archive.get('notifications/')) as { message: string }[]).map(({ message }) => message)
const eventsOf = async (archive: RunningArchive) =>
  (await archive.get('events/')) as { eventOutcome: number; eventOutcomeDetailNote: string }[]
const handOver = (bag: string, data: string, name: string) => {
  cpSync(bag, path.join(data, 'ingest', `.${name}`), { recursive: true })
  renameSync(path.join(data, 'ingest', `.${name}`), path.join(data, 'ingest', name))
}
const post = (archive: RunningArchive, name: string) =>
  fetch(`${archive.url}/api/transfers/`, {
    method: 'POST',
    headers: { authorization: archive.basic, 'content-type': 'application/json' },
    body: JSON.stringify({ name, delivery: 1 }),
  })

/** A disk of its own, where this computer lets us have one. */
const disk = (megabytes: number) => {
  const place = scratch()
  const mounted =
    process.platform === 'linux' &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place.folder]).status === 0
  return {
    folder: place.folder,
    mounted,
    /** Takes all room but so many bytes. */
    fill: (left: number) => {
      const { bavail, bsize } = statfsSync(place.folder)
      writeFileSync(
        path.join(place.folder, `filler ${Date.now()}`),
        Buffer.alloc(Math.max(0, bavail * bsize - left)),
      )
    },
    empty: () => {
      for (const name of readdirSync(place.folder))
        if (name.startsWith('filler')) rmSync(path.join(place.folder, name))
    },
    [Symbol.dispose]: () => {
      if (mounted) execFileSync('umount', ['-l', place.folder])
      place[Symbol.dispose]()
    },
  }
}

test('only what is prepared waits for the next transaction to bring it to the disk', () => {
  using place = scratch()
  const database = openDatabase(place.folder)
  const waitsForDisk = () => database.sqlite.prepare('pragma synchronous').get()?.['synchronous'] === 2
  const put = (id: string) => database.put('language', { id })
  const seen = database.preparation(() => [put('prepared'), waitsForDisk()][1])
  const failing = () =>
    database.preparation(() => {
      put('lost')
      throw new Error('broken')
    })
  expect(failing).toThrow('broken')
  const within = database.transaction(() => database.preparation(waitsForDisk))
  expect([waitsForDisk(), seen, within]).toEqual([true, false, true])
  expect(database.list('language')).toEqual([{ id: 'prepared' }])
  database.close()
})

test('a full disk ends nothing: what is there is read, what is sent is refused, a sound bag waits until there is room', async ({
  skip,
}) => {
  using full = disk(48)
  if (!full.mounted) skip('needs the right to mount')
  using source = scratch()
  const data = path.join(full.folder, 'archive')
  let archive = await startArchive(data)
  const big = { 'data/big.bin': randomBytes(4_000_000) }
  writeBag(path.join(source.folder, 'bag'), { 'External-Identifier': 'waits' }, big)
  await zipFolder(source.folder, path.join(data, 'ingest/.sound.zip'))
  full.fill(1_500_000)
  renameSync(path.join(data, 'ingest/.sound.zip'), path.join(data, 'ingest/sound.zip'))
  const [waits] = await until(async () => {
    const messages = await messagesOf(archive)
    return messages.length > 0 ? messages : undefined
  })
  expect(waits).toMatch(
    /^sound\.zip waits and is tried again: There is no room to unpack it: \d+ MB are needed\.$/,
  )

  full.fill(0)
  await until(async () => {
    const said = await post(archive, 'x'.repeat(200))
    if (said.status === 201) return undefined
    expect(said.status).toBe(507)
    return said
  })
  expect((await archive.get('me/')) as object).toMatchObject({ username: 'archivist' })
  await archive.kill()
  archive = await startArchive(data)
  expect((await archive.get('deliveries/')) as unknown[]).toHaveLength(1)
  const before = ((await archive.get('transfers/')) as unknown[]).length
  expect((await post(archive, 'x')).status).toBe(507)
  expect((await archive.get('transfers/')) as unknown[]).toHaveLength(before)

  full.empty()
  expect((await post(archive, 'x')).status).toBe(201)
  const messages = await until(async () => {
    const said = await messagesOf(archive)
    return said[0]?.includes('is now preserved') ? said : undefined
  })
  expect(messages).toEqual(['waits (waits) is now preserved', waits])
  expect(readdirSync(path.join(data, 'set-aside'))).toEqual([])
  await archive.stop()
})

test('packages side by side become generations in their order, and media say all that they hold', async () => {
  using place = scratch()
  const names = ['1', '2', '3', '4']
  mkdirSync(path.join(place.folder, 'ingest'))
  // The first takes the longest by far.
  for (const name of names)
    makeBag(
      path.join(place.folder, 'ingest', name),
      { 'External-Identifier': 'SE/1' },
      name === '1' ? 40_000_000 : 1000,
    )
  // What is refused beside the first lets nothing pass that.
  mkdirSync(path.join(place.folder, 'ingest/1 refused'))
  writeFileSync(path.join(place.folder, 'ingest/1 refused/no bag'), '')
  const archive = await startArchive(place.folder)
  const aips = await until(async () => {
    const [family] = (await archive.get('information-packages/')) as {
      information_packages: { generation: number; object_size: number }[]
    }[]
    const found = family?.information_packages ?? []
    return found.length === names.length ? found : undefined
  })
  expect(aips.map(({ object_size, generation }) => [generation, object_size > 1_000_000])).toEqual([
    [1, true],
    [2, false],
    [3, false],
    [4, false],
  ])
  const media = (await archive.get('storage-mediums/')) as { used_capacity: number }[]
  const written = aips.reduce((sum, { object_size }) => sum + object_size, 0)
  expect(media.map(({ used_capacity }) => used_capacity)).toEqual(media.map(() => written))
  await archive.stop()
})

test('what a package does not say of its contents, the archive does not say either', async () => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  const preserved = async (name: string, identifier: string, nth: number) => {
    handOver(
      makeBag(path.join(place.folder, name), { 'External-Identifier': identifier }),
      path.join(place.folder, 'archive'),
      name,
    )
    return until(async () => {
      const families = (await archive.get('information-packages/')) as {
        information_packages: Record<string, unknown>[]
      }[]
      return families
        .flatMap((family) => family.information_packages)
        .find((aip) => aip['object_identifier_value'] === identifier && aip['generation'] === nth)
    })
  }
  const unsaid = await preserved('new', 'unknown', 1)
  expect(unsaid).toMatchObject({ start_date: null, end_date: null })
  expect(Object.keys(unsaid['agents'] as object)).toEqual(['ARCHIVIST_SOFTWARE'])
  expect(await preserved('next', 'SE/STA/1074', 3)).toMatchObject({
    start_date: '1902-01-01T00:00:00.000Z',
    end_date: '1931-12-31T00:00:00.000Z',
    agents: { ARCHIVIST_ORGANIZATION: { name: 'Folkskolestyrelsen' } },
  })
  await archive.stop()
})

test('labels that end in ever so many blanks hold nobody up', async () => {
  using place = scratch()
  using source = scratch()
  const archive = await startArchive(place.folder)
  const bag = writeBag(path.join(source.folder, 'bag'), {}, { 'data/a': Buffer.from('a') })
  // White space before the colon is allowed before 1.0.
  writeFileSync(path.join(bag, 'bagit.txt'), 'BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n')
  const label = `a${' '.repeat(60_000)}b`
  writeFileSync(path.join(bag, 'bag-info.txt'), `${label}: x\n`.repeat(20))
  handOver(bag, place.folder, 'bag')
  const said = await until(async () =>
    (await messagesOf(archive)).length > 0 ? messagesOf(archive) : undefined,
  )
  expect(said).toEqual(['bag (bag) is now preserved'])
  await archive.stop()
})

test('room for the copies is looked for before any is written', async ({ skip }) => {
  using full = disk(64)
  if (!full.mounted) skip('needs the right to mount')
  using source = scratch()
  const data = path.join(full.folder, 'archive')
  const archive = await startArchive(data)
  const bag = writeBag(path.join(source.folder, 'bag'), {}, { 'data/big.bin': randomBytes(8_000_000) })
  cpSync(bag, path.join(data, 'ingest/.bag'), { recursive: true })
  full.fill(20_000_000)
  renameSync(path.join(data, 'ingest/.bag'), path.join(data, 'ingest/bag'))
  await until(async () =>
    (await messagesOf(archive)).find((message) => message.includes('There is no room for the copies')),
  )
  expect(
    readdirSync(path.join(data, 'storage'), { recursive: true, encoding: 'utf8' }).filter((entry) =>
      entry.includes('tar'),
    ),
  ).toEqual([])
  full.empty()
  await until(async () => ((await messagesOf(archive))[0]?.includes('preserved') ? true : undefined))
  await archive.stop()
})

describe.skipIf(process.platform === 'win32')('what cannot be taken', () => {
  test('is left untouched, told once, and holds nothing up', async () => {
    using place = scratch()
    const data = path.join(place.folder, 'archive')
    const ingest = path.join(data, 'ingest')
    let archive = await startArchive(data)
    mkdirSync(path.join(place.folder, 'elsewhere'))
    const odd: Record<string, () => void> = {
      pipe: () => execFileSync('mkfifo', [path.join(ingest, 'pipe')]),
      'link to a folder': () =>
        symlinkSync(path.join(place.folder, 'elsewhere'), path.join(ingest, 'link to a folder')),
      'link to itself': () => symlinkSync('link to itself', path.join(ingest, 'link to itself')),
      'link to nothing': () => symlinkSync('nothing', path.join(ingest, 'link to nothing')),
      'endless.zip': () => symlinkSync('/dev/zero', path.join(ingest, 'endless.zip')),
    }
    for (const make of Object.values(odd)) make()
    const isLatin = spawnSync('bash', ['-c', `touch "$1"/$'latin \\xe5'`, '-', ingest]).status === 0
    handOver(makeBag(path.join(place.folder, 'bag'), { 'External-Identifier': 'sound' }), data, 'sound')
    const names = [...Object.keys(odd), ...(isLatin ? ['latin \uFFFD'] : [])]
    const told = async () =>
      (await messagesOf(archive)).filter((message) => message.includes('is left in the ingest folder'))
    await until(async () => ((await told()).length === names.length ? true : undefined))
    await until(async () =>
      (await messagesOf(archive)).some((message) => message.includes('preserved')) ? true : undefined,
    )
    for (const name of names)
      expect((await told()).filter((message) => message.startsWith(`${name} is left`))).toHaveLength(1)
    expect(await told()).toContainEqual(
      'pipe is left in the ingest folder: it is neither a file nor a folder (a link, a pipe or a device)',
    )
    const failures = (await eventsOf(archive)).filter((event) => event.eventOutcome === 1)
    expect(failures.map((event) => event.eventOutcomeDetailNote).sort()).toEqual((await told()).sort())

    await archive.stop()
    archive = await startArchive(data)
    handOver(path.join(place.folder, 'bag'), data, 'again')
    await until(async () =>
      (await messagesOf(archive)).filter((message) => message.includes('preserved')).length === 2
        ? true
        : undefined,
    )
    expect(await told()).toHaveLength(names.length)
    expect(readdirSync(ingest)).toHaveLength(names.length)
    expect(lstatSync(path.join(ingest, 'pipe')).isFIFO()).toBe(true)
    expect(readlinkSync(path.join(ingest, 'link to nothing'))).toBe('nothing')

    rmSync(path.join(ingest, 'pipe'))
    handOver(path.join(place.folder, 'bag'), data, 'third')
    await until(async () =>
      (await messagesOf(archive)).filter((message) => message.includes('preserved')).length === 3
        ? true
        : undefined,
    )
    odd['pipe']?.()
    await until(async () => ((await told()).length === names.length + 1 ? true : undefined))
    await archive.stop()
  })

  test.skipIf(process.platform === 'darwin')(
    'a name that is no UTF-8 inside a bag is a refusal',
    async () => {
      using place = scratch()
      const archive = await startArchive(place.folder)
      const bag = makeBag(path.join(place.folder, 'bag'), {})
      writeFileSync(Buffer.from(path.join(bag, 'data/sm\xf6rg\xe5s.txt'), 'latin1'), '')
      renameSync(bag, path.join(place.folder, 'ingest', 'latin'))
      await until(async () =>
        (await messagesOf(archive)).some((message) => message.startsWith('latin was not accepted:'))
          ? true
          : undefined,
      )
      expect(readdirSync(path.join(place.folder, 'set-aside'))).toEqual(['latin'])
      await archive.stop()
    },
  )

  test('a pipe inside a bag, even in place of a file of the bag’s own, is a refusal and no waiting', async () => {
    using place = scratch()
    const archive = await startArchive(place.folder)
    using source = scratch()
    for (const name of ['bagit.txt', 'bag-info.txt', 'manifest-sha256.txt', 'data/pipe']) {
      const bag = makeBag(path.join(source.folder, `a pipe as ${path.basename(name)}`), {})
      rmSync(path.join(bag, name), { force: true })
      execFileSync('mkfifo', [path.join(bag, name)])
      renameSync(bag, path.join(place.folder, 'ingest', path.basename(bag)))
      await until(async () => {
        const [message = ''] = await messagesOf(archive)
        const reason =
          name === 'bagit.txt' ? 'There is no bagit.txt' : `${name}: This is a link or something else`
        return message.startsWith(`${path.basename(bag)} was not accepted: ${reason}`) ? true : undefined
      })
    }
    await archive.stop()
  })

  test('what is gone again, before or after it was taken, is not tried for ever', async () => {
    using place = scratch()
    using source = scratch()
    let archive = await startArchive(place.folder)
    const bag = makeBag(path.join(source.folder, 'bag'), { 'External-Identifier': 'sound' })
    await archive.stop()
    const database = openDatabase(place.folder)
    const enter = database.sqlite.prepare(
      `insert into job (id, name, package, stage, reason, made) values (?, ?, ?, ?, null, '2026')`,
    )
    enter.run('job-1', 'taken back', 'package-1', 'moving')
    enter.run('job-2', 'lost', 'package-2', 'working')
    database.close()
    archive = await startArchive(place.folder)
    handOver(bag, place.folder, 'sound')
    const messages = await until(async () => {
      const said = await messagesOf(archive)
      return said.length >= 2 ? said : undefined
    })
    expect(messages.sort()).toEqual([
      'lost was not accepted: It is no longer there.',
      'sound (sound) is now preserved',
    ])
    await archive.stop()
    const again = openDatabase(place.folder)
    expect(again.sqlite.prepare('select * from job').all()).toEqual([])
    again.close()
  })

  test('entries of a tar that this computer cannot write are a verdict in a sentence', async () => {
    using source = scratch()
    const tar = path.join(source.folder, 'twice.tar')
    writeFileSync(path.join(source.folder, 'a'), 'x')
    execFileSync('tar', ['-cf', tar, '-C', source.folder, 'a'])
    execFileSync('tar', ['-rf', tar, '-C', source.folder, 'a'])
    const format = formatNamed()
    const found = {
      files: 2,
      bytes: 2,
      format,
      record: format.describe([]),
      provenance: format.provenanceOf({ version: '1.0', info: [] }),
    }
    const check = () => Promise.resolve(found)
    const opening = openReceived(tar, path.join(source.folder, 'unpacked'), check, fingerprintOf)
    await expect(opening).rejects.toThrow('The entry “a” is there twice.')
  })

  test('a bag that changes behind the check is a trouble and no verdict', async () => {
    using source = scratch()
    const bag = makeBag(path.join(source.folder, 'bag'), {})
    const check = strictCheck(scripts.check)
    const { folder, checked } = await openReceived(
      bag,
      path.join(source.folder, 'unpacked'),
      check,
      fingerprintOf,
    )
    writeFileSync(path.join(bag, 'data/late.txt'), 'late')
    const changing = readPayload(folder, checked.format.payloadPaths, checked)
    await expect(changing).rejects.toThrow(/changed after it was checked: 3 files of \d+ bytes became 4 of/)

    const zip = path.join(source.folder, 'other.zip')
    mkdirSync(path.join(source.folder, 'zipped'))
    makeBag(path.join(source.folder, 'zipped/bag'), {})
    await zipFolder(path.join(source.folder, 'zipped'), zip)
    let checks = 0
    const losing = (received: string) => {
      checks += 1
      // As on a disk that loses what is written.
      if (checks === 2) rmSync(path.join(received, 'data/tom.dat'))
      return check(received)
    }
    const unpacked = openReceived(zip, path.join(source.folder, 'unpacked'), losing, fingerprintOf)
    const failure = await unpacked.catch((error: unknown) => error)
    expect(failure).not.toBeInstanceOf(InvalidPackage)
    expect((failure as Error).message).toMatch(/^It is valid, but could not be unpacked as it is: .*tom\.dat/)
  })
})
