import { Worker } from 'node:worker_threads'
import { openThreadPool } from '../common/thread-pool.ts'
import { SplitError } from '../archive-client/split-array.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { ListPosition, ReadInThread } from '../store/reading/element-reader.ts'
import type { NewElement } from '../store/cache/row-table.ts'
import type { Writer } from '../store/cache/writer.ts'
import type { Subject } from '../contract/subjects.ts'

/** Which list the next body is of, and where in it that goes on. */
export interface ElementTask extends ListPosition {
  kind: 'begin'
  dialect: string
  subject: Subject
  /** That the body goes to the thread in. */
  memory: SharedArrayBuffer
}

/** What the thread is sent: the task, then how much of which block to read next, then the end of the body. */
export type ElementRequest = ElementTask | { kind: 'block'; block: number; length: number } | { kind: 'end' }

/** What the thread answers to each block of the body, and to its end. */
export type ElementAnswer =
  /** What is left of a block is looked at once more with the next one: only then it is free. */
  | { kind: 'read'; elements: NewElement[]; free: number | undefined }
  | { kind: 'over' }
  | { kind: 'not an array'; trouble: SplitError['trouble']; excerpt: string }
  | { kind: 'failed'; failure: Failure }

type Take = Parameters<ReadInThread>[2]
type ReportBug = (error: unknown) => string

/** One block is worth a message. */
export const blockBytes = 256 * 1024
/** So many are on their way at most: while one thread commits or waits for the disk, the other goes on. */
const blockCount = 16

const post = (worker: Worker, request: ElementRequest) => worker.postMessage(request)

/**
 * What the thread says of one body, until it says the last word or something fails.
 * @param reportBug gives the reference of what ended the thread
 */
const hearAnswers = (
  worker: Worker,
  take: Take,
  freed: (block: number | undefined) => void,
  reportBug: ReportBug,
) => {
  const ended = Promise.withResolvers<undefined>()
  let trouble: { error: unknown } | undefined
  /** What comes after it is not taken. */
  const fail = (error: unknown) => {
    trouble ??= { error }
    ended.reject(error)
    freed(undefined)
  }
  // Whoever sends the body waits for it too, but later.
  ended.promise.catch(() => undefined)
  const hear = (answer: ElementAnswer) => {
    if (trouble) return
    if (answer.kind === 'over') return ended.resolve(undefined)
    if (answer.kind === 'not an array')
      return fail(new SplitError(answer.trouble, Buffer.from(answer.excerpt)))
    if (answer.kind === 'failed') return fail(new Failed(answer.failure))
    try {
      for (const element of answer.elements) take(element)
      freed(answer.free)
    } catch (error) {
      fail(error)
    }
  }
  // It says nothing of what others write.
  const broke = (error: unknown) => fail(new Failed({ kind: 'bug', reference: reportBug(error) }))
  const left = () => trouble ?? broke(new Error('The thread that reads elements ended without a word.'))
  worker.on('message', hear).on('error', broke).on('exit', left)
  return {
    ended: ended.promise,
    /** @throws what failed, if anything did */
    check: () => {
      if (trouble) throw trouble.error
    },
    leave: () => void worker.off('message', hear).off('error', broke).off('exit', left),
  }
}

/** The blocks that a body goes to the thread in. */
const openBlocks = (thread: Worker, memory: SharedArrayBuffer, take: Take, reportBug: ReportBug) => {
  const free = Array.from({ length: blockCount }, (_, block) => block)
  let [unanswered, filled] = [0, 0]
  let heard: () => void = () => undefined
  const freed = (block: number | undefined) => {
    unanswered -= 1
    if (block !== undefined) free.push(block)
    heard()
  }
  const { ended, check, leave } = hearAnswers(thread, take, freed, reportBug)
  const send = () => {
    if (filled === 0) return
    const block = free.shift()
    if (block === undefined) return
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
      check()
      for (let at = 0; at < part.length;) {
        while (free[0] === undefined) {
          await new Promise<void>((resolve) => (heard = resolve))
          check()
        }
        const more = part.subarray(at, at + blockBytes - filled)
        new Uint8Array(memory, free[0] * blockBytes + filled).set(more)
        at += more.length
        filled += more.length
        if (filled === blockBytes) send()
      }
    },
  }
}

/** Sends a body through a thread. */
const sendBody = async (
  thread: Worker,
  task: ElementTask,
  rest: AsyncIterable<Buffer>,
  take: Take,
  reportBug: ReportBug,
) => {
  const { ended, leave, send, isIdle, add } = openBlocks(thread, task.memory, take, reportBug)
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

const begin = (script: URL) =>
  new Worker(script, {
    name: 'reads elements',
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
  })

/**
 * Reads long bodies in a thread, while their rows are written in this one: one body at a time, since each
 * thread takes its memory.
 * @param script undefined where everything is to be read in this thread
 */
export const openElementThread = (script: URL | undefined, reportBug: ReportBug) => {
  const threads = script && openThreadPool(() => begin(script))
  let isBusy = false
  return ({ dialect }: Pick<Writer, 'dialect'>, subject: Subject): ReadInThread =>
    (rest, { position, count }, take) => {
      if (isBusy || !threads) return undefined
      const thread = threads.take()
      isBusy = true
      const task: ElementTask = {
        kind: 'begin',
        dialect: dialect.name,
        subject,
        position,
        count,
        memory: new SharedArrayBuffer(blockCount * blockBytes),
      }
      const read = async () => {
        try {
          await sendBody(thread, task, rest, take, reportBug)
          threads.release(thread)
        } catch (error) {
          // It may be in the middle of the body.
          await thread.terminate()
          throw error
        } finally {
          isBusy = false
        }
      }
      return read()
    }
}

export type ElementThread = ReturnType<typeof openElementThread>
