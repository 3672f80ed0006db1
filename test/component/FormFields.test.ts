import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test } from 'vitest'
import type { Choice, FormField, RecordField } from '../../electron/contract/description.ts'
import { setLanguage } from '../../renderer/language/say.svelte.ts'
import FieldValue from '../../renderer/pages/description/FieldValue.svelte'
import FormFields from '../../renderer/pages/description/FormFields.svelte'

afterEach(() => setLanguage('en'))

const field = (name: string, choices: Choice[], more: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  help: '',
  type: 'choice',
  isRequired: false,
  longest: null,
  choices,
  of: [],
  ...more,
})
const structures = [
  { value: 'a', text: 'Series – Archive A', isTemplate: false },
  { value: 'b', text: 'Series – Archive B', isTemplate: false },
  { value: 't', text: 'Series – Template', isTemplate: true },
]
const units = [
  { value: '1', text: 'Minutes of A', within: 'a' },
  { value: '2', text: 'Minutes of B', within: 'b' },
  { value: 'queued', text: 'On its way …' },
]
const offered = (label: RegExp) =>
  within(screen.getByLabelText(label))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
    .slice(1)

test('a unit is chosen from the structure that was chosen before it, and no longer once that is another', async () => {
  render(FormFields, {
    fields: [
      field('structure', structures, { isRequired: true }),
      field('structure_unit', units, { within: 'structure' }),
    ],
    values: {},
    path: '',
    errorOf: () => '',
  })
  const unit = () => screen.getByLabelText<HTMLSelectElement>(/unit/i)
  const structure = screen.getByLabelText(/Structure \*/i)
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('label'))).toEqual([
    'Structures of archives',
    'Templates, for a new archive',
  ])
  expect(unit().disabled).toBe(true)
  await fireEvent.change(structure, { target: { value: 'a' } })
  expect([unit().disabled, offered(/unit/i)]).toEqual([false, ['Minutes of A', 'On its way …']])
  await fireEvent.change(unit(), { target: { value: '1' } })
  expect(unit().value).toBe('1')
  await fireEvent.change(structure, { target: { value: 'b' } })
  expect([unit().value, offered(/unit/i)]).toEqual(['', ['Minutes of B', 'On its way …']])
  // It is forgotten, and not only out of sight.
  await fireEvent.change(structure, { target: { value: 'a' } })
  expect(unit().value).toBe('')
})

test('where one of two fields is enough, each says so and names the other', () => {
  render(FormFields, {
    fields: [
      field('structure_unit', units, { label: 'Structure unit', alternative: 'parent' }),
      field('parent', [{ value: 'n', text: 'Volume 1' }], { alternative: 'structure_unit' }),
      field('agent', [], { alternative: 'nobody' }),
    ],
    values: {},
    path: '',
    errorOf: () => '',
  })
  const hintOf = (label: RegExp) => {
    const hint = screen.getByLabelText(label).getAttribute('aria-describedby')
    return hint === null ? '' : document.getElementById(hint)?.textContent
  }
  expect([hintOf(/unit/i), hintOf(/parent/i), hintOf(/agent/i)]).toEqual([
    'This or “Parent”: one of both is enough.',
    'This or “Structure unit”: one of both is enough.',
    '',
  ])
})

test('a record is searched for by its name and by what it stands below, which is shown', async () => {
  const nodes = [
    { value: '1', text: 'Volume 1 – V1', path: ['Harbour board', 'Minutes'] },
    { value: '2', text: 'Volume 1 – V1', path: ['School board', 'Minutes'] },
  ]
  render(FormFields, { fields: [field('parent', nodes)], values: {}, path: '', errorOf: () => '' })
  const picker = screen.getByRole<HTMLInputElement>('combobox', { name: 'Parent' })
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent.trim())
  expect(options()).toEqual([])
  await fireEvent.input(picker, { target: { value: 'school vol' } })
  expect(options()).toEqual(['Volume 1 – V1 School board › Minutes'])
  await fireEvent.keyDown(picker, { key: 'Enter' })
  expect([picker.value, picker.getAttribute('aria-expanded')]).toEqual(['Volume 1 – V1', 'false'])
  expect(screen.getByText('School board › Minutes').id).toBe(picker.getAttribute('aria-describedby'))
  // What is half typed is no choice; Escape and leaving take it back.
  await fireEvent.input(picker, { target: { value: 'nothing of that name' } })
  expect(screen.getByText('Nothing matches “nothing of that name”.')).toBeTruthy()
  await fireEvent.keyDown(picker, { key: 'Escape' })
  expect(picker.value).toBe('Volume 1 – V1')
  await fireEvent.input(picker, { target: { value: '' } })
  await fireEvent.blur(picker)
  expect(screen.queryByText('School board › Minutes')).toBeNull()
})

test('codes are chosen, and shown, in the reader’s language; records are called as they are', () => {
  setLanguage('sv')
  const levels = [
    { value: '0', text: 'full' },
    { value: '1', text: 'partial' },
  ]
  const types = [{ value: '83a9b688-99a1-4cff-b3e4-a1f23c53e8fb', text: 'family' }]
  const help = 'How certain the name is, from 0 to 100.'
  render(FormFields, {
    fields: [field('level_of_detail', levels), field('type', types), field('certainty', [], { help })],
    values: {},
    path: '',
    errorOf: () => '',
  })
  expect(offered(/detaljnivå/i)).toEqual(['fullständig', 'delvis'])
  expect(offered(/typ/i)).toEqual(['family'])
  expect(screen.getByText('Hur säkert namnet är, från 0 till 100.')).toBeTruthy()
  const shownAs = (value: string, some: Partial<RecordField>) => {
    const given = { name: 'name', value, code: null, to: null, ...some }
    const { container, unmount } = render(FieldValue, { field: given })
    const text = container.textContent
    unmount()
    return text
  }
  expect(shownAs('success', { code: '0' })).toBe('lyckades')
  expect(shownAs('AIP created', { to: { list: 'event-types', id: '1' } })).toBe('AIP skapat')
  expect(shownAs('Preserved in 2 copies', { is: 'message' })).toBe('Bevarat i 2 kopior')
  expect(shownAs('AIP created', { is: 'word' })).toBe('AIP skapat')
  expect(shownAs('q=ritningar&from=2019-01-01', { is: 'search' })).toBe('ritningar · Från: 1 januari 2019')
  expect(shownAs('8000000000000', { is: 'bytes' })).toBe('8 TB')
  expect(shownAs('success', {})).toBe('success')
})
