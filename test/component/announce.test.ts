import { render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { say, setLanguage } from '../../renderer/language/say.svelte.ts'
import Footer from '../../renderer/pages/frame/Footer.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const updates = { newer: () => Promise.resolve({ value: null }), changed: () => () => undefined }
  Object.assign(window, { bridge: { application: { updates }, archive: {} } })
})
afterEach(() => {
  announcement.clear()
  setLanguage('en')
})

test('what was said, and what can be done about it, is read in the language that is chosen meanwhile', async () => {
  render(Footer)
  announcement.say(() => say.orders.removed, { text: () => say.common.undo, run: vi.fn() })
  await tick()
  const shown = () => [screen.getByRole('status').textContent.trim(), screen.getByRole('button').textContent]
  const [english, undo] = shown()
  expect(undo).toBe('Undo')
  setLanguage('sv')
  await tick()
  expect(shown()[1]).toBe('Ångra')
  expect(shown()[0]).not.toBe(english)
})
