import '../parts/folders.css'
import { element } from '../element.ts'
import type { ViewerWords } from '../../language/viewer.en.ts'
import { openOutlook, type Outlook, type OutlookFolder } from '../formats/outlook.ts'
import { Undrawable, type Draw } from '../kind.ts'
import { finderOf } from '../parts/finder.ts'
import { drawLetterList } from '../parts/letter-list.ts'
import { foldCase } from '../parts/marked-text.ts'
import { pause, pauser } from '../parts/pause.ts'
import { progressLine } from '../parts/progress.ts'

/** Letters that are searched at a time. */
const foundLetters = 50

/** Letters of a folder with these words: first in sender or subject, then in what they say. */
async function* lettersWith(
  outlook: Outlook,
  folder: OutlookFolder,
  words: string,
  signal: AbortSignal,
  tell: (sentence: string) => void,
  say: ViewerWords,
) {
  const looked = foldCase(words)
  const others: number[] = []
  for (let from = 0; from < folder.letters && !signal.aborted; from += foundLetters) {
    const rows = await outlook.rows(folder, from, from + foundLetters)
    const found: number[] = []
    for (const [index, { from: sender, subject }] of rows.entries()) {
      const isFound = foldCase(`${sender}\n${subject}`).includes(looked)
      const letters = isFound ? found : others
      letters.push(from + index)
    }
    yield found
    await pause()
  }
  const giveWay = pauser()
  try {
    for (const [index, row] of others.entries()) {
      if (signal.aborted) return
      tell(say.letter.searching(Math.floor((index / others.length) * 100)))
      if (foldCase(await outlook.words(folder, row)).includes(looked)) yield [row]
      await giveWay()
    }
  } finally {
    tell('')
  }
}

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
  const progress = progressLine()
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())

  const show = (folder: OutlookFolder) => {
    leaving.abort()
    leaving = new AbortController()
    progress.say('')
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
      scan: (words, ended) =>
        lettersWith(outlook, folder, words, ended, (sentence) => progress.say(sentence), say),
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
  root.append(element('div', { class: 'outlook' }, nav, pane), progress.element)
  const first = folders.find(({ letters }) => letters > 0) ?? folders[0]
  if (!first) throw new Undrawable('broken', 'There are no folders.')
  let current = show(first)
  return {
    find: (text, isBackwards) => current.find(text, isBackwards),
    text: () => current.list.shown()?.text ?? '',
  }
}
