import '../parts/folders.css'
import { element } from '../element.ts'
import { openOutlook, type OutlookFolder } from '../formats/outlook.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { finderOf } from '../parts/finder.ts'
import { drawLetterList } from '../parts/letter-list.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause } from '../parts/pause.ts'

/** Letters that are searched at a time. */
const foundLetters = 50

/** A mailbox as Outlook keeps it: its folders, the letters of one, and the letter that is read. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, addFacts, stands } = stage
  root.classList.add('filled')
  const outlook = await openOutlook(content).catch((error: unknown) => {
    throw String(error).includes('encrypted') ? new Undrawable('protected', String(error)) : error
  })
  const numbers = new Intl.NumberFormat(language)
  const { folders } = outlook
  const sum = folders.reduce((all, { letters }) => all + letters, 0)
  addFacts(
    { name: 'letters', value: numbers.format(sum) },
    { name: 'folders', value: numbers.format(folders.length) },
  )
  const pane = element('div', { class: 'outlook-pane' })
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())

  const show = (folder: OutlookFolder) => {
    leaving.abort()
    leaving = new AbortController()
    const { signal } = leaving
    for (const [index, button] of buttons.entries())
      button.setAttribute('aria-current', String(folders[index] === folder))
    const list = drawLetterList({
      rowCount: folder.letters,
      rows: (from, to) => outlook.rows(folder, from, to),
      letter: (row) => outlook.letter(folder, row),
      stage,
      signal,
    })
    pane.replaceChildren(
      folder.letters > 0 ? list.element : element('p', { class: 'plain' }, say.letter.none),
    )
    if (folder.letters > 0) list.table.goTo(0)
    const find = finderOf<number>({
      scan: async function* (words, ended) {
        for (let from = 0; from < folder.letters && !ended.aborted; from += foundLetters) {
          const rows = await outlook.rows(folder, from, from + foundLetters)
          const isFound = ({ from: sender, subject }: { from: string; subject: string }) =>
            foldCase(`${sender}\n${subject}`).includes(foldCase(words))
          yield [...rows.entries()].filter(([, row]) => isFound(row)).map(([index]) => from + index)
          await pause()
        }
      },
      isAhead: (row) => row >= list.table.chosen().row,
      show: (row) => list.table.goTo(row),
      mark: list.mark,
      stands,
      signal,
    })
    return { find, list }
  }
  const buttons = folders.map((folder) => {
    const count = folder.letters > 0 ? [element('span', {}, numbers.format(folder.letters))] : []
    const button = element('button', { type: 'button' }, folder.name, ...count)
    button.style.setProperty('--depth', String(Math.min(6, folder.depth)))
    button.addEventListener('click', () => {
      current = show(folder)
    })
    return button
  })
  const items = buttons.map((button) => element('li', {}, button))
  const nav = element(
    'nav',
    { class: 'folders', 'aria-label': say.letter.folders },
    element('ul', {}, ...items),
  )
  root.append(element('div', { class: 'outlook' }, nav, pane))
  const first = folders.find(({ letters }) => letters > 0) ?? folders[0]
  if (!first) throw new Undrawable('broken', 'There are no folders.')
  let current = show(first)
  return {
    find: (text, isBackwards) => current.find(text, isBackwards),
    text: () => current.list.shown()?.text ?? '',
  }
}
