import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { readBag } from '../../../electron/local-archive/read-bag.ts'
import { copyBag, packBag } from '../../../electron/packaging/bag.ts'
import type { CopyProgress } from '../../../electron/packaging/copy-files.ts'
import { bagInfo, decodeName, encodeName } from '../../../electron/packaging/manifest.ts'
import { scratch } from '../../archive.ts'

const worker = new URL('../../../electron/packaging/worker.ts', import.meta.url)
const quiet = () => ({ worker, signal: new AbortController().signal, onPlan: () => undefined, onProgress: () => undefined })
const failureOf = async (work: Promise<unknown>): Promise<Failure | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failed) return error.failure
      throw error
    },
  )

const makeSource = (folder: string) => {
  const source = path.join(folder, 'källa')
  mkdirSync(path.join(source, 'tom mapp'), { recursive: true })
  writeFileSync(path.join(source, 'å ä ö.txt'), 'räksmörgås')
  writeFileSync(path.join(source, '100%25.txt'), 'per cent')
  writeFileSync(path.join(source, 'rad\nbryt'), 'newline')
  writeFileSync(path.join(source, 'cr\rlf'), 'carriage return')
  writeFileSync(path.join(source, 'tom.dat'), '')
  writeFileSync(path.join(source, 'stor.bin'), Buffer.alloc(5_000_001, 7))
  return source
}

test('a bag of awkward names is complete and valid to another reader, and its sums are right', async () => {
  using place = scratch()
  const source = makeSource(place.folder)
  const target = path.join(place.folder, 'bag')
  const counts = await packBag(
    [source],
    target,
    [
      ['External-Identifier', 'X/1'],
      ['Empty', ' '],
    ],
    quiet(),
  )
  expect(counts).toEqual({ files: 6, folders: 2, bytes: 5_000_001 + 10 + 3 + 8 + 7 + 15 })
  const bag = await readBag(target)
  expect(bag.payload.map(({ name }) => name).sort()).toEqual([
    'data/källa/100%25.txt',
    'data/källa/cr\rlf',
    'data/källa/rad\nbryt',
    'data/källa/stor.bin',
    'data/källa/tom.dat',
    'data/källa/å ä ö.txt',
  ])
  expect(Object.fromEntries(bag.info)).toEqual({ 'external-identifier': 'X/1', 'payload-oxum': `${counts.bytes}.6` })
  expect(statSync(path.join(target, 'data/källa/tom mapp')).isDirectory()).toBe(true)
  expect(bag.payload.find(({ name }) => name.endsWith('stor.bin'))?.sha256).toBe(
    createHash('sha256')
      .update(readFileSync(path.join(source, 'stor.bin')))
      .digest('hex'),
  )
  expect(execFileSync('sha256sum', ['--check', '--strict', 'tagmanifest-sha256.txt'], { cwd: target, encoding: 'utf8' })).toContain('bagit.txt: OK')
  expect(readdirSync(place.folder).sort()).toEqual(['bag', 'källa'])
})

test('two sources of one name lie beside each other', async () => {
  using place = scratch()
  for (const side of ['a', 'b']) {
    mkdirSync(path.join(place.folder, side))
    writeFileSync(path.join(place.folder, side, 'brev.txt'), side)
  }
  await packBag([path.join(place.folder, 'a/brev.txt'), path.join(place.folder, 'b/brev.txt')], path.join(place.folder, 'bag'), [], quiet())
  expect(readFileSync(path.join(place.folder, 'bag/data/brev (2).txt'), 'utf8')).toBe('b')
})

describe('a source that is not what it was', () => {
  /** Changes the world in the moment after the plan was made. */
  const packWith = async (folder: string, change: (source: string) => void) => {
    const source = makeSource(folder)
    return failureOf(packBag([source], path.join(folder, 'bag'), [], { ...quiet(), onPlan: () => change(source) }))
  }
  test('a file that vanishes is named', async () => {
    using place = scratch()
    const failure = await packWith(place.folder, (source) => rmSync(path.join(source, 'stor.bin')))
    expect(failure).toEqual({ kind: 'source', trouble: 'vanished', path: path.join(place.folder, 'källa/stor.bin') })
    expect(readdirSync(place.folder)).toEqual(['källa'])
  })
  test('a file that changes is named', async () => {
    using place = scratch()
    const failure = await packWith(place.folder, (source) => appendFileSync(path.join(source, 'stor.bin'), 'x'))
    expect(failure).toEqual({ kind: 'source', trouble: 'changed', path: path.join(place.folder, 'källa/stor.bin') })
    expect(readdirSync(place.folder)).toEqual(['källa'])
  })
  test('a link is not followed', async () => {
    using place = scratch()
    const source = makeSource(place.folder)
    symlinkSync('/etc/passwd', path.join(source, 'länk'))
    expect(await failureOf(packBag([source], path.join(place.folder, 'bag'), [], quiet()))).toEqual({ kind: 'source', trouble: 'not-a-file', path: path.join(source, 'länk') })
  })
  test('a folder that is not there is named', async () => {
    using place = scratch()
    expect(await failureOf(packBag([path.join(place.folder, 'borta')], path.join(place.folder, 'bag'), [], quiet()))).toMatchObject({ kind: 'source', trouble: 'vanished' })
  })
})

test.skipIf(process.platform === 'win32')('a folder without permission is named', () => {
  using place = scratch()
  const closed = path.join(place.folder, 'stängd')
  mkdirSync(closed, { mode: 0o000 })
  execFileSync('chmod', ['755', place.folder])
  // A root reads everything, so the question is asked by somebody else.
  const script = `import { planBag } from ${JSON.stringify(new URL('../../../electron/packaging/plan.ts', import.meta.url).href)}
    planBag([${JSON.stringify(closed)}]).catch((error) => console.log(JSON.stringify(error.failure)))`
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: '/', encoding: 'utf8', ...nobody })
  expect(JSON.parse(said)).toEqual({ kind: 'source', trouble: 'unreadable', path: closed })
})

test('cancelled in the middle of a file, it ends within a second and leaves nothing', async () => {
  using place = scratch()
  const large = path.join(place.folder, 'stor.bin')
  writeFileSync(large, '')
  execFileSync('truncate', ['-s', '1G', large])
  const stop = new AbortController()
  let cancelledAt = 0
  const onProgress = ({ bytes }: CopyProgress) => {
    if (bytes < 20_000_000 || cancelledAt > 0) return
    cancelledAt = performance.now()
    stop.abort()
  }
  // The test's disk need not have room for what is never written.
  const packing = packBag([large], path.join(place.folder, 'bag'), [], { ...quiet(), signal: stop.signal, onProgress })
  await expect(packing).rejects.toThrow(/abort/i)
  expect(cancelledAt).toBeGreaterThan(0)
  expect(performance.now() - cancelledAt).toBeLessThan(2_000)
  expect(readdirSync(place.folder)).toEqual(['stor.bin'])
})

test('a disk without room is refused before anything is written', async () => {
  using place = scratch()
  const large = path.join(place.folder, 'stor.bin')
  writeFileSync(large, '')
  execFileSync('truncate', ['-s', '8T', large])
  expect(await failureOf(packBag([large], path.join(place.folder, 'bag'), [], quiet()))).toEqual({ kind: 'disk', trouble: 'full', path: place.folder })
  expect(readdirSync(place.folder)).toEqual(['stor.bin'])
})

test('a copied bag equals the packed one, and one that was damaged since is not handed over', async () => {
  using place = scratch()
  const bag = path.join(place.folder, 'bag')
  await packBag([makeSource(place.folder)], bag, [], quiet())
  await copyBag(bag, path.join(place.folder, '.copy'), quiet())
  expect(execFileSync('diff', ['-r', bag, path.join(place.folder, '.copy')], { encoding: 'utf8' })).toBe('')
  const damaged = path.join(bag, 'data/källa/å ä ö.txt')
  writeFileSync(damaged, 'RÄKSMÖRGÅS')
  expect(await failureOf(copyBag(bag, path.join(place.folder, '.second'), quiet()))).toEqual({ kind: 'source', trouble: 'changed', path: damaged })
  expect(readdirSync(place.folder).sort()).toEqual(['.copy', 'bag', 'källa'])
})

test('names of a manifest go there and back, whatever they are', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => decodeName(encodeName(name)) === name && !/[\r\n]/.test(encodeName(name))))
  for (const name of ['a%b', 'a\nb', 'a\r\nb', '%0A', 'å ä', '100%25']) expect(decodeName(encodeName(name))).toBe(name)
  expect(encodeName('a%\r\n å')).toBe('a%25%0D%0A å')
})

test('a value of several lines is folded, so that a reader finds one tag', () => {
  expect(
    bagInfo([
      ['Internal-Sender-Description', 'en\ntvå\n\ntre'],
      ['Empty', ''],
    ]),
  ).toBe('Internal-Sender-Description: en\n  två\n  tre\n')
})
