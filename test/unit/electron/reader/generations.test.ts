import { expect, test } from 'vitest'
import { Failed } from '../../../../electron/contract/failure.ts'
import { withDialect } from '../../../../electron/dialects/dialect.ts'
import { lookUpIn } from '../../../../electron/dialects/lookups.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { comparedWithGenerations } from '../../../../electron/reader/generations.ts'
import { openArchiveClient } from '../../../archives/archive-client.ts'
import { present } from '../../../support/present.ts'

const composed = 'content/Skärgård/karta.txt'.normalize('NFC')
const decomposed = composed.normalize('NFD')

/** An archive in which each package has one file. */
const archiveWith = (paths: Record<string, string>) => {
  const client = openArchiveClient('http://127.0.0.1:9')
  const list = (_: unknown, id: string, folder: string) => {
    const parts = present(paths[id]).split('/')
    const depth = folder === '' ? 0 : folder.split('/').length
    if (parts.slice(0, depth).join('/') !== folder) throw new Failed({ kind: 'not-found', what: folder })
    const isFolder = depth < parts.length - 1
    const bytes = id === 'first' ? 8 : 9
    const name = present(parts[depth])
    return Promise.resolve([{ name, isFolder, isContainer: false, bytes, modified: null }])
  }
  const files = { ...present(specification.files), list }
  const dialect = { ...specification, files }
  return withDialect(client, dialect, lookUpIn(client, dialect))
}

test.each([
  ['the same', composed, 'changed'],
  ['another', decomposed, 'changed'],
  ['no', 'content/Skargard/karta.txt', 'absent'],
])('a file is found where its folder has %s spelling of the name', async (_, path, is) => {
  const asked = {
    archive: archiveWith({ first: composed, other: path }),
    package: 'first',
    path: composed,
    signal: new AbortController().signal,
  }
  const compared = comparedWithGenerations(asked, () => Promise.resolve(undefined))
  expect((await compared('other')).is).toBe(is)
})
