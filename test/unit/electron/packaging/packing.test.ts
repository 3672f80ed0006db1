import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { obstaclesOf } from '../../../../electron/jobs/kinds/transfer/obstacles.ts'
import { countSource } from '../../../../electron/jobs/kinds/transfer/sources.ts'
import { bagIt } from '../../../../electron/packaging/bagit/bagit.ts'
import { readProfile } from '../../../../electron/packaging/bagit/profile.ts'
import { copyIntoTar, copyWhole, discard, surveySources } from '../../../../electron/packaging/pack/pack.ts'
import { openDigestLog } from '../../../../electron/packaging/pack/digest-log.ts'
import { filesOf, inWork } from '../../../../electron/packaging/pack/plan.ts'
import { formatNamed } from '../../../../electron/packaging/formats.ts'
import {
  share,
  threadControl,
  type Control,
  type WorkProgress,
} from '../../../../electron/packaging/pack/control.ts'
import { hashAlongside } from '../../../../electron/packaging/pack/large.ts'
import { openRing, shareRing } from '../../../../electron/packaging/pack/ring.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { check, codesOf, failureOf, pack, scripts } from '../../../packages/packing.ts'
import { builtFile } from '../../../support/built.ts'

const makeSource = (folder: string) => {
  const source = path.join(folder, 'källa')
  mkdirSync(path.join(source, 'tom mapp'), { recursive: true })
  writeFileSync(path.join(source, 'å ä ö.txt'), 'räksmörgås')
  writeFileSync(path.join(source, '100%25.txt'), 'per cent')
  writeFileSync(path.join(source, 'rad\nbryt'), 'newline')
  writeFileSync(path.join(source, 'cr\rlf'), 'carriage return')
  writeFileSync(path.join(source, 'tom.dat'), '')
  writeFileSync(path.join(source, 'stor.bin'), Buffer.alloc(5_000_001, 7))
  mkdirSync(path.join(source, 'd'.repeat(140)))
  writeFileSync(path.join(source, 'd'.repeat(140), 'é'.repeat(100)), 'long')
  utimesSync(path.join(source, 'tom.dat'), 0, 946_684_800)
  return source
}
const bytesOfSource = 5_000_001 + 11 + 3 + 8 + 7 + 15 - 1 + 4
const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
/** Another reader of manifests: RFC 8493 2.1.3 in one line. */
const listed = (manifest: string) =>
  new Map(
    readFileSync(manifest, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [digest = '', written = ''] = line.split('  ', 2)
        return [written.replace(/%(0A|0D|25)/g, (code) => decodeURIComponent(code)), digest] as const
      }),
  )
const filesBelow = (bag: string, folder: string) =>
  readdirSync(path.join(bag, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(bag, path.join(entry.parentPath, entry.name)))
    .sort()
const sparse = (file: string, size: string) => {
  writeFileSync(file, '')
  execFileSync('truncate', ['-s', size, file])
  return file
}

test('a bag of awkward names is complete and valid to another reader, and its sums are right', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const target = path.join(place.folder, 'bag')
  const { counts, skipped, formats } = await pack(
    [source],
    target,
    {
      info: [
        ['External-Identifier', 'X/1'],
        ['Empty', ' '],
      ],
    },
    { isIdentified: true },
  )
  expect({ counts, skipped }).toEqual({
    counts: { files: 7, folders: 3, bytes: bytesOfSource },
    skipped: { count: 0, first: [] },
  })
  const manifest = listed(path.join(target, 'manifest-sha256.txt'))
  expect([...manifest.keys()].sort()).toEqual(filesBelow(target, 'data'))
  for (const [name, digest] of manifest) expect(sha256(path.join(target, name)), name).toBe(digest)
  expect(manifest.size).toBe(7)
  expect([...manifest.keys()]).toContain('data/källa/rad\nbryt')
  const info = readFileSync(path.join(target, 'bag-info.txt'), 'utf8').split('\n')
  expect(info).toContain('External-Identifier: X/1')
  expect(info).toContain(`Payload-Oxum: ${counts.bytes}.7`)
  expect(info.filter((line) => line.startsWith('Empty'))).toEqual([])
  expect(statSync(path.join(target, 'data/källa/tom mapp')).isDirectory()).toBe(true)
  expect(statSync(path.join(target, 'data/källa/tom.dat')).mtimeMs).toBe(946_684_800_000)
  expect(manifest.get('data/källa/stor.bin')).toBe(sha256(path.join(source, 'stor.bin')))
  expect(
    execFileSync('sha256sum', ['--check', '--strict', 'tagmanifest-sha256.txt'], {
      cwd: target,
      encoding: 'utf8',
    }),
  ).toContain('bagit.txt: OK')
  expect(formats?.formats.reduce((sum, { files }) => sum + files, 0)).toBe(7)
  expect(readFileSync(path.join(target, 'metadata/formats.csv'), 'utf8')).toContain('"data/källa/rad\nbryt"')
  expect(readdirSync(place.folder).sort()).toEqual(['bag', 'källa'])
})

test('as tar and as zip it is read by GNU tar and unzip, and holds the same', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  for (const form of ['tar', 'zip'] as const) {
    const bag = path.join(place.folder, `bag.${form}`)
    const out = path.join(place.folder, `out-${form}`)
    mkdirSync(out)
    // Names that unzip changes are not packed in a zip.
    if (form === 'zip') for (const name of ['rad\nbryt', 'cr\rlf']) rmSync(path.join(source, name))
    const { counts } = await pack([source], bag, { form, algorithms: ['sha256', 'sha512'] })
    execFileSync(
      form === 'tar' ? 'tar' : 'python3',
      form === 'tar' ? ['-C', out, '-xf', bag] : ['-m', 'zipfile', '-e', bag, out],
    )
    expect(execFileSync('diff', ['-r', source, path.join(out, 'bag/data/källa')], { encoding: 'utf8' })).toBe(
      '',
    )
    for (const algorithm of ['sha256', 'sha512'])
      expect(listed(path.join(out, 'bag', `manifest-${algorithm}.txt`)).size, `${form} ${algorithm}`).toBe(
        filesBelow(path.join(out, 'bag'), 'data').length,
      )
    for (const [name, digest] of listed(path.join(out, 'bag/manifest-sha256.txt')))
      expect(sha256(path.join(out, 'bag', name)), name).toBe(digest)
    expect(await check(bag)).toMatchObject({
      state: 'valid',
      form,
      counts,
      warnings: 0,
      algorithms: ['sha256', 'sha512'],
    })
  }
})

test('two sources of one name lie beside each other', async () => {
  using place = scratch()
  for (const side of ['a', 'b']) {
    mkdirSync(path.join(place.folder, side))
    writeFileSync(path.join(place.folder, side, 'brev.txt'), side)
  }
  await pack(
    [path.join(place.folder, 'a/brev.txt'), path.join(place.folder, 'b/brev.txt')],
    path.join(place.folder, 'bag'),
  )
  expect(readFileSync(path.join(place.folder, 'bag/data/brev (2).txt'), 'utf8')).toBe('b')
})

test('what is skipped and what is unusual is counted before, and listed in the bag', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  symlinkSync('/etc/passwd', path.join(source, 'länk'))
  execFileSync('mkfifo', [path.join(source, 'rör')])
  for (const name of [
    'Brev.txt',
    'brev.txt',
    '.gömd',
    'CON.txt',
    'e\u0301.txt',
    '\u00e9.txt',
    'rad\u2028två',
  ])
    writeFileSync(path.join(source, name), name)
  const survey = await surveySources([source], formatNamed(), {
    scripts: scripts.pack,
    signal: new AbortController().signal,
  })
  expect(
    survey.skipped.first.map(({ path: file, why, target }) => [path.basename(file), why, target]),
  ).toEqual([
    ['länk', 'link', '/etc/passwd'],
    ['rör', 'special', null],
  ])
  expect(
    survey.warned.first.map(({ trouble, path: file }) => `${trouble} ${path.basename(file)}`).sort(),
  ).toEqual([
    'case-twin brev.txt',
    'form-twin \u00e9.txt',
    'hidden .gömd',
    'line-break rad\u2028två',
    `long ${'é'.repeat(100)}`,
    'percent 100%25.txt',
    'windows CON.txt',
    'windows cr\rlf',
    'windows rad\nbryt',
  ])
  const bag = path.join(place.folder, 'bag')
  expect((await pack([source], bag)).counts).toEqual(survey.counts)
  expect(readFileSync(path.join(bag, 'metadata/not-packed.csv'), 'utf8')).toBe(
    `path,why,target\n${source}/länk,link,/etc/passwd\n${source}/rör,special,\n`,
  )
  expect(await check(bag)).toMatchObject({ state: 'valid' })
})

test('what would stop packing is found before: files that cannot be opened, names that no zip keeps', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  writeFileSync(path.join(source, 'brev.txt;1'), 'brev')
  // Even root may not read this one; whoever is not root has a file of their own for that.
  let closed = '/proc/sys/vm/compact_memory'
  if (process.getuid?.() !== 0) {
    closed = path.join(place.folder, 'stängd.txt')
    writeFileSync(closed, 'stängd', { mode: 0 })
  }
  const survey = await surveySources([source, closed], formatNamed(), {
    scripts: scripts.pack,
    signal: new AbortController().signal,
  })
  expect(survey).toMatchObject({
    unreadable: { count: 1, first: [closed] },
    emptyFolders: { count: 1, first: [path.join(source, 'tom mapp')] },
  })
  expect(survey.notInZip.first).toContain(path.join(source, 'brev.txt;1'))
  expect(await failureOf(pack([closed], path.join(place.folder, 'bag')))).toMatchObject({
    kind: 'source',
    trouble: 'unreadable',
    path: closed,
  })
})

test('files that are not what their extension says are found before packing, and so are empty ones', async () => {
  using place = scratch()
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(path.join(place.folder, name), content)
    return path.join(place.folder, name)
  }
  const pdf = '%PDF-1.7\n'
  const asTiff = write('plan.TIF', pdf)
  const unknown = write('plan.jpg', Buffer.alloc(40, 1))
  write('right.pdf', `\ufeff${pdf}`)
  write('table.docx', 'PK\x03\x04')
  write('text.txt', pdf)
  write('empty.png', '')
  const survey = await surveySources([place.folder], formatNamed(), {
    scripts: scripts.pack,
    signal: new AbortController().signal,
  })
  expect(survey.misnamed).toEqual({
    count: 2,
    first: [
      { path: asTiff, format: 'PDF' },
      { path: unknown, format: '' },
    ],
  })
  expect(survey.empty).toBe(1)
})

test('what comes and goes is asked of the disk: sources that are away, the place of the package, room', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const away = path.join(place.folder, 'drive')
  const counted = { files: 1, folders: 0, bytes: 1 }
  const sources = await Promise.all([source, away].map((file) => countSource(file, {}, scripts)))
  const beside = path.join(place.folder, 'packages', 'one')
  expect(await obstaclesOf({ sources, counts: counted }, beside)).toEqual({
    away: [away],
    holding: [],
    shortage: null,
  })
  const tooMuch = { ...counted, bytes: 2 ** 60 }
  expect(await obstaclesOf({ sources, counts: tooMuch }, path.join(source, 'one'))).toMatchObject({
    holding: [source],
    shortage: { folder: source, needed: 2 ** 60 + 1_024 },
  })
})

describe('a source that is not what it was', () => {
  /** Changes the world in the moment after the plan was made. */
  const packWith = async (
    folder: string,
    change: (source: string) => void,
    form: 'folder' | 'tar' = 'folder',
  ) => {
    const source = makeSource(folder)
    return failureOf(pack([source], path.join(folder, 'bag'), { form }, { onPlan: () => change(source) }))
  }
  test.each(['folder', 'tar'] as const)('every file that vanished or changed is named (%s)', async (form) => {
    using place = scratch()
    const inSource = (name: string) => path.join(place.folder, 'källa', name)
    const failure = await packWith(
      place.folder,
      (source) => {
        rmSync(path.join(source, 'stor.bin'))
        appendFileSync(path.join(source, 'tom.dat'), 'x')
      },
      form,
    )
    const named =
      failure?.kind === 'source'
        ? [failure, ...(failure.others ?? [])].map(({ trouble, path: file }) => ({ trouble, file }))
        : []
    expect(named.sort((a, b) => a.file.localeCompare(b.file))).toEqual([
      { trouble: 'vanished', file: inSource('stor.bin') },
      { trouble: 'changed', file: inSource('tom.dat') },
    ])
    expect(existsSync(path.join(place.folder, 'bag'))).toBe(false)
  })
  test.skipIf(process.platform === 'win32').each(['folder', 'tar'] as const)(
    'a pipe or link in place of a file is not read (%s)',
    async (form) => {
      using place = scratch()
      const failure = await packWith(
        place.folder,
        (source) => {
          const [pipe, link] = ['tom.dat', 'stor.bin'].map((name) => path.join(source, name))
          for (const file of [pipe, link]) rmSync(file ?? '')
          execFileSync('mkfifo', [pipe ?? ''])
          symlinkSync('/dev/zero', link ?? '')
        },
        form,
      )
      const all = failure?.kind === 'source' ? [failure, ...(failure.others ?? [])] : []
      expect(all.map(({ trouble, path: file }) => `${path.basename(file)} ${trouble}`).sort()).toEqual([
        'stor.bin unreadable',
        'tom.dat changed',
      ])
    },
  )
  test('a folder that is not there is named', async () => {
    using place = scratch()
    expect(
      await failureOf(pack([path.join(place.folder, 'borta')], path.join(place.folder, 'bag'))),
    ).toMatchObject({ kind: 'source', trouble: 'vanished' })
  })
  test.each(['a\tb', 'a;1'])('a name that unzip changes is refused in a zip: %j', async (name) => {
    using place = scratch()
    const source = path.join(place.folder, 'källa')
    mkdirSync(path.join(source, 'm;1'), { recursive: true })
    writeFileSync(path.join(source, 'm;1', name), 'x')
    expect(
      await failureOf(pack([source], path.join(place.folder, 'bag.zip'), { form: 'zip' })),
    ).toMatchObject({
      trouble: 'not-in-zip',
      path: path.join(source, 'm;1', name),
    })
    await pack([source], path.join(place.folder, 'bag.tar'), { form: 'tar' })
    expect(await check(path.join(place.folder, 'bag.tar'))).toMatchObject({ errors: 0 })
  })
  test('names that are no text are named with their bytes, all of them', async () => {
    using place = scratch()
    const source = path.join(place.folder, 'källa')
    mkdirSync(path.join(source, 'inne'), { recursive: true })
    writeFileSync(path.join(source, 'U+FFFD \uFFFD'), '')
    for (const name of ['sm\xf6rg\xe5s.txt', 'inne/\xff'])
      writeFileSync(Buffer.concat([Buffer.from(`${source}/`), Buffer.from(name, 'latin1')]), 'x')
    expect(await failureOf(pack([source], path.join(place.folder, 'bag')))).toEqual({
      kind: 'source',
      trouble: 'no-text',
      path: path.join(source, 'sm\\xF6rg\\xE5s.txt'),
      others: [{ trouble: 'no-text', path: path.join(source, 'inne/\\xFF') }],
    })
  })
  test('a source that is a link or a pipe is refused', async () => {
    using place = scratch()
    const at = (name: string) => path.join(place.folder, name)
    mkdirSync(at('mapp'))
    symlinkSync('mapp', at('länk'))
    execFileSync('mkfifo', [at('rör')])
    for (const name of ['länk', 'rör'])
      expect(await failureOf(pack([at('mapp'), at(name)], at('bag')))).toEqual({
        kind: 'source',
        trouble: 'not-a-file',
        path: at(name),
      })
  })
  test('a bag is not put into what it is made of', async () => {
    using place = scratch()
    const source = makeSource(place.folder)
    symlinkSync('källa', path.join(place.folder, 'länk'))
    for (const target of ['källa/bag', 'källa/ny mapp/bag', 'länk/bag'])
      expect(await failureOf(pack([source], path.join(place.folder, target)))).toEqual({
        kind: 'source',
        trouble: 'holds-target',
        path: source,
      })
    expect(readdirSync(source)).not.toContain('ny mapp')
    expect(await failureOf(pack([source], `${source}, packad`))).toBeUndefined()
  })
})

test.each(['folder', 'tar', 'zip'] as const)('times before 1970 are kept (%s)', async (form) => {
  using place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(path.join(source, 'mapp'), { recursive: true })
  // In a zip what is before 1980 stands in a field of its own; unzip reads it from 1970 on.
  const older = { 'a.txt': -1, 'b.txt': -1_500_000_000, mapp: -86_400 }
  const times = { 'c.txt': 200_000_000, ...(form === 'zip' ? {} : older) }
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(path.join(source, name), name)
  for (const [name, seconds] of Object.entries({ ...older, ...times }))
    utimesSync(path.join(source, name), new Date(), new Date(seconds * 1000))
  const bag = path.join(place.folder, form === 'folder' ? 'bag' : `bag.${form}`)
  await pack([source], bag, { form })
  expect(await check(bag)).toMatchObject({ state: 'valid' })
  const out = path.join(place.folder, 'out')
  mkdirSync(out)
  if (form === 'tar') execFileSync('tar', ['-C', out, '-xf', bag])
  if (form === 'zip') execFileSync('unzip', ['-q', bag, '-d', out])
  const inside = path.join(form === 'folder' ? place.folder : out, 'bag/data/källa')
  expect(
    Object.fromEntries(
      Object.keys(times).map((name) => [name, statSync(path.join(inside, name)).mtimeMs / 1000]),
    ),
  ).toEqual(times)
})

test.skipIf(process.platform === 'win32')(
  'folders without permission are named, and pass no other by',
  () => {
    using place = scratch()
    const closed = path.join(place.folder, 'stängd')
    const alsoClosed = path.join(place.folder, 'också stängd')
    for (const folder of [closed, alsoClosed]) mkdirSync(folder, { mode: 0o000 })
    writeFileSync(path.join(place.folder, 'öppen.txt'), '')
    execFileSync('chmod', ['755', place.folder])
    // A root reads everything, so the question is asked by somebody else, who need not see this project.
    const script = `import { walk, rootsOf }
    from ${JSON.stringify(new URL('../../../../electron/packaging/pack/walk.ts', import.meta.url).href)}
    const nothing = () => undefined
    const visitor = { file: nothing, folder: nothing, skip: nothing, warn: nothing, gate: () => true }
    const said = { files: [], unreadable: [] }
    if (process.getuid() === 0) { process.setgid(65534); process.setuid(65534) }
    try { walk(rootsOf([${JSON.stringify(closed)}]), visitor) }
    catch (error) { said.failure = error.failure }
    walk(rootsOf([${JSON.stringify(place.folder)}]), { ...visitor,
      file: (root, below) => said.files.push(below), unreadable: (from) => said.unreadable.push(from) })
    console.log(JSON.stringify(said))`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual({
      failure: { kind: 'source', trouble: 'unreadable', path: closed },
      files: ['öppen.txt'],
      unreadable: [alsoClosed, closed],
    })
  },
)

test('cancelled in the middle of a file, it ends soon and leaves nothing', async () => {
  using place = scratch()
  const large = sparse(path.join(place.folder, 'stor.bin'), '4G')
  const stop = new AbortController()
  let cancelledAt = 0
  const onProgress = ({ bytes }: WorkProgress) => {
    if (bytes < 20_000_000 || cancelledAt > 0) return
    cancelledAt = performance.now()
    stop.abort()
  }
  await expect(
    pack([large], path.join(place.folder, 'bag'), {}, { signal: stop.signal, onProgress }),
  ).rejects.toThrow(/stopped/)
  const { gone } = await discard(path.join(place.folder, 'bag'))
  // Long before it would have come to the end.
  expect(performance.now() - cancelledAt).toBeLessThan(5_000)
  await gone
  expect(cancelledAt).toBeGreaterThan(0)
  expect(readdirSync(place.folder)).toEqual(['stor.bin'])
})

test('paused, it stands still; going on, it ends', async () => {
  using place = scratch()
  const source = sparse(path.join(place.folder, 'stor.bin'), '600M')
  let control: Control | undefined
  let seen = 0
  let equalReports = 0
  const onProgress = ({ bytes }: WorkProgress) => {
    equalReports = bytes === seen ? equalReports + 1 : 0
    seen = bytes
  }
  const onControl = (given: Control) => (control = given)
  const working = pack([source], path.join(place.folder, 'bag'), {}, { onControl, onProgress })
  await until(() => (seen > 10_000_000 ? true : undefined))
  control?.pause()
  // What is on its way still arrives; then one report says the same as the other.
  await until(() => (equalReports >= 10 ? true : undefined))
  expect(seen).toBeLessThan(600 * 1024 ** 2)
  control?.goOn()
  expect((await working).counts.bytes).toBe(600 * 1024 ** 2)
})

test('a disk without room is refused before anything is written', () => {
  using place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'a'), 'a')
  const script = `import { ensureSpace } from
    ${JSON.stringify(new URL('../../../../electron/packaging/disk.ts', import.meta.url).href)}
    await ensureSpace(${JSON.stringify(place.folder)},
      2 ** 50).catch((error) => console.log(JSON.stringify(error.failure)))`
  expect(
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })),
  ).toEqual({ kind: 'disk', trouble: 'full', path: place.folder })
})

test('a file of the work that the disk refuses is said, with its path', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const { folders } = inWork(path.join(place.folder, 'copy.work'))
  mkdirSync(folders, { recursive: true })
  const options = { scripts: scripts.pack, signal: new AbortController().signal }
  expect(await failureOf(copyWhole(source, path.join(place.folder, 'copy'), options))).toEqual({
    kind: 'disk',
    trouble: 'other',
    path: folders,
  })
})

test.skipIf(process.platform !== 'linux')(
  'what the disk says once that it could not write is no package, and is copied anew',
  async () => {
    using place = scratch()
    const source = sparse(path.join(place.folder, 'stor.bin'), '1M')
    const [programs, told] = [path.join(place.folder, 'programs'), path.join(place.folder, 'told')]
    mkdirSync(programs)
    for (const program of ['perl', 'sync'])
      writeFileSync(
        path.join(programs, program),
        `#!/bin/sh\n[ -e '${told}' ] || { : > '${told}'; exit 1; }\n`,
        { mode: 0o755 },
      )
    vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const bag = path.join(place.folder, 'bag')
    expect(await failureOf(pack([source], bag))).toMatchObject({ kind: 'disk' })
    expect([existsSync(bag), existsSync(told)]).toEqual([false, true])
    // So the disk may be found once it is asked again.
    appendFileSync(path.join(`${bag}.partial`, 'data', 'stor.bin'), 'other bytes')
    await pack([source], bag)
    expect(await codesOf(bag)).toEqual({ errors: [], warnings: [] })
  },
)

test.skipIf(process.platform === 'win32')(
  'a drive that goes away while it is written to is said to be gone',
  async () => {
    using place = scratch()
    const source = sparse(path.join(place.folder, 'stor.bin'), '600M')
    const [drive, away] = [path.join(place.folder, 'drive'), path.join(place.folder, 'away')]
    mkdirSync(drive)
    let control: Control | undefined
    const leave = () => {
      if (existsSync(away)) return
      // It stands still, so that it does not come to its end first.
      control?.pause()
      renameSync(drive, away)
    }
    const failure = await failureOf(
      copyWhole(source, path.join(drive, 'copy'), {
        scripts: scripts.pack,
        signal: new AbortController().signal,
        onControl: (given) => (control = given),
        onProgress: ({ bytes }) => {
          if (bytes > 10_000_000) leave()
        },
      }),
    )
    expect(failure).toEqual({ kind: 'disk', trouble: 'gone', path: drive })
  },
)

test.skipIf(process.getuid?.() !== 0)(
  'a disk that fills up while it works is named, and the work goes on where there is room',
  async () => {
    using place = scratch()
    const disk = path.join(place.folder, 'disk')
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk], { stdio: 'pipe' })
    } catch {
      return
    }
    try {
      const source = path.join(place.folder, 'källa')
      mkdirSync(source)
      for (let index = 0; index < 250; index += 1)
        writeFileSync(path.join(source, `${index}.bin`), Buffer.alloc(1_000_000, index))
      const target = path.join(disk, 'bag')
      // Somebody else fills the disk in the moment after room was found.
      const onPlan = () => writeFileSync(path.join(disk, 'annat'), Buffer.alloc(200_000_000))
      const failure = await failureOf(
        pack([source], target, {}, { onControl: (control) => control.bePolite(true), onPlan }),
      )
      expect(failure).toMatchObject({ kind: 'disk', trouble: 'full' })
      expect(existsSync(target)).toBe(false)
      rmSync(path.join(disk, 'annat'), { force: true })
      await pack([source], target)
      expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 250 } })
    } finally {
      execFileSync('umount', [disk])
    }
  },
)

test.skipIf(process.getuid?.() !== 0)('a disk that is only read is no disk that is gone', async () => {
  using place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'a.txt'), 'a')
  const disk = path.join(place.folder, 'disk')
  mkdirSync(disk)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk]).status !== 0) return
  try {
    const failure = await failureOf(pack([source], path.join(disk, 'bag')))
    expect(failure).toMatchObject({ kind: 'disk', trouble: 'not-allowed' })
  } finally {
    execFileSync('umount', [disk])
  }
})

test.skipIf(process.getuid?.() !== 0)(
  'a package that has its name is made, whatever is left beside it',
  async () => {
    using place = scratch()
    const source = path.join(place.folder, 'källa')
    mkdirSync(source)
    writeFileSync(path.join(source, 'a.txt'), 'a')
    const target = path.join(place.folder, 'bag')
    let isHeld = false
    /** What is mounted there cannot be removed, as what another program holds open elsewhere. */
    const onPlan = () => {
      const held = path.join(`${target}.work`, 'held')
      mkdirSync(held)
      isHeld = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', held]).status === 0
    }
    try {
      await pack([source], target, {}, { onPlan })
      expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 1 } })
    } finally {
      for (const name of readdirSync(place.folder))
        if (isHeld && name.startsWith('bag.work'))
          execFileSync('umount', [path.join(place.folder, name, 'held')])
    }
  },
)

test('a sparse file stays sparse', async () => {
  using place = scratch()
  const large = sparse(path.join(place.folder, 'stor.bin'), '700M')
  for (const form of ['folder', 'tar'] as const) {
    const bag = path.join(place.folder, form === 'tar' ? 'bag.tar' : 'bag')
    await pack([large], bag, { form })
    const copy = form === 'tar' ? bag : path.join(bag, 'data/stor.bin')
    expect(statSync(copy).size).toBeGreaterThanOrEqual(700 * 1024 ** 2)
    expect(statSync(copy).blocks * 512).toBeLessThan(20_000_000)
    expect(await check(bag)).toMatchObject({ state: 'valid' })
  }
})

/** Bytes of files that the digest log knows to be done. */
const journalled = (work: string) => {
  const digestLog = openDigestLog(inWork(work).digestLog, ['sha256'])
  const files = [...filesOf(work)]
  const records = digestLog.read(0, files.length)
  digestLog.close()
  const done = files.filter((_, index) => records[index] !== undefined)
  return {
    done: done.reduce((sum, [, , bytes]) => sum + bytes, 0),
    isLargeDone: done.some(([, below]) => below === 'stor.bin'),
  }
}

test('killed at any moment, it goes on and hashes again at most one file and 64 MB', async () => {
  using place = scratch()
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  for (let index = 0; index < 2_000; index += 1)
    writeFileSync(path.join(source, `${index}.bin`), Buffer.alloc(50_000, index))
  const large = 400 * 1024 * 1024
  writeFileSync(path.join(source, 'stor.bin'), Buffer.alloc(large, 1))
  const target = path.join(place.folder, 'bag')
  const script = `import { packBag } from
    ${JSON.stringify(new URL('../../../../electron/packaging/bagit/pack-bag.ts', import.meta.url).href)}
    import { packagingScripts } from
      ${JSON.stringify(new URL('../../../../electron/packaging/scripts.ts', import.meta.url).href)}
    await packBag({ sources: [${JSON.stringify(source)}], target: ${JSON.stringify(target)}, form: 'folder',
      algorithms: ['sha256'], info: [] },
      { scripts: packagingScripts(${JSON.stringify(builtFile('main.js').href)}).pack,
        signal: new AbortController().signal, onProgress: ({ bytes }) => console.log(bytes) })`
  const most = 2_000 * 50_000 + large
  for (const killAt of [0.1, 0.5, 0.8]) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let reached = 0
    await new Promise<void>((done) => {
      child.stdout.on('data', (part: Buffer) => {
        reached = Math.max(reached, ...String(part).trim().split('\n').map(Number))
        if (reached >= most * killAt) child.kill('SIGKILL')
      })
      child.once('exit', () => done())
    })
    if (existsSync(target)) break
    const { done, isLargeDone } = journalled(`${target}.work`)
    expect(reached - done).toBeLessThan((isLargeDone ? 0 : large) + 64 * 1024 * 1024)
  }
  if (!existsSync(target)) await pack([source], target)
  expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 2_001, bytes: most } })
  expect(readdirSync(place.folder).sort()).toEqual(['bag', 'källa'])
})

describe('a work that was stopped', () => {
  /** Packs until all but one file are copied; the last one is gone when its turn comes. */
  const halfDone = async (folder: string, form: 'folder' | 'tar') => {
    const source = path.join(folder, 'källa')
    mkdirSync(source)
    for (let index = 100; index < 600; index += 1)
      writeFileSync(path.join(source, `${index}.txt`), String(index))
    writeFileSync(path.join(source, 'stor.bin'), Buffer.alloc(70_000_000, 1))
    const target = path.join(folder, form === 'tar' ? 'bag.tar' : 'bag')
    // A drive that is pulled out and comes back is as it was: so are the times.
    const last = () => {
      writeFileSync(path.join(source, '599.txt'), '599')
      for (const name of ['599.txt', '']) utimesSync(path.join(source, name), 1_700_000_000, 1_700_000_000)
    }
    last()
    const failure = await failureOf(
      pack([source], target, { form }, { onPlan: () => rmSync(path.join(source, '599.txt')) }),
    )
    expect(failure).toMatchObject({ kind: 'source', trouble: 'vanished' })
    last()
    return { source, target, work: `${target}.work` }
  }
  const partOf = (target: string, file: string) => path.join(`${target}.partial`, 'data/källa', file)
  /** Makes it a work that was begun before the computer started anew. */
  const afterAnotherRun = (work: string) => {
    const plan = JSON.parse(readFileSync(inWork(work).plan, 'utf8')) as object
    writeFileSync(inWork(work).plan, JSON.stringify({ ...plan, boot: 'another' }))
  }

  test('goes on from its digest log: what is copied is not copied again', async () => {
    using place = scratch()
    const { source, target } = await halfDone(place.folder, 'folder')
    const before = statSync(partOf(target, '100.txt')).ino
    const large = statSync(partOf(target, 'stor.bin')).ctimeMs
    await pack([source], target)
    expect(statSync(path.join(target, 'data/källa/100.txt')).ino).toBe(before)
    expect(statSync(path.join(target, 'data/källa/stor.bin')).ctimeMs).toBe(large)
    expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 501 } })
  })
  test.each(['folder', 'tar'] as const)(
    'after the computer ran anew, what is said to be copied is read back first (%s)',
    async (form) => {
      using place = scratch()
      const { source, target, work } = await halfDone(place.folder, form)
      afterAnotherRun(work)
      // What the disk had not taken in when the power went: one file is empty, one holds something else.
      if (form === 'folder') {
        writeFileSync(partOf(target, '100.txt'), '')
        writeFileSync(partOf(target, 'stor.bin'), Buffer.alloc(70_000_000, 2))
      } else {
        const bytes = readFileSync(`${target}.partial`)
        bytes.fill(0, 2_000, 200_000)
        bytes.fill(2, bytes.length - 1_000_000)
        writeFileSync(`${target}.partial`, bytes)
      }
      await pack([source], target, { form })
      expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 501 } })
    },
  )
  test('stopped while that is read back, it reads it back the next time', async () => {
    using place = scratch()
    const { source, target, work } = await halfDone(place.folder, 'folder')
    afterAnotherRun(work)
    writeFileSync(partOf(target, '100.txt'), '???')
    const stop = new AbortController()
    await expect(
      pack([source], target, {}, { signal: stop.signal, onPlan: () => stop.abort() }),
    ).rejects.toThrow('stopped')
    await pack([source], target)
    expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 501 } })
  })
  test.each(['100.txt', 'stor.bin'])(
    'a header in a tar that the disk had not taken in is written again (%s)',
    async (name) => {
      using place = scratch()
      const { source, target, work } = await halfDone(place.folder, 'tar')
      afterAnotherRun(work)
      const bytes = readFileSync(`${target}.partial`)
      const header = bytes.indexOf(`bag/data/k_lla/${name}`)
      bytes.fill(0, header, header + 512)
      writeFileSync(`${target}.partial`, bytes)
      await pack([source], target, { form: 'tar' })
      expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 501 } })
    },
  )
  test('begins anew where the source is another one by now', async () => {
    using place = scratch()
    const { source, target } = await halfDone(place.folder, 'folder')
    rmSync(path.join(source, '599.txt'))
    await pack([source], target)
    expect(await check(target)).toMatchObject({ state: 'valid', counts: { files: 500 } })
  })
})

test('a copy of a folder or file equals it', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const how = { scripts: scripts.pack, signal: new AbortController().signal }
  expect(await copyWhole(source, path.join(place.folder, 'kopia'), how)).toEqual({
    files: 7,
    folders: 2,
    bytes: bytesOfSource,
  })
  expect(execFileSync('diff', ['-r', source, path.join(place.folder, 'kopia')], { encoding: 'utf8' })).toBe(
    '',
  )
  await copyWhole(path.join(source, 'stor.bin'), path.join(place.folder, 'en fil'), how)
  expect(sha256(path.join(place.folder, 'en fil'))).toBe(sha256(path.join(source, 'stor.bin')))
})

test('a file is copied into a tar of its own, and goes on after it was stopped', async () => {
  using place = scratch()
  const file = path.join(makeSource(place.folder), 'stor.bin')
  const target = path.join(place.folder, 'ytter.tar')
  const inside = { top: 'paket å', name: 'content/stor.tar' }
  const stop = new AbortController()
  const how = { scripts: scripts.pack, signal: stop.signal, onPlan: () => stop.abort() }
  await expect(copyIntoTar(file, target, inside, how)).rejects.toThrow('stopped')
  expect(existsSync(target)).toBe(false)
  const counts = await copyIntoTar(file, target, inside, {
    scripts: scripts.pack,
    signal: new AbortController().signal,
  })
  expect(counts).toEqual({ files: 1, folders: 0, bytes: statSync(file).size })
  // The root folder comes first: some programs know it by that.
  const names = execFileSync('tar', ['-tf', target, '--quoting-style=literal'], { encoding: 'utf8' })
  expect(names.trim().split('\n')).toEqual(['paket å/', 'paket å/content/stor.tar'])
  execFileSync('tar', ['-xf', target, '-C', place.folder])
  expect(sha256(path.join(place.folder, 'paket å', 'content', 'stor.tar'))).toBe(sha256(file))
  expect(readdirSync(place.folder).filter((name) => name.startsWith('ytter'))).toEqual(['ytter.tar'])
})

test('a field that is left empty breaks no rule of a profile about its values', () => {
  const profile = JSON.stringify({
    'BagIt-Profile-Info': { 'BagIt-Profile-Identifier': 'https://x.example/p' },
    'Bag-Info': { 'Contact-Name': { values: ['A', 'B'] }, 'Contact-Email': { required: true } },
  })
  const record = {
    identifier: '',
    name: 'Bygglov',
    description: '',
    senderIdentifier: '',
    transfer: '',
    organization: '',
    address: '',
    person: '',
    email: ' ',
    further: [],
  }
  const plan = bagIt.plan({
    form: 'folder',
    algorithms: ['sha256'],
    record,
    profile,
    software: 'Lectern 1.0',
    made: new Date('2026-01-02T03:04:05Z'),
  })
  expect(plan.profile?.problems).toEqual([
    { rule: 'required', label: 'Contact-Email', detail: 'Contact-Email' },
  ])
})

test('a bag that does not meet its profile when it is done is not prepared', async () => {
  using place = scratch()
  const read = readProfile(
    JSON.stringify({
      'BagIt-Profile-Info': { 'BagIt-Profile-Identifier': 'https://x.example/p' },
      'Payload-Files-Allowed': ['data/källa/*.txt'],
      'Tag-Files-Allowed': [],
    }),
  )
  if ('wrong' in read) throw new Error(read.wrong)
  const info: [string, string][] = [['BagIt-Profile-Identifier', 'https://x.example/p']]
  const failure = await failureOf(
    pack(
      [makeSource(place.folder)],
      path.join(place.folder, 'bag'),
      { info },
      { profile: read.profile, isIdentified: true },
    ),
  )
  expect(failure?.kind === 'profile' && [...new Set(failure.rules.map(({ rule }) => rule))]).toEqual([
    'Tag-Files-Allowed',
    'Payload-Files-Allowed',
  ])
  expect(existsSync(path.join(place.folder, 'bag'))).toBe(false)
})

test('one thread alone copies large files too', async () => {
  using place = scratch()
  const source = path.join(place.folder, 'stor.bin')
  writeFileSync(source, Buffer.alloc(70_000_000, 5))
  for (const form of ['folder', 'zip'] as const) {
    const bag = path.join(place.folder, form === 'zip' ? 'bag.zip' : 'bag')
    await pack([source], bag, { form }, { threads: 1 })
    expect(await check(bag, { threads: 1 })).toMatchObject({
      state: 'valid',
      counts: { files: 1, bytes: 70_000_000 },
    })
  }
  execFileSync('python3', ['-m', 'zipfile', '-t', path.join(place.folder, 'bag.zip')])
})

test('of a large file every block is written, read back and read again at its place', async () => {
  using place = scratch()
  const source = path.join(place.folder, 'stor.bin')
  const bytes = 40_000_123
  writeFileSync(source, randomBytes(bytes))
  for (const form of ['folder', 'tar', 'zip'] as const) {
    const bag = path.join(place.folder, form === 'folder' ? 'bag' : `bag.${form}`)
    const seen: number[] = []
    const note = ({ bytes }: { bytes: number }) => seen.push(bytes)
    await pack([source], bag, { form }, { threads: 2, onProgress: note })
    expect(seen.at(-1)).toBe(bytes)
    expect(await check(bag)).toMatchObject({ state: 'valid' })
    const copy = form === 'folder' ? path.join(bag, 'data/stor.bin') : bag
    if (form === 'folder')
      expect(listed(path.join(bag, 'manifest-sha256.txt')).get('data/stor.bin')).toBe(sha256(source))
    const handle = openSync(copy, 'r+')
    writeSync(handle, 'another', 17_000_000)
    closeSync(handle)
    expect((await codesOf(bag)).errors).toContain(form === 'zip' ? 'entry-damaged' : 'mismatch')
  }
})

test('a block of a large file that lies there otherwise than it was read stops the copying', () => {
  using place = scratch()
  const to = path.join(place.folder, 'stor.bin')
  writeFileSync(to, 'aa')
  const control = threadControl(share())
  const shared = shareRing(true)
  const hasher = openRing(shared, control)
  const { copier, slot } = openRing(shared, {
    gate: () => true,
    // Asked while the copier waits for a partner, which joins then.
    isStopped: () => hasher.hasher.claim() === undefined,
  })
  copier.begin(0, true)
  slot(0).write('ab')
  copier.filled()
  const file = { from: '', to, position: 0, bytes: 2, modifiedMs: 0, isSeparate: true, needsCrc: false }
  expect(() => {
    hashAlongside(file, true, ['sha256'], { control, ring: hasher })
  }).toThrow(expect.objectContaining({ failure: { kind: 'disk', trouble: 'read-back', path: to } }) as Error)
  expect(copier.free()).toBeUndefined()
})

/** Whether files of a folder can share their blocks: Btrfs, XFS, APFS. */
const sharesBlocks = (folder: string) => {
  const one = path.join(folder, 'one')
  writeFileSync(one, 'one')
  try {
    copyFileSync(one, path.join(folder, 'two'), constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  }
}

test('a large file is cloned where the file system can, and is a file of its own', async ({ skip }) => {
  using place = scratch()
  if (!sharesBlocks(place.folder)) skip('the temporary folder is on a file system that shares no blocks')
  const source = path.join(place.folder, 'stor.bin')
  writeFileSync(source, Buffer.alloc(200_000_000, 5), { mode: 0o400 })
  utimesSync(source, 946_684_800, 946_684_800)
  const free = () => {
    execFileSync('sync')
    const { bavail, bsize } = statfsSync(place.folder)
    return bavail * bsize
  }
  const before = free()
  const bag = path.join(place.folder, 'bag')
  const seen: number[] = []
  await pack([source], bag, {}, { onProgress: ({ bytes }) => seen.push(bytes) })
  expect(before - free()).toBeLessThan(50_000_000)
  const copy = path.join(bag, 'data/stor.bin')
  expect(listed(path.join(bag, 'manifest-sha256.txt')).get('data/stor.bin')).toBe(sha256(source))
  expect(statSync(copy).mtimeMs).toBe(946_684_800_000)
  expect(statSync(copy).mode).toBe(statSync(path.join(bag, 'bagit.txt')).mode)
  expect(seen.at(-1)).toBe(200_000_000)
  appendFileSync(copy, 'more')
  expect(statSync(source).size).toBe(200_000_000)
})

test('a format that only a later version knows is named, and is no bug', () => {
  expect(() => formatNamed('a later one')).toThrow(
    expect.objectContaining({ failure: { kind: 'unknown-format', format: 'a later one' } }) as Error,
  )
})

test('a source is counted for the format that its draft is packed as', async () => {
  using place = scratch()
  const source = path.join(place.folder, 'brev.txt')
  writeFileSync(source, 'Ett brev')
  expect(await countSource(source, {}, scripts)).toMatchObject({ files: 1, bytes: 8, failure: null })
  expect(await countSource(source, { format: 'a later one' }, scripts)).toMatchObject({
    files: 0,
    failure: { kind: 'unknown-format', format: 'a later one' },
  })
})
