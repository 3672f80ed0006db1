import './flow.css'
import type { Stage } from '../kind.ts'
import { finderOf } from './finder.ts'
import { markRanges, rangesOf, revealRange } from './marked-ranges.ts'

/** Finds words in a document that stands in the frame as a whole, and marks them. */
export const findInFlow = (flow: HTMLElement, stage: Stage, signal: AbortSignal) => {
  let all: Range[] = []
  return finderOf<Range>({
    // eslint-disable-next-line @typescript-eslint/require-await -- as others, which read
    scan: async function* () {
      yield all
    },
    isAhead: (range) => range.getBoundingClientRect().bottom > 0,
    show: (range) => {
      markRanges(all, range)
      revealRange(range)
    },
    mark: (words) => {
      all = rangesOf(flow, words)
      markRanges(all)
    },
    stands: (standing) => stage.stands(standing),
    signal,
  })
}
