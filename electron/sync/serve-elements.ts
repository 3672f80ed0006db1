import { parentPort, workerData } from 'node:worker_threads'
import { continueElements, SplitError } from '../archive-client/split-array.ts'
import { listOf } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { readNew, withoutRaw } from '../store/new-element.ts'
import type { NewElement } from '../store/row-table.ts'
import type { ElementAnswer, ElementTask } from './element-thread.ts'

const answer = (what: ElementAnswer) => parentPort?.postMessage(what)

/** What is no array of JSON is said as an answer: an error would lose its kind on the way. */
const answering = (work: () => void) => {
  try {
    work()
  } catch (error) {
    if (!(error instanceof SplitError)) throw error
    answer({ kind: 'not an array', trouble: error.trouble, excerpt: error.excerpt })
  }
}

/**
 * Reads the elements of one body block by block, as the script of a thread.
 * @param dialects those that archives may speak
 */
export const serveElements = (dialects: Dialects) => {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- element-thread.ts gives it
  const { dialect, subject, from, count } = workerData as ElementTask
  const list = listOf(dialects.named(dialect), subject)
  if (!list) throw new Error(`${dialect} has no list of ${subject}`)
  let position = from
  let elements: NewElement[] = []
  const body = continueElements(count, {
    take: (element) => {
      elements.push(withoutRaw(readNew(element, position, list.read)))
      position += 1
    },
  })
  parentPort?.on('message', (block: Uint8Array<ArrayBuffer> | null) =>
    answering(() => {
      if (block) body.take(Buffer.from(block.buffer))
      else body.end()
      answer({ kind: 'read', elements })
      elements = []
      if (!block) answer({ kind: 'over' })
    }),
  )
}
