import { render } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { SearchWords } from '../../electron/contract/description.ts'
import FieldValue from '../../renderer/pages/description/FieldValue.svelte'

const shownOf = (value: string, search: SearchWords) =>
  render(FieldValue, { field: { name: 'query', value, code: null, to: null, is: 'search', search } })
    .container

test('a stored search is told in words: names, and what is left out of it here', () => {
  const names = { a1: 'Byggnadsnämnden' }
  const search = shownOf('q=brev&agents=a1&state=Preserved', { names, others: [] })
  expect(search.textContent).toBe('brev · Agent: Byggnadsnämnden · State: Preserved')
  expect(search.querySelector('a')?.getAttribute('href')).toContain('agents%3Da1')
})

test('one of conditions alone that nobody here knows says which they are', () => {
  const others = [{ name: 'access_level', value: '3' }]
  const search = shownOf('', { names: {}, others })
  expect(search.textContent).toBe('Has other conditions, which are left out here: Access level: 3')
  expect(search.querySelector('a')).toBe(null)
  expect(shownOf('', { names: {}, others: [] }).textContent).toBe('Everything')
})
