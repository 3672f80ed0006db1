import { expect, test } from 'vitest'
import { events, notifications } from '../../../../electron/dialects/specification/activity.ts'

test('an event or a notification whose id is no integer is named as it is, and hides no other', () => {
  const ids = ['0d8ff8b2-0b9b-4c0b-a4a4-2d5dca5c3d57', '9007199254740993', '1e3', '7', 8]
  for (const { read } of [events, notifications]) {
    const found = ids.map((id, from) => read({ id }, from))
    expect(found.flatMap(({ rows }) => rows.map(({ model }) => model.id))).toEqual([7, 8])
    expect(found.flatMap(({ unreadable }) => unreadable.map(({ why }) => why))).toEqual(
      ids.slice(0, 3).map((id) => `Expected an integer as id but received "${id}"`),
    )
  }
})
