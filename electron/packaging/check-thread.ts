import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { codeOf } from '../common/errors.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import type { PackageReport } from '../contract/findings.ts'
import { freshThreads } from './check-threads.ts'
import type { CheckOptions } from './format.ts'
import { controlOf, share, type Shared } from './pack/control.ts'
import { placeForScratch } from './scratch.ts'

/** What every thread that checks a package is given. */
export interface CheckerData {
  shared: Shared
  path: string
  /** Where a folder of our own may be made for the time of the check. */
  scratch: string
  threads: number
  workerScript: string
  /** The script of the thread that reads, and computes the CRC of what another one hashes. */
  crcScript: string
}
export type CheckerMessage =
  | { total: { files: number; bytes: number } }
  | { report: PackageReport }
  | { failure: Failure }
  | { stopped: true }

const betweenReportsMs = 100
/** More would read no faster from most disks; each takes some ten megabytes. */
const mostThreads = 4

/**
 * What is said of a package whose check ran out of memory: the bounds were wrong, and nothing is known of
 * the package.
 */
const outOfMemory = (path: string, format: string): PackageReport => ({
  path,
  format,
  form: 'none',
  version: '',
  state: 'unreadable',
  errors: 1,
  warnings: 0,
  findings: [{ level: 'error', code: 'memory', file: '', line: null, detail: '' }],
  more: [],
  counts: { files: 0, folders: 0, bytes: 0 },
  algorithms: [],
  info: [],
})

/** The scripts of one format's check, and what they are given beside what all are. */
export interface CheckThread {
  format: string
  checker: URL
  worker: URL
  crcWorker: URL
  further?: Record<string, unknown>
}

type Options = Omit<CheckOptions, 'scripts' | 'profile'>

/**
 * Checks a package in a thread.
 * @throws DOMException AbortError when the signal said so; the system's error where the path cannot be read;
 * Failed disk where our own temporary files find no space
 */
export const checkInThread = async (
  path: string,
  options: Options,
  thread: CheckThread,
): Promise<PackageReport> => {
  options.signal.throwIfAborted()
  const scratch = placeForScratch()
  try {
    return await runChecker(path, scratch.folder, options, thread)
  } finally {
    await scratch.remove()
  }
}

/** The last word of a thread on the check that it is sent. */
const lastWord = (
  thread: Worker,
  data: CheckerData,
  onTotal: Options['onTotal'],
): Promise<Exclude<CheckerMessage, { total: unknown }>> =>
  new Promise((done, failed) => {
    const ended = () => settle(() => failed(new Error('The thread that checks ended without a word.')))
    const broke = (error: unknown) =>
      settle(() => failed(error instanceof Error ? error : new Error(String(error))))
    const hear = (message: CheckerMessage) => {
      if ('total' in message) onTotal?.(message.total)
      else settle(() => done(message))
    }
    const settle = (tell: () => void) => {
      thread.off('message', hear).off('error', broke).off('exit', ended)
      tell()
    }
    thread.on('message', hear).on('error', broke).on('exit', ended)
    thread.postMessage(data)
  })

const runChecker = async (
  path: string,
  scratch: string,
  { signal, onTotal, onProgress, onControl, threads, checkThreads = freshThreads }: Options,
  { format, checker, worker, crcWorker, further }: CheckThread,
): Promise<PackageReport> => {
  signal.throwIfAborted()
  const shared = share()
  const control = controlOf(shared)
  const data: CheckerData = {
    ...further,
    shared,
    path,
    scratch,
    threads: threads ?? Math.min(availableParallelism(), mostThreads),
    workerScript: worker.href,
    crcScript: crcWorker.href,
  }
  const thread = checkThreads.take(checker)
  const reporting = setInterval(() => {
    const { files, bytes, file } = control.progress()
    onProgress?.({ files, bytes: bytes * 2, file })
  }, betweenReportsMs)
  signal.addEventListener('abort', control.stop, { once: true })
  onControl?.(control)
  try {
    const word = await lastWord(thread, data, onTotal)
    if ('failure' in word) throw new Failed(word.failure)
    if ('stopped' in word) throw new DOMException('The check was stopped.', 'AbortError')
    await checkThreads.release(thread, checker)
    return word.report
  } catch (error) {
    // One that did not report is used no more, whatever it is in the middle of.
    await thread.terminate()
    if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(path, format)
    throw error
  } finally {
    clearInterval(reporting)
    signal.removeEventListener('abort', control.stop)
  }
}
