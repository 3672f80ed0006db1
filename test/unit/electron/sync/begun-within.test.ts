import path from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ListReader } from '../../../../electron/archive-client/whole-list.ts'
import { failureOf } from '../../../../electron/contract/failure.ts'
import type { Subject } from '../../../../electron/contract/subjects.ts'
import { readList } from '../../../../electron/sync/read-lists.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

test('a disk that fails where a list begins takes back what another one wrote, and is said', async () => {
  using place = scratch()
  const { writer, cache, close } = openLocalCopy(path.join(place.folder, 'cache.sqlite'))
  const { database } = writer
  const begun = Promise.withResolvers<void>()
  const take = (reader: ListReader, id: string) =>
    reader.take(Buffer.from(JSON.stringify({ id, name: id })), 0)
  const read = (subject: Subject, elements: (reader: ListReader) => void | Promise<void>) =>
    readList(
      writer,
      {
        elements: async (_path, reader) => {
          await elements(reader)
          return { pass: 0, count: null, isSure: true }
        },
        answer: () => Promise.reject(new Error('Nobody asks for a count.')),
      },
      { subject, hasViews: false },
      { now: () => new Date('2026-01-01T00:00:00Z') },
    ).catch((error: unknown) => failureOf(error, () => 'bug'))
  const first = read('description/agents', async (reader) => {
    take(reader, 'a1')
    await begun.promise
    take(reader, 'a2')
  })
  expect(database.isTransaction).toBe(true)
  // As SQLite does where the disk fails (SQLITE_IOERR).
  vi.spyOn(database, 'exec').mockImplementationOnce(() => {
    database.exec('rollback')
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 })
  })
  const second = await read('description/structures', (reader) => void take(reader, 's1'))
  begun.resolve()
  const disk = expect.objectContaining({ kind: 'disk' }) as unknown
  expect([second, await first]).toEqual([disk, disk])
  expect(cache.asOf('description/agents')).toBe(null)
  close()
})
