import { render, screen } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import { say, setLanguage } from '../../renderer/language/say.svelte.ts'
import Risks from '../../renderer/pages/storage/Risks.svelte'

afterEach(() => setLanguage('en'))

test('where nothing is at risk it is said how far that is known, and nothing of packages where there are none', () => {
  const { unmount } = render(Risks, { risks: [], copies: 0 })
  expect(screen.getByText('There are no packages yet.')).toBeTruthy()
  unmount()
  render(Risks, { risks: [], copies: 3 })
  expect(screen.getByText(/^As far as the archive says, no package has fewer copies/)).toBeTruthy()
})

test('one of a kind is one, in both languages', () => {
  expect(say.storage.summary(1, 1, 1, 1)).toBe('1 policy · 1 method · 1 medium · 1 copy')
  setLanguage('sv')
  expect(say.storage.summary(1, 1, 1, 1)).toBe('1 policy · 1 metod · 1 medium · 1 kopia')
})
