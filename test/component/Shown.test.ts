import { render, screen } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { expect, test } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import Shown from '../../renderer/parts/Shown.svelte'

const whole = createRawSnippet<[string]>((value) => ({ render: () => `<p>${value()}</p>` }))
const show = (value: string | undefined, failure: Failure | undefined) =>
  render(Shown<string>, { query: { value, failure, refresh: () => undefined }, whole })

test('what was shown stays when asking again fails, and that it failed is said', () => {
  show('an old answer', { kind: 'bug', reference: 'x-1' })
  expect(screen.getByText('an old answer')).toBeTruthy()
  expect(screen.getByText(/x-1/)).toBeTruthy()
})

test('an archive that cannot be reached is said for all pages at once, not on each', () => {
  const { container } = show('an old answer', {
    kind: 'offline',
    address: 'https://a.example',
    detail: 'ECONNREFUSED',
  })
  expect(container.textContent.trim()).toBe('an old answer')
})

test('what only the archive can answer waits for it calmly', () => {
  show(undefined, { kind: 'offline', address: 'https://a.example', detail: 'ECONNREFUSED' })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('status').textContent).toMatch(/shown once the archive answers/)
})

test('a record that is not there is said to be none, with the way back to its list', () => {
  render(Shown<string>, {
    query: { value: undefined, failure: { kind: 'not-found', what: '' }, refresh: () => undefined },
    whole,
    missing: { what: 'transfer', list: 'Transfers', href: '#/transfers' },
  })
  expect(screen.getByText('There is no such transfer here.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'To the list: Transfers' }).getAttribute('href')).toBe(
    '#/transfers',
  )
  expect(screen.queryByRole('alert')).toBeNull()
})
