import { readWhole, type Content } from '../content.ts'
import { element } from '../element.ts'
import { encodingNamed, guessEncoding, markBytes, type Encoding } from '../formats/encodings.ts'
import { Lines, withLineFeeds } from '../formats/lines.ts'
import type { Draw, Stage } from '../kind.ts'
import { encodingChoice } from '../parts/encoding-choice.ts'
import { finderOf } from '../parts/finder.ts'
import { findInFlow } from '../parts/flow.ts'
import { progressLine } from '../parts/progress.ts'
import { TextView } from '../parts/text-view.ts'

/** A text up to here stands in the frame as a whole. */
const mostWhole = 2 * 1024 * 1024
const guessedBytes = 64 * 1024
/** So much is given to be copied at most. */
const mostText = 16 * 1024 * 1024
/** What has no pages is turned by hundredths. */
const parts = 100

type Find = (text: string, isBackwards: boolean) => Promise<void>

/** A letter, a note: read and laid out whole. */
const drawWhole = async (content: Content, encoding: Encoding, stage: Stage, signal: AbortSignal) => {
  const pre = element('pre', { tabindex: '0' })
  pre.textContent = withLineFeeds(encoding.decode(await readWhole(content, mostWhole)))
  stage.root.replaceChildren(pre)
  return { find: findInFlow(pre, stage, signal), goToShare: undefined }
}

/** A log of gigabytes: the lines about a place. */
const drawParts = async (content: Content, encoding: Encoding, stage: Stage, signal: AbortSignal) => {
  const { root, say, stands } = stage
  const lines = new Lines(content, encoding, markBytes(await content.read(0, 4)))
  const line = progressLine()
  const moved = (share: number) =>
    stands({ page: { number: Math.min(parts, Math.round(share * parts) + 1), of: parts } })
  // Where one is stands among the tools from the beginning, so that none of them moves.
  moved(0)
  const view = new TextView({ lines, bytes: content.bytes, name: content.name, moved, signal })
  root.classList.add('filled')
  root.replaceChildren(view.element, line.element)
  const find: Find = finderOf<number>({
    scan: async function* (words, ended) {
      try {
        for await (const { found, to } of lines.search(words, ended)) {
          line.say(say.searching(Math.floor((to / content.bytes) * 100)))
          yield found
        }
      } finally {
        line.say('')
      }
    },
    isAhead: (place) => place >= view.from,
    show: (place) => view.goTo(place),
    mark: (words) => view.mark(words),
    stands,
    signal,
  })
  return { find, goToShare: (share: number) => view.goTo(share * content.bytes) }
}

/** Plain text in any encoding, and of any length. */
export const draw: Draw = async (content, stage) => {
  const isWhole = content.bytes <= mostWhole
  if (content.bytes === 0) stage.note(stage.say.isEmpty)
  let leaving = new AbortController()
  stage.signal.addEventListener('abort', () => leaving.abort())
  const drawAs = async (encoding: Encoding) => {
    leaving.abort()
    leaving = new AbortController()
    const drawn = await (isWhole ? drawWhole : drawParts)(content, encoding, stage, leaving.signal)
    stage.stands({ choices: [encodingChoice(encoding)] })
    return { encoding, find: drawn.find, goToShare: drawn.goToShare }
  }
  let drawn = await drawAs(guessEncoding(await content.read(0, guessedBytes)))
  return {
    ...(isWhole ? {} : { goToPage: (number: number) => drawn.goToShare?.((number - 1) / parts) }),
    find: (text, isBackwards) => drawn.find(text, isBackwards),
    choose: async (_name, value) => {
      drawn = await drawAs(encodingNamed(value))
    },
    text: async () => withLineFeeds(drawn.encoding.decode(await content.read(0, mostText))),
  }
}
