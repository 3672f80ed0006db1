import { parentPort } from 'node:worker_threads'
import { continueElements, SplitError } from '../archive-client/split-array.ts'
import { listOf } from '../dialects/dialect.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { readNew, withoutRaw } from '../store/new-element.ts'
import type { NewElement } from '../store/row-table.ts'
import type { ElementAnswer, ElementRequest, ElementTask } from './element-thread.ts'

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

/** Reads the elements of a body from where the task says. */
const openBody = (dialects: Dialects, { dialect, subject, from, count }: ElementTask) => {
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
  const answerRead = () => {
    answer({ kind: 'read', elements })
    elements = []
  }
  return {
    take: (block: Uint8Array<ArrayBuffer>) => {
      body.take(Buffer.from(block.buffer))
      answerRead()
    },
    end: () => {
      body.end()
      answerRead()
      answer({ kind: 'over' })
    },
  }
}

/**
 * Reads the elements of bodies, block by block, as the script of a thread.
 * @param dialects those that archives may speak
 */
export const serveElements = (dialects: Dialects) => {
  let body: ReturnType<typeof openBody> | undefined
  parentPort?.on('message', (request: ElementRequest) =>
    answering(() => {
      if (request === 'end') body?.end()
      else if (request instanceof Uint8Array) body?.take(request)
      else body = openBody(dialects, request)
    }),
  )
}
