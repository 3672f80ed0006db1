import { fireEvent, render, screen } from '@testing-library/svelte'
import { createRawSnippet } from 'svelte'
import { expect, test, vi } from 'vitest'
import VirtualRows from '../../renderer/parts/VirtualRows.svelte'

interface Row {
  id: string
  text: string
}
const header = createRawSnippet(() => ({ render: () => '<span role="columnheader">Text</span>' }))
const cells = createRawSnippet<[Row]>((row) => ({ render: () => `<span role="gridcell">${row().text}</span>` }))

const show = (rows: Row[]) => {
  const onopen = vi.fn()
  const onexpand = vi.fn()
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  render(VirtualRows, {
    ...{ count: rows.length, row: (index: number) => rows[index], textOf: ({ text }: Row) => text, isOpen: ({ id }: Row) => id === '3' },
    ...{ label: 'List', columns: '1fr', header, cells, onopen, onexpand },
    levelOf: ({ id }: Row) => ({ level: 1, isOpen: id === '1' ? false : undefined }),
  })
  const list = screen.getByRole('treegrid')
  const active = () => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent.trim()
  /** jsdom scrolls without saying so. */
  const press = async (key: string) => {
    await fireEvent.keyDown(list, { key })
    await fireEvent.scroll(list)
  }
  return { list, onopen, onexpand, active, press }
}
const many = Array.from({ length: 100_000 }, (_, index) => ({ id: String(index), text: `${index % 2 === 0 ? 'Even' : 'Odd'} ${index}` }))

test('a hundred thousand rows are a few on screen', () => {
  show(many)
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('100001')
})

test('keys move, open and expand', async () => {
  const { press, active, onopen, onexpand } = show(many.slice(0, 20))
  expect(active()).toBe('Even 0')
  await press('ArrowDown')
  expect(active()).toBe('Odd 1')
  await press('ArrowRight')
  expect(onexpand).toHaveBeenCalledWith(many[1], true)
  await press('End')
  expect(active()).toBe('Odd 19')
  await press('Home')
  await press('ArrowUp')
  expect(active()).toBe('Even 0')
  await press('o')
  expect(active()).toBe('Odd 1')
  await press('o')
  await press('Enter')
  expect(onopen).toHaveBeenCalledTimes(1)
})

test('the open record is the selected row', () => {
  show(many.slice(0, 20))
  expect(screen.getAllByRole('row', { selected: true })).toHaveLength(1)
})
