import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { Failed } from '../../electron/contract/failure.ts'
import Checkbox from '../../renderer/parts/Checkbox.svelte'

test('a box whose change failed says so, and stands as it did', async () => {
  const failure = { kind: 'disk', trouble: 'full', path: '/desk' } as const
  render(Checkbox, {
    label: 'Hold back',
    isChecked: false,
    onchange: () => Promise.reject(new Failed(failure)),
  })
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Hold back' })
  await fireEvent.click(box)
  await screen.findByRole('alert')
  expect(box.checked).toBe(false)
})
