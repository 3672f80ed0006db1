import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { EntryRole, FileEntry } from '../../electron/contract/files.ts'
import type { ArchiveDesk } from '../../renderer/bridge.svelte.ts'
import { FileTree } from '../../renderer/pages/reader/file-tree.svelte.ts'

const entry = (name: string): FileEntry => ({
  name,
  isFolder: !name.includes('.'),
  isContainer: name.endsWith('.tar'),
  bytes: 1,
  modified: null,
})

/** A tree of a package that has these paths. */
const treeOf = (paths: readonly string[], roles: (folder: string) => EntryRole[] = () => []) => {
  const list = ({ path }: { path: string }) => {
    const below = path === '' ? '' : `${path}/`
    const names = paths.filter((one) => one.startsWith(below)).map((one) => one.slice(below.length))
    return Promise.resolve([...new Set(names.map((name) => name.split('/')[0] ?? ''))].map(entry))
  }
  // Of a desk a tree knows nothing but its lists of files.
  const rolesOf = ({ path }: { path: string }) => Promise.resolve(roles(path))
  return new FileTree({ files: { list, roles: rolesOf } } as unknown as ArchiveDesk, 'p')
}
const rowsOf = (tree: FileTree) => {
  flushSync()
  return tree.rows.map(({ path }) => path)
}

test('what packs the files stands last, and the first file is one that was sent', async () => {
  const tree = treeOf([
    'bag-info.txt',
    'bagit.txt',
    'manifest-sha256.txt',
    'tagmanifest-sha256.txt',
    'data/mets.xml',
    'data/brev.txt',
    'readme.txt',
  ])
  expect(await tree.beginAtFirst()).toBe('data/mets.xml')
  expect(rowsOf(tree)).toEqual([
    'data',
    'data/mets.xml',
    'data/brev.txt',
    'readme.txt',
    'bag-info.txt',
    'bagit.txt',
    'manifest-sha256.txt',
    'tagmanifest-sha256.txt',
  ])
})

test.each([
  // A SIP of E-ARK: documentation and metadata stand before representations by name.
  [
    [
      'content/METS.xml',
      'content/documentation/formats.csv',
      'content/metadata/descriptive/ead.xml',
      'content/representations/rep1/METS.xml',
      'content/representations/rep1/data/brev.txt',
      'content/representations/rep1/metadata/preservation/premis.xml',
    ],
    'content/representations/rep1/data/brev.txt',
  ],
  [['metadata/premis.xml', 'content/bag-info.txt', 'content/data/foton/a.tif'], 'content/data/foton/a.tif'],
  [
    ['mets.xml', 'content/a.tar/a/bagit.txt', 'content/a.tar/a/data/brev.txt'],
    'content/a.tar/a/data/brev.txt',
  ],
  [['content/a.tar/b.txt', 'content/c.tar/d.txt', 'mets.xml'], 'mets.xml'],
  [[], undefined],
])('of %j the first to be read is %s', async (paths, first) => {
  expect(await treeOf(paths).beginAtFirst()).toBe(first)
})

test('what files are is asked below a description alone, and stands beside them when it comes', async () => {
  const asked: string[] = []
  const tree = treeOf(['brev.txt', 'sip/METS.xml', 'sip/data/a.txt'], (folder) => {
    asked.push(folder)
    return folder === 'sip'
      ? [{ name: 'METS.xml', role: 'description' }]
      : [{ name: 'a.txt', role: 'unnamed' }]
  })
  await tree.reveal('sip/data/a.txt')
  const rolesBy = () => Object.fromEntries(tree.rows.map(({ path, role }) => [path, role]))
  await vi.waitFor(() =>
    expect(rolesBy()).toEqual({
      'brev.txt': undefined,
      sip: undefined,
      'sip/METS.xml': 'description',
      'sip/data': undefined,
      'sip/data/a.txt': 'unnamed',
    }),
  )
  expect(asked).toEqual(['sip', 'sip/data'])
})

test('a line of a file is made once, whatever is opened beside it', async () => {
  const tree = treeOf(['foto/a.tif', 'foto/b.tif', 'brev/c.txt'])
  await tree.reveal('foto/a.tif')
  flushSync()
  const files = () => tree.rows.filter(({ path }) => path.startsWith('foto/'))
  const before = files()
  await tree.expand('brev', true)
  flushSync()
  expect(tree.rows.map(({ path }) => path)).toEqual([
    'foto',
    'foto/a.tif',
    'foto/b.tif',
    'brev',
    'brev/c.txt',
  ])
  files().forEach((row, index) => expect(row).toBe(before[index]))
})
