import type { ViewerWords } from '../language/viewer.en.ts'
import type { Content } from './content.ts'
import type { ChoiceName, Fact, SmallPicture, Standing, Trouble, View } from './messages.ts'

/** How a file begins, by which kinds are told apart. */
export interface Beginning {
  /** In lower case, without its dot; empty where the name has none. */
  extension: string
  /** At most 4 KiB. */
  bytes: Uint8Array
  /** The same, a character a byte. */
  text: string
}

/** Where and how a file is drawn. */
export interface Stage {
  /** Empty at the beginning; whatever is drawn goes into it. */
  root: HTMLElement
  language: 'en' | 'sv'
  say: ViewerWords
  /** Adds lines beside the drawing; an empty value is left out, a long one is cut. */
  addFacts: (...facts: Fact[]) => void
  /** Says a sentence above the drawing: what of the file is not shown, and why. */
  note: (sentence: string) => void
  /** Shows a file that lies in this one, in its place, with a way back. */
  open: (inside: Content) => void
  /**
   * Asks the page to open a file of the same package, by the path under which this one names it; undefined
   * for what lies in another file, whose paths are none of the package.
   */
  openNamed: ((path: string) => void) | undefined
  /** Tells the page how the drawing stands now. */
  stands: (standing: Standing) => void
  /** Over once another file is shown. */
  signal: AbortSignal
}

/** How far a recording was played, in seconds, and how it is heard. */
export type Played = Pick<HTMLMediaElement, 'currentTime' | 'paused' | 'playbackRate' | 'volume'>

/** What can be done with a drawing. What a kind does not offer has no tool on the page. */
export interface Controls {
  zoom?: (to: 'in' | 'out' | 'fit' | 'whole') => void
  rotate?: () => void
  /** @param percent 100 is as it is */
  brightness?: (percent: number) => void
  goToPage?: (number: number) => void
  /** Goes to the next place; tells how many there are by `stands`. */
  find?: (text: string, isBackwards: boolean) => Promise<void> | void
  /** All text of it. */
  text?: () => Promise<string> | string
  /**
   * A page as a picture, as it is turned, on the longer side no longer than this; the one that is looked at
   * where no number is said.
   */
  small?: (side: number, page?: number) => Promise<SmallPicture>
  /** Shows the same part as another drawing beside it does. */
  move?: (view: View) => void
  played?: () => Played
  /** Plays on from where the same recording was. */
  playOn?: (played: Played) => void
  choose?: (name: ChoiceName, value: string) => Promise<void> | void
}

export type Draw = (content: Content, stage: Stage) => Promise<Controls | undefined>

/** A kind of file that can be drawn. */
export interface Kind {
  /** As in `kinds` of the dictionary. */
  name: keyof ViewerWords['kinds']
  matches: (beginning: Beginning, content: Content) => boolean
  load: () => Promise<{ draw: Draw }>
}

/** The file cannot be drawn, for a reason of its own. */
export class Undrawable extends Error {
  readonly trouble: Exclude<Trouble, 'unreachable'>
  constructor(trouble: Exclude<Trouble, 'unreachable'>, detail = '') {
    super(detail)
    this.trouble = trouble
  }
}
