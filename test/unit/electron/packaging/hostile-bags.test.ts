import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { PackageReport } from '../../../../electron/contract/findings.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { check, codesOf } from '../../../packages/packing.ts'

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const a = sha256('a')
const line = `${a}  data/a.txt\n`

interface Shape {
  version?: string
  encoding?: string
  manifest?: Iterable<string | Buffer>
  info?: Iterable<string | Buffer>
  fetch?: Iterable<string>
}

const makeBag = (
  bag: string,
  { version = '1.0', encoding = 'UTF-8', manifest = [line], info, fetch }: Shape,
) => {
  mkdirSync(path.join(bag, 'data'), { recursive: true })
  writeFileSync(path.join(bag, 'data/a.txt'), 'a')
  const declaration = `BagIt-Version: ${version}\nTag-File-Character-Encoding: ${encoding}\n`
  const files = {
    'bagit.txt': [declaration],
    'manifest-sha256.txt': manifest,
    'bag-info.txt': info,
    'fetch.txt': fetch,
  }
  for (const [name, parts] of Object.entries(files)) {
    if (!parts) continue
    const handle = openSync(path.join(bag, name), 'w')
    for (const part of parts) writeSync(handle, Buffer.from(part))
    closeSync(handle)
  }
  return bag
}

const script = path.resolve(import.meta.dirname, '../../../packages/check-apart.ts')
/** Checks in a process of its own; one that hangs is ended. */
const checkApart = async (bag: string, profile = ''): Promise<PackageReport & { peakMB: number }> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, bag, profile], {
    timeout: 180_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  // What the script prints is what `checkBag` gives.
  return JSON.parse(stdout) as PackageReport & { peakMB: number }
}
const most = 250

const bytes = 12_000_000
/** The same text again and again, then another. */
const repeated = function* (text: string, after = '') {
  const part = text.repeat(Math.ceil(1_000_000 / text.length))
  for (let written = 0; written < bytes; written += part.length) yield part
  yield after
}
const numbered = function* (make: (index: number) => string) {
  for (let written = 0, index = 0; written < bytes;) {
    let part = ''
    for (; part.length < 1_000_000; index += 1) part += make(index)
    written += part.length
    yield part
  }
}
const first = function* (text: string, then: Iterable<string>) {
  yield text
  yield* then
}

/** Brings small parts together, and gives them on by the megabyte. */
const inLargeParts = (take: (bytes: Buffer) => void) => {
  let parts: Buffer[] = []
  let length = 0
  const end = () => {
    take(Buffer.concat(parts))
    parts = []
    length = 0
  }
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length > 1_000_000) end()
  }
  return { add, end }
}

/** A zip of a bag with this many files without content (APPNOTE.TXT 4.3), nothing of it compressed. */
const writeManyEntries = (file: string, count: number) => {
  const handle = openSync(file, 'w')
  const localStart = Buffer.alloc(30)
  localStart.write('PK\u0003\u0004\u0014', 'latin1')
  const centralStart = Buffer.alloc(46)
  centralStart.write('PK\u0001\u0002\u0014\u0000\u0014', 'latin1')
  /** A header of an entry, with what follows it; `fields` is where its CRC-32 stands. */
  const header = (start: Buffer, fields: number, name: string, content: string, more = '') => {
    const bytes = Buffer.allocUnsafe(start.length + name.length + more.length)
    start.copy(bytes)
    bytes.writeUInt32LE(crc32(content), fields)
    bytes.writeUInt32LE(content.length, fields + 4)
    bytes.writeUInt32LE(content.length, fields + 8)
    bytes.writeUInt16LE(name.length, fields + 12)
    bytes.write(name + more, start.length, 'latin1')
    return bytes
  }
  const directory: Buffer[] = []
  let at = 0
  let entries = 0
  const written = inLargeParts((bytes) => writeSync(handle, bytes))
  const listed = inLargeParts((bytes) => directory.push(bytes))
  const append = (part: Buffer) => {
    written.add(part)
    at += part.length
  }
  const add = (name: string, content = '') => {
    const central = header(centralStart, 16, `bag/${name}`, content)
    central.writeUInt32LE(at, 42)
    listed.add(central)
    entries += 1
    append(header(localStart, 14, `bag/${name}`, content, content))
  }
  add('bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  const lines: string[] = []
  const nothing = sha256('')
  for (let index = 0; index < count; index += 1) {
    const name = `data/${Math.floor(index / 1_000)}/post number ${index}.bin`
    add(name)
    lines.push(`${nothing}  ${name}\n`)
  }
  add('manifest-sha256.txt', lines.join(''))
  listed.end()
  const begin = at
  for (const central of directory) append(central)
  const wide = Buffer.alloc(76)
  wide.write('PK\u0006\u0006', 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeUInt32LE(0x002d002d, 12)
  for (const position of [24, 32]) wide.writeBigUInt64LE(BigInt(entries), position)
  wide.writeBigUInt64LE(BigInt(at - begin), 40)
  wide.writeBigUInt64LE(BigInt(begin), 48)
  wide.write('PK\u0006\u0007', 56)
  wide.writeBigUInt64LE(BigInt(at), 64)
  wide.writeUInt32LE(1, 72)
  const end = Buffer.alloc(22, 0xff)
  end.write('PK\u0005\u0006', 0)
  end.writeUInt32LE(0, 4)
  end.writeUInt16LE(0, 20)
  append(wide)
  append(end)
  written.end()
  closeSync(handle)
}

describe('any shape is checked within 250 MB, and what repeats is counted', () => {
  const oxum = 'Payload-Oxum: 9.9\n'
  test.each<[string, Shape, Partial<PackageReport['counts']> & { errors: string[]; warnings?: string[] }]>([
    ['empty lines', { manifest: repeated('\n', line) }, { errors: [], warnings: ['unusual-line'] }],
    [
      'lines that end with CR',
      { manifest: repeated('\r', line) },
      { errors: [], warnings: ['unusual-line'] },
    ],
    [
      'empty lines in UTF-16',
      {
        encoding: 'UTF-16LE',
        manifest: [Buffer.from('\n'.repeat(3_000_000), 'utf16le'), Buffer.from(line, 'utf16le')],
      },
      { errors: [], warnings: ['unusual-line'] },
    ],
    ['one line', { manifest: repeated('x', `\n${line}`) }, { errors: ['bad-line'] }],
    ['one line of digits', { manifest: repeated('a', `\n${line}`) }, { errors: ['bad-line'] }],
    ['one line of blanks', { manifest: repeated(' ', `\n${line}`) }, { errors: ['bad-line'] }],
    [
      'very long names',
      {
        manifest: first(
          line,
          numbered((index) => `${a}  data/${'x'.repeat(60_000)}${index}\n`),
        ),
      },
      { errors: ['missing'] },
    ],
    ['lines that are none', { manifest: repeated('x\n', line) }, { errors: ['bad-line'] }],
    [
      'files that are missing',
      {
        manifest: first(
          line,
          numbered((number) => `${a}  data/${number}\n`),
        ),
      },
      { errors: ['missing'] },
    ],
    ['one name again and again', { manifest: repeated(line) }, { errors: ['listed-twice'] }],
    [
      'names in pairs that differ in case',
      {
        manifest: first(
          line,
          numbered((number) => `${a}  data/${number % 2 === 0 ? 'x' : 'X'}${number >> 1}\n`),
        ),
      },
      { errors: ['missing'], warnings: ['twins'] },
    ],
    ['a Payload-Oxum behind many labels', { info: repeated('A: b\n', oxum) }, { errors: ['oxum'] }],
    [
      'a Payload-Oxum behind a long value',
      { info: first('A: ', repeated('x', `\n${oxum}`)) },
      { errors: ['oxum'] },
    ],
    [
      'a Payload-Oxum behind a value of many lines',
      { info: first('A: b\n', repeated(' x\n', oxum)) },
      { errors: ['oxum'] },
    ],
    ['labels that are all different', { info: numbered((number) => `L${number}: x\n`) }, { errors: [] }],
    [
      'blanks without a colon',
      { version: '0.97', info: repeated(`a${' '.repeat(60_000)}b\n`) },
      { errors: ['info-line'] },
    ],
    [
      'files to fetch',
      { fetch: numbered((number) => `a:b - data/${number}\n`) },
      { errors: ['fetch-unlisted'] },
    ],
    ['one line to fetch', { fetch: repeated('x') }, { errors: ['bad-line'] }],
  ])('%s', async (_, shape, { errors, warnings = [] }) => {
    using place = scratch()
    const report = await checkApart(makeBag(path.join(place.folder, 'bag'), shape))
    const codes = (level: string) => [
      ...new Set(report.findings.filter((finding) => finding.level === level).map(({ code }) => code)),
    ]
    expect({ errors: codes('error'), warnings: codes('warning') }).toEqual({ errors, warnings })
    expect(report.peakMB).toBeLessThan(most)
    expect(report.findings.length).toBeLessThanOrEqual(2_000)
    expect(report.findings.length + report.more.reduce((sum, { count }) => sum + count, 0)).toBe(
      report.errors + report.warnings,
    )
  })

  test('a zip of a million names', async () => {
    using place = scratch()
    const bag = path.join(place.folder, 'bag.zip')
    const files = 1_000_000
    writeManyEntries(bag, files)
    const report = await checkApart(bag)
    expect(report).toMatchObject({ state: 'valid', counts: { files }, errors: 0, warnings: 0 })
    expect(report.peakMB).toBeLessThan(most)
  }, 240_000)

  test('a folder of many names and tag files', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), {})
    for (const inside of ['data', 'tags'])
      for (let folder = 0; folder < 20; folder += 1) {
        mkdirSync(path.join(bag, inside, `${folder}`), { recursive: true })
        for (let file = 0; file < 1_000; file += 1)
          closeSync(openSync(path.join(bag, inside, `${folder}`, `a rather long name ${file}`), 'w'))
      }
    writeFileSync(path.join(bag, 'tagmanifest-sha256.txt'), `${sha256(line)}  manifest-sha256.txt\n`)
    const report = await checkApart(bag)
    expect(report).toMatchObject({
      counts: { files: 20_001, folders: 20 },
      errors: 20_000,
      warnings: 20_001,
      more: [
        { level: 'error', code: 'unlisted', count: 19_000 },
        { level: 'warning', code: 'tag-unlisted', count: 19_001 },
      ],
    })
    expect(report.peakMB).toBeLessThan(most)
  })

  test('a pattern of a profile that could be read in a million ways', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), {
      info: ['BagIt-Profile-Identifier: https://x.example/p\n'],
      manifest: [line, `${sha256('')}  data/${'a'.repeat(200)}\n`],
    })
    writeFileSync(path.join(bag, `data/${'a'.repeat(200)}`), '')
    const profile = {
      'BagIt-Profile-Info': { 'BagIt-Profile-Identifier': 'https://x.example/p' },
      'Payload-Files-Allowed': ['data/a.txt', `data/${'*a'.repeat(60)}b`],
    }
    expect((await checkApart(bag, JSON.stringify(profile))).findings).toMatchObject([
      { code: 'profile', file: `data/${'a'.repeat(200)}` },
    ])
  })
})

const posix = describe.skipIf(process.platform === 'win32')
posix('nothing but files of the bag is opened', () => {
  const outside = (folder: string) => {
    mkdirSync(path.join(folder, 'outside'))
    writeFileSync(path.join(folder, 'outside/a.txt'), 'a')
    execFileSync('mkfifo', [path.join(folder, 'outside/pipe')])
  }

  test('pipes and sockets, listed or not, in the payload or beside it', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), {
      manifest: [line, `${a}  data/pipe\n`],
    })
    for (const name of ['data/pipe', 'bag-info.txt', 'fetch.txt', 'tagmanifest-sha256.txt'])
      execFileSync('mkfifo', [path.join(bag, name)])
    expect((await codesOf(bag)).errors).toEqual(['link'])
    execFileSync('mkfifo', [path.join(place.folder, 'alone')])
    expect(await check(path.join(place.folder, 'alone'))).toMatchObject({ state: 'not-a-package' })
  })

  test('a link in any part of a path is not followed, the folder above the bag excepted', async () => {
    using place = scratch()
    outside(place.folder)
    const bag = makeBag(path.join(place.folder, 'bag'), {
      manifest: [line, `${a}  data/länk/a.txt\n`, `${a}  data/länk/pipe\n`],
    })
    symlinkSync('../../outside', path.join(bag, 'data/länk'))
    const { findings } = await check(bag)
    expect(findings.map(({ code, line: at }) => [code, at])).toEqual([
      ['link', null],
      ['link', 2],
      ['link', 3],
    ])
  })

  test('a bag may be given by a link', async () => {
    using place = scratch()
    makeBag(path.join(place.folder, 'bag'), {})
    symlinkSync('bag', path.join(place.folder, 'länk'))
    expect(await check(path.join(place.folder, 'länk'))).toMatchObject({
      path: path.join(place.folder, 'länk'),
      state: 'valid',
      form: 'folder',
    })
  })
})

posix('what cannot be read is told, and the rest is checked', () => {
  test.skipIf(process.platform === 'darwin')('names that are no UTF-8', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), { manifest: [line, `${sha256('b')}  data/b.txt\n`] })
    writeFileSync(path.join(bag, 'data/b.txt'), 'other')
    const odd = (name: string) => Buffer.from(path.join(bag, name), 'latin1')
    writeFileSync(odd('data/sm\xf6rg\xe5s.txt'), '')
    mkdirSync(odd('data/m\xe5tt'))
    writeFileSync(odd('data/m\xe5tt/c.txt'), '')
    const { findings, counts } = await check(bag)
    expect(findings.map(({ code, detail }) => [code, detail.split(':')[0]])).toEqual([
      ['name-not-text', 'data/sm\\xF6rg\\xE5s.txt'],
      ['name-not-text', 'data/m\\xE5tt'],
      ['name-not-text', 'data/m\\xE5tt/c.txt'],
      ['mismatch', 'data/b.txt'],
    ])
    expect(counts).toEqual({ files: 4, folders: 1, bytes: 6 })
  })

  test('lines that are no UTF-8, with their numbers', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), {
      manifest: [line, Buffer.from(`${a}  data/\xe5.txt\n`, 'latin1'), `${a}  data/b.txt\n`],
    })
    const { findings } = await check(bag)
    expect(findings.map(({ code, line: at }) => [code, at])).toEqual([
      ['tag-encoding', 2],
      ['missing', 3],
    ])
  })

  test('folders deeper than a path may be long', async () => {
    using place = scratch()
    const bag = makeBag(path.join(place.folder, 'bag'), { manifest: [line, `${a}  data/b.txt\n`] })
    execFileSync(process.execPath, [
      '-e',
      `process.chdir(${JSON.stringify(path.join(bag, 'data'))}); for (let i = 0; i < 30; i += 1) { ` +
        `require('fs').mkdirSync('d'.repeat(200)); process.chdir('d'.repeat(200)) }`,
    ])
    const { errors } = await codesOf(bag)
    execFileSync('rm', ['-rf', path.join(bag, 'data')])
    expect(errors).toEqual(['missing', 'too-deep'])
  })
})

test('what a killed check left is removed by the next one, and nothing else', async () => {
  using place = scratch()
  const temporary = path.join(place.folder, 'tmp')
  mkdirSync(temporary)
  const other = 'lectern-check-0123456789ab-1-AbCdEf'
  mkdirSync(path.join(temporary, other))
  const bag = makeBag(path.join(place.folder, 'bag'), { manifest: repeated('\n', line) })
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary }
  const child = spawn(process.execPath, [script, bag], { env, stdio: 'ignore' })
  const gone = new Promise((done) => child.once('exit', done))
  await until(() => readdirSync(temporary).find((name) => name.includes(`-${child.pid ?? 0}-`)))
  child.kill('SIGKILL')
  await gone
  expect(readdirSync(temporary)).toHaveLength(2)
  await promisify(execFile)(process.execPath, [script, makeBag(path.join(place.folder, 'small'), {})], {
    env,
  })
  expect(readdirSync(temporary)).toEqual([other])
})
