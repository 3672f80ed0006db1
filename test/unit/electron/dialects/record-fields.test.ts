import { expect, test } from 'vitest'
import type { ListName } from '../../../../electron/contract/lists.ts'
import { archiveKind } from '../../../../electron/language/archive-words.ts'
import { readRecord, recordsOf } from '../../../../electron/dialects/specification/records.ts'

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

test('a list says what a code of storage means, and shows one that nobody explains', () => {
  const noteOf = (list: ListName, record: Record<string, unknown>) =>
    recordsOf(list).read({ id: '1', name: 'One', ...record }, 0).rows[0]?.model.note
  expect([200, 300, 999].map((type) => noteOf('storage-methods', { type }))).toEqual(['DISK', 'TAPE', '999'])
  expect(noteOf('storage-targets', { status: true, type: 306 })).toBe('IBM-LTO6')
  expect([2, 7].map((status) => noteOf('storage-method-target-relations', { status }))).toEqual([
    'ReadOnly',
    '7',
  ])
  const inWords = (language: 'en' | 'sv') =>
    ['DISK', 'TAPE', 'ReadOnly', 'IBM-LTO6', '999'].map((note) => archiveKind(note, language))
  expect(inWords('en')).toEqual(['disk', 'tape', 'read only', 'IBM-LTO6', '999'])
  expect(inWords('sv')).toEqual(['disk', 'band', 'bara läsbar', 'IBM-LTO6', '999'])
})

test('a stored search says whom it is narrowed to by name, and conditions that nobody here knows', () => {
  const query = { q: 'brev', agents: ['a1', 'gone'], access_level: 3, extra: { deep: true } }
  const titleOf = ({ list, id }: { list: string; id: string }) =>
    list === 'agents' && id === 'a1' ? 'Byggnadsnämnden' : undefined
  const { fields } = readRecord('me/searches', { id: '1', query }, titleOf)
  expect(fields.find(({ name }) => name === 'query')).toMatchObject({
    value: 'q=brev&agents=a1%2Cgone',
    search: {
      names: { a1: 'Byggnadsnämnden' },
      others: [
        { name: 'access_level', value: '3' },
        { name: 'extra', value: '{"deep":true}' },
      ],
    },
  })
})
