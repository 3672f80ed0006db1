import { TooLarge, type Content } from '../content.ts'
import { LetterOrder, sortLetters, threadsOf } from '../formats/letter-order.ts'
import { readLetter } from '../formats/letter.ts'
import { lettersWith, Mailbox, mostLetters } from '../formats/mbox.ts'
import type { Draw, Stage } from '../kind.ts'
import { finderOf } from '../parts/finder.ts'
import { dateText } from '../parts/letter.ts'
import { drawLetterList, listColumns } from '../parts/letter-list.ts'
import { progressLine } from '../parts/progress.ts'

const mostLetterBytes = 128 * 1024 * 1024
/** Milliseconds after which it is said how far the list is. */
const toldEvery = 250

/** Mailboxes that are listed, and the letter that is read: somebody comes back from an attachment. */
const known = new WeakMap<Content, { mailbox: Mailbox; index: number }>()

const tellFacts = ({ heads }: Mailbox, { addFacts, language, note, say }: Stage) => {
  const dates = heads.map(({ date }) => date).filter((date) => !Number.isNaN(date))
  const bound = (pick: 'min' | 'max') =>
    dates.length === 0
      ? ''
      : dateText(
          dates.reduce((one, other) => Math[pick](one, other)),
          language,
        )
  const numbers = new Intl.NumberFormat(language)
  addFacts(
    { name: 'letters', value: numbers.format(heads.length) },
    { name: 'firstDate', value: bound('min') },
    { name: 'lastDate', value: bound('max') },
  )
  if (heads.length >= mostLetters) note(say.letter.listCut(numbers.format(mostLetters)))
}

/** The list of a mailbox, in an order that can be changed. */
const drawList = (content: Content, mailbox: Mailbox, stage: Stage) => {
  const { stands, say, language, signal } = stage
  const order = new LetterOrder()
  const place = known.get(content)
  const showOrder = (chosen: 'file' | 'threads') =>
    stands({
      choices: [
        {
          name: 'order',
          values: [
            { value: 'file', label: say.letter.asKept },
            { value: 'threads', label: say.letter.asThreads },
          ],
          chosen,
        },
      ],
    })
  const list = drawLetterList({
    rowCount: mailbox.count,
    rows: (from, to) =>
      Promise.resolve(
        Array.from({ length: Math.min(to, mailbox.count) - from }, (_, offset) => {
          const { index, depth } = order.letterIn(from + offset)
          const { date = NaN, from: sender = '', subject = '' } = mailbox.heads[index] ?? {}
          return { date, from: sender, subject, depth }
        }),
      ),
    letter: async (row) => {
      const { from, to } = mailbox.placeOf(order.letterIn(row).index)
      if (to - from > mostLetterBytes) throw new TooLarge(content.name)
      return readLetter(await mailbox.bytesOf(order.letterIn(row).index, mostLetterBytes))
    },
    onShow: (row) => {
      if (place) place.index = order.letterIn(row).index
    },
    onSort: (column, isDescending) => {
      const heads = mailbox.heads.slice(0, mailbox.count)
      order.set(sortLetters(heads, listColumns[column] ?? 'date', isDescending, language))
      list.table.update({ rowCount: mailbox.count, isOther: true })
      showOrder('file')
    },
    stage,
    signal,
  })
  const choose = (chosen: string) => {
    const index = place?.index ?? 0
    order.set(chosen === 'threads' ? threadsOf(mailbox.heads.slice(0, mailbox.count)) : undefined)
    list.table.update({ rowCount: mailbox.count, isOther: true })
    list.table.goTo(order.rowOf(index))
    showOrder(chosen === 'threads' ? 'threads' : 'file')
  }
  showOrder('file')
  return { list, order, choose }
}

/** A file of letters one after the other: the first are listed while the others are still looked for. */
export const draw: Draw = async (content, stage) => {
  const { root, say, language, stands, signal } = stage
  root.classList.add('filled')
  const { mailbox, index } = known.get(content) ?? { mailbox: new Mailbox(content), index: 0 }
  known.set(content, { mailbox, index })
  const { list, order, choose } = drawList(content, mailbox, stage)
  const line = progressLine()
  root.append(list.element, line.element)
  const numbers = new Intl.NumberFormat(language)
  const scan = mailbox.isScanned ? undefined : mailbox.scan()
  const listed = () => list.table.update({ rowCount: mailbox.count })
  const listOthers = async () => {
    // Whoever opens a mailbox sees a letter before the others are looked for.
    if (mailbox.count > 0) await list.firstShown
    let told = 0
    for await (const read of scan ?? []) {
      if (signal.aborted) return
      if (Date.now() - told < toldEvery) continue
      told = Date.now()
      listed()
      line.say(say.letter.counting(numbers.format(mailbox.count), Math.floor((read / content.bytes) * 100)))
    }
    listed()
    line.say('')
    tellFacts(mailbox, stage)
  }
  await scan?.next()
  listed()
  if (mailbox.count > 0) list.table.goTo(order.rowOf(Math.min(index, mailbox.count - 1)))
  listOthers().catch(reportError)
  const find = finderOf<number>({
    scan: async function* (words, ended) {
      const tell = (percent: number) => line.say(say.letter.searching(percent))
      try {
        yield* lettersWith(mailbox, words, ended, tell)
      } finally {
        line.say('')
      }
    },
    isAhead: (letter) => order.rowOf(letter) >= list.table.chosen().row,
    show: (letter) => list.table.goTo(order.rowOf(letter)),
    mark: list.mark,
    stands,
    signal,
  })
  return {
    find,
    text: () => list.shown()?.text ?? '',
    choose: (_name, value) => choose(value),
  }
}
