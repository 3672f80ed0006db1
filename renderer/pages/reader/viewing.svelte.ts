import type { Asked, Fact, Shown, SmallPicture, Standing, ToolName, Trouble } from '../../viewer/messages.ts'
import { readFrameMessage } from './frame-messages.ts'

/** A frame that does not answer for so long is taken away, and what it computes with it. */
const patienceMs = 10_000

export type FrameTrouble = Trouble | 'hung'

/** Who waits for an answer, by the number of the question. */
type Waiting<Answer> = Map<number, (answer: Answer | null) => void>

/** Who is told of what was done in a frame. */
export interface FrameListener {
  /** Keys that the frame had no use for. */
  pressed?: (key: KeyboardEventInit & { key: string }) => void
  /** A file that the drawn one names, by its path as it is written there. */
  named?: (path: string) => void
  /** Every byte of the file was read. */
  readWhole?: () => void
}

/**
 * A file that a frame draws: what the frame told of it, and what can be asked of it. The frame may be made
 * to say anything by what it draws, so everything is read by a schema, and it is asked again and again
 * whether it still answers.
 */
export class Viewing {
  kind = $state.raw<string>()
  /** Names of the files in the file, one in the other, that were gone into. */
  inside = $state.raw<string[]>([])
  tools = $state.raw<readonly ToolName[]>([])
  facts = $state.raw<Fact[]>([])
  notes = $state.raw<string[]>([])
  standing = $state.raw<Standing>({})
  trouble = $state.raw<FrameTrouble>()
  detail = $state.raw('')
  isDrawing = $state.raw(true)
  /** Nothing was told of the file for long, though it is not drawn yet. */
  isSilent = $state.raw(false)
  read = $state.raw({ bytes: 0, isWhole: false })

  #frame: Window | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #number = 0
  // Nothing is shown of it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #texts: Waiting<string> = new Map()
  // Nor of these.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #smalls: Waiting<SmallPicture> = new Map()
  #shown: Shown | undefined
  #isReady = false
  readonly #listener: FrameListener

  constructor(listener: FrameListener = {}) {
    this.#listener = listener
  }

  /** Has the frame draw a file: at once, or as soon as it is loaded. */
  show(shown: Shown) {
    this.#shown = shown
    if (this.#isReady) this.#ask(shown)
  }

  /** Has the file drawn in another language, where it is not drawn in that already. */
  speak(language: Shown['language']) {
    if (!this.#shown || this.#shown.language === language) return
    this.#shown = { ...this.#shown, language }
    if (this.#isReady) this.#post({ ask: 'language', language })
  }

  /** Follows a frame from its beginning; the answer ends it. */
  follow(frame: Window): () => void {
    this.#frame = frame
    this.#wait()
    return () => this.#leave()
  }

  /** What a window sent; that of others is passed over. */
  hear({ source, data }: MessageEvent) {
    if (this.#frame === undefined || source !== this.#frame) return
    const told = readFrameMessage(data)
    if (!told || this.trouble === 'hung') return
    if (told.told !== 'alive') this.#listen()
    if (told.told === 'ready') this.#begun()
    else if (told.told === 'alive') this.#answered()
    else if (told.told === 'kind') this.#begin(told.kind, told.path)
    else if (told.told === 'facts') this.facts = [...this.facts, ...told.facts].slice(0, 200)
    else if (told.told === 'note') this.#note(told.note)
    else if (told.told === 'standing') this.standing = { ...this.standing, ...told.standing }
    else if (told.told === 'read') this.#reached(told)
    else if (told.told === 'text') this.#texts.get(told.number)?.(told.text)
    else if (told.told === 'small') this.#smalls.get(told.number)?.(told.picture)
    else if (told.told === 'key') this.#listener.pressed?.(told)
    else if (told.told === 'file') this.#listener.named?.(told.path)
    else if (told.told === 'shown') this.#settle(told.tools)
    else this.#fail(told.trouble, told.detail)
  }

  /** The frame was ended, for what it took. */
  end() {
    this.#leave()
    this.#fail('too large', '')
  }

  act(asked: Extract<Asked, { ask: 'act' }>) {
    this.#post(asked)
  }

  /** All text of the drawing; null where the frame cannot give it, or gives nothing any more. */
  text(): Promise<string | null> {
    return this.#question((number) => ({ ask: 'text', number }), this.#texts)
  }

  /**
   * The drawing as a picture, on the longer side no longer than this; null where it is none.
   * @param page from 1; the one that is looked at where it is left out
   */
  async small(side: number, page?: number): Promise<SmallPicture | null> {
    const picture = await this.#question((number) => ({ ask: 'small', number, side, page }), this.#smalls)
    // What is larger than was asked for is nothing that was asked for.
    return picture && Math.max(picture.width, picture.height) <= side ? picture : null
  }

  #question<Answer>(asked: (number: number) => Asked, waiting: Waiting<Answer>): Promise<Answer | null> {
    if (this.#frame === undefined) return Promise.resolve(null)
    this.#number += 1
    const number = this.#number
    const { promise, resolve } = Promise.withResolvers<Answer | null>()
    waiting.set(number, resolve)
    this.#post(asked(number))
    return promise.finally(() => waiting.delete(number))
  }

  /** Nothing is answered any more. */
  #leave() {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#frame = undefined
    this.#giveUp()
  }

  #giveUp() {
    for (const answer of [...this.#texts.values(), ...this.#smalls.values()]) answer(null)
  }

  #note(note: string) {
    if (!this.notes.includes(note)) this.notes = [...this.notes, note].slice(0, 20)
  }

  #reached({ bytes, isWhole }: { bytes: number; isWhole: boolean }) {
    const isFirst = isWhole && !this.read.isWhole
    this.read = { bytes, isWhole }
    if (isFirst) this.#listener.readWhole?.()
  }

  #begun() {
    // It says so once in its life: one that begins again has lost what it drew.
    if (this.#isReady) return this.#fail('broken', 'The frame began again.')
    this.#isReady = true
    if (this.#shown) this.#ask(this.#shown)
  }

  /** One that answers can draw, though nobody heard that it had begun. */
  #answered() {
    this.#wait()
    if (!this.#isReady) this.#begun()
  }

  #ask(shown: Shown) {
    this.#post(shown)
    this.#listen()
  }

  /** Whoever waits is told once nothing was heard of the file for long. */
  #listen() {
    clearTimeout(this.#silence)
    this.isSilent = false
    this.#silence = setTimeout(
      () => (this.isSilent = this.isDrawing && this.#shown !== undefined),
      patienceMs,
    )
  }

  #begin(kind: string, path: string[]) {
    this.kind = kind
    this.inside = path
    this.tools = []
    this.facts = []
    this.notes = []
    this.standing = {}
    this.trouble = undefined
    this.isDrawing = true
  }

  #settle(tools: readonly ToolName[]) {
    this.tools = tools
    this.isDrawing = false
  }

  #fail(trouble: Trouble, detail: string) {
    this.trouble = trouble
    this.detail = detail.slice(0, 500)
    this.isDrawing = false
    this.isSilent = false
    this.#giveUp()
  }

  #post(asked: Asked) {
    // A frame without an origin can be addressed by no other name.
    this.#frame?.postMessage(asked, '*')
  }

  /** Asks whether the frame still answers, and again when it did. */
  #wait() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#number += 1
      this.#post({ ask: 'alive', number: this.#number })
      this.#timer = setTimeout(() => {
        this.trouble = 'hung'
        this.isDrawing = false
        this.#leave()
      }, patienceMs / 2)
    }, patienceMs / 2)
  }
}

/** Whether words can be found in a file, or perhaps: nobody knows before it is drawn. */
export const mayFindIn = ({ isDrawing, tools }: Viewing): boolean => isDrawing || tools.includes('find')
