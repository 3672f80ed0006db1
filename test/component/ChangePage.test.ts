import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import ChangePage from '../../renderer/pages/description/ChangePage.svelte'
import { announcement } from '../../renderer/state/announce.svelte.ts'
import { go, place } from '../../renderer/state/place.svelte.ts'

// The page's door is there before any page is.
const { open, save } = vi.hoisted(() => {
  const [open, save] = [vi.fn(), vi.fn()]
  const value = (answer: unknown) => () => Promise.resolve({ value: answer })
  const archive = { changes: { open, save }, views: { all: value({}), keep: value(null) } }
  Object.assign(window, { bridge: { application: {}, archive } })
  return { open, save }
})
afterEach(() => announcement.clear())

const field = (name: string) => ({
  name,
  label: name,
  help: '',
  type: 'text',
  isRequired: false,
  longest: null,
  choices: [],
  of: [],
})
const holds = (name: string, place: string) =>
  open.mockResolvedValue({ value: { fields: [field('name'), field('place')], values: { name, place } } })
const show = (id: string) => render(ChangePage, { list: 'deliveries', id })
const typeName = async (value: string) =>
  fireEvent.input(await screen.findByLabelText('Name'), { target: { value } })
const pressSave = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

test('what was changed of a record and not saved is there again, beside what changed there meanwhile', async () => {
  holds('Oxen', 'Shelf 1')
  const { unmount } = show('1')
  await typeName('Oxen 2027')
  unmount()
  holds('Of a colleague', 'Shelf 2')
  const again = show('1')
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Oxen 2027')
  expect(screen.getByLabelText('Place')).toHaveProperty('value', 'Shelf 2')
  screen.getByText('What you typed here earlier was kept.')
  // Who changed the same field meanwhile is told of: what was seen then goes with it.
  save.mockResolvedValue({ value: { differences: [], now: {} } })
  await pressSave()
  const values = { name: 'Oxen 2027', place: 'Shelf 2' }
  const seen = { name: 'Oxen', place: 'Shelf 2' }
  await vi.waitFor(() =>
    expect(save).toHaveBeenCalledExactlyOnceWith('', { list: 'deliveries', id: '1', seen, values }),
  )
  again.unmount()
  show('1')
  expect(await screen.findByLabelText('Name')).toHaveProperty('value', 'Of a colleague')
})

test('whoever starts over has what is in the archive now', async () => {
  holds('Oxen', 'Shelf 1')
  show('2').unmount()
  const { unmount } = show('2')
  await typeName('Oxen 2027')
  unmount()
  show('2')
  await fireEvent.click(await screen.findByRole('button', { name: 'Start over from what is there now' }))
  await vi.waitFor(() => expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Oxen'))
})

test('what was not saved once its form is left is told of at the foot, and calls nobody back', async () => {
  const offline = { kind: 'offline', address: 'https://a', detail: '' }
  const differences = [{ name: 'name', before: '', theirs: 'x', isMine: true }]
  for (const [answer, told] of [
    [{ failure: offline }, offline],
    [{ value: { differences, now: {} } }, { kind: 'conflict', detail: 'changed meanwhile' }],
  ] as const) {
    holds('Oxen', 'Shelf 1')
    const saving = Promise.withResolvers<unknown>()
    save.mockReturnValue(saving.promise)
    go('description', 'deliveries:change:3')
    const { unmount } = show('3')
    await typeName('Oxen 2027')
    await pressSave()
    go('orders')
    unmount()
    saving.resolve(answer)
    await vi.waitFor(() => expect(announcement.failure).toEqual(told))
    expect(place.name).toBe('orders')
    announcement.clear()
  }
})
