import { Worker } from 'node:worker_threads'
import { background, toProcess } from '../common/background.ts'
import { SplitError } from '../archive-client/split-array.ts'
import type { ReadApart, Reached } from '../store/element-reader.ts'
import type { NewElement } from '../store/row-table.ts'
import type { Writer } from '../store/writer.ts'
import type { Subject } from '../contract/subjects.ts'

/** Which list the next body is of, and where in it that goes on. */
export interface ElementTask extends Reached {
  kind: 'begin'
  /** The local copy. */
  file: string
  dialect: string
  subject: Subject
}

/** What the thread is sent: the task, then how much of which block to read next, then the end of the body. */
export type ElementRequest = ElementTask | { kind: 'block'; block: number; length: number } | { kind: 'end' }

/** What the thread answers to each block of the body, and to its end. */
export type ElementAnswer =
  /**
   * Of those that are known by their texts, the numbers of the held ones. What is left of a block is looked
   * at once more with the next one: only then it is free.
   */
  | { kind: 'read'; elements: (NewElement | number)[]; free: number | undefined }
  | { kind: 'over' }
  | { kind: 'not an array'; trouble: SplitError['trouble']; excerpt: string }

type Take = Parameters<ReadApart>[2]

/** One block is worth a message. */
export const blockBytes = 256 * 1024
/** So much of the body is on its way through the thread at most. */
const blockCount = 4
/** A thread that rested for so long is ended: nothing stays where nothing happens. */
const longestRestMs = 5_000

/** A thread, and the memory that bodies go to it in. */
interface ElementWorker {
  worker: Worker
  memory: SharedArrayBuffer
}

const post = ({ worker }: ElementWorker, request: ElementRequest) => worker.postMessage(request)

/** What the thread says of one body. */
const hearAnswers = (
  { worker }: ElementWorker,
  take: Take,
  freed: (block: number | undefined) => void,
): { ended: Promise<undefined>; leave: () => void } => {
  const ended = Promise.withResolvers<undefined>()
  // Whoever sends the body waits for it too, but later.
  ended.promise.catch(() => undefined)
  const hear = (answer: ElementAnswer) => {
    if (answer.kind === 'over') return ended.resolve(undefined)
    if (answer.kind === 'not an array')
      return ended.reject(new SplitError(answer.trouble, Buffer.from(answer.excerpt)))
    try {
      for (const element of answer.elements) take(element)
      freed(answer.free)
    } catch (error) {
      ended.reject(error)
    }
  }
  const broke = () => ended.reject(new Error('The thread that reads elements ended without a word.'))
  worker.on('message', hear).on('error', ended.reject).on('exit', broke)
  return {
    ended: ended.promise,
    leave: () => void worker.off('message', hear).off('error', ended.reject).off('exit', broke),
  }
}

/** The blocks that a body goes to the thread in. */
const openBlocks = (thread: ElementWorker, take: Take) => {
  const free = Array.from({ length: blockCount }, (_, block) => block)
  let [unanswered, filled] = [0, 0]
  let heard: () => void = () => undefined
  const { ended, leave } = hearAnswers(thread, take, (block) => {
    unanswered -= 1
    if (block !== undefined) free.push(block)
    heard()
  })
  const send = () => {
    const block = free.shift()
    if (filled === 0 || block === undefined) return
    post(thread, { kind: 'block', block, length: filled })
    unanswered += 1
    filled = 0
  }
  return {
    ended,
    leave,
    send,
    isIdle: () => unanswered === 0,
    /** @throws what ended the thread, or whoever takes its elements */
    add: async (part: Buffer) => {
      for (let at = 0; at < part.length;) {
        while (free[0] === undefined)
          await Promise.race([new Promise<void>((resolve) => (heard = resolve)), ended])
        const more = part.subarray(at, at + blockBytes - filled)
        new Uint8Array(thread.memory, free[0] * blockBytes + filled).set(more)
        at += more.length
        filled += more.length
        if (filled === blockBytes) send()
      }
    },
  }
}

/** Sends a body through a thread. */
const sendBody = async (
  thread: ElementWorker,
  task: ElementTask,
  rest: AsyncIterable<Buffer>,
  take: Take,
) => {
  const { ended, leave, send, isIdle, add } = openBlocks(thread, take)
  try {
    post(thread, task)
    for await (const part of rest) {
      await add(part)
      // While little comes, it is seen as it comes.
      if (isIdle()) send()
    }
    send()
    post(thread, { kind: 'end' })
    await ended
  } finally {
    leave()
  }
}

/** A thread that waits for the next body a while. */
const openRestingThread = (script: URL) => {
  let resting: { thread: ElementWorker; ending: NodeJS.Timeout } | undefined
  const begin = (): ElementWorker => {
    const memory = new SharedArrayBuffer(blockCount * blockBytes)
    const worker = new Worker(script, {
      name: 'reads elements',
      workerData: memory,
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
    })
    // Whoever waits for its word hears that it broke; after that it belongs to nobody.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (resting?.thread.worker !== worker) return
      clearTimeout(resting.ending)
      resting = undefined
    })
    return { worker, memory }
  }
  return {
    take: (): ElementWorker => {
      const known = resting
      resting = undefined
      clearTimeout(known?.ending)
      return known?.thread ?? begin()
    },
    leave: (thread: ElementWorker) => {
      const end = () => {
        resting = undefined
        background(thread.worker.terminate(), toProcess)
      }
      resting = { thread, ending: setTimeout(end, longestRestMs) }
    },
  }
}

/**
 * Reads long bodies in a thread, while their rows are written in this one: one body at a time, since each
 * thread takes its memory.
 * @param script undefined where everything is to be read in this thread
 */
export const openElementThread = (script: URL | undefined) => {
  const threads = script && openRestingThread(script)
  let isBusy = false
  return ({ database, dialect }: Pick<Writer, 'database' | 'dialect'>, subject: Subject): ReadApart =>
    (rest, { position, count, place }, take) => {
      if (isBusy || !threads) return undefined
      isBusy = true
      const thread = threads.take()
      const read = async () => {
        try {
          const file = database.location() ?? ''
          const { name } = dialect
          const task: ElementTask = { kind: 'begin', file, dialect: name, subject, position, count, place }
          await sendBody(thread, task, rest, take)
          threads.leave(thread)
        } catch (error) {
          // It may be in the middle of the body.
          await thread.worker.terminate()
          throw error
        } finally {
          isBusy = false
        }
      }
      return read()
    }
}

export type ElementThread = ReturnType<typeof openElementThread>
