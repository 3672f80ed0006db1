import { expect, test } from 'vitest'
import { compareFiles, judge } from '../../../../electron/comparisons/compare-files.ts'
import { layInto, linesOf, type Folders } from '../../../../electron/comparisons/folders.ts'
import type { ComparedFile, ToldFile } from '../../../../electron/contract/comparisons.ts'
import fc, { runs } from '../../../support/properties.ts'

const day = '2026-01-01T00:00:00Z'
const file = (path: string, told: Partial<ToldFile> = {}): ToldFile => ({
  path,
  bytes: 1,
  modified: day,
  digest: '',
  algorithm: '',
  ...told,
})
const filesOf = (...files: ToldFile[]) => new Map(files.map((one) => [one.path, one]))
const changes = (differing: readonly ComparedFile[]) => differing.map(({ path, change }) => [change, path])

const someFile = fc.record({
  // Few names, so that both packages have some in common, in both normal forms.
  path: fc.constantFrom('a', 'b', 'a/b', 'a/ö', 'a/o\u0308', 'ö', 'o\u0308', 'c/d/e', '__proto__', 'a b'),
  bytes: fc.constantFrom(null, 0, 1, 2),
  modified: fc.constantFrom(null, day, '2026-02-01T00:00:00Z'),
  digest: fc.constantFrom('', 'aa', 'bb'),
  algorithm: fc.constantFrom('MD5', 'SHA-256'),
})
const somePackage = fc.array(someFile, { maxLength: 10 }).map((files) => filesOf(...files))

test('a package compared with itself has no difference, but for what nobody can tell', async () => {
  await fc.assert(
    fc.asyncProperty(somePackage, async (files) => {
      const { differing, same } = await compareFiles(files, files)
      expect(differing.filter(({ change }) => change !== 'unknown')).toEqual([])
      expect(same + differing.length).toBe(files.size)
    }),
    { numRuns: runs(300) },
  )
})

test('what one way added, the other way removed, and every file is counted once', async () => {
  await fc.assert(
    fc.asyncProperty(somePackage, somePackage, async (one, other) => {
      const [there, back] = [await compareFiles(one, other), await compareFiles(other, one)]
      const pathsOf = (compared: typeof there, change: ComparedFile['change']) =>
        compared.differing
          .filter((differs) => differs.change === change)
          .map(({ former, later }) => (former ?? later)?.path.normalize('NFC'))
          .sort()
      expect(pathsOf(there, 'added')).toEqual(pathsOf(back, 'removed'))
      expect(pathsOf(there, 'removed')).toEqual(pathsOf(back, 'added'))
      for (const change of ['changed', 'redated', 'respelled', 'unknown'] as const)
        expect(pathsOf(there, change)).toEqual(pathsOf(back, change))
      const counted = (side: 'former' | 'later') =>
        there.same + there.differing.filter((differs) => differs[side] !== null).length
      expect([counted('former'), counted('later')]).toEqual([one.size, other.size])
    }),
    { numRuns: runs(300) },
  )
})

test('a file that was renamed is one that was removed and one that was added', async () => {
  const { differing } = await compareFiles(filesOf(file('old.txt')), filesOf(file('new.txt')))
  expect(changes(differing)).toEqual([
    ['added', 'new.txt'],
    ['removed', 'old.txt'],
  ])
})

test('names that differ in their Unicode normal form alone are one file, and it is said', async () => {
  const [composed, decomposed] = ['Väg.txt', 'Väg.txt'.normalize('NFD')]
  const respelled = await compareFiles(filesOf(file(decomposed)), filesOf(file(composed)))
  expect(respelled.differing).toMatchObject([
    { change: 'respelled', isRespelled: true, former: { path: decomposed }, later: { path: composed } },
  ])
  const changed = await compareFiles(filesOf(file(decomposed)), filesOf(file(composed, { bytes: 2 })))
  expect(changed.differing).toMatchObject([{ change: 'changed', isRespelled: true }])
  // Where both forms are names of files, each is itself.
  const both = filesOf(file(composed), file(decomposed))
  expect((await compareFiles(both, both)).differing).toEqual([])
  expect(changes((await compareFiles(filesOf(file(decomposed)), both)).differing)).toEqual([
    ['added', composed],
  ])
})

test('a digest decides where both have one of the same algorithm, else size and date', () => {
  const digest = { digest: 'AA', algorithm: 'SHA-256' }
  const judged = (former: Partial<ToldFile>, later: Partial<ToldFile>) => {
    const { change, by } = judge(file('a', former), file('a', later))
    return `${change} by ${by}`
  }
  expect([
    judged(digest, { digest: 'aa', algorithm: 'sha256', modified: null }),
    judged(digest, { digest: 'bb', algorithm: 'SHA-256' }),
    judged(digest, { digest: 'bb', algorithm: 'MD5' }),
    judged({}, { bytes: 2 }),
    judged({}, { modified: '2026-01-02T00:00:00Z' }),
    judged({}, { modified: '2026-01-01T01:00:00+01:00' }),
    judged({}, { modified: null }),
    judged({ modified: null }, { bytes: 3, modified: null }),
    judged({}, { bytes: null }),
  ]).toEqual([
    'null by digest',
    'changed by digest',
    'null by size and date',
    'changed by size and date',
    'redated by size and date',
    'null by size and date',
    'null by size',
    'changed by size',
    'unknown by nothing',
  ])
})

test('folders show what differs below them, also where a file became a folder', async () => {
  const former = filesOf(file('a/1.txt'), file('a/10.txt'), file('b'), file('c/same.txt'))
  const later = filesOf(file('a/2.txt'), file('a/1.txt', { bytes: 2 }), file('b/x'), file('c/same.txt'))
  const folders: Folders = new Map()
  for (const differs of (await compareFiles(former, later)).differing) layInto(folders, differs)
  const lines = (path: string, change: ComparedFile['change'] | null = null) =>
    linesOf(folders, { path, change, offset: 0 }).lines.map(({ name, below, file: one }) =>
      below ? `${name}/ ${below.added}+ ${below.removed}− ${below.changed}~` : `${name} ${one?.change}`,
    )
  expect(lines('')).toEqual(['a/ 1+ 1− 1~', 'b/ 1+ 0− 0~', 'b removed'])
  expect(lines('a')).toEqual(['1.txt changed', '2.txt added', '10.txt removed'])
  expect(lines('a', 'added')).toEqual(['2.txt added'])
  expect(lines('', 'changed')).toEqual(['a/ 1+ 1− 1~'])
  expect(lines('c')).toEqual([])
  expect(linesOf(folders, { path: 'a', change: null, offset: 2 })).toMatchObject({ total: 3 })
})

test('a long comparison lets others have their turn, and ends when nobody wants it', async () => {
  const many = (text: string) =>
    new Map(
      Array.from({ length: 10_000 }, (_, index) => [`${index}`, file(`${index}`, { digest: text })] as const),
    )
  let turns = 0
  await compareFiles(many('a'), many('b'), () => {
    turns += 1
  })
  expect(turns).toBe(20)
  const stopped = compareFiles(many('a'), many('b'), () => Promise.reject(new Error('stopped')))
  await expect(stopped).rejects.toThrow('stopped')
})
