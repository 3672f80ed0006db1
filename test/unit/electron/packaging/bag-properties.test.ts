import fc from '../../../support/properties.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  decodeName,
  encodeName,
  manifestLine,
  readManifestLine,
} from '../../../../electron/packaging/bagit/manifest.ts'
import { isChangedByUnzip } from '../../../../electron/packaging/names.ts'
import { bagInfo, infoReader, isLabel, type Tag } from '../../../../electron/packaging/bagit/tag-files.ts'
import { scratch } from '../../../support/scratch.ts'
import { check, failureOf, pack } from '../../../packages/packing.ts'

/** Any name that the file system takes: everything but '/', NUL, '.' and '..', up to 255 bytes. */
const anyName = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .map((name) => name.replaceAll('/', '%').replaceAll('\0', '\n').toWellFormed())
  .filter(
    (name) => name !== '.' && name !== '..' && !name.includes('\uFFFD') && Buffer.byteLength(name) < 240,
  )
const oddName = fc.constantFrom(
  '%',
  '%25',
  '%0A',
  'a\nb',
  'c\rd',
  'e\r\nf',
  ' ',
  ' a',
  'a ',
  '~',
  '-',
  '*',
  '\\',
  'a\\b',
  'CON',
  '.hidden',
  '\u00e9',
  'e\u0301',
  'A',
  'a',
  '=1+1',
  '"',
  '\t',
  "'",
  '\u202e',
  '😀',
)
interface Tree {
  [name: string]: Tree | Uint8Array
}
const { tree } = fc.letrec<{ tree: Tree; node: Tree | Uint8Array }>((tie) => ({
  tree: fc.dictionary(fc.oneof(anyName, oddName), tie('node'), { maxKeys: 6, noNullPrototype: true }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.uint8Array({ maxLength: 3_000 }),
    tie('tree'),
  ),
}))

const hasChanged = (entry: Tree): boolean =>
  Object.entries(entry).some(([name, inside]) =>
    inside instanceof Uint8Array
      ? isChangedByUnzip(name)
      : isChangedByUnzip(`${name}/`) || hasChanged(inside),
  )

const plant = (folder: string, tree: Tree) => {
  mkdirSync(folder, { recursive: true })
  for (const [name, inside] of Object.entries(tree)) {
    if (inside instanceof Uint8Array) writeFileSync(path.join(folder, name), inside)
    else plant(path.join(folder, name), inside)
  }
}
/** Everything below a folder: names of folders, names and bytes of files. */
const read = (folder: string, below = ''): [string, string | null][] =>
  readdirSync(path.join(folder, below), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): [string, string | null][] => {
      const name = `${below}/${entry.name}`
      return entry.isDirectory()
        ? [[name, null], ...read(folder, name)]
        : [[name, readFileSync(path.join(folder, name)).toString('base64')]]
    })

/** Each check begins threads of its own, which takes a second where the machine is busy. */
const manyChecksMs = 400_000

test(
  'any tree, bagged and unbagged, is byte for byte the same tree',
  async () => {
    using place = scratch()
    const at = (name: string) => path.join(place.folder, name)
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.constantFrom('folder' as const, 'tar' as const, 'zip' as const),
        async (tree, form) => {
          for (const name of readdirSync(place.folder)) rmSync(at(name), { recursive: true, force: true })
          plant(at('källa'), tree)
          // Names that unzip changes are not packed in a zip.
          if (form === 'zip' && hasChanged(tree)) {
            expect(await failureOf(pack([at('källa')], at('bag.zip'), { form }))).toMatchObject({
              trouble: 'not-in-zip',
            })
            return
          }
          const bag = at(form === 'folder' ? 'bag' : `bag.${form}`)
          const { counts } = await pack([at('källa')], bag, { form })
          expect(await check(bag)).toMatchObject({ state: 'valid', errors: 0, counts })
          if (form === 'tar') execFileSync('tar', ['-C', place.folder, '-xf', bag])
          if (form === 'zip') execFileSync('python3', ['-m', 'zipfile', '-e', bag, place.folder])
          expect(read(at('bag/data/källa'))).toEqual(read(at('källa')))
        },
      ),
      { numRuns: 40 },
    )
  },
  manyChecksMs,
)

test(
  'any byte that is flipped, added or removed is found',
  async () => {
    using place = scratch()
    const at = (name: string) => path.join(place.folder, name)
    plant(at('källa'), {
      'a.txt': Buffer.from('abc'),
      mapp: { 'å%.txt': Buffer.from('åäö'), tom: Buffer.alloc(0) },
      [`${'x'.repeat(90)}é`]: Buffer.alloc(700, 1),
    })
    await pack([at('källa')], at('bag'), { info: [['Source-Organization', 'A']] })
    await pack([at('källa')], at('bag.tar'), { form: 'tar' })
    expect(await check(at('bag'))).toMatchObject({ errors: 0, warnings: 0 })
    expect(await check(at('bag.tar'))).toMatchObject({ errors: 0, warnings: 0 })
    const files = [
      ...readdirSync(at('bag'), { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
      ),
      at('bag.tar'),
    ]
    const change = fc.record({
      file: fc.constantFrom(...files),
      where: fc.nat(),
      how: fc.constantFrom('flip', 'add', 'remove'),
      with: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(change, async ({ file, where, how, with: value }) => {
        const before = readFileSync(file)
        if (before.length === 0 && how !== 'add') return
        const position = before.length === 0 ? 0 : where % before.length
        const bytes = Buffer.from(before)
        if (how === 'flip') bytes[position] = (bytes[position] ?? 0) ^ value
        const after =
          how === 'add'
            ? Buffer.concat([before.subarray(0, position), Buffer.from([value]), before.subarray(position)])
            : how === 'remove'
              ? Buffer.concat([before.subarray(0, position), before.subarray(position + 1)])
              : bytes
        if (after.equals(before)) return
        writeFileSync(file, after)
        try {
          const { errors, warnings } = await check(file.endsWith('.tar') ? file : at('bag'))
          expect(errors + warnings).toBeGreaterThan(0)
        } finally {
          writeFileSync(file, before)
        }
      }),
      { numRuns: 120 },
    )
  },
  manyChecksMs,
)

test('names of a manifest go there and back, whatever they are', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (name) => decodeName(encodeName(name)) === name && !/[\r\n]/.test(encodeName(name)),
    ),
  )
  for (const name of ['a%b', 'a\nb', 'a\r\nb', '%0A', 'å ä', '100%25'])
    expect(decodeName(encodeName(name))).toBe(name)
  expect(encodeName('a%\r\n å')).toBe('a%25%0D%0A å')
  expect(readManifestLine(manifestLine('0a', 'data/ a  b ').slice(0, -1))?.written).toBe('data/ a  b ')
})

/** What the checker reads of a bag-info.txt: labels with their values, and lines that are none. */
const readInfo = (text: string) => {
  const read: unknown[] = []
  const reader = infoReader(true, (line) => read.push('tag' in line ? line.tag : line))
  for (const [index, line] of text.split('\n').entries()) reader.line(line, index + 1)
  reader.end()
  return read
}

test('values go there and back, folded where a line would be too long', () => {
  const long = 'Ett långt värde om akter och böcker '.repeat(8).trim()
  const text = bagInfo([
    ['Internal-Sender-Description', `en\ntvå\n\n${long}`],
    ['Contact-Name', 'A'],
    ['Contact-Name', 'B: C'],
    ['Empty', ''],
  ])
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(79)
  expect(readInfo(text)).toEqual([
    ['Internal-Sender-Description', `en två ${long}`],
    ['Contact-Name', 'A'],
    ['Contact-Name', 'B: C'],
  ])
})

test('any label goes there and back with any words, however long they are', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 120, size: 'max' })
    .map((text) => text.replace(/[\s\p{Cc}]/gu, '_'))
  const label = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100, size: 'max' }).filter(isLabel)
  fc.assert(
    fc.property(label, fc.array(word, { minLength: 1, maxLength: 6 }), (name, words) => {
      const tag: Tag = [name, words.join(' ')]
      expect(readInfo(bagInfo([tag, ['Contact-Name', 'A']]))).toEqual([tag, ['Contact-Name', 'A']])
    }),
  )
  for (const length of [58, 59, 60, 79, 500]) {
    const tag: Tag = ['External-Identifier', `https://example.org/${'w'.repeat(length - 20)} b`]
    expect(readInfo(bagInfo([tag]))).toEqual([tag])
  }
})
