import type { Asked, Fact, Shown, SmallPicture, Standing, ToolName, Trouble } from '../../viewer/messages.ts'
import { readTold } from './told.ts'

/** A frame that does not answer for so long is taken away, and what it computes with it. */
const patienceMs = 10_000

export type FrameTrouble = Trouble | 'hung'

/** Who is told of what was done in a frame. */
export interface FrameListener {
  /** Keys that the frame had no use for. */
  pressed?: (key: KeyboardEventInit & { key: string }) => void
  /** A file that the drawn one names, by its path as it is written there. */
  named?: (path: string) => void
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
  read = $state.raw({ bytes: 0, isWhole: false })

  #frame: Window | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #number = 0
  // Nothing is shown of it.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #texts = new Map<number, (text: string) => void>()
  // Nor of these.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  #smalls = new Map<number, (picture: SmallPicture | null) => void>()
  readonly #shown: Shown
  readonly #listener: FrameListener

  constructor(shown: Shown, listener: FrameListener = {}) {
    this.#shown = shown
    this.#listener = listener
  }

  /** Follows a frame from its beginning; the answer ends it. */
  follow(frame: Window): () => void {
    this.#frame = frame
    this.#wait()
    return () => {
      clearTimeout(this.#timer)
      this.#frame = undefined
    }
  }

  /** What a window sent; that of others is passed over. */
  hear({ source, data }: MessageEvent) {
    if (this.#frame === undefined || source !== this.#frame) return
    const told = readTold(data)
    if (!told || this.trouble === 'hung') return
    if (told.told === 'ready') this.#post(this.#shown)
    else if (told.told === 'alive') this.#wait()
    else if (told.told === 'kind') this.#begin(told.kind, told.path)
    else if (told.told === 'facts') this.facts = [...this.facts, ...told.facts].slice(0, 200)
    else if (told.told === 'note') this.notes = [...this.notes, told.note].slice(0, 20)
    else if (told.told === 'standing') this.standing = { ...this.standing, ...told.standing }
    else if (told.told === 'read') this.read = { bytes: told.bytes, isWhole: told.isWhole }
    else if (told.told === 'text') this.#texts.get(told.number)?.(told.text)
    else if (told.told === 'small') this.#smalls.get(told.number)?.(told.picture)
    else if (told.told === 'key') this.#listener.pressed?.(told)
    else if (told.told === 'file') this.#listener.named?.(told.path)
    else if (told.told === 'shown') this.#settle(told.tools)
    else this.#fail(told.trouble, told.detail)
  }

  /** The frame was ended, for what it took. */
  end() {
    clearTimeout(this.#timer)
    this.#frame = undefined
    this.#fail('too large', '')
  }

  act(asked: Extract<Asked, { ask: 'act' }>) {
    this.#post(asked)
  }

  /** All text of the drawing. */
  text(): Promise<string> {
    this.#number += 1
    const number = this.#number
    this.#post({ ask: 'text', number })
    return new Promise((done) => {
      this.#texts.set(number, (text) => {
        this.#texts.delete(number)
        done(text)
      })
    })
  }

  /** The drawing as a picture, on the longer side no longer than this; null where it is none. */
  small(side: number): Promise<SmallPicture | null> {
    this.#number += 1
    const number = this.#number
    this.#post({ ask: 'small', number, side })
    return new Promise((done) => {
      this.#smalls.set(number, (picture) => {
        this.#smalls.delete(number)
        // What is larger than was asked for is nothing that was asked for.
        done(picture && Math.max(picture.width, picture.height) <= side ? picture : null)
      })
    })
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
        this.#frame = undefined
      }, patienceMs / 2)
    }, patienceMs / 2)
  }
}
