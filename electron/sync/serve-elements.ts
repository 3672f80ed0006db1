import { parentPort } from 'node:worker_threads'
import { dataOfThread } from '../common/worker-data.ts'
import { continueElements, SplitError } from '../archive-client/split-array.ts'
import { listOf } from '../dialects/dialect.ts'
import { Failed } from '../contract/failure.ts'
import type { Subject } from '../contract/subjects.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { openBundle } from '../store/bundles.ts'
import { openCacheFile } from '../store/cache.ts'
import { elementCursor } from '../store/element-cursor.ts'
import { openForesight } from '../store/foresight.ts'
import { openElementLookup } from '../store/held-elements.ts'
import { readNew, withoutRaw } from '../store/new-element.ts'
import type { NewElement } from '../store/row-table.ts'
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

/** The held elements of a list, from where the task says. */
const openHeld = (file: string, subject: Subject, place: number) => {
  const database = openCacheFile(file)
  const cursor = elementCursor(database, subject)
  cursor.seek({ place })
  const { beginningWith } = openElementLookup(database, subject)
  return {
    cursor,
    foresight: openForesight(cursor),
    /** The held element that a new one takes the place of was expected in its place: the next one follows. */
    passOver: ({ rows: [row] }: NewElement) => {
      const known = row && beginningWith(String(row.model.id))
      if (known) cursor.seek(known)
    },
    close: () => database.close(),
  }
}

/** Reads the elements of a body from where the task says. */
const openBody = (dialects: Dialects, task: ElementTask) => {
  const list = listOf(dialects.named(task.dialect), task.subject)
  if (!list) throw new Error(`${task.dialect} has no list of ${task.subject}`)
  const held = task.place === null ? undefined : openHeld(task.file, task.subject, task.place)
  let position = task.position
  let elements: (NewElement | number)[] = []
  let bundle = openBundle()
  const readOne = (element: Buffer): NewElement | number => {
    const known = held?.foresight.of(element)
    if (known) {
      held?.cursor.seek(known)
      return known.number
    }
    const read = withoutRaw(readNew(element, position, list.read), () => bundle.add(element))
    held?.passOver(read)
    return read
  }
  const body = continueElements(task.count, {
    ...(held ? { foresee: held.foresight.foresee } : {}),
    take: (element) => {
      elements.push(readOne(element))
      position += 1
    },
  })
  /** The block that is looked at once more with the next one. */
  let last: number | undefined
  const answerRead = () => {
    bundle.close()
    answer({ kind: 'read', elements, free: last })
    elements = []
    bundle = openBundle()
  }
  return {
    take: (block: number, bytes: Buffer) => {
      body.take(bytes)
      answerRead()
      last = block
    },
    end: () => {
      body.end()
      answerRead()
      held?.close()
      answer({ kind: 'over' })
    },
    /** Leaves it in the middle. */
    leave: () => held?.close(),
  }
}

/**
 * Reads the elements of bodies, block by block, as the script of a thread.
 * @param dialects those that archives may speak
 */
export const serveElements = (dialects: Dialects) => {
  const memory = dataOfThread<SharedArrayBuffer>()
  let body: ReturnType<typeof openBody> | undefined
  parentPort?.on('message', (request: ElementRequest) =>
    answering(() => {
      if (request.kind === 'leave') {
        body?.leave()
        process.exit()
      }
      if (request.kind === 'begin') body = openBody(dialects, request)
      else if (request.kind === 'end') {
        body?.end()
        body = undefined
      } else body?.take(request.block, Buffer.from(memory, request.block * blockBytes, request.length))
    }),
  )
}
