import { entryIn } from '../../../electron/common/records.ts'
import './text-view.css'
import { element } from '../element.ts'
import type { Lines, Line } from '../formats/lines.ts'
import { markedText } from './marked-text.ts'

const lineHeight = 20
/** What is scrolled through by share stands for the whole file. */
const spacePixels = 4_000_000

interface Options {
  lines: Lines
  bytes: number
  name: string
  /** Told which share of the file lies before what is seen. */
  moved: (share: number) => void
  signal: AbortSignal
}

/**
 * Lines of a text of any length. The scroll bar goes to a share of the file and the wheel from line to line,
 * so that its end is seen as soon as its beginning.
 */
export class TextView {
  readonly element: HTMLElement
  readonly #options: Options
  readonly #pre = element('pre')
  readonly #space = element('div')
  #seen: Line[] = []
  #words = ''
  #scrolledTo = 0
  #turned = 0
  /** Movements are done one after the other; of those to a share, the last one counts. */
  #work: Promise<void> = Promise.resolve()
  #wanted: number | undefined

  constructor(options: Options) {
    this.#options = options
    this.element = element('div', {
      class: 'text-view',
      tabindex: '0',
      role: 'document',
      'aria-label': options.name,
    })
    this.element.append(this.#pre, this.#space)
    this.element.addEventListener('scroll', () => this.#scrolled())
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false })
    this.element.addEventListener('keydown', (event) => this.#key(event))
    const observer = new ResizeObserver(() => {
      this.#pre.style.height = `${this.element.clientHeight}px`
      this.#space.style.height = `${spacePixels}px`
      this.goTo(this.from)
    })
    observer.observe(this.element)
    options.signal.addEventListener('abort', () => observer.disconnect())
  }

  /** Where the first line that is seen begins. */
  get from() {
    return this.#seen[0]?.from ?? this.#options.lines.first
  }

  /** Goes to where a line begins, or into the middle of one. Near the end the last line stays below. */
  goTo(place: number) {
    this.#queue(async () => {
      const { lines } = this.#options
      const from = await lines.lineAt(place)
      await this.#showFrom(from)
    })
  }

  mark(words: string) {
    this.#words = words
    this.#draw()
  }

  get #count() {
    return Math.max(1, Math.floor((this.element.clientHeight - 16) / lineHeight))
  }

  #queue(task: () => Promise<void>) {
    this.#work = this.#work.then(task).catch((error: unknown) => {
      if (!this.#options.signal.aborted) reportError(error)
    })
  }

  async #showFrom(from: number) {
    const { lines } = this.#options
    const after = await lines.after(from, this.#count)
    const missing = this.#count - after.length
    const before = missing > 0 ? await lines.before(from, missing) : []
    this.#seen = [...before, ...after]
    this.#draw()
  }

  #moveBy(count: number) {
    this.#queue(async () => {
      const { lines } = this.#options
      if (count > 0) {
        const passed = await lines.after(this.from, count + this.#count)
        const next = passed[Math.max(0, Math.min(count, passed.length - this.#count))]
        if (next) await this.#showFrom(next.from)
      } else {
        const [first] = await lines.before(this.from, -count)
        if (first) await this.#showFrom(first.from)
      }
    })
  }

  #draw() {
    const { bytes, lines, moved } = this.#options
    const inside = this.#seen.flatMap(({ text }) => [...markedText(text, this.#words), '\n'])
    this.#pre.replaceChildren(...inside)
    const last = this.#seen.at(-1)
    const isEnd = last !== undefined && last.to >= bytes
    const share = isEnd && this.from > lines.first ? 1 : this.from / Math.max(1, bytes)
    this.element.scrollTop = share * (this.element.scrollHeight - this.element.clientHeight)
    this.#scrolledTo = this.element.scrollTop
    moved(share)
  }

  #scrolled() {
    if (this.element.scrollTop === this.#scrolledTo) return
    this.#scrolledTo = this.element.scrollTop
    const share = this.#scrolledTo / Math.max(1, this.element.scrollHeight - this.element.clientHeight)
    const isWaiting = this.#wanted !== undefined
    this.#wanted = share * this.#options.bytes
    if (isWaiting) return
    this.#queue(async () => {
      const wanted = this.#wanted ?? 0
      this.#wanted = undefined
      await this.#showFrom(await this.#options.lines.lineAt(wanted))
    })
  }

  #wheel(event: WheelEvent) {
    if (event.deltaY === 0 || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    this.#turned += event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 1 : lineHeight)
    const whole = Math.trunc(this.#turned)
    this.#turned -= whole
    if (whole !== 0) this.#moveBy(whole)
  }

  #key(event: KeyboardEvent) {
    if (event.altKey || event.shiftKey) return
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.#moveBy(1),
      ArrowUp: () => this.#moveBy(-1),
      PageDown: () => this.#moveBy(this.#count - 1),
      PageUp: () => this.#moveBy(1 - this.#count),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.#options.bytes),
    }
    const move = entryIn(moves, event.key)
    if (!move) return
    event.preventDefault()
    move()
  }
}
