import { render, screen } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import Formats from '../../renderer/pages/transfers/Formats.svelte'

afterEach(() => setLanguage('en'))

const format = { puid: '', name: 'PDF', mime: '', files: 1, bytes: 1 }
const table = {
  tool: 'built-in' as const,
  kinds: 2,
  formats: [
    { ...format, basis: 'signature' },
    { ...format, basis: 'extension' },
    { ...format, basis: 'byte match at 0, 4' },
  ],
}

test('a format without a name is said not to be identified', () => {
  const nameless = ['', ' '].map((name) => ({ ...format, name, basis: 'extension' }))
  render(Formats, { table: { ...table, formats: nameless } })
  expect(screen.getAllByRole('row').map((row) => row.firstElementChild?.textContent.trim())).toEqual([
    'Format',
    'not identified',
    'not identified',
  ])
})

test('by what a format was known is said in the reader’s language, and as the tool says it where that is unknown', () => {
  setLanguage('sv')
  render(Formats, { table })
  expect(screen.getAllByRole('row').map((row) => row.lastElementChild?.textContent)).toEqual([
    'Genom',
    'innehållet',
    'filändelsen',
    'byte match at 0, 4',
  ])
})
