import { expect, test } from 'vitest'
import { en } from '../../../renderer/language/en.ts'
import { sv } from '../../../renderer/language/sv.ts'

test('of one record, and of one version, is spoken as of one', () => {
  const said = [en, sv].flatMap(({ find, package: { profile } }) => [find.waiting(1), profile.data(1)])
  expect(said).toEqual([
    '1 record is here, but its words are still being indexed.',
    '1 version of its data',
    '1 post finns här, men dess ord indexeras fortfarande.',
    '1 version av dess data',
  ])
  expect(sv.find.waiting(2)).toBe('2 poster finns här, men deras ord indexeras fortfarande.')
})
