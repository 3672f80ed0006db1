import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { createRawSnippet, tick } from 'svelte'
import { expect, test, vi } from 'vitest'
import VirtualRows from '../../renderer/parts/VirtualRows.svelte'
import { mostChosen } from '../../electron/contract/packages.ts'
import ChoiceBar from '../../renderer/parts/ChoiceBar.svelte'
import ChoosableRows from '../../renderer/parts/ChoosableRows.svelte'
import { Selection } from '../../renderer/parts/selection.svelte.ts'
import { present } from '../support/present.ts'

interface Row {
  id: string
  text: string
}
const header = createRawSnippet(() => ({ render: () => '<span role="columnheader">Text</span>' }))
const cells = createRawSnippet<[Row]>((row) => ({
  render: () => '<span role="gridcell"></span>',
  setup: (cell) => {
    $effect(() => {
      cell.textContent = row().text
    })
  },
}))

const show = (rows: Row[], more: Record<string, unknown> = {}) => {
  const onopen = vi.fn()
  const onexpand = vi.fn()
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const { rerender } = render(VirtualRows<Row>, {
    count: rows.length,
    row: (index: number) => rows[index],
    textOf: ({ text }: Row) => text,
    isOpen: ({ id }: Row) => id === '3',
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen,
    onexpand,
    levelOf: ({ id }: Row) => ({ level: 1, isOpen: id === '1' ? false : undefined }),
    ...more,
  })
  const list = screen.getByRole('treegrid')
  const active = () =>
    document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.textContent.trim()
  /** jsdom scrolls without saying so. */
  const press = async (key: string) => {
    await fireEvent.keyDown(list, { key })
    await fireEvent.scroll(list)
  }
  return { list, onopen, onexpand, active, press, rerender }
}
const many = Array.from({ length: 100_000 }, (_, index) => ({
  id: String(index),
  text: `${index % 2 === 0 ? 'Even' : 'Odd'} ${index}`,
}))

test('a hundred thousand rows are a few on screen', () => {
  show(many)
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('100001')
})

test('rows that come after a jump are drawn with the elements of those that went', async () => {
  const { press, active } = show(many)
  const before = screen.getAllByRole('gridcell')
  await press('End')
  expect(active()).toBe('Odd 99999')
  const after = screen.getAllByRole('gridcell')
  expect(after.length).toBeGreaterThan(10)
  expect(after.filter((cell) => !before.includes(cell))).toEqual([])
})

test('the active row is named only while it is drawn', async () => {
  const { list, press, active } = show(many)
  await press('ArrowDown')
  expect(active()).toBe('Odd 1')
  list.scrollTop = 1_000 * 34
  await fireEvent.scroll(list)
  expect(list.getAttribute('aria-activedescendant')).toBe(null)
  await press('ArrowDown')
  expect(active()).toBe('Even 2')
})

test('what is pressed in a row leaves the focus to the list, and the keys go on from that row', async () => {
  const foldable = createRawSnippet<[Row]>((row) => ({
    render: () => `<div role="gridcell"><button tabindex="-1">Open ${row().id}</button></div>`,
  }))
  const { list, press, active } = show(many, { cells: foldable })
  screen.getByRole('button', { name: 'Open 5' }).focus()
  await tick()
  expect(document.activeElement).toBe(list)
  expect(active()).toBe('Open 5')
  await press('ArrowDown')
  expect(active()).toBe('Open 6')
})

test("Enter and Space on a heading are the heading's", async () => {
  const sorter = createRawSnippet(() => ({
    render: () => '<span role="columnheader"><button>Sort</button></span>',
  }))
  const { onopen } = show(many, { header: sorter })
  const heading = screen.getByRole('button', { name: 'Sort' })
  // The answer is whether the button is still pressed by the key.
  for (const key of ['Enter', ' ']) expect(await fireEvent.keyDown(heading, { key })).toBe(true)
  expect(onopen).not.toHaveBeenCalled()
})

test('arrows on a heading go from one to the next, and down to the rows; no other key acts on a row', async () => {
  const sorters = createRawSnippet(() => ({
    render: () =>
      '<div><span role="columnheader"><button>One</button><button tabindex="-1">Edge</button></span>' +
      '<span role="columnheader"><button>Two</button></span></div>',
  }))
  const menuOf = vi.fn(() => [])
  const { list, active, onexpand } = show(many, { header: sorters, menuOf })
  const focused = () => document.activeElement?.textContent
  const heading = (name: string) => screen.getByRole('button', { name })
  heading('One').focus()
  await fireEvent.keyDown(heading('One'), { key: 'ArrowRight' })
  expect(focused()).toBe('Two')
  await fireEvent.keyDown(heading('Two'), { key: 'ArrowRight' })
  expect(focused()).toBe('Two')
  for (const key of ['o', 'PageDown', 'ArrowUp']) await fireEvent.keyDown(heading('Two'), { key })
  await fireEvent.keyDown(heading('Two'), { key: 'ArrowLeft' })
  expect(focused()).toBe('One')
  await fireEvent.contextMenu(heading('One'))
  expect([onexpand.mock.calls, menuOf.mock.calls, active()]).toEqual([[], [], 'Even 0'])
  await fireEvent.keyDown(heading('One'), { key: 'ArrowDown' })
  expect(document.activeElement).toBe(list)
  expect(active()).toBe('Even 0')
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

test('Space looks at a row where there is something to look at, and opens it elsewhere', async () => {
  const oninspect = vi.fn()
  const looking = show(many.slice(0, 20), { oninspect })
  await looking.press('ArrowDown')
  await looking.press(' ')
  expect(oninspect).toHaveBeenCalledExactlyOnceWith(many[1])
  expect(looking.onopen).not.toHaveBeenCalled()
  // Also right after a word with which a row was found, where none goes on so.
  for (const key of ['e', 'v', ' ']) await looking.press(key)
  await expect.poll(looking.active).toBe('Even 2')
  await expect.poll(() => oninspect.mock.lastCall).toEqual([many[2]])
  expect(oninspect).toHaveBeenCalledTimes(2)
  await looking.press('ArrowUp')
  await looking.press('Enter')
  expect(looking.onopen).toHaveBeenCalledExactlyOnceWith(many[1])
  cleanup()
  const { press, onopen } = show(many.slice(0, 20))
  await press(' ')
  expect(onopen).toHaveBeenCalledExactlyOnceWith(many[0])
})

test('a word that was begun is gone on with, whatever its letters do elsewhere', async () => {
  const rows = ['Sten', 'Tal', 'Stad 2', 'Stad 4'].map((text, id) => ({ id: String(id), text }))
  const { press, active, onopen } = show(rows)
  const heard = vi.fn()
  addEventListener('keydown', heard)
  for (const key of ['s', 't', 'a', 'd', ' ', '4']) await press(key)
  expect(active()).toBe('Stad 4')
  expect(heard).not.toHaveBeenCalled()
  expect(onopen).not.toHaveBeenCalled()
  removeEventListener('keydown', heard)
})

test('many are chosen by Shift, Ctrl and all at once; a click chooses none and opens', async () => {
  const rows = many.slice(0, 20)
  const selection = new Selection((offset, limit) =>
    Promise.resolve(rows.slice(offset, offset + limit).map(({ id }) => ({ id, bytes: 1 }))),
  )
  const { list, onopen } = show(rows, { selection, choiceOf: ({ id }: Row) => ({ id, bytes: 1 }) })
  const key = async (pressed: KeyboardEventInit) => {
    await fireEvent.keyDown(list, pressed)
    await tick()
  }
  await key({ key: 'ArrowDown' })
  await key({ key: 'ArrowDown', shiftKey: true })
  await key({ key: 'ArrowDown', shiftKey: true })
  expect(selection.ids).toEqual(['1', '2', '3'])
  await key({ key: ' ', ctrlKey: true })
  expect(selection.ids).toEqual(['1', '2'])
  expect(screen.getAllByRole('row', { selected: true })).toHaveLength(2)
  await key({ key: 'a', ctrlKey: true })
  expect(selection.items).toEqual(rows.map(({ id }) => ({ id, bytes: 1 })))
  await key({ key: 'Escape' })
  expect(selection.count).toBe(0)
  const line = (text: string) => screen.getByText(text)
  await fireEvent.click(line('Even 4'), { ctrlKey: true })
  await fireEvent.click(line('Odd 7'), { shiftKey: true })
  await tick()
  expect(selection.ids).toEqual(['4', '5', '6', '7'])
  expect(onopen).not.toHaveBeenCalled()
  await fireEvent.click(line('Odd 5'))
  expect(selection.count).toBe(0)
  expect(onopen).toHaveBeenCalledWith(rows[5])
})

test('of more than can be chosen at once the first are, which is said', async () => {
  const asked: number[] = []
  const selection = new Selection((_offset, limit) => {
    asked.push(limit)
    return Promise.resolve(Array.from({ length: limit }, (_, line) => ({ id: `${line}`, bytes: 1 })))
  })
  const nothing = { text: 'Nothing', icon: 'copy' as const, run: () => undefined }
  const { container } = render(ChoiceBar<{ id: string; bytes: number }>, {
    selection,
    acts: { order: undefined, save: [], print: nothing, copy: nothing },
  })
  await selection.all(mostChosen + 1)
  await tick()
  expect([asked, selection.count, selection.cut]).toEqual([[mostChosen], mostChosen, 'first'])
  expect(container.textContent).toContain('The first 10,000 chosen')
  await selection.all(20)
  expect(selection.cut).toBeUndefined()
})

test('what can be done with chosen rows leaves the one main button to the record that is open', async () => {
  const selection = new Selection(() => Promise.resolve([{ id: '1' }]))
  const act = { text: 'Add 1 to order', icon: 'copy' as const, run: () => undefined }
  render(ChoiceBar, { selection, acts: { order: act, save: [], print: act, copy: act } })
  await selection.all(1)
  await tick()
  expect(screen.getAllByRole('button', { name: 'Add 1 to order' })).toHaveLength(3)
  expect(document.querySelector('button.main')).toBeNull()
})

test('a range of more than can be chosen begins where somebody began, and one is where it ends', async () => {
  const selection = new Selection((offset, limit) =>
    Promise.resolve(many.slice(offset, offset + limit).map(({ id }) => ({ id }))),
  )
  const nothing = { text: 'Nothing', icon: 'copy' as const, run: () => undefined }
  const acts = { order: undefined, save: [], print: nothing, copy: nothing }
  const bar = render(ChoiceBar, { selection, acts })
  const { list, active } = show(many, { selection, choiceOf: ({ id }: Row) => ({ id }) })
  const shift = async (key: string) => {
    await fireEvent.keyDown(list, { key, shiftKey: true })
    await fireEvent.scroll(list)
    await tick()
  }
  const ends = () => [selection.ids.at(0), selection.ids.at(-1), selection.count]
  await fireEvent.click(screen.getByText('Even 4'))
  await shift('End')
  expect([...ends(), active()]).toEqual(['4', '10003', mostChosen, 'Odd 10003'])
  expect(bar.container.textContent).toContain('10,000 chosen from where you began')
  await shift('ArrowUp')
  expect([...ends(), active()]).toEqual(['4', '10002', mostChosen - 1, 'Even 10002'])
  expect(bar.container.textContent).not.toContain('from where you began')
  // Back to the top from far below.
  await fireEvent.keyDown(list, { key: 'End' })
  await fireEvent.scroll(list)
  await fireEvent.click(screen.getByText('Even 99998'))
  await shift('Home')
  expect([...ends(), active()]).toEqual(['89999', '99998', mostChosen, 'Odd 89999'])
  await fireEvent.keyDown(list, { key: 'Home' })
  await fireEvent.scroll(list)
  await fireEvent.click(screen.getByText('Odd 1'), { shiftKey: true })
  await tick()
  // Who clicks stays where the click was.
  expect([...ends(), list.scrollTop]).toEqual(['89999', '99998', mostChosen, 0])
})

test('other rows, or another order of them, are seen from the top', async () => {
  const { list, active, press, rerender } = show(many, { fromTop: 0 })
  await press('End')
  expect([active(), list.scrollTop > 0]).toEqual(['Odd 99999', true])
  await rerender({ fromTop: 1 })
  expect([active(), list.scrollTop]).toEqual(['Even 0', 0])
  await press('End')
  await rerender({ fromTop: 1, count: many.length - 1 })
  expect(list.scrollTop).toBeGreaterThan(0)
})

/** What a list of which many can be chosen is given, whatever its rows are. */
const choosable = (sort: () => void) => {
  const nothing = { text: 'Nothing', icon: 'copy' as const, run: () => undefined }
  return {
    label: 'List',
    columns: { shown: ['name'], widths: '1fr', isRight: () => false, widenerOf: () => undefined },
    headings: { name: 'Name' },
    sorting: { of: () => ({ isSorted: true, descending: false, onclick: sort }) },
    view: { value: { top: 0, at: 0 }, change: () => undefined },
    selection: new Selection<{ id: string; name: string }>(() => Promise.resolve([])),
    acts: { menuOf: () => [], chosen: { order: undefined, save: [], print: nothing, copy: nothing } },
    onopen: () => undefined,
    cell: createRawSnippet<[{ name: string }, string]>((row) => ({
      render: () => `<span role="gridcell">${row().name}</span>`,
    })),
  }
}
/** A list can be scrolled once its rows stand. */
const rowsStand = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
const activeLine = (list: HTMLElement) =>
  Number(/\d+$/.exec(list.getAttribute('aria-activedescendant') ?? '')?.[0])

test('who sorts sees the rows from the top, or the record that is open where it is then', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const rows = many.slice(0, 1_000).map(({ id, text }) => ({ id, name: text }))
  const props = $state({ rows, fromTop: 0, openId: '' })
  const sort = () => {
    props.rows = props.rows.toReversed()
    props.fromTop += 1
  }
  render(ChoosableRows, {
    ...choosable(sort),
    get rows() {
      return props.rows
    },
    get fromTop() {
      return props.fromTop
    },
    get openId() {
      return props.openId
    },
  })
  await rowsStand()
  const list = screen.getByRole('grid')
  const active = () => activeLine(list)
  const press = async () => {
    await fireEvent.click(screen.getByRole('button', { name: /^Name/ }))
    await tick()
    await tick()
  }
  await fireEvent.keyDown(list, { key: 'End' })
  await press()
  expect([active(), list.scrollTop]).toEqual([0, 0])
  props.openId = '3'
  await press()
  expect([active(), list.scrollTop]).toEqual([3, 0])
  await press()
  expect(active()).toBe(996)
  expect(list.scrollTop).toBeGreaterThan(900 * 34)
})

test('a record that is opened from elsewhere is seen in its list, wherever it stands', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const rows = many.slice(0, 1_000).map(({ id, text }) => ({ id, name: text }))
  const linesOf = async (page: {
    rerender: (props: { openId: string }) => Promise<void>
    unmount: () => void
  }) => {
    await rowsStand()
    const list = screen.getByRole('grid')
    const lines: number[] = []
    for (const openId of ['900', 'nowhere', '5']) {
      await page.rerender({ openId })
      await rowsStand()
      lines.push(activeLine(list))
    }
    page.unmount()
    return lines
  }
  const nobody = choosable(() => undefined)
  expect(await linesOf(render(ChoosableRows, { ...nobody, rows, openId: '' }))).toEqual([900, 900, 5])
  const first = (index: number) => (index < 50 ? rows[index] : undefined)
  const fetched = {
    lines: rows.length,
    news: 0,
    fromTop: 0,
    answered: () => Promise.resolve(),
    row: first,
    held: () => [],
    beginning: undefined,
    indexOf: (id: string) => (Number(id) < 50 ? Number(id) : undefined),
  }
  const lineOf = (id: string) => Promise.resolve(id === 'nowhere' ? null : Number(id))
  expect(await linesOf(render(ChoosableRows, { ...nobody, rows: fetched, openId: '', lineOf }))).toEqual([
    900, 900, 5,
  ])
})

test('keys in a list whose rows have not come ask for no row', async () => {
  const asked: number[] = []
  render(VirtualRows<Row>, {
    count: 0,
    row: (index: number) => void asked.push(index),
    textOf: () => '',
    isOpen: () => false,
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen: vi.fn(),
  })
  for (const key of ['ArrowDown', 'End', 'PageUp', 'Enter'])
    await fireEvent.keyDown(screen.getByRole('grid'), { key })
  expect(asked.filter((index) => index !== 0)).toEqual([])
})

/** A list whose rows come later: none is here until `come` is called. */
const showLate = () => {
  const here = $state({ isCome: false })
  const shown = show(many, { row: (index: number) => (here.isCome ? many[index] : undefined) })
  const come = async () => {
    here.isCome = true
    await tick()
  }
  return { ...shown, come }
}

test('Enter, and a click, on a row that has not come opens it once it is here', async () => {
  const byKey = showLate()
  await byKey.press('End')
  await byKey.press('Enter')
  expect(byKey.onopen).not.toHaveBeenCalled()
  await byKey.come()
  expect(byKey.onopen.mock.calls).toEqual([[many.at(-1)]])
  cleanup()
  const byClick = showLate()
  await fireEvent.click(present(screen.getAllByRole('row')[4]))
  await byClick.come()
  expect(byClick.onopen.mock.calls).toEqual([[many[3]]])
})

test('a row that came after something else was done is not opened', async () => {
  const { press, come, onopen, active } = showLate()
  await press('Enter')
  await press('ArrowDown')
  await come()
  expect(onopen).not.toHaveBeenCalled()
  expect(active()).toBe('Odd 1')
  cleanup()
  const other = showLate()
  await other.press('Enter')
  await other.rerender({ fromTop: 'another order' })
  await other.come()
  expect(other.onopen).not.toHaveBeenCalled()
})

test('a letter that no row here begins with asks for nothing', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const asked = new Set<number>()
  render(VirtualRows<Row>, {
    count: 1_000_000,
    row: (index: number) => {
      asked.add(index)
      return index < 100 ? many[index] : undefined
    },
    held: () => many.slice(0, 100).map((row, index) => ({ index, row })),
    textOf: ({ text }: Row) => text,
    isOpen: () => false,
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen: vi.fn(),
  })
  const list = screen.getByRole('grid')
  asked.clear()
  await fireEvent.keyDown(list, { key: 'o' })
  expect(list.getAttribute('aria-activedescendant')).toMatch(/-1$/)
  await fireEvent.keyDown(list, { key: 'ö' })
  expect(list.getAttribute('aria-activedescendant')).toMatch(/-1$/)
  expect(asked.size).toBeLessThan(60)
})

/**
 * A million rows of which none is here, and a main process that says where the next one is when it is told
 * to.
 */
const showFar = () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const asked: { begins: string; from: number; answer: (line: number | undefined) => void }[] = []
  render(VirtualRows<Row>, {
    count: 1_000_000,
    row: () => undefined,
    beginning: (begins: string, from: number) =>
      new Promise<number | undefined>((answer) => asked.push({ begins, from, answer })),
    textOf: () => '',
    isOpen: () => false,
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen: vi.fn(),
  })
  const list = screen.getByRole('grid')
  const active = () => Number(/\d+$/.exec(list.getAttribute('aria-activedescendant') ?? '')?.[0])
  const answer = async (nth: number, line: number | undefined) => {
    asked[nth]?.answer(line)
    await tick()
    await tick()
  }
  return { list, asked, active, answer }
}

test('what is typed leads to a row that is not here, and brings it into view', async () => {
  const { list, asked, active, answer } = showFar()
  await fireEvent.keyDown(list, { key: 'ö' })
  expect(asked.map(({ begins, from }) => [begins, from])).toEqual([['ö', 1]])
  await answer(0, 777_777)
  expect(active()).toBe(777_777)
  await tick()
  expect(within(list).getAllByRole('row').at(-1)?.getAttribute('aria-rowindex')).toMatch(/^7777\d\d$/)
  await fireEvent.keyDown(list, { key: 'r' })
  expect(asked.map(({ begins, from }) => [begins, from]).at(-1)).toEqual(['ör', 777_777])
  await answer(1, undefined)
  expect(active()).toBe(777_777)
})

test('a sign is a command again once anything else was done, however soon it comes', async () => {
  const { list } = showFar()
  // The answer is whether nobody took the key for a letter.
  const isLeft = (key: string) => fireEvent.keyDown(list, { key })
  await isLeft('ö')
  expect(await isLeft('+')).toBe(false)
  await isLeft('ArrowDown')
  expect(await isLeft('+')).toBe(true)
  await isLeft('ö')
  await fireEvent.click(screen.getAllByRole('row')[1] ?? list)
  expect(await isLeft('+')).toBe(true)
})

test('an answer that comes after the next key moves nobody', async () => {
  const { list, active, answer } = showFar()
  await fireEvent.keyDown(list, { key: 'ö' })
  await fireEvent.keyDown(list, { key: 'ArrowDown' })
  await answer(0, 777_777)
  expect(active()).toBe(1)
  await fireEvent.keyDown(list, { key: 'ö' })
  await fireEvent.keyDown(list, { key: 'a' })
  await answer(2, 500)
  await answer(1, 900_000)
  expect(active()).toBe(500)
})

test('the open record is the selected row', () => {
  show(many.slice(0, 20))
  expect(screen.getAllByRole('row', { selected: true })).toHaveLength(1)
})

test('what is looked at stays in its place when the archive puts rows above it; at the top, what is new is seen', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  let rows = many.slice(0, 200)
  const follow = (news: number) => ({
    news,
    idOf: ({ id }: Row) => id,
    indexOf: (id: string) => rows.findIndex((row) => row.id === id),
  })
  const props = (news: number) => ({
    count: rows.length,
    row: (index: number) => rows[index],
    textOf: ({ text }: Row) => text,
    isOpen: () => false,
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen: vi.fn(),
    follow: follow(news),
  })
  const { rerender } = render(VirtualRows<Row>, props(0))
  const list = screen.getByRole('grid')
  const active = () => rows[Number(/\d+$/.exec(list.getAttribute('aria-activedescendant') ?? '')?.[0])]?.text
  const bringAbove = async (id: string, news: number) => {
    rows = [{ id, text: id }, ...rows]
    await rerender(props(news))
  }
  await bringAbove('first', 1)
  expect(list.scrollTop).toBe(0)

  list.scrollTop = 50 * 34
  await fireEvent.scroll(list)
  for (let step = 0; step < 52; step += 1) await fireEvent.keyDown(list, { key: 'ArrowDown' })
  await fireEvent.scroll(list)
  const before = [list.scrollTop, active()]
  await bringAbove('second', 2)
  await bringAbove('third', 3)
  expect([list.scrollTop, active()]).toEqual([Number(before[0]) + 2 * 34, before[1]])
  // A person who sorts anew wants to see the beginning of what comes, wherever a row has gone.
  rows = [...rows].reverse()
  await rerender(props(3))
  expect(list.scrollTop).toBe(Number(before[0]) + 2 * 34)
})

test('the row that keys act on stays in its place when the archive puts rows between it and the first in view', async () => {
  let rows = many.slice(0, 200)
  const follow = (news: number) => ({
    count: rows.length,
    row: (index: number) => rows[index],
    follow: {
      news,
      idOf: ({ id }: Row) => id,
      indexOf: (id: string) => rows.findIndex((row) => row.id === id),
    },
  })
  const { list, active, press, rerender } = show(rows, follow(0))
  const bringAt = async (line: number, news: number) => {
    const come = Array.from({ length: 20 }, (_, nth) => ({ id: `${news}-${nth}`, text: 'New' }))
    rows = rows.toSpliced(line, 0, ...come)
    await rerender(follow(news))
  }
  const placeOf = (id: string) => rows.findIndex((row) => row.id === id) * 34 - list.scrollTop
  list.focus()
  for (let step = 0; step < 4; step += 1) await press('ArrowDown')
  await bringAt(2, 1)
  expect([active(), placeOf('4')]).toEqual(['Even 4', 4 * 34])
  // Who points at another row looks at that, whatever keys acted on before.
  await fireEvent.pointerMove(screen.getByText('Odd 3'))
  const before = placeOf('3')
  for (const [id, news] of Object.entries({ '3': 3, '4': 4 })) {
    const line = rows.findIndex((row) => row.id === id)
    await bringAt(line, news)
    expect(placeOf('3')).toBe(before)
  }
  await fireEvent.pointerLeave(list)
  // Who has scrolled away from it looks at what is in view.
  list.scrollTop = 100 * 34
  await fireEvent.scroll(list)
  const top = present(rows[100]).id
  await bringAt(50, 2)
  expect([active(), placeOf(top)]).toEqual([undefined, 0])
})

test('a range begins at its record, wherever news and another order put that', async () => {
  let rows = many.slice(0, 200)
  const selection = new Selection((offset, limit) =>
    Promise.resolve(rows.slice(offset, offset + limit).map(({ id }) => ({ id }))),
  )
  const props = (news: number, far: string[] = []) => ({
    count: rows.length,
    row: (index: number) => rows[index],
    selection,
    choiceOf: ({ id }: Row) => ({ id }),
    follow: {
      news,
      idOf: ({ id }: Row) => id,
      indexOf: (id: string) => (far.includes(id) ? undefined : rows.findIndex((row) => row.id === id)),
    },
  })
  const { list, rerender } = show(rows, props(0))
  const further = async () => {
    await fireEvent.keyDown(list, { key: 'ArrowDown', shiftKey: true })
    await tick()
  }
  for (let step = 0; step < 5; step += 1) await fireEvent.keyDown(list, { key: 'ArrowDown' })
  await further()
  expect(selection.ids).toEqual(['5', '6'])
  rows = [{ id: 'new', text: 'New' }, ...rows]
  await rerender(props(1))
  await further()
  expect(selection.ids).toEqual(['5', '6', '7'])
  // Where it began is no longer among the rows that are here.
  rows = [{ id: 'newer', text: 'Newer' }, ...rows]
  await rerender(props(2, ['5']))
  await further()
  expect(selection.ids).toEqual(['5', '6', '7', '8'])
  // Somebody sorts: from the record to the row that is clicked, in the order that there is now.
  rows = [...rows].reverse()
  await rerender(props(2))
  await fireEvent.click(screen.getByText(rows[2]?.text ?? ''), { shiftKey: true })
  await tick()
  expect(selection.ids).toEqual(rows.slice(2, rows.findIndex(({ id }) => id === '5') + 1).map(({ id }) => id))
})

test('a list that is left before its rows are placed asks nothing of what is gone', async () => {
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, value: 320 })
  const errors: unknown[] = []
  const heard = (event: ErrorEvent) => errors.push(event.error)
  window.addEventListener('error', heard)
  const kept = { top: 20, at: 20, keep: vi.fn() }
  const { unmount } = render(VirtualRows<Row>, {
    count: 200,
    row: (index: number) => many[index],
    textOf: ({ text }: Row) => text,
    isOpen: () => false,
    label: 'List',
    columns: '1fr',
    header,
    cells,
    onopen: vi.fn(),
    kept,
  })
  unmount()
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
  window.removeEventListener('error', heard)
  expect(errors).toEqual([])
})

test('who closes a record is back at its row, wherever keys have gone meanwhile', async () => {
  const { list, active, press, rerender } = show(many.slice(0, 20), { hasOpen: true })
  for (let step = 0; step < 6; step += 1) await press('ArrowDown')
  expect(active()).toBe('Even 6')
  await rerender({ hasOpen: false, isOpen: () => false })
  expect(active()).toBe('Odd 3')
  // Nobody is called back once more.
  await fireEvent.keyDown(list, { key: 'ArrowDown' })
  await rerender({ hasOpen: false, isOpen: () => false })
  expect(active()).toBe('Even 4')
})

test('a range that is gone on with before its lines have come begins where it was begun', async () => {
  const rows = many.slice(0, 10)
  let answer: () => void = () => undefined
  const come = new Promise<void>((done) => (answer = done))
  const selection = new Selection((offset, limit) => come.then(() => rows.slice(offset, offset + limit)))
  const { list } = show(rows, { selection, choiceOf: ({ id }: Row) => ({ id }) })
  for (const key of ['ArrowDown', 'ArrowDown']) await fireEvent.keyDown(list, { key, shiftKey: true })
  answer()
  await vi.waitFor(() => expect(selection.ids).toEqual(['0', '1', '2']))
  // From then on another one can be begun.
  await fireEvent.keyDown(list, { key: 'Escape' })
  await fireEvent.keyDown(list, { key: 'ArrowDown', shiftKey: true })
  await vi.waitFor(() => expect(selection.ids).toEqual(['2', '3']))
})
