import { fireEvent, render, screen } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { Failed } from '../../electron/contract/failure.ts'
import Footer from '../../renderer/pages/frame/Footer.svelte'
import Button from '../../renderer/parts/Button.svelte'
import Checkbox from '../../renderer/parts/Checkbox.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { Command } from '../../renderer/state/command.svelte.ts'

// The page's door is there before any page is.
vi.hoisted(() => {
  const updates = { newer: () => Promise.resolve({ value: null }), changed: () => () => undefined }
  Object.assign(window, { bridge: { application: { updates }, archive: {} } })
})

afterEach(() => announcement.clear())

const children = createRawSnippet(() => ({ render: () => '<span>Send</span>' }))
const refusal = () => new Failed({ kind: 'disk', trouble: 'full', path: '/home/a/archive' })
/** Work that ends when the test says so. */
const held = () => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  return { work: vi.fn(() => promise), end: () => resolve(undefined), fail: () => reject(refusal()) }
}
const said = () => screen.getByRole('alert').textContent

test('a command that fails says so at its button, and no longer once it is pressed again', async () => {
  const outcomes = [() => Promise.reject(refusal()), () => Promise.resolve()]
  render(Button, { onclick: () => outcomes.shift()?.(), children })
  const button = screen.getByRole('button', { name: 'Send' })
  await fireEvent.click(button)
  await vi.waitFor(() => expect(said()).toContain('/home/a/archive'))
  expect(button.nextElementSibling?.contains(screen.getByRole('alert'))).toBe(true)
  await fireEvent.click(button)
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await vi.waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false))
})

test('Enter that is held down presses a button once', async () => {
  const work = vi.fn()
  render(Button, { onclick: work, children })
  const button = screen.getByRole('button', { name: 'Send' })
  // False where the press that follows is prevented.
  expect(await fireEvent.keyDown(button, { key: 'Enter' })).toBe(true)
  expect(await fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false)
})

test('while a command is under way its button says so, and a second press does nothing', async () => {
  const { work, end } = held()
  render(Button, { onclick: work, children })
  const button = screen.getByRole('button', { name: 'Send' })
  await fireEvent.click(button)
  expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual(['true', 'true'])
  await fireEvent.click(button)
  expect(work).toHaveBeenCalledTimes(1)
  end()
  await vi.waitFor(() => expect(button.hasAttribute('aria-busy')).toBe(false))
  await fireEvent.click(button)
  expect(work).toHaveBeenCalledTimes(2)
})

test('what fails after its button is gone is said at the foot of the window', async () => {
  const { work, fail } = held()
  const { unmount } = render(Button, { onclick: work, children })
  await fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  unmount()
  render(Footer)
  fail()
  await vi.waitFor(() => expect(said()).toContain('/home/a/archive'))
})

test('what was done is undone by the button at the foot, once, and a failed undo is said there', async () => {
  const { work, fail } = held()
  render(Footer)
  announcement.say(() => 'Removed.', { text: () => 'Undo', run: work })
  const undo = await screen.findByRole('button', { name: 'Undo' })
  await fireEvent.click(undo)
  await fireEvent.click(undo)
  expect(work).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  fail()
  await vi.waitFor(() => expect(said()).toContain('/home/a/archive'))
})

test('every change of a box is sent, and one that failed is said beside it', async () => {
  const sent: boolean[] = []
  const onchange = (isChecked: boolean) => {
    sent.push(isChecked)
    return sent.length === 1 ? Promise.resolve() : Promise.reject(refusal())
  }
  render(Checkbox, { label: 'Told', isChecked: false, onchange })
  const box = screen.getByRole('checkbox')
  await fireEvent.click(box)
  await fireEvent.click(box)
  expect(sent).toEqual([true, false])
  await vi.waitFor(() => expect(said()).toContain('/home/a/archive'))
})

test('of changes that overlap, the end of the last one ends them all', async () => {
  const [first, last] = [held(), held()]
  const command = new Command()
  command.change(first.work)
  command.change(last.work)
  first.end()
  await Promise.resolve()
  expect(command.isRunning).toBe(true)
  last.end()
  await vi.waitFor(() => expect(command.isRunning).toBe(false))
})
