import { fireEvent, render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import ListTools from '../../renderer/parts/ListTools.svelte'

const names = () => [...document.querySelectorAll('button')].map((button) => button.textContent)

test('a list of which only the first are known offers to save what is shown, and does not call that all', async () => {
  const { rerender } = render(ListTools, { shown: 2, all: 2, onsave: () => undefined })
  expect(names()).toEqual(['What is shown: 2 rows', 'All that match: 2 rows'])
  await rerender({ shown: 2, all: undefined, onsave: () => undefined })
  expect(names()).toEqual(['What is shown: 2 rows'])
  expect(screen.queryByText(/All that match/)).toBeNull()
})

test('a menu closes when somebody turns elsewhere, and not while it is used', async () => {
  render(ListTools, { shown: 2, all: 2, onsave: () => undefined })
  const menu = document.querySelector('details')
  const format = screen.getByLabelText('As')
  if (menu) menu.open = true
  await fireEvent.pointerDown(format)
  expect(menu?.open).toBe(true)
  await fireEvent.pointerDown(document.body)
  expect(menu?.open).toBe(false)
})
