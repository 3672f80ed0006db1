/** A file that the viewer is to draw, and what surrounds it. */
export interface Shown {
  ask: 'show'
  /** Where its bytes are. */
  address: string
  name: string
  bytes: number
  language: 'en' | 'sv'
  /** The colour of the archive that it is of, as the page around it has it; empty for none. */
  accent: string
  /** Words that somebody searched for: the drawing goes to the first place where they stand. */
  looked: string
}

/** What can be done with a drawing. Those that a kind offers are told with `shown`. */
export const toolNames = ['zoom', 'rotate', 'brightness', 'pages', 'find', 'text', 'view', 'picture'] as const
export type ToolName = (typeof toolNames)[number]

/** The part of a drawing that is seen: the middle of it, as shares of its width and height, and its zoom. */
export interface View {
  x: number
  y: number
  /** Screen pixels for each pixel of the drawing. */
  zoom: number
}

/** Something of which one is chosen: the encoding of a text, the sheet of a workbook, a table. */
export interface Choice {
  name: ChoiceName
  values: { value: string; label: string }[]
  chosen: string
}
export const choiceNames = ['encoding', 'sheet', 'table', 'layer', 'order'] as const
export type ChoiceName = (typeof choiceNames)[number]

/** What the page asks of a drawing. */
export type Act =
  | { act: 'zoom'; to: 'in' | 'out' | 'fit' | 'whole' }
  | { act: 'rotate' }
  | { act: 'brightness'; percent: number }
  | { act: 'page'; number: number }
  | { act: 'find'; text: string; isBackwards: boolean }
  | { act: 'view'; view: View }
  | { act: 'choose'; name: ChoiceName; value: string }
  | { act: 'back' }

/** What the page says to the frame. */
export type Asked =
  | Shown
  /** The page speaks another language now: what is drawn is drawn in it, at the place where it stands. */
  | { ask: 'language'; language: Shown['language'] }
  | ({ ask: 'act' } & Act)
  /** All text of the drawing, to be copied. */
  | { ask: 'text'; number: number }
  /**
   * The drawing as a picture whose longer side is no longer than this: of several pages the one that is
   * looked at, or another, from 1.
   */
  | { ask: 'small'; number: number; side: number; page?: number | undefined }
  /** Whether the frame still answers. */
  | { ask: 'alive'; number: number }

/** A line beside the drawing: what a file says of itself, under a name of the dictionary. */
export interface Fact {
  name: string
  value: string
}

/** How a drawing stands: what of it is seen. */
export interface Standing {
  zoom?: number
  page?: { number: number; of: number }
  /**
   * Which place that was looked for is shown, of how many; null while they are still looked for.
   * `isIncomplete`: some of the file could not be looked through.
   */
  found?: { number: number; of: number | null; isIncomplete: boolean }
  view?: View
  choices?: Choice[]
}

/** Why nothing is drawn. */
export const troubles = ['broken', 'too complex', 'too large', 'protected', 'unreachable'] as const
export type Trouble = (typeof troubles)[number]

/** A drawing as a small picture: its pixels, four bytes each, since a page decodes nothing foreign. */
export interface SmallPicture {
  width: number
  height: number
  pixels: Uint8ClampedArray<ArrayBuffer>
}
/** On the longer side at most. */
export const smallSide = 240
/** The same of a picture for paper: some 250 dots an inch on A4. */
export const printedSide = 2_000

/** Signs of one line beside a drawing at most: longer ones are cut. */
export const longestLine = 2_000
/** Signs of a drawing’s text at most: more is not copied. */
export const longestText = 20_000_000

/** What the frame tells the page. All of it is foreign to the page, which reads it by a schema. */
export type FrameMessage =
  | { told: 'ready' }
  | { told: 'alive'; number: number }
  | { told: 'kind'; kind: string; path: string[] }
  | { told: 'shown'; tools: ToolName[] }
  | { told: 'trouble'; trouble: Trouble; detail: string }
  | { told: 'facts'; facts: Fact[] }
  | { told: 'note'; note: string }
  | { told: 'standing'; standing: Standing }
  /** Null where it cannot be read, or is longer than `longestText`. */
  | { told: 'text'; number: number; text: string | null }
  /** Somebody pressed a link to a file that this one names: a path, as it is written in it. */
  | { told: 'file'; path: string }
  /** Null where the drawing is no picture. */
  | { told: 'small'; number: number; picture: SmallPicture | null }
  /** A key that was pressed in the frame and that nothing in it took. */
  | {
      told: 'key'
      key: string
      altKey: boolean
      ctrlKey: boolean
      metaKey: boolean
      shiftKey: boolean
    }
  /** Bytes were read: `isWhole` once every byte of the file was. */
  | { told: 'read'; bytes: number; isWhole: boolean }
