import { expect, test } from 'vitest'
import { readBoth } from '../../../../electron/comparisons/read-files.ts'
import type { FileEntry } from '../../../../electron/contract/files.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'

test('where one package cannot be read, nothing more is asked of the other', async () => {
  const folder: FileEntry = { name: 'f', isFolder: true, isContainer: false, bytes: null, modified: null }
  const asked: string[] = []
  const waiting: (() => void)[] = []
  const list = (_archive: unknown, of: string, path: string) => {
    asked.push(`${of}: ${path}`)
    if (of === 'former') return Promise.reject(new Failed({ kind: 'not-allowed', detail: '' }))
    return new Promise<FileEntry[]>((answered) => waiting.push(() => answered([folder])))
  }
  // Only its files are asked for.
  const archive = { dialect: { submission: null, files: { list } } } as unknown as ArchiveClient
  const packages = { former: 'former', later: 'later' }
  const { signal } = new AbortController()
  await expect(readBoth({ archive, packages, signal, progressed: () => undefined })).rejects.toMatchObject({
    failure: { kind: 'not-allowed' },
  })
  waiting.forEach((answer) => answer())
  await new Promise((done) => setImmediate(done))
  expect(asked).toEqual(['former: ', 'later: '])
})
