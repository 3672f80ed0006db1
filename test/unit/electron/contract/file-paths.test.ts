import { expect, test } from 'vitest'
import { folderOf, nameIn, nameOnDisk } from '../../../../electron/contract/file-paths.ts'

test('a path in a package is set apart by "/" alone, and one on this computer by what its system has', () => {
  expect([nameIn('brev/1881\\82.txt'), folderOf('brev/1881\\82.txt')]).toEqual(['1881\\82.txt', 'brev'])
  expect([nameIn('brev.txt'), folderOf('brev.txt')]).toEqual(['brev.txt', ''])
  expect(['/home/a/bag', 'C:\\arkiv\\bag', 'D:\\arkiv\\'].map(nameOnDisk)).toEqual(['bag', 'bag', 'arkiv'])
  // A whole drive or disk can be chosen to be checked; it is called by something.
  expect(['C:\\', '/'].map(nameOnDisk)).toEqual(['C:', '/'])
})
