import { entryIn } from '../../../electron/common/records.ts'
import './outline.css'
import { element } from '../element.ts'
import type { Controls, Stage } from '../kind.ts'
import { finderOf } from './finder.ts'
import { markRanges, rangesOf, revealRange } from './marked-ranges.ts'
import { markedText } from './marked-text.ts'
import { openRows, type OutlineRow } from './outline-rows.ts'
import { pause, pauser } from './pause.ts'
import { virtualRows, type VirtualRows } from './virtual-rows.ts'

export interface Column {
  label: string
  /** Width in CSS. */
  width: string
  isNumber?: boolean
}

interface Options<Row extends OutlineRow> {
  /** What a screen reader calls all of it. */
  name: string
  stage: Stage
  /** Grows at its end; `grown` is called then. */
  rows: readonly Row[]
  /** Heads the labels; without it there are no heads. */
  heading?: string
  columns?: Column[]
  /** What is known of the row that is chosen, beside the rows. */
  detail?: (row: Row) => Node[]
  open?: (row: Row) => void
  /** What of a row is found that its line does not say. */
  searched?: (row: Row) => string
  /** The same where that is to be read first: it is looked through after the lines of all rows. */
  searchedLater?: (row: Row) => Promise<string>
  /** Told how far that is, in percent, and undefined once nothing is looked through any more. */
  searching?: (percent: number | undefined) => void
  /** Reads more rows; false once there are none. */
  more?: () => Promise<boolean>
}

const rowHeight = 34
const headHeight = 30
/** So many rows are compared between two looks at what else is to be done. */
const rowsAtOnce = 5_000
const mostText = 5_000_000

const lineOf = ({ label, text = '', values = [] }: OutlineRow) =>
  [label, text, ...values].filter((part) => part !== '').join('  ')

const draws = <Row extends OutlineRow>({ heading = '', columns = [], stage }: Options<Row>) => {
  // In a narrow frame the label stays to be read, and the other columns give way.
  const narrowing = columns.map(({ width }) => `minmax(0, ${width})`)
  const template = [columns.length > 0 ? 'minmax(160px, 1fr)' : 'minmax(0, 1fr)', ...narrowing].join(' ')
  const cellClass = (column?: Column) => (column?.isNumber ? 'cell number' : 'cell')
  return {
    head: () =>
      element(
        'div',
        { class: 'outline-row outline-head', role: 'row', style: `grid-template-columns: ${template}` },
        element('span', { class: 'cell', role: 'columnheader' }, heading),
        ...columns.map((column) =>
          element('span', { class: cellClass(column), role: 'columnheader' }, column.label),
        ),
      ),
    row: (row: Row, index: number, { isChosen = false, hasBelow = false, words = '' }) => {
      const sign = hasBelow ? (row.isFolded ? 'closed' : 'open') : 'none'
      return element(
        'div',
        {
          id: `row-${index}`,
          class: 'outline-row',
          role: 'row',
          'data-row': String(index),
          'data-still': row.isStill,
          'aria-level': String(row.depth + 1),
          'aria-rowindex': String(index + 1),
          'aria-selected': String(isChosen),
          'aria-expanded': hasBelow ? String(!row.isFolded) : undefined,
          style: `grid-template-columns: ${template}`,
        },
        element(
          'span',
          { class: 'cell', role: 'gridcell', style: `padding-left: ${Math.min(row.depth, 30) * 20}px` },
          element('span', { class: 'fold', 'data-fold': sign, 'aria-hidden': 'true' }),
          ...(row.sign
            ? [element('span', { class: 'sign', 'data-sign': row.sign, 'aria-hidden': 'true' })]
            : []),
          element('span', { class: 'label' }, ...markedText(row.label, words)),
          ...(row.text ? [element('span', { class: 'text' }, ...markedText(row.text, words))] : []),
        ),
        ...columns.map((column, place) =>
          element(
            'span',
            { class: cellClass(column), role: 'gridcell', lang: stage.language },
            ...markedText(row.values?.[place] ?? '', words),
          ),
        ),
      )
    },
  }
}

/** The keys of a tree whose rows are cells (treegrid, in the authoring practices of ARIA). */
const nextRow = (key: string, at: number, last: number, page: number): number | undefined => {
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  }
  const next = entryIn(places, key)
  return next === undefined ? undefined : Math.max(0, Math.min(last, next))
}

interface Listeners {
  seen: () => number[]
  placeOf: (index: number) => number
  chosen: () => number
  choose: (index: number) => void
  press: (index: number) => void
  sideways: (isIn: boolean) => void
  isPressed: (index: number, part: string) => boolean
}

/** Keys and presses on rows. */
const listenTo = (
  list: VirtualRows,
  { seen, placeOf, chosen, choose, press, sideways, isPressed }: Listeners,
) => {
  list.element.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target !== list.element) return
    const next = nextRow(event.key, placeOf(chosen()), seen().length - 1, list.seen().count)
    if (next !== undefined) choose(seen()[next] ?? 0)
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') sideways(event.key === 'ArrowRight')
    else if (event.key === 'Enter') press(chosen())
    else return
    event.preventDefault()
  })
  list.body.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const index = Number(event.target.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? NaN)
    if (Number.isNaN(index)) return
    choose(index)
    const part = event.target.closest('.fold, .label')
    if (part && isPressed(index, part.classList.contains('fold') ? 'fold' : 'label')) press(index)
  })
}

/** The rows in which words stand, some at a time; more rows are read for them. */
async function* placesOf<Row extends OutlineRow>(
  options: Pick<Options<Row>, 'rows' | 'searched' | 'searchedLater' | 'searching'>,
  looked: string,
  { readMore, over }: { readMore: () => Promise<boolean>; over: AbortSignal },
) {
  const { rows, searched, searchedLater } = options
  const folded = looked.toLowerCase()
  const others: number[] = []
  for (let from = 0, isMore = true; isMore && !over.aborted;) {
    const found: number[] = []
    const end = Math.min(rows.length, from + rowsAtOnce)
    for (let index = from; index < end; index += 1) {
      const row = rows[index]
      if (row && `${lineOf(row)}\n${searched?.(row) ?? ''}`.toLowerCase().includes(folded)) found.push(index)
      else if (searchedLater) others.push(index)
    }
    from = end
    yield found
    await pause()
    isMore = from < rows.length || (await readMore()) || from < rows.length
  }
  yield* placesLater(options, others, folded, over)
}

/** Of other rows those in which words stand that are read first. */
async function* placesLater<Row extends OutlineRow>(
  { rows, searchedLater, searching }: Pick<Options<Row>, 'rows' | 'searchedLater' | 'searching'>,
  others: readonly number[],
  folded: string,
  over: AbortSignal,
) {
  const giveWay = pauser()
  try {
    for (const [at, index] of others.entries()) {
      if (over.aborted) return
      searching?.(Math.floor((at / others.length) * 100))
      const row = rows[index]
      if (row && (await searchedLater?.(row))?.toLowerCase().includes(folded)) yield [index]
      await giveWay()
    }
  } finally {
    searching?.(undefined)
  }
}

/** Which row is chosen, and which words are marked. */
interface Shown {
  chosen: number
  words: string
}

/** The list in which those rows that are seen are drawn. */
const listOf = <Row extends OutlineRow>(
  options: Options<Row>,
  state: ReturnType<typeof openRows>,
  shown: Shown,
) => {
  const { name, heading, rows, stage } = options
  const drawn = draws(options)
  const list = virtualRows({
    rowHeight,
    headHeight: heading === undefined ? 0 : headHeight,
    fill: (first, end) => {
      const { chosen, words } = shown
      const seen = state.seen().slice(first, end)
      list.body.replaceChildren(
        ...seen.flatMap((index) => {
          const row = rows[index]
          if (!row) return []
          return [
            drawn.row(row, index, { isChosen: index === chosen, hasBelow: state.hasBelow(index), words }),
          ]
        }),
      )
      if (seen.includes(chosen)) list.element.setAttribute('aria-activedescendant', `row-${chosen}`)
      else list.element.removeAttribute('aria-activedescendant')
    },
    signal: stage.signal,
  })
  list.element.setAttribute('role', 'treegrid')
  list.element.setAttribute('aria-label', name)
  if (heading !== undefined) list.layer.prepend(drawn.head())
  return list
}

/** A button that reads more rows, as long as there are any. */
const moreOf = (more: (() => Promise<boolean>) | undefined, label: string, grown: () => void) => {
  const button = element('button', { type: 'button', class: 'more' }, label)
  button.hidden = more === undefined
  const readMore = async () => {
    if (!more || button.hidden) return false
    button.hidden = !(await more())
    grown()
    return !button.hidden
  }
  button.addEventListener('click', () => {
    readMore().catch(reportError)
  })
  return { button, readMore }
}

/** Rows that fold, as many as there are, of which one is chosen and shown beside them. */
export const outlineOf = <Row extends OutlineRow>(options: Options<Row>) => {
  const { stage, rows, detail, open } = options
  const { say, signal } = stage
  const state = openRows(rows)
  const shown: Shown = { chosen: 0, words: '' }
  const list = listOf(options, state, shown)
  const aside = element('section', {
    class: 'outline-detail',
    'aria-label': say.outline.detail,
    tabindex: '0',
  })
  aside.hidden = detail === undefined

  const grown = () => {
    state.grow()
    list.element.setAttribute('aria-rowcount', button.hidden ? String(rows.length) : '-1')
    list.setCount(state.seen().length)
  }
  const { button, readMore } = moreOf(options.more, say.outline.more, grown)
  const choose = (index: number) => {
    const row = rows[index]
    if (!row) return
    shown.chosen = index
    if (detail) aside.replaceChildren(...detail(row))
    const ranges = rangesOf(aside, shown.words)
    markRanges(ranges, ranges[0])
    if (ranges[0]) revealRange(ranges[0])
    list.reveal(state.placeOf(index))
    list.refresh()
  }
  const fold = (index: number, isFolded: boolean) => {
    state.fold(index, isFolded)
    list.setCount(state.seen().length)
    choose(index)
  }
  const press = (index: number) => {
    const row = rows[index]
    if (row && state.hasBelow(index)) fold(index, !row.isFolded)
    else if (row) open?.(row)
  }
  const sideways = (isIn: boolean) => {
    const isFoldable = state.hasBelow(shown.chosen)
    if (isFoldable && (rows[shown.chosen]?.isFolded ?? false) === isIn) fold(shown.chosen, !isIn)
    else if (isIn && isFoldable) choose(shown.chosen + 1)
    else if (!isIn) choose(state.parentOf(shown.chosen))
  }
  /** What a press on a part of a row does: a mark folds, a label opens. */
  const isPressed = (index: number, part: string) =>
    (part === 'fold' && state.hasBelow(index)) || (part === 'label' && open !== undefined)
  const chosen = () => shown.chosen
  listenTo(list, { seen: state.seen, placeOf: state.placeOf, chosen, choose, press, sideways, isPressed })
  const find = finderOf<number>({
    scan: (looked, over) => placesOf(options, looked, { readMore, over }),
    isAhead: (index) => index >= shown.chosen,
    show: (index) => {
      state.uncover(index)
      list.setCount(state.seen().length)
      choose(index)
    },
    mark: (words) => {
      shown.words = words
      markRanges(rangesOf(aside, words))
      list.refresh()
    },
    stands: stage.stands,
    signal,
  })
  grown()
  choose(0)
  const lines = element('div', { class: 'outline-rows' }, list.element, button)
  return {
    element: element('div', { class: 'outline', 'data-opens': open !== undefined }, lines, aside),
    grown,
    controls: { find, text: () => textOf(rows) } satisfies Controls,
  }
}

/** All rows as lines, those below another one further in. */
const textOf = (rows: readonly OutlineRow[]) => {
  const lines: string[] = []
  let length = 0
  for (const row of rows) {
    const line = `${'  '.repeat(row.depth)}${lineOf(row)}`
    length += line.length + 1
    if (length > mostText) break
    lines.push(line)
  }
  return lines.join('\n')
}
