import { render, screen } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import Facts from '../../renderer/parts/Facts.svelte'
import ErrorBoundary from '../../renderer/parts/ErrorBoundary.svelte'

afterEach(() => vi.unstubAllGlobals())

test('two facts of one name are both shown', () => {
  render(Facts, {
    facts: [
      { name: 'Submitter', value: 'Astrid' },
      { name: 'Submitter', value: 'Birger' },
    ],
  })
  expect(screen.getAllByRole('definition').map((element) => element.textContent.trim())).toEqual([
    'Astrid',
    'Birger',
  ])
})

test('a digest is copied whole, and an ordinary value has no button', () => {
  const digest = 'a7'.repeat(32)
  render(Facts, {
    facts: [
      { name: 'Digest', value: digest, isExact: true },
      { name: 'Code', value: 'SE/STA/7', isExact: true },
    ],
  })
  expect(screen.getAllByRole('button').map((button) => button.title)).toEqual(['Copy: Digest'])
  expect(screen.getByTitle(digest).textContent).toBe(digest)
})

test('what cannot be drawn becomes a sentence, and is reported', () => {
  const told: unknown[] = []
  vi.stubGlobal('reportError', (error: unknown) => told.push(error))
  render(ErrorBoundary, {
    children: createRawSnippet(() => ({
      render: () => {
        throw new Error('each_key_duplicate')
      },
    })),
  })
  expect(screen.getByText('Something went wrong in Lectern itself.')).toBeTruthy()
  expect(told).toHaveLength(1)
})
