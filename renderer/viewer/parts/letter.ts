import './letter.css'
import './virtual-rows.css'
import { element } from '../element.ts'
import type { Content } from '../content.ts'
import { cleanHtml, textOfHtml, wordsOfHtml, type CleanHtml } from '../formats/letter-html.ts'
import type { Letter } from '../formats/letter.ts'
import type { Stage } from '../kind.ts'
import { markedText, markIn, markStyle } from './marked-text.ts'
import { sizeText } from './size-text.ts'

type Drawing = Pick<Stage, 'say' | 'language'> & { open: (inside: Content) => void }

/** A letter as it is drawn. */
export interface DrawnLetter {
  element: HTMLElement
  text: string
  /** Pictures that lie elsewhere, and that are not shown. */
  remote: number
  /**
   * Marks words and shows one place where they stand.
   * @param place counted from 0
   * @returns how many places there are
   */
  mark: (words: string, place: number) => number
}

/** Nothing is fetched by it and nothing in it runs, even if cleaning it had missed something. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
const ground = `
body { margin: 20px 24px 32px; font: 15px/1.5 'Noto Sans', 'Segoe UI', sans-serif; color: #1a1d21;
  overflow-wrap: anywhere }
img { max-width: 100%; height: auto }
.letter-link { text-decoration: underline dotted }
${markStyle}`

const pageOf = (body: DocumentFragment, language: string) =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
  `<meta http-equiv="Content-Security-Policy" content="${policy}"><title></title>` +
  `<style>${ground}</style></head><body>${element('div', {}, body).innerHTML}</body></html>`

const drawHtml = ({ body }: CleanHtml, name: string, language: string) => {
  const frame = element('iframe', { sandbox: '', title: name, referrerpolicy: 'no-referrer' })
  frame.srcdoc = pageOf(fragmentOf(body), language)
  const mark = (words: string, place: number) => {
    const marked = fragmentOf(body)
    const count = markIn(marked, words, place)
    frame.srcdoc = pageOf(marked, language)
    return count
  }
  return { frame, mark }
}
const fragmentOf = (body: DocumentFragment) => document.importNode(body, true)

const drawText = (text: string) => {
  const made = element('div', { class: 'text' }, text)
  const mark = (words: string, place: number) => {
    made.replaceChildren(...markedText(text, words))
    return showMark([...made.querySelectorAll('mark')], place)
  }
  return { made, mark }
}

/** @returns how many places there are */
const showMark = (marks: readonly HTMLElement[], place: number) => {
  const shown = marks[place]
  shown?.classList.add('shown')
  shown?.scrollIntoView({ block: 'center' })
  return marks.length
}

/** What stands in the head of a letter, each part by itself: who wrote it, about what, what is enclosed. */
class Head {
  readonly #parts: { made: HTMLElement; text: string }[] = []

  /** An element of the head that is searched. */
  part<Name extends 'h1' | 'dd' | 'bdi'>(name: Name, text: string) {
    const made = element(name, {}, text)
    this.#parts.push({ made, text })
    return made
  }

  mark(words: string, place: number) {
    for (const { made, text } of this.#parts) made.replaceChildren(...markedText(text, words))
    return showMark(
      this.#parts.flatMap(({ made }) => [...made.querySelectorAll('mark')]),
      place,
    )
  }

  /** Marks here, and then in what the letter says. */
  before(mark: DrawnLetter['mark']): DrawnLetter['mark'] {
    return (words, place) => {
      const inHead = this.mark(words, place)
      return inHead + mark(words, place < inHead ? -1 : place - inHead)
    }
  }
}

const drawAttachments = (attachments: readonly Content[], head: Head, { say, language, open }: Drawing) => {
  const list = element('ul', { class: 'attachments', 'aria-label': say.letter.attachments })
  for (const attachment of attachments) {
    const size = element('span', {}, sizeText(attachment.bytes, language))
    const button = element('button', { type: 'button' }, head.part('bdi', attachment.name), size)
    button.addEventListener('click', () => open(attachment))
    list.append(element('li', {}, button))
  }
  return list
}

/** When a letter was sent, in words of the reader; as it is written where it is no date. */
export const dateText = (date: string | number, language: string) => {
  const time = new Date(date)
  if (Number.isNaN(time.getTime())) return typeof date === 'string' ? date : ''
  return time.toLocaleString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
}

/** Draws a letter: who wrote it to whom, when, about what; what is enclosed; and what it says. */
export const drawLetter = (letter: Letter, drawing: Drawing): DrawnLetter => {
  const { say, language } = drawing
  const lines: [string, string][] = [
    [say.letter.from, letter.from],
    [say.letter.to, letter.to],
    [say.letter.cc, letter.cc],
    [say.letter.bcc, letter.bcc],
    [say.letter.date, dateText(letter.date, language) || say.letter.noDate],
  ]
  const head = new Head()
  const subject = letter.subject || say.letter.noSubject
  // That there is none is said by the program, not by the letter.
  const title = letter.subject === '' ? element('h1', {}, subject) : head.part('h1', subject)
  const list = element('dl')
  for (const [name, value] of lines)
    if (value !== '') list.append(element('dt', {}, name), head.part('dd', value))
  const header = element('header', {}, title, list)
  if (letter.attachments.length > 0) header.append(drawAttachments(letter.attachments, head, drawing))
  const clean = letter.html === '' ? undefined : cleanHtml(letter.html, letter.pictures)
  const isLeftOut = letter.html !== '' && !clean
  const text = letter.text || (clean ? textOfHtml(clean.body) : isLeftOut ? wordsOfHtml(letter.html) : '')
  const whole = [subject, ...lines.map((line) => line.join(': ')), '', text].join('\n')
  const made = element('article', { class: 'letter', 'aria-label': subject, tabindex: '0' }, header)
  if (clean) {
    const { frame, mark } = drawHtml(clean, say.letter.body, language)
    made.append(frame)
    return { element: made, text: whole, remote: clean.remote, mark: head.before(mark) }
  }
  if (isLeftOut) header.append(element('p', { class: 'left-out' }, say.letter.wordsAlone))
  const plain = drawText(text)
  made.append(plain.made)
  return { element: made, text: whole, remote: 0, mark: head.before(plain.mark) }
}
