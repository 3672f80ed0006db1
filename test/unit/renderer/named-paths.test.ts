import { expect, test } from 'vitest'
import { pathsNamed } from '../../../renderer/pages/reader/named-paths.ts'

test('a file is looked for below the folder of the one that names it, then below those above', () => {
  expect(pathsNamed('x.tar/metadata/premis.xml', 'a.tif')).toEqual([
    'x.tar/metadata/a.tif',
    'x.tar/metadata/content/a.tif',
    'x.tar/a.tif',
    'x.tar/content/a.tif',
    'a.tif',
    'content/a.tif',
  ])
  expect(pathsNamed('mets.xml', './data//a.tif')).toEqual(['data/a.tif', 'content/data/a.tif'])
})

test('a path goes up within the package, and not out of it', () => {
  expect(pathsNamed('metadata/mets.xml', '../content/a.tif')).toContain('content/a.tif')
  expect(pathsNamed('mets.xml', '../../etc/passwd')).toEqual([])
  expect(pathsNamed('mets.xml', '../a.tif')).toEqual(['a.tif'])
})
