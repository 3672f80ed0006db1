import { parentPort } from 'node:worker_threads'
import { continueElements, SplitError } from '../archive-client/split-array.ts'
import { listOf } from '../dialects/dialect.ts'
import { Failed } from '../contract/failure.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { openBundler } from '../store/cache/bundles.ts'
import { readNew, withTextsLaid } from '../store/reading/new-element.ts'
import type { NewElement } from '../store/cache/row-table.ts'
import { blockBytes, type ElementAnswer, type ElementRequest, type ElementTask } from './element-thread.ts'

const answer = (what: ElementAnswer) => parentPort?.postMessage(what)

/** What fails for a reason is said as an answer: an error would lose its kind on the way. */
const answering = (work: () => void) => {
  try {
    work()
  } catch (error) {
    if (error instanceof SplitError)
      answer({ kind: 'not an array', trouble: error.trouble, excerpt: error.excerpt })
    else if (error instanceof Failed) answer({ kind: 'failed', failure: error.failure })
    else throw error
  }
}

/** Reads the elements of a body from where the task says. */
const openBody = (dialects: Dialects, task: ElementTask) => {
  const list = listOf(dialects.named(task.dialect), task.subject)
  if (!list) throw new Error(`${task.dialect} has no list of ${task.subject}`)
  let position = task.position
  let elements: NewElement[] = []
  const bundler = openBundler()
  const body = continueElements(task.count, {
    take: (element) => {
      elements.push(withTextsLaid(readNew(element, position, list.read), element, bundler.add))
      position += 1
    },
  })
  /** The block that is looked at once more with the next one. */
  let last: number | undefined
  const answerRead = () => {
    bundler.close()
    answer({ kind: 'read', elements, free: last })
    elements = []
  }
  return {
    take: (block: number, length: number) => {
      body.take(Buffer.from(task.memory, block * blockBytes, length))
      answerRead()
      last = block
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
      if (request.kind === 'begin') body = openBody(dialects, request)
      else if (request.kind === 'end') {
        body?.end()
        body = undefined
      } else body?.take(request.block, request.length)
    }),
  )
}
