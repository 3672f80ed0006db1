import { expect, test } from 'vitest'
import { wordsIn } from '../../../../electron/language/words.ts'

test('one unread message is one in both languages', () => {
  expect([0, 1, 2].map(wordsIn('en', '').menu.unread)).toEqual(['0 unread', '1 unread', '2 unread'])
  expect([0, 1, 2].map(wordsIn('sv', '').menu.unread)).toEqual(['0 olästa', '1 oläst', '2 olästa'])
})
