import path from 'node:path'
import { expect, test } from 'vitest'
import { mendedElements } from '../../../../electron/store/cache/mended-elements.ts'
import { scratch } from '../../../support/scratch.ts'
import { takeBackTo } from '../../../desks/earlier-copy.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const agents = 'description/agents'
const types = 'description/agent-types'
const record = (id: number) => ({ id, name: `thing ${id}`, type: 1 })
const come = [record(1), record(2), record(3)]

/** A copy that an earlier version damaged is opened by this one, and both lists are read again. */
const readAgain = (folder: string, damage: string) => {
  const file = path.join(folder, 'cache.sqlite')
  const earlier = openLocalCopy(file)
  earlier.hold(agents, [...come, record(4)], '1')
  earlier.hold(types, come, '1')
  earlier.writer.database.exec(damage)
  takeBackTo(earlier.writer.database, mendedElements)
  earlier.close()
  const copy = openLocalCopy(file)
  copy.hold(agents, come, '2')
  copy.hold(types, come, '2')
  const titles = ([agents, types] as const).map((list) =>
    copy.scans.all<{ title: string }>(list).map(({ title }) => title),
  )
  copy.close()
  return titles
}
const whole = ['thing 1', 'thing 2', 'thing 3']
const elementOf = (subject: typeof agents | typeof types, id: number) =>
  `(select element from held where subject = '${subject}' and id = '${id}')`

test('a row that is missing though its element is known comes back when the list is read', () => {
  using place = scratch()
  const damage = `delete from held where subject = '${agents}' and id = '2'`
  expect(readAgain(place.folder, damage)).toEqual([whole, whole])
})

test('a row whose element is gone goes when the list brings it no more, and stays when it does', () => {
  using place = scratch()
  const gone = `delete from element where number in (${elementOf(agents, 4)}, ${elementOf(agents, 2)})`
  expect(readAgain(place.folder, gone)).toEqual([whole, whole])
})

test('so does one that stands in an element of another list', () => {
  using place = scratch()
  const damage = `delete from element where number = ${elementOf(agents, 4)};
    update held set element = ${elementOf(types, 2)} where subject = '${agents}' and id = '4'`
  expect(readAgain(place.folder, damage)).toEqual([whole, whole])
})

test('and where the row that belongs there has left it', () => {
  using place = scratch()
  const damage = `delete from element where number = ${elementOf(agents, 4)};
    update held set element = ${elementOf(types, 2)} where subject = '${agents}' and id = '4';
    delete from held where subject = '${types}' and id = '2'`
  expect(readAgain(place.folder, damage)).toEqual([whole, whole])
})
