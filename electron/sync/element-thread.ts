import { Worker } from 'node:worker_threads'
import { SplitError } from '../archive-client/split-array.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ReadApart } from '../store/element-reader.ts'
import type { NewElement } from '../store/row-table.ts'
import type { Subject } from '../contract/subjects.ts'

/** Which list the thread reads, and where in it the body goes on. */
export interface ElementTask {
  dialect: string
  subject: Subject
  /** The position of the next element in its list. */
  from: number
  /** How many elements of the body were read. */
  count: number
}

/** What the thread answers to each block of the body, and to its end. */
export type ElementAnswer =
  | { kind: 'read'; elements: NewElement[] }
  | { kind: 'over' }
  | { kind: 'not an array'; trouble: SplitError['trouble']; excerpt: string }

/** One block is worth a message. */
const blockBytes = 256 * 1024
/** So much of the body is on its way through the thread at most. */
const mostUnderWay = 4 * 1024 * 1024

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

/** What a thread was sent and has not answered, and how its work ends. */
const openDialogue = (worker: Worker, take: (element: NewElement) => void) => {
  const underWay: number[] = []
  let bytes = 0
  let heard: () => void = () => undefined
  const ended = Promise.withResolvers<undefined>()
  // Whoever sends the body waits for it too, but later.
  ended.promise.catch(() => undefined)
  worker.on('message', (answer: ElementAnswer) => {
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
  })
  worker.on('error', ended.reject)
  worker.on('exit', () => ended.reject(new Error('The thread that reads elements ended without a word.')))
  return {
    isIdle: () => bytes === 0,
    ended: ended.promise,
    /** @throws what ended the thread, or whoever takes its elements */
    send: async (block: Uint8Array<ArrayBuffer>) => {
      while (bytes >= mostUnderWay)
        await Promise.race([new Promise<void>((resolve) => (heard = resolve)), ended.promise])
      underWay.push(block.length)
      bytes += block.length
      worker.postMessage(block, [block.buffer])
    },
    sendEnd: () => worker.postMessage(null),
  }
}

/** Sends a body through a thread. */
const sendBody = async (
  worker: Worker,
  rest: AsyncIterable<Buffer>,
  take: (element: NewElement) => void,
): Promise<void> => {
  const { isIdle, ended, send, sendEnd } = openDialogue(worker, take)
  const blocks = openBlocks(isIdle)
  for await (const part of rest) {
    blocks.add(part)
    if (blocks.isDue()) await send(blocks.take())
  }
  if (!blocks.isEmpty()) await send(blocks.take())
  sendEnd()
  await ended
}

/**
 * Reads what is new of long bodies in a thread, while their rows are written in this one: one body at a time,
 * since each thread takes its memory.
 * @param script undefined where everything is to be read in this thread
 */
export const openElementThread = (script: URL | undefined) => {
  let isBusy = false
  return (dialect: Pick<Dialect, 'name'>, subject: Subject): ReadApart =>
    (rest, from, count, take) => {
      if (isBusy || script === undefined) return undefined
      isBusy = true
      const workerData: ElementTask = { dialect: dialect.name, subject, from, count }
      const worker = new Worker(script, {
        name: 'reads elements',
        workerData,
        resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
      })
      return sendBody(worker, rest, take).finally(async () => {
        isBusy = false
        worker.removeAllListeners()
        await worker.terminate()
      })
    }
}

export type ElementThread = ReturnType<typeof openElementThread>
