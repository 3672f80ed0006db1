import path from 'node:path'
import { expect, test } from 'vitest'
import { beginSnapshot } from '../../../../electron/store/reading/snapshot.ts'
import { openSingleRecordWriter } from '../../../../electron/store/reading/single-records.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const list = 'description/agents'
const agent = (id: number, name = `thing ${id}`) => ({ id, name, type: 1 })
const textOf = (record: unknown) => Buffer.from(JSON.stringify(record))

/** Two agents are held, and the second is read with another name; then the news is told, and reading ends. */
const readWith = (folder: string, tell: (news: ReturnType<typeof openSingleRecordWriter>) => void) => {
  const copy = openLocalCopy(path.join(folder, 'cache.sqlite'))
  copy.hold(list, [agent(1), agent(2)], '1')
  const { reader, finish } = beginSnapshot(copy.writer, list)
  reader.take(textOf(agent(1)), 0)
  reader.take(textOf(agent(2, 'new name')), 0)
  tell(openSingleRecordWriter(copy.writer, list, '2'))
  finish({ pass: 0, count: null, isSure: true }, '3')
  const titles = () => copy.scans.all<{ title: string }>(list).map(({ title }) => title)
  return Object.assign(copy, { titles })
}

test('what news took away while a list brought it otherwise goes when the list brings it no more', () => {
  using place = scratch()
  const copy = readWith(place.folder, (news) => news.remove(['2']))
  copy.hold(list, [agent(1)], '4')
  expect(copy.titles()).toEqual(['thing 1'])
  copy.close()
})

test('what came in its place meanwhile stays', () => {
  using place = scratch()
  const copy = readWith(place.folder, (news) => {
    news.remove(['2'])
    news.take([agent(3)])
  })
  expect(copy.titles().sort()).toEqual(['new name', 'thing 1', 'thing 3'])
  copy.hold(list, [agent(1), agent(2, 'new name'), agent(3)], '4')
  expect(copy.titles()).toEqual(['thing 1', 'new name', 'thing 3'])
  copy.close()
})

test('what news brought back is one record', () => {
  using place = scratch()
  const copy = readWith(place.folder, (news) => {
    news.remove(['2'])
    news.take([agent(3), agent(2, 'newest name')])
  })
  copy.hold(list, [agent(1), agent(2, 'last name')], '4')
  expect(copy.titles()).toEqual(['thing 1', 'last name'])
  copy.close()
})
