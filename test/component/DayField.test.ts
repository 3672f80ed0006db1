import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import DayField from '../../renderer/parts/DayField.svelte'
import { readDay } from '../../renderer/parts/day-text.ts'

test.each([
  ['1938-05-14', 'first', '1938-05-14'],
  [' 1938 ', 'first', '1938-01-01'],
  ['1938', 'last', '1938-12-31'],
  ['1940-02', 'first', '1940-02-01'],
  ['1940-02', 'last', '1940-02-29'],
  ['', 'last', ''],
  ['1938-02-30', 'first', undefined],
  ['1938-13', 'last', undefined],
  ['14/05/1938', 'first', undefined],
  ['May', 'first', undefined],
] as const)('%j as the %s day is %j', (typed, edge, day) => {
  expect(readDay(typed, edge)).toBe(day)
})

test('what is no day is marked and asks for nothing; a year becomes its day', async () => {
  const asked: string[] = []
  render(DayField, { label: 'From', value: '', edge: 'first', onchange: (day: string) => asked.push(day) })
  const field = screen.getByLabelText<HTMLInputElement>('From')
  expect(field.placeholder).toBe('yyyy-mm-dd')
  await fireEvent.change(field, { target: { value: 'last spring' } })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await fireEvent.change(field, { target: { value: '1938' } })
  expect(field.getAttribute('aria-invalid')).toBeNull()
  expect(field.value).toBe('1938-01-01')
  expect(asked).toEqual(['1938-01-01'])
})
