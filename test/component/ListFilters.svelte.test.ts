import { fireEvent, render, screen } from '@testing-library/svelte'
import { tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { FacetValue } from '../../electron/contract/filters.ts'
import ListFilters from '../../renderer/parts/ListFilters.svelte'
import { openAddressFilters } from '../../renderer/state/address-filters.svelte.ts'
import { go } from '../../renderer/state/place.svelte.ts'
import { present } from '../support/present.ts'

const settled = async () => {
  await new Promise((answered) => setTimeout(answered))
  await tick()
}

test('a value of the address that no row has is asked for once', async () => {
  go('transfers', '', 'delivery=7&delivery=gone')
  // Whoever asks again and again is to fail, not to hang.
  const facet = vi.fn(() => Promise.reject<FacetValue[]>(new Error('asked too often')))
  for (let answers = 0; answers < 3; answers += 1)
    facet.mockResolvedValueOnce([{ value: '7', name: 'Hamnen 2026', count: 1 }])
  const stop = $effect.root(() => {
    const view = { value: { query: '' }, change: () => undefined }
    render(ListFilters, {
      label: 'Transfers',
      narrowed: openAddressFilters('transfers', view),
      fields: [{ key: 'delivery', name: 'Delivery' }],
      facet,
      textOf: (_field: string, { value, name }: Pick<FacetValue, 'value' | 'name'>) => name || value,
    })
  })
  for (let turn = 0; turn < 5; turn += 1) await settled()
  expect(document.body.textContent).toContain('Hamnen 2026, gone')
  expect(facet).toHaveBeenCalledTimes(1)
  stop()
})

test('from the field Down leads into the list and Enter opens its first row, once the last letter was answered', async () => {
  go('transfers', '', '')
  const main = document.body.appendChild(document.createElement('main'))
  const grid = main.appendChild(document.createElement('div'))
  grid.setAttribute('role', 'treegrid')
  grid.tabIndex = 0
  const heard: string[] = []
  grid.addEventListener('keydown', ({ key }) => heard.push(key))
  const answers: (() => void)[] = []
  const stop = $effect.root(() => {
    const view = { value: { query: '' }, change: () => undefined }
    render(
      ListFilters,
      {
        label: 'Filter',
        narrowed: openAddressFilters('transfers', view),
        fields: [],
        facet: () => Promise.resolve([]),
        textOf: () => '',
        answered: () => new Promise<void>((answer) => answers.push(answer)),
      },
      { baseElement: main },
    )
  })
  const field = screen.getByLabelText<HTMLInputElement>('Filter')
  field.focus()
  await fireEvent.keyDown(field, { key: 'ArrowDown' })
  await settled()
  expect([document.activeElement === field, heard]).toEqual([true, []])
  answers[0]?.()
  await settled()
  expect([document.activeElement === grid, heard]).toEqual([true, ['Home']])
  field.focus()
  await fireEvent.keyDown(field, { key: 'Enter' })
  await settled()
  // Whoever types on wants another answer.
  await fireEvent.input(field, { target: { value: 'br' } })
  answers[1]?.()
  await settled()
  expect([document.activeElement === field, heard]).toEqual([true, ['Home']])
  await fireEvent.keyDown(field, { key: 'Enter' })
  await settled()
  answers[2]?.()
  await settled()
  expect(heard).toEqual(['Home', 'Home', 'Enter'])
  main.remove()
  stop()
})

test('what is typed is painted before the list is narrowed, once for all letters, and at once by whoever leaves the field', async () => {
  const narrowedTo: string[] = []
  const open = () =>
    render(ListFilters, {
      label: 'Typed',
      narrowed: {
        text: '',
        fields: {},
        filterText: (text: string) => narrowedTo.push(text),
        filterFields: () => undefined,
        nameOf: () => undefined,
        remember: () => undefined,
      },
      fields: [],
      facet: () => Promise.resolve([]),
      textOf: () => '',
    })
  const painted = () => new Promise((later) => requestAnimationFrame(() => setTimeout(later)))
  const { unmount } = open()
  const field = screen.getByLabelText<HTMLInputElement>('Typed')
  await fireEvent.input(field, { target: { value: 'b' } })
  await fireEvent.input(field, { target: { value: 'br' } })
  expect(narrowedTo).toEqual([])
  await painted()
  expect(narrowedTo).toEqual(['br'])
  await fireEvent.input(field, { target: { value: 'bre' } })
  await fireEvent.blur(field)
  await painted()
  expect(narrowedTo).toEqual(['br', 'bre'])
  // Nobody is there any more whose list it was.
  await fireEvent.input(field, { target: { value: 'brev' } })
  unmount()
  await painted()
  expect(narrowedTo).toEqual(['br', 'bre'])
})

/** Opens a menu, or closes it, as a browser tells of it; the page of a test has no popovers. */
const toggle = (menu: Element, newState: 'open' | 'closed') =>
  fireEvent(menu, Object.assign(new Event('toggle'), { newState }))

test('the values of a filter have the focus once they are read, unless one went elsewhere', async () => {
  go('transfers', '', '')
  const answers: ((values: FacetValue[]) => void)[] = []
  const values = [{ value: '7', name: 'Hamnen 2026', count: 1 }]
  const stop = $effect.root(() => {
    const view = { value: { query: '' }, change: () => undefined }
    render(ListFilters, {
      label: 'Filter',
      narrowed: openAddressFilters('transfers', view),
      fields: [{ key: 'delivery', name: 'Delivery' }],
      facet: () => new Promise<FacetValue[]>((answer) => answers.push(answer)),
      textOf: (_field: string, { value, name }: Pick<FacetValue, 'value' | 'name'>) => name || value,
    })
  })
  const menu = present(document.querySelector('[popover]'))
  // Nothing in a popover can have the focus where none is ever shown.
  menu.removeAttribute('popover')
  screen.getByRole('button', { name: 'Delivery' }).focus()
  await toggle(menu, 'open')
  await settled()
  answers[0]?.(values)
  await settled()
  expect(document.activeElement).toBe(screen.getByLabelText(/Hamnen 2026/))
  await toggle(menu, 'closed')
  await toggle(menu, 'open')
  await settled()
  const field = screen.getByLabelText('Filter')
  field.focus()
  answers[1]?.(values)
  await settled()
  expect(screen.getByLabelText(/Hamnen 2026/)).toBeTruthy()
  expect(document.activeElement).toBe(field)
  stop()
})
