import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { pack as packTar } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { packageFiles } from '../../../../electron/packaging/entries/package-files.ts'
import { payloadComparer } from '../../../../electron/packaging/bagit/check/compare-payload.ts'
import { walkBag } from '../../../../electron/packaging/bagit/check/contents.ts'
import type { Found } from '../../../../electron/packaging/findings.ts'
import { nameTable, newNameTable } from '../../../../electron/packaging/entries/name-table.ts'
import { folderEntries } from '../../../../electron/packaging/entries/folder-entries.ts'
import { openInside } from '../../../../electron/packaging/entries/open-inside.ts'
import {
  readBagDeclaration,
  readFetch,
  readInfo,
  readTagFile,
} from '../../../../electron/packaging/bagit/check/tag-checks.ts'
import { copyPackage } from '../../../../electron/packaging/packages.ts'
import { scratch } from '../../../support/scratch.ts'
import { zipEntriesOf, zipOf } from '../../../packages/crafted-containers.ts'
import { check, codesOf, failureOf, scripts } from '../../../packages/packing.ts'

const digest = (algorithm: string, content: Buffer | string) =>
  createHash(algorithm).update(content).digest('hex')

interface Bag {
  version?: string
  encoding?: string
  algorithm?: string
  /** Files by name; those of the payload are listed as they are, unless lines are given. */
  files?: Record<string, string | Buffer>
  lines?: string[]
  info?: string | null
  tagLines?: string[] | null
  encode?: (text: string) => Buffer
}

/** A bag written by hand, as any version and tool would. */
const makeBag = (
  bag: string,
  {
    version = '1.0',
    encoding = 'UTF-8',
    algorithm = 'sha256',
    files = { 'data/a.txt': 'a' },
    lines,
    info = null,
    tagLines = null,
    encode = Buffer.from,
  }: Bag = {},
) => {
  mkdirSync(path.join(bag, 'data'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(bag, name)), { recursive: true })
    writeFileSync(path.join(bag, name), content)
  }
  writeFileSync(
    path.join(bag, 'bagit.txt'),
    `BagIt-Version: ${version}\nTag-File-Character-Encoding: ${encoding}\n`,
  )
  const listed =
    lines ??
    Object.entries(files).flatMap(([name, content]) =>
      name.startsWith('data/') ? [`${digest(algorithm, content)}  ${name}`] : [],
    )
  writeFileSync(
    path.join(bag, `manifest-${algorithm}.txt`),
    encode(listed.map((line) => `${line}\n`).join('')),
  )
  if (info !== null)
    writeFileSync(path.join(bag, version < '0.95' ? 'package-info.txt' : 'bag-info.txt'), encode(info))
  if (tagLines)
    writeFileSync(
      path.join(bag, `tagmanifest-${algorithm}.txt`),
      encode(tagLines.map((line) => `${line}\n`).join('')),
    )
  return bag
}
const found = async (bag: Bag, change?: (folder: string) => void) => {
  using place = scratch()
  const folder = makeBag(path.join(place.folder, 'bag'), bag)
  change?.(folder)
  // The folder goes when this function ends, so its end waits for the answer.
  return await codesOf(folder)
}
const sound = { errors: [], warnings: [] }
const a = digest('sha256', 'a')
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('valid bags', () => {
  test.each(['0.93', '0.94', '0.95', '0.96', '0.97'])('version %s with md5', async (version) => {
    expect(
      await found({
        version,
        algorithm: 'md5',
        info: 'Source-Organization : A\nContact-Name: B\nContact-Name: C\n',
      }),
    ).toEqual({ errors: [], warnings: ['weak-algorithm'] })
  })
  test.each(['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'md5'])(
    'version 1.0 with %s',
    async (algorithm) => {
      expect(await found({ algorithm })).toEqual({
        errors: [],
        warnings: ['md5', 'sha1'].includes(algorithm) ? ['weak-algorithm'] : [],
      })
    },
  )
  test('tag files in UTF-16, ISO-8859-1, and UTF-8 with a mark', async () => {
    expect(
      await found({
        encoding: 'UTF-16',
        encode: utf16,
        info: 'Source-Organization: Å\n',
        files: { 'data/å.txt': 'a' },
      }),
    ).toEqual(sound)
    expect(
      await found({
        encoding: 'ISO-8859-1',
        encode: (text) => Buffer.from(text, 'latin1'),
        files: { 'data/å.txt': 'a', 'data/rad\u0085bryt.txt': 'b' },
      }),
    ).toEqual(sound)
    const marked = { algorithm: 'sha512', encode: (text: string) => Buffer.from(`\uFEFF${text}`) }
    expect(await found({ ...marked, version: '0.97' })).toEqual({ errors: [], warnings: ['unusual-line'] })
    expect(await found(marked)).toEqual({ errors: ['tag-mark'], warnings: [] })
  })
  test('lines that end with CRLF or CR', async () => {
    const files = { 'data/a.txt': 'a', 'data/b.txt': 'b' }
    for (const end of ['\r\n', '\r'])
      expect(await found({ files, encode: (text) => Buffer.from(text.replaceAll('\n', end)) })).toEqual({
        errors: [],
        warnings: ['unusual-line'],
      })
  })
  test('an empty payload, and a file and folder without content', async () => {
    expect(await found({ files: {} })).toEqual(sound)
    expect(
      await found({ files: { 'data/tom': '' } }, (bag) => mkdirSync(path.join(bag, 'data/tom mapp'))),
    ).toEqual(sound)
  })
  test('encoded names, and the same name as versions before 1.0 wrote it', async () => {
    const files = { 'data/100%.txt': 'a', 'data/rad\nbryt': 'b', 'data/%0A': 'c' }
    const lines = [
      `${a}  data/100%25.txt`,
      `${digest('sha256', 'b')}  data/rad%0abryt`,
      `${digest('sha256', 'c')}  data/%250A`,
    ]
    expect(await found({ files, lines })).toEqual(sound)
    expect(
      await found({ version: '0.97', files: { 'data/100%25.txt': 'a' }, lines: [`${a}  data/100%25.txt`] }),
    ).toEqual(sound)
    expect(await found({ files: { 'data/100%.txt': 'a' }, lines: [`${a}  data/100%.txt`] })).toEqual(sound)
    expect(await found({ files: { 'data/%0A': 'a' }, lines: [`${a}  data/%0A`] })).toEqual({
      errors: [],
      warnings: ['other-spelling'],
    })
  })
  test('digests in capitals, names as md5sum and Windows tools write them', async () => {
    const files = { 'data/mapp/a.txt': 'a' }
    expect(await found({ lines: [`${a.toUpperCase()}  data/a.txt`] })).toEqual({
      errors: [],
      warnings: ['unusual-line'],
    })
    expect(await found({ lines: [`${a} *data/a.txt`] })).toEqual({ errors: [], warnings: ['unusual-line'] })
    expect(await found({ lines: [`${a}\t./data/a.txt`] })).toMatchObject({ errors: [] })
    expect(await found({ files, lines: [`${a}  data\\mapp\\a.txt`] })).toEqual({
      errors: [],
      warnings: ['other-spelling'],
    })
  })
  test('a name in another form of Unicode is found, and twins are told', async () => {
    expect(await found({ files: { 'data/\u00e9.txt': 'a' }, lines: [`${a}  data/e\u0301.txt`] })).toEqual({
      errors: [],
      warnings: ['other-spelling'],
    })
    expect(await found({ files: { 'data/\u00e9.txt': 'a', 'data/e\u0301.txt': 'a' } })).toEqual({
      errors: [],
      warnings: ['twins'],
    })
    expect(await found({ files: { 'data/A.txt': 'a', 'data/a.txt': 'a' } })).toEqual({
      errors: [],
      warnings: ['twins'],
    })
  })
  test('what was fetched already', async () => {
    expect(
      await found({ files: { 'data/a.txt': 'a', 'fetch.txt': 'https://x.example/a 1 data/a.txt\n' } }),
    ).toEqual(sound)
  })
  test('before 1.0 each file must stand in one of the manifests, since 1.0 in all', async () => {
    const two = (version: string) =>
      found(
        { version, files: { 'data/a.txt': 'a', 'data/b.txt': 'b' }, lines: [`${a}  data/a.txt`] },
        (bag) =>
          writeFileSync(path.join(bag, 'manifest-sha512.txt'), `${digest('sha512', 'b')}  data/b.txt\n`),
      )
    expect(await two('0.97')).toEqual(sound)
    expect(await two('1.0')).toMatchObject({ errors: ['unlisted'] })
  })
  test.each(['0.97', '1.0'])(
    'the file that version %s does not list is named, among accents',
    async (version) => {
      using place = scratch()
      const files = Object.fromEntries(
        ['á', 'b', 'c', 'é', 'f', 'g', 'ö', 'z'].map((name) => [`data/${name}`, 'a'] as const),
      )
      const lines = ['á', 'b', 'f', 'g', 'z'].map((name) => `${a}  data/${name}`)
      const { findings } = await check(makeBag(path.join(place.folder, 'bag'), { version, files, lines }))
      expect(findings.map(({ code, detail }) => `${code} ${detail}`).sort()).toEqual(
        ['c', 'é', 'ö'].map((name) => `unlisted data/${name}`),
      )
    },
  )
})

describe('a file system with several names for one file', () => {
  /** What is said of a payload of `files` where all of `listed` could be opened. */
  const compared = (files: string[], listed: string[], isEach: boolean) => {
    using place = scratch()
    makeBag(place.folder, { files: Object.fromEntries(files.map((name) => [`data/${name}`, ''])) })
    const findings: string[] = []
    const found: Found = (level, code, _, detail = '') => findings.push(`${level} ${code} ${detail}`)
    const around = walkBag(place.folder, { label: 'bag', found, gate: () => true })
    if (!around) throw new Error('It is no bag.')
    const names = nameTable(newNameTable(100, around.secret))
    for (const name of listed) names.put(`data/${name}`)
    const { compare, settle } = payloadComparer(around, found)
    const manifest = 'manifest-sha256.txt'
    compare({ manifest, names, present: names.size(), isClean: true, hasErrors: false }, isEach)
    settle(1)
    return findings.sort()
  }
  test.each([true, false])('hides no file that is not listed (each manifest for itself: %s)', (isEach) => {
    expect(compared(['long name.txt', 'b'], ['b', 'long name.txt'], isEach)).toEqual([])
    expect(compared(['long name.txt', 'b'], ['long name.txt', 'LONGNA~1.TXT'], isEach)).toEqual([
      'error counts 2 ≠ 1',
      'error unlisted data/b',
    ])
    expect(compared(['a'], ['a', 'A'], isEach)).toEqual(['error counts 2 ≠ 1'])
    expect(compared(['a'], ['A'], isEach)).toEqual(['error counts 1 ≠ 0', 'error unlisted data/a'])
  })
  test.skipIf(process.platform === 'win32')('names that Windows reads as others are none there', () => {
    using place = scratch()
    const names = ['sub\\a', 'a::$DATA', 'a:stream', 'a.', 'a ', 'nul', 'sub/com1.txt']
    mkdirSync(path.join(place.folder, 'sub'))
    for (const name of [...names, 'sub/a']) writeFileSync(path.join(place.folder, name), '')
    const root = realpathSync(place.folder)
    const opened = [...names, 'sub/a'].map((name) => {
      const it = openInside(root, name, 'win32')
      if (typeof it === 'object') closeSync(it.handle)
      return typeof it
    })
    expect(opened).toEqual([...names.map(() => 'undefined'), 'object'])
  })
})

test('a tag file that is gone when it is to be read is told', async () => {
  using place = scratch()
  const bag = makeBag(path.join(place.folder, 'bag'))
  const findings: string[] = []
  const found: Found = (level, code, file) => findings.push(`${level} ${code} ${file}`)
  const files = packageFiles({ path: realpathSync(bag), form: 'folder', top: '', index: undefined })
  const declaration = { version: '1.0', encoding: 'UTF-8' }
  const special = new Set(['bagit.txt', 'bag-info.txt', 'fetch.txt'])
  rmSync(path.join(bag, 'bagit.txt'))
  symlinkSync('/dev/null', path.join(bag, 'fetch.txt'))
  await readBagDeclaration(found, files)
  await readInfo(found, files, declaration, special, { files: 1, folders: 0, bytes: 1 }, null)
  await readFetch(found, files, declaration, special)
  await readTagFile(found, files, 'manifest-md5.txt', 'UTF-8', () =>
    Promise.reject(new Error('It was read.')),
  )
  expect(findings).toEqual(
    ['bagit.txt', 'bag-info.txt', 'fetch.txt', 'manifest-md5.txt'].map((name) => `error vanished ${name}`),
  )
})

test('a declaration that cannot be read is not said to be none', async () => {
  using place = scratch()
  const bag = makeBag(path.join(place.folder, 'bag'))
  const files = packageFiles({ path: realpathSync(bag), form: 'folder', top: '', index: undefined })
  /** Opens files that the system refuses to read. */
  const open = (name: string) => {
    const file = files.open(name)
    if (typeof file !== 'object') return file
    file.close()
    return { ...file, close: () => undefined }
  }
  const findings: string[] = []
  const found: Found = (level, code, file, detail = '') => findings.push(`${level} ${code} ${file} ${detail}`)
  expect(await readBagDeclaration(found, { ...files, open })).toBeUndefined()
  expect(findings).toEqual(['error unreadable bagit.txt EBADF: bad file descriptor'])
})

test('a folder that vanishes while it is walked through is one that nobody could read, and no link', () => {
  using place = scratch()
  mkdirSync(path.join(place.folder, 'sub'))
  const entries = folderEntries(place.folder)
  expect(entries.next().value).toMatchObject({ name: 'sub', kind: 'folder' })
  rmdirSync(path.join(place.folder, 'sub'))
  expect(entries.next().value).toMatchObject({ name: 'sub', kind: 'folder', trouble: 'unreadable' })
})

/** Empty files whose manifest is so long that threads check it. */
const manyFiles = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, page) => [`data/sida ${page}`.padEnd(120, ' '), '']),
)

test('a manifest that threads check brings the same findings, with their lines', async () => {
  using place = scratch()
  const many = Object.keys(manyFiles).map((name) => `${digest('sha256', '')}  ${name}`)
  const lines = [`${a}  data/e\u0301.txt`, ...many, `${a}  data/b.txt`, many[0] ?? '', `${a}  data/gone.txt`]
  const files = { ...manyFiles, 'data/\u00e9.txt': 'a', 'data/b.txt': 'b', 'data/unlisted.txt': '' }
  const { counts, findings } = await check(makeBag(path.join(place.folder, 'bag'), { files, lines }))
  expect(counts.files).toBe(1_003)
  expect(findings.map(({ code, line }) => [code, line])).toEqual([
    ['other-spelling', 1],
    ['mismatch', 1_002],
    ['listed-twice', 1_003],
    ['missing', 1_004],
    ['unlisted', null],
  ])
})

describe('a check that needs more memory than it is given says so', () => {
  const greedy = new URL('data:text/javascript,const all=[];for(;;)all.push(new Array(1e4).fill(all.length))')
  test.each(['checker', 'worker'] as const)('in the thread of the %s', async (thread) => {
    using place = scratch()
    const report = await check(makeBag(path.join(place.folder, 'bag'), { files: manyFiles }), {
      scripts: { ...scripts.check, [thread]: greedy },
      threads: 1,
    })
    expect([report.state, report.findings.map(({ code }) => code)]).toEqual(['unreadable', ['memory']])
  })
})

test('labels that should stand once are told', async () => {
  expect(await found({ info: 'Bagging-Date: 2026-01-01\nbagging-date: 2026-01-02\n' })).toEqual({
    errors: [],
    warnings: ['info-repeated'],
  })
})

describe('bags that are not valid', () => {
  test.each<[string, Bag, string[]]>([
    ['a version that nobody knows', { version: '2.0' }, ['declaration-version']],
    ['an encoding that nobody knows', { encoding: 'EBCDIC-ODD' }, ['declaration-encoding']],
    [
      'a tag file that is no UTF-8',
      { info: 'A: ö\n', encode: (text) => Buffer.from(text, 'latin1') },
      ['tag-encoding'],
    ],
    ['white space before a colon', { info: 'Source-Organization : A\n' }, ['info-line']],
    ['a line without a colon', { info: 'Source-Organization\n' }, ['info-line']],
    ['another Payload-Oxum', { info: 'Payload-Oxum: 2.1\n' }, ['oxum']],
    ['a Payload-Oxum twice', { info: 'Payload-Oxum: 1.1\npayload-oxum: 1.1\n' }, ['oxum-repeated']],
    [
      'a tag manifest in a tag manifest',
      { tagLines: [`${a}  tagmanifest-sha256.txt`] },
      ['lists-tag-manifest', 'manifest-unlisted', 'mismatch'],
    ],
    [
      'an address in fetch.txt that is not absolute',
      { files: { 'data/a.txt': 'a', 'fetch.txt': '/x/a 1 data/a.txt\n' } },
      ['bad-line'],
    ],
    ['a digest of another length', { lines: ['abc  data/a.txt'] }, ['bad-line']],
    ['another content', { lines: [`${digest('sha256', 'b')}  data/a.txt`] }, ['mismatch']],
    ['a file that is not there', { lines: [`${a}  data/a.txt`, `${a}  data/b.txt`] }, ['missing']],
    ['a file that is not listed', { lines: [] }, ['unlisted']],
    [
      'a file listed twice',
      { lines: [`${a}  data/a.txt`, `${digest('sha256', 'b')}  data/a.txt`] },
      ['listed-twice', 'mismatch'],
    ],
    [
      'a folder that is listed',
      { files: { 'data/m/a.txt': 'a' }, lines: [`${a}  data/m/a.txt`, `${a}  data/m`] },
      ['lists-folder'],
    ],
    [
      'a name outside the payload',
      { files: { 'data/a.txt': 'a', 'b.txt': 'a' }, lines: [`${a}  data/a.txt`, `${a}  b.txt`] },
      ['not-payload'],
    ],
    [
      'a payload file in a tag manifest',
      { tagLines: [`${a}  data/a.txt`] },
      ['is-payload', 'manifest-unlisted'],
    ],
    ['a way up', { lines: [`${a}  data/a.txt`, `${a}  data/../../x`] }, ['escapes']],
    ['an encoded way up, with dots', { lines: [`${a}  data/a.txt`, `${a}  data/./../x`] }, ['escapes']],
    ['a path from the root', { lines: [`${a}  data/a.txt`, `${a}  /etc/passwd`] }, ['escapes']],
    ['a path of Windows', { lines: [`${a}  data/a.txt`, `${a}  C:\\Windows\\x`] }, ['escapes']],
    ['a home folder', { lines: [`${a}  data/a.txt`, `${a}  ~/x`] }, ['escapes']],
    [
      'a file that is still to fetch',
      {
        lines: [`${a}  data/a.txt`, `${a}  data/b.txt`],
        files: { 'data/a.txt': 'a', 'fetch.txt': 'https://x.example/b - data/b.txt\n' },
      },
      ['to-fetch'],
    ],
    [
      'a file to fetch that no manifest knows',
      { files: { 'data/a.txt': 'a', 'fetch.txt': 'https://x.example/b - data/b.txt\n' } },
      ['fetch-unlisted'],
    ],
    [
      'a way up in fetch.txt',
      { files: { 'data/a.txt': 'a', 'fetch.txt': 'https://x.example/b - ../b.txt\n' } },
      ['escapes'],
    ],
    [
      'a broken line in fetch.txt',
      { files: { 'data/a.txt': 'a', 'fetch.txt': 'https://x.example/b data/b.txt\n' } },
      ['bad-line'],
    ],
  ])('%s', async (_, bag, errors) => {
    expect((await found(bag)).errors).toEqual(errors)
  })
  test('a file that is not listed, whatever its name', async () => {
    // Two names that the hash of an earlier version took for one, and two forms of one accent.
    for (const [listed, unlisted] of [
      ['data/0e70589eea7e39', 'data/01efef5ef3c145'],
      ['data/\u00e5', 'data/a\u030a'],
    ] as const) {
      const lines = [`${a}  ${listed}`]
      expect((await found({ files: { [listed]: 'a', [unlisted]: 'b' }, lines })).errors).toEqual(['unlisted'])
    }
  })
  test.each<[string, (bag: string) => void, string[]]>([
    [
      'a declaration with a mark',
      (bag) =>
        writeFileSync(
          path.join(bag, 'bagit.txt'),
          `\uFEFF${readFileSync(path.join(bag, 'bagit.txt'), 'utf8')}`,
        ),
      ['declaration-mark'],
    ],
    [
      'a declaration of three lines',
      (bag) => appendFileSync(path.join(bag, 'bagit.txt'), 'X: y\n'),
      ['declaration-lines'],
    ],
    [
      'a declaration with an empty line',
      (bag) => appendFileSync(path.join(bag, 'bagit.txt'), '\n'),
      ['declaration-lines'],
    ],
    [
      'white space in the declaration',
      (bag) =>
        writeFileSync(
          path.join(bag, 'bagit.txt'),
          'BagIt-Version : 1.0\nTag-File-Character-Encoding: UTF-8\n',
        ),
      ['declaration-version'],
    ],
    [
      'no payload folder',
      (bag) => rmSync(path.join(bag, 'data'), { recursive: true }),
      ['missing', 'no-payload-folder'],
    ],
    ['no manifest', (bag) => rmSync(path.join(bag, 'manifest-sha256.txt')), ['no-manifest']],
    ['a link in the payload', (bag) => symlinkSync('/etc/passwd', path.join(bag, 'data/länk')), ['link']],
    [
      'a link in place of a file',
      (bag) => (
        rmSync(path.join(bag, 'data/a.txt')),
        symlinkSync('/etc/passwd', path.join(bag, 'data/a.txt'))
      ),
      ['link'],
    ],
    [
      'two manifests of one algorithm',
      (bag) => cpSync(path.join(bag, 'manifest-sha256.txt'), path.join(bag, 'manifest-SHA256.txt')),
      ['listed-twice'],
    ],
  ])('%s', async (_, change, errors) => {
    expect((await found({}, change)).errors).toEqual(errors)
  })
  test('a folder without bagit.txt is no bag, nor is a text', async () => {
    expect(await found({}, (bag) => rmSync(path.join(bag, 'bagit.txt')))).toMatchObject({
      errors: ['not-a-package'],
    })
    using place = scratch()
    writeFileSync(path.join(place.folder, 'text.txt'), 'x')
    expect(await check(path.join(place.folder, 'text.txt'))).toMatchObject({ state: 'not-a-package' })
  })
  test('the line is named, and every error is listed', async () => {
    using place = scratch()
    const lines = [
      `${a}  data/a.txt`,
      'x',
      ...Array.from({ length: 500 }, (_, index) => `${a}  data/${index}`),
    ]
    const report = await check(makeBag(path.join(place.folder, 'bag'), { lines }))
    expect(report).toMatchObject({ errors: 501, state: 'invalid' })
    expect(report.findings.slice(0, 2)).toMatchObject([
      { code: 'bad-line', file: 'manifest-sha256.txt', line: 2, detail: 'x' },
      { code: 'missing', line: 3, detail: 'data/0' },
    ])
  })
})

type TarEntry = Parameters<ReturnType<typeof packTar>['entry']>[0] & { content?: string }
const writeTar = async (file: string, entries: TarEntry[]) => {
  const tar = packTar()
  for (const { content = '', ...header } of entries) tar.entry(header, content)
  tar.finalize()
  await pipeline(tar, createWriteStream(file))
}
const bagEntries = (top: string): TarEntry[] => [
  { name: `${top}bagit.txt`, content: 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n' },
  { name: `${top}manifest-sha256.txt`, content: `${a}  data/å${'x'.repeat(200)}.txt\n` },
  { name: `${top}data/å${'x'.repeat(200)}.txt`, content: 'a' },
]

describe('bags in one file', () => {
  test('a tar of another tool, with long names and "./"', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.tar')
    await writeTar(file, bagEntries('bag/'))
    expect(await codesOf(file)).toEqual(sound)
    makeBag(path.join(place.folder, 'b2'), { files: { [`data/${'å'.repeat(100)}.txt`]: 'a' } })
    for (const format of ['gnu', 'posix', 'ustar'].slice(0, 2)) {
      execFileSync('tar', ['-C', place.folder, `--format=${format}`, '-cf', file, './b2'])
      expect(await codesOf(file)).toEqual({ errors: [], warnings: ['base-folder-name'] })
    }
  })
  test.each<[string, TarEntry[], string]>([
    ['a link', [{ name: 'bag/data/l', type: 'symlink', linkname: '/etc/passwd' }], 'link'],
    ['a hard link', [{ name: 'bag/data/l', type: 'link', linkname: 'bag/bagit.txt' }], 'link'],
    ['a device', [{ name: 'bag/data/d', type: 'character-device' }], 'link'],
    ['a way up', [{ name: 'bag/../../x', content: 'x' }], 'escapes'],
    ['a path from the root', [{ name: '/etc/x', content: 'x' }], 'escapes'],
    ['an entry beside the bag', [{ name: 'other/x', content: 'x' }], 'entry-outside'],
    ['an entry twice', [{ name: 'bag/bagit.txt', content: 'x' }], 'entry-twice'],
  ])('a tar with %s is refused', async (_, entries, code) => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.tar')
    await writeTar(file, [...bagEntries('bag/'), ...entries])
    expect((await codesOf(file)).errors).toContain(code)
  })
  test('a tar that is cut off, or not empty behind its end, says where', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.tar')
    await writeTar(file, bagEntries('bag/'))
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, 3_000))
    expect(await check(file)).toMatchObject({
      state: 'not-a-package',
      findings: [{ code: 'archive-cut', detail: '3000' }],
    })
    writeFileSync(file, Buffer.concat([whole, Buffer.alloc(512, 1)]))
    expect(await check(file)).toMatchObject({ findings: [{ code: 'archive-gap' }] })
  })
  const writeZip = async (
    file: string,
    entries: [name: string, content: string, isCompressed?: boolean][],
  ) => {
    const zip = new ZipFile()
    for (const [name, content, compress = true] of entries)
      zip.addBuffer(Buffer.from(content), name, { compress })
    zip.end()
    await pipeline(zip.outputStream, createWriteStream(file))
  }
  const zipped = (content: string): [string, string, boolean?][] => [
    ['bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'],
    ['bag/manifest-sha256.txt', `${digest('sha256', content)}  data/å.txt\n`],
    ['bag/data/å.txt', content],
  ]
  test('a zip of another tool, compressed', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.zip')
    await writeZip(file, zipped('a'.repeat(3_000_000)))
    expect(await codesOf(file)).toEqual(sound)
    await writeZip(file, [...zipped('a'), ['bag/data/b.txt', 'b', false]])
    expect((await codesOf(file)).errors).toEqual(['unlisted'])
  })
  test('a zip whose entry gives more than it announced is stopped', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.zip')
    await writeZip(file, zipped('a'.repeat(3_000_000)))
    const bytes = readFileSync(file)
    // The length in the directory is made smaller; the stream goes on beyond it.
    const at = bytes.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
    bytes.writeUInt32LE(1_000, at + 24)
    writeFileSync(file, bytes)
    expect((await codesOf(file)).errors).toContain('bomb')
  })
  test('a damaged zip says where', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.zip')
    await writeZip(file, zipped('a'))
    writeFileSync(file, readFileSync(file).subarray(0, -10))
    expect(await check(file)).toMatchObject({ state: 'not-a-package', findings: [{ code: 'archive-cut' }] })
  })
})

describe('the CRC of a long file in a zip is compared', () => {
  const film = Buffer.alloc(9 * 1024 * 1024, 'film')
  const declaration = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n'
  const contents = {
    'bagit.txt': declaration,
    'manifest-sha256.txt': `${digest('sha256', film)}  data/film.bin\n`,
    'data/film.bin': film,
  }
  const zipWith = (headers: { crc?: number }) =>
    zipOf(
      zipEntriesOf(contents).map((entry) =>
        String(entry.name).endsWith('film.bin')
          ? { ...entry, method: 0, local: headers, central: headers }
          : entry,
      ),
    )
  /** A thread that does this with a request, as the script of the thread that computes the CRC. */
  const thread = (work: string) => ({
    threads: 2,
    scripts: {
      ...scripts.check,
      crcWorker: new URL(
        `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
          import { crc32 } from 'node:zlib'
          parentPort.on('message', ({ id, body: { handle, bytes, ring, crcs, counters } }) => {
            ${work}
            parentPort.postMessage({ kind: 'answer', id, value: 1 })
          })`)}`,
      ),
    },
  })
  /** Fills the first blocks of the ring with something else. */
  const fills = (blocks: number, filling: string) => `
    const block = Buffer.alloc(2 ** 20, '${filling}')
    for (let index = 0, crc = 0; index < ${blocks}; index += 1) {
      new Uint8Array(ring).set(block, index * block.length)
      crcs[index] = crc = crc32(block, crc)
    }
    Atomics.store(counters, 0, ${blocks})`
  const findingsOf = async (headers: { crc?: number }, how: Parameters<typeof check>[1]) => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.zip')
    writeFileSync(file, zipWith(headers))
    const { findings } = await check(file, how)
    return findings.map(({ level, code }) => `${level} ${code}`)
  }

  test.each([
    ['by a thread beside the one that hashes', { threads: 2 }],
    ['by the one thread that there is', { threads: 1 }],
    ['by the one that hashes, where the thread beside dies', thread('process.exit()')],
    ['by the one that hashes, where the thread beside could not read it', thread('')],
    ['by both, where the thread beside dies in the middle', thread(`${fills(2, 'film')}; process.exit()`)],
  ])('%s', async (_, how) => {
    expect(await findingsOf({}, how)).toEqual([])
    expect(await findingsOf({ crc: 1 }, how)).toEqual(['error entry-damaged'])
  })
  test('with that of the bytes that are hashed, where the disk gives others at another time', async () => {
    const changed = Buffer.concat([Buffer.alloc(2 * 1024 * 1024, 'ramp'), film.subarray(2 * 1024 * 1024)])
    const how = thread(fills(2, 'ramp'))
    expect(await findingsOf({}, how)).toEqual(['error entry-damaged'])
    expect(await findingsOf({ crc: crc32(changed) }, how)).toEqual(['error mismatch'])
  })
  test('and a zip that is cut meanwhile is said to be cut', async () => {
    using place = scratch()
    const file = path.join(place.folder, 'bag.zip')
    writeFileSync(file, zipWith({}))
    const how = thread(`process.getBuiltinModule('node:fs').truncateSync(${JSON.stringify(file)}, 1_000)`)
    const { state, findings } = await check(file, how)
    expect(state).toBe('not-a-package')
    expect(findings.map(({ code, file: named }) => `${named} ${code}`)).toContain('bag.zip archive-cut')
  })
})

test('a copy that is not valid is refused though none of its errors is listed', async () => {
  using place = scratch()
  const bag = makeBag(path.join(place.folder, 'bag'))
  const to = path.join(place.folder, 'copy')
  const report = { state: 'invalid', errors: 3, findings: [], more: [] }
  const checker = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads';
    parentPort.postMessage(${JSON.stringify({ report })})`,
  )
  const how = {
    scripts: { pack: scripts.pack, check: { ...scripts.check, checker } },
    signal: new AbortController().signal,
  }
  expect(await failureOf(copyPackage(bag, to, how))).toMatchObject({
    kind: 'bad-package',
    path: bag,
    errors: 3,
  })
  expect(existsSync(to)).toBe(false)
})
