import { fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import { say, setLanguage } from '../../renderer/language/say.svelte.ts'
import Footer from '../../renderer/pages/frame/Footer.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { Command } from '../../renderer/state/command.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const updates = { newer: () => Promise.resolve({ value: null }), changed: () => () => undefined }
  Object.assign(window, { bridge: { application: { updates }, archive: {} } })
})
afterEach(() => {
  announcement.clear()
  vi.useRealTimers()
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

const full: Failure = { kind: 'disk', trouble: 'full', path: '/home/a' }
const told = () => screen.queryByRole('alert')?.textContent

test('what went well goes by itself, what failed stays until it is closed, and the focus goes back', async () => {
  vi.useFakeTimers()
  render(Footer)
  announcement.say(() => say.common.copied)
  await tick()
  expect(screen.getByRole('status').textContent.trim()).toBe('Copied')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(screen.getByRole('status').textContent.trim()).toBe('')
  announcement.fail(full)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(told()).toContain('/home/a')
  expect(screen.getByRole('status').textContent.trim()).toBe('')
  const field = document.body.appendChild(document.createElement('input'))
  field.focus()
  const close = screen.getByRole('button', { name: 'Close' })
  close.focus()
  await fireEvent.click(close)
  expect(told()).toBeUndefined()
  expect(document.activeElement).toBe(field)
  announcement.fail(full)
  await tick()
  screen.getByRole('button', { name: 'Close' }).focus()
  await fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'Escape' })
  expect(told()).toBeUndefined()
  expect(document.activeElement).toBe(field)
  field.remove()
})

test('what failed goes once something else is ordered, and not while somebody types on', async () => {
  render(Footer)
  announcement.fail(full)
  const command = new Command()
  command.change(() => undefined)
  await vi.waitFor(() => expect(command.isRunning).toBe(false))
  expect(told()).toContain('/home/a')
  command.run(() => undefined)
  await tick()
  expect(told()).toBeUndefined()
})

test('what can be done about a failure stands one press away', async () => {
  render(Footer)
  announcement.fail(full)
  await tick()
  const menu = screen.getByRole('button', { name: 'What to do' }).nextElementSibling
  if (!menu) throw new Error('It opens nothing.')
  await fireEvent(menu, Object.assign(new Event('toggle'), { newState: 'open' }))
  expect(await screen.findByText(/Make room there/)).toBeTruthy()
})

test('what can be undone does not go while the focus is on it', async () => {
  vi.useFakeTimers()
  render(Footer)
  announcement.say(() => say.orders.removed, { text: () => say.common.undo, run: vi.fn() })
  await tick()
  screen.getByRole('button', { name: 'Undo' }).focus()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBe(document.activeElement)
})
