import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import type { FormField } from '../../electron/contract/description.ts'
import CreatePage from '../../renderer/pages/description/CreatePage.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const form = vi.hoisted(() => {
  const [ask, create] = [vi.fn(), vi.fn()]
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  Object.assign(window, {
    bridge: {
      application: {},
      archive: { description: { form: ask, create }, views: { all: value({}), keep: value(null) } },
    },
  })
  return { ask, create }
})
const field = (name: string, isRequired: boolean): FormField => ({
  name,
  label: name,
  help: '',
  type: 'text',
  isRequired,
  longest: null,
  choices: [],
  of: [],
})

test('a form begins in its first field, and one that is not right leads to the first that is wrong', async () => {
  form.ask.mockResolvedValue({
    value: { fields: [field('label', false), field('owner', true), field('place', true)], way: 'ordinary' },
  })
  render(CreatePage, { list: 'locations', edits: '' })
  await screen.findByRole('heading', { name: 'New location' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Label')))
  const create = screen.getByRole('button', { name: 'Create' })
  create.focus()
  await fireEvent.click(create)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Owner *')))
})

test('what was typed of a new record is there again for whoever left it, until it is emptied', async () => {
  form.ask.mockResolvedValue({ value: { fields: [field('name', true)], way: 'ordinary' } })
  const { unmount } = render(CreatePage, { list: 'locations', edits: '' })
  await fireEvent.input(await screen.findByLabelText('Name *'), { target: { value: 'Shelf 4' } })
  unmount()
  render(CreatePage, { list: 'locations', edits: '' })
  expect(await screen.findByLabelText('Name *')).toHaveProperty('value', 'Shelf 4')
  screen.getByText('What you typed here earlier was kept.')
  await fireEvent.click(screen.getByRole('button', { name: 'Empty the form' }))
  expect(screen.getByLabelText('Name *')).toHaveProperty('value', '')
})

test('a record that could not be made once its form is left is told of at the foot, and calls nobody back', async () => {
  const failure = { kind: 'offline', address: 'https://a', detail: '' }
  const creating = Promise.withResolvers<unknown>()
  form.ask.mockResolvedValue({ value: { fields: [field('name', true)], way: 'ordinary' } })
  form.create.mockReturnValue(creating.promise)
  go('description', 'locations:new')
  const { unmount } = render(CreatePage, { list: 'locations', edits: '' })
  await fireEvent.input(await screen.findByLabelText('Name *'), { target: { value: 'Shelf 5' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Create' }))
  go('orders')
  unmount()
  creating.resolve({ failure })
  await waitFor(() => expect(announcement.failure).toEqual(failure))
  expect([place.name, place.id]).toEqual(['orders', ''])
  announcement.clear()
  render(CreatePage, { list: 'locations', edits: '' })
  expect(await screen.findByLabelText('Name *')).toHaveProperty('value', 'Shelf 5')
})
