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

/** What the thread is sent: the task, then the body block by block, then its end. */
export type ElementRequest = ElementTask | Uint8Array<ArrayBuffer> | 'end'

/** What the thread answers to each block of the body, and to its end. */
export type ElementAnswer =
  /** Of those that are known by their texts, the numbers of the held ones. */
  | { kind: 'read'; elements: (NewElement | number)[] }
  | { kind: 'over' }
  | { kind: 'not an array'; trouble: SplitError['trouble']; excerpt: string }

type Take = Parameters<ReadApart>[2]

/** One block is worth a message. */
const blockBytes = 256 * 1024
/** So much of the body is on its way through the thread at most. */
const mostUnderWay = 4 * 1024 * 1024
/** A thread that rested for so long is ended: nothing stays where nothing happens. */
const longestRestMs = 5_000

/** Gathers parts to blocks; what is there goes at once where nothing is under way. */
const openBlocks = (isIdle: () => boolean) => {
  let parts: Buffer[] = []
  let length = 0
  return {
    add: (part: Buffer) => {
      parts.push(part)
      length += part.length
    },
    isDue: () => length >= blockBytes || (length > 0 && isIdle()),
    /** A copy with memory of its own, which can go to the thread. */
    take: (): Uint8Array<ArrayBuffer> => {
      const block = new Uint8Array(length)
      let at = 0
      for (const part of parts) {
        block.set(part, at)
        at += part.length
      }
      parts = []
      length = 0
      return block
    },
    isEmpty: () => length === 0,
  }
}

const post = (worker: Worker, request: ElementRequest) =>
  worker.postMessage(request, request instanceof Uint8Array ? [request.buffer] : [])

/** What a thread was sent and has not answered, and how its work on one body ends. */
const openDialogue = (worker: Worker, take: Take) => {
  const underWay: number[] = []
  let bytes = 0
  let heard: () => void = () => undefined
  const ended = Promise.withResolvers<undefined>()
  // Whoever sends the body waits for it too, but later.
  ended.promise.catch(() => undefined)
  const hear = (answer: ElementAnswer) => {
    if (answer.kind === 'over') return ended.resolve(undefined)
    if (answer.kind === 'not an array')
      return ended.reject(new SplitError(answer.trouble, Buffer.from(answer.excerpt)))
    try {
      for (const element of answer.elements) take(element)
    } catch (error) {
      ended.reject(error)
    }
    bytes -= underWay.shift() ?? 0
    heard()
  }
  const broke = () => ended.reject(new Error('The thread that reads elements ended without a word.'))
  worker.on('message', hear).on('error', ended.reject).on('exit', broke)
  return {
    isIdle: () => bytes === 0,
    ended: ended.promise,
    /** @throws what ended the thread, or whoever takes its elements */
    send: async (block: Uint8Array<ArrayBuffer>) => {
      while (bytes >= mostUnderWay)
        await Promise.race([new Promise<void>((resolve) => (heard = resolve)), ended.promise])
      underWay.push(block.length)
      bytes += block.length
      post(worker, block)
    },
    leave: () => void worker.off('message', hear).off('error', ended.reject).off('exit', broke),
  }
}

/** Sends a body through a thread. */
const sendBody = async (
  worker: Worker,
  task: ElementTask,
  rest: AsyncIterable<Buffer>,
  take: Take,
): Promise<void> => {
  const { isIdle, ended, send, leave } = openDialogue(worker, take)
  const blocks = openBlocks(isIdle)
  try {
    post(worker, task)
    for await (const part of rest) {
      blocks.add(part)
      if (blocks.isDue()) await send(blocks.take())
    }
    if (!blocks.isEmpty()) await send(blocks.take())
    post(worker, 'end')
    await ended
  } finally {
    leave()
  }
}

/** A thread that waits for the next body a while. */
const openRestingThread = (script: URL) => {
  let resting: { worker: Worker; ending: NodeJS.Timeout } | undefined
  const begin = () => {
    const worker = new Worker(script, {
      name: 'reads elements',
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
    })
    // Whoever waits for its word hears that it broke; after that it belongs to nobody.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (resting?.worker !== worker) return
      clearTimeout(resting.ending)
      resting = undefined
    })
    return worker
  }
  return {
    take: (): Worker => {
      const known = resting
      resting = undefined
      clearTimeout(known?.ending)
      return known?.worker ?? begin()
    },
    leave: (worker: Worker) => {
      const end = () => {
        resting = undefined
        background(worker.terminate(), toProcess)
      }
      resting = { worker, ending: setTimeout(end, longestRestMs) }
    },
  }
}

/**
 * Reads long bodies in a thread, while their rows are written in this one: one body at a time, since each
 * thread takes its memory.
 * @param script undefined where everything is to be read in this thread
 */
export const openElementThread = (script: URL | undefined) => {
  const thread = script && openRestingThread(script)
  let isBusy = false
  return ({ database, dialect }: Pick<Writer, 'database' | 'dialect'>, subject: Subject): ReadApart =>
    (rest, { position, count, place }, take) => {
      if (isBusy || !thread) return undefined
      isBusy = true
      const worker = thread.take()
      const read = async () => {
        try {
          const file = database.location() ?? ''
          const { name } = dialect
          const task: ElementTask = { kind: 'begin', file, dialect: name, subject, position, count, place }
          await sendBody(worker, task, rest, take)
          thread.leave(worker)
        } catch (error) {
          // It may be in the middle of the body.
          await worker.terminate()
          throw error
        } finally {
          isBusy = false
        }
      }
      return read()
    }
}

export type ElementThread = ReturnType<typeof openElementThread>
