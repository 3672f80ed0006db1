import './letter-list.css'
import { TooLarge } from '../content.ts'
import { element } from '../element.ts'
import type { Letter } from '../formats/letter.ts'
import type { Stage } from '../kind.ts'
import { dateText, drawLetter, type DrawnLetter } from './letter.ts'
import { drawTable } from './table.ts'

/** A line of the list. */
export interface ListedLetter {
  /** Milliseconds since 1970; NaN where there is none. */
  date: number
  from: string
  subject: string
  /** How deep it lies in its conversation. */
  depth?: number
}

interface Options {
  rowCount: number
  rows: (from: number, to: number) => Promise<ListedLetter[]>
  letter: (row: number) => Promise<Letter>
  onSort?: (column: number, isDescending: boolean) => void
  onShow?: (row: number) => void
  stage: Stage
  signal: AbortSignal
}

/** The columns of the list, in this order. */
export const listColumns = ['date', 'from', 'subject'] as const

const deepestShown = 8

/** A list of letters, and beside it or below it the one that is chosen. */
export const drawLetterList = ({ rowCount, rows, letter, onSort, onShow, stage, signal }: Options) => {
  const { say, language } = stage
  const pane = element('div', { class: 'letter-pane' }, element('p', {}, say.letter.choose))
  let words = ''
  let shown: DrawnLetter | undefined
  let chosenRow = -1
  const firstShown = Promise.withResolvers<void>()

  const drawChosen = async (row: number) => {
    chosenRow = row
    onShow?.(row)
    const drawn = await letter(row).then(
      (found) => drawLetter(found, { say, language, open: stage.open }),
      (error: unknown) => (error instanceof TooLarge ? say.letter.tooLarge : say.letter.unreadable),
    )
    if (signal.aborted || chosenRow !== row) return
    shown = typeof drawn === 'string' ? undefined : drawn
    pane.replaceChildren(typeof drawn === 'string' ? element('p', { role: 'status' }, drawn) : drawn.element)
    firstShown.resolve()
    if (!shown) return
    if (shown.remote > 0)
      shown.element
        .querySelector('header')
        ?.append(element('p', { class: 'remote' }, say.letter.remote(shown.remote)))
    if (words !== '') shown.mark(words, 0)
  }
  // Whoever waits for the first goes on, whatever became of it.
  const showLetter = (row: number) => drawChosen(row).finally(firstShown.resolve)
  const table = drawTable({
    data: {
      columns: [
        { name: say.letter.date, width: 165 },
        { name: say.letter.from, width: 170 },
        { name: say.letter.subject, width: 240, grows: true },
      ],
      rowCount,
      rows: async (from, to) =>
        (await rows(from, to)).map(({ date, from: sender, subject, depth = 0 }) => {
          const indent = '\u2003'.repeat(Math.min(depth, deepestShown))
          const named = subject || say.letter.noSubject
          return [
            dateText(date, language) || say.letter.noDate,
            sender,
            depth > 0 ? `${indent}↳ ${named}` : named,
          ]
        }),
      onChooseRow: (row) => {
        showLetter(row).catch(reportError)
      },
      onSort,
    },
    name: say.letter.list,
    say,
    language,
    signal,
    hasNumbers: false,
  })
  const both = element('div', { class: 'letters-both' }, table.element, pane)
  return {
    element: element('div', { class: 'letters' }, both),
    table,
    /** Resolves once a letter is there to be read. */
    firstShown: firstShown.promise,
    /** The letter that is read now. */
    shown: () => shown,
    mark: (looked: string) => {
      words = looked
      table.mark(looked)
      shown?.mark(looked, 0)
    },
  }
}
