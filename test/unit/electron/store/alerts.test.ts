import path from 'node:path'
import { expect, test } from 'vitest'
import { alertsOf, linesOf, withFailed } from '../../../../electron/store/lists/alerts.ts'
import { scratch } from '../../../support/scratch.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'

const packageOf = (id: string, stepState: string) => ({
  id,
  label: `Package ${id}`,
  object_identifier_value: id,
  package_type: 2,
  state: 'Preserving',
  step_state: stepState,
  create_date: '2026-11-22T07:00:00+01:00',
})
/** A minute and a second past seven. */
const at = (minute: number, second = 0) =>
  `2026-11-22T07:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}.5+01:00`
const told = (id: number, time: string, level: string, message: string) => ({
  id,
  level,
  message,
  time_created: time,
  seen: false,
})
const failures = (ids: number[], minute: number) =>
  ids.map((id) => told(id, at(minute, id), 'error', `"Task ${id}" failed`))

/** The lines of the desk, of what an archive holds and told. */
const linesAt = (packages: unknown[], notifications: unknown[], read: string[] = []) => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  copy.hold('packages', packages, at(0))
  copy.hold('notifications', notifications, at(0))
  const lines = withFailed(
    linesOf(alertsOf(copy.cache, 100), (key) => !read.includes(key)),
    copy.cache.packages,
  )
  copy.close()
  return lines.map(({ text, keys, package: about }) => [text, keys.length, about?.id ?? null])
}

test('failures that come in a burst are one line, which says the first and the package that failed', () => {
  const notifications = [
    told(31, at(30), 'success', 'Package good (good) is now preserved'),
    ...failures([29, 28, 27], 20),
    told(26, at(20, 26), 'success', 'Received Package good (good)'),
    ...failures([25, 24], 20),
    ...failures([3, 2], 5),
  ]
  const good = packageOf('good', 'SUCCESS')
  expect(linesAt([good, packageOf('bad', 'FAILURE')], notifications)).toEqual([
    ['Package good is now preserved', 1, 'good'],
    ['"Task 24" failed', 5, 'bad'],
    ['Received Package good', 1, 'good'],
    ['"Task 2" failed', 2, null],
  ])
  expect(
    linesAt([good, packageOf('bad', 'FAILURE'), packageOf('worse', 'FAILURE')], notifications)[1],
  ).toEqual(['"Task 24" failed', 5, null])
})

test('a burst of which some was read is a line of what is new and one of what is not', () => {
  expect(linesAt([], failures([4, 3, 2, 1], 20), ['n1', 'n2'])).toEqual([
    ['"Task 3" failed', 2, null],
    ['"Task 1" failed', 2, null],
  ])
})

test('a failure that names its package stands alone', () => {
  expect(
    linesAt(
      [packageOf('a', 'FAILURE')],
      [told(2, at(20, 2), 'error', 'Failed to preserve Package a (a)'), ...failures([1], 20)],
    ),
  ).toEqual([
    ['Failed to preserve Package a', 1, 'a'],
    ['"Task 1" failed', 1, 'a'],
  ])
})

test('the newest are first, and are not left out, whatever the order in which they came', () => {
  using place = scratch()
  const copy = openLocalCopy(path.join(place.folder, 'archive.sqlite'))
  const notifications = [5, 1, 2, 4, 3].map((id) => told(id, at(id), 'success', `Message ${id}`))
  copy.hold('notifications', [...notifications, told(6, at(5), 'success', 'Message 6')], at(0))
  expect(alertsOf(copy.cache, 4).map(({ id }) => id)).toEqual([6, 5, 4, 3])
  copy.close()
})
