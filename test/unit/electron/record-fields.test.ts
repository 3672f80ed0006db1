import { expect, test } from 'vitest'
import type { ListName } from '../../../electron/contract/lists.ts'
import { readRecord } from '../../../electron/dialects/specification/records.ts'

const fieldOf = (list: ListName, name: string, value: unknown) =>
  readRecord(list, { id: '1', [name]: value }, () => undefined).fields.find((field) => field.name === name)

test('a field says of its text what it is, where that has a form of its own', () => {
  const query = { q: 'ritningar', since: '2019-01-01', page_size: 25 }
  const search = { is: 'search', value: 'q=ritningar&from=2019-01-01' }
  expect(fieldOf('me/searches', 'query', query)).toMatchObject(search)
  expect(fieldOf('me/searches', 'query', JSON.stringify(query))).toMatchObject(search)
  expect(fieldOf('me/searches', 'query', 'ritningar')).not.toHaveProperty('is')
  expect(fieldOf('storage-targets', 'max_capacity', 8e12)).toMatchObject({ is: 'bytes' })
  expect(fieldOf('events', 'eventDetail', 'AIP created')).toMatchObject({ is: 'word' })
  expect(fieldOf('events', 'eventOutcomeDetailNote', 'Registered')).toMatchObject({ is: 'message' })
  expect(fieldOf('notifications', 'message', 'Oxen is now preserved')).toMatchObject({ is: 'message' })
})

test('words of the machine are codes, and keep what they are', () => {
  expect(fieldOf('agent-types', 'cpf', 'corporatebody')).toMatchObject({ code: 'corporatebody' })
  expect(fieldOf('agents', 'name', 'Archive')).toMatchObject({ value: 'Archive', code: null })
})
