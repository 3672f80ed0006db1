import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Failed, type Failure } from '../contract/failure.ts'
import type { PackageReport } from '../contract/findings.ts'
import type { CheckOptions } from './format.ts'
import { controlOf, share, type Shared } from './pack/control.ts'
import { makeScratch } from './scratch.ts'

/** What every thread that checks a package is given. */
export interface CheckerData {
  shared: Shared
  path: string
  /** A folder of our own for the time of the check. */
  scratch: string
  threads: number
  workerScript: string
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
  state: 'invalid',
  errors: 1,
  warnings: 0,
  findings: [{ level: 'error', code: 'memory', file: '', line: null, detail: '' }],
  more: [],
  counts: { files: 0, folders: 0, bytes: 0 },
  algorithms: [],
  info: [],
})

/** The threads of one format's check, and what they are given beside what all are. */
export interface CheckThread {
  format: string
  checker: URL
  worker: URL
  further?: Record<string, unknown>
}

/**
 * Checks a package in a thread of its own.
 * @throws DOMException AbortError when the signal said so; the system's error where the path cannot be read;
 * Failed disk where our own temporary files find no room
 */
export const checkInThread = async (
  path: string,
  options: Omit<CheckOptions, 'scripts' | 'profile'>,
  thread: CheckThread,
): Promise<PackageReport> => {
  options.signal.throwIfAborted()
  const scratch = await makeScratch()
  try {
    return await runChecker(path, scratch.folder, options, thread)
  } finally {
    await scratch.remove()
  }
}

const runChecker = (
  path: string,
  scratch: string,
  { signal, onTotal, onProgress, onControl, threads }: Omit<CheckOptions, 'scripts' | 'profile'>,
  { format, checker, worker, further }: CheckThread,
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
  }
  return new Promise((done, failed) => {
    const thread = new Worker(checker, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 96 },
    })
    const reporting = setInterval(() => {
      const { files, bytes, file } = control.progress()
      onProgress?.({ files, bytes: bytes * 2, file })
    }, betweenReportsMs)
    signal.addEventListener('abort', control.stop, { once: true })
    if (signal.aborted) control.stop()
    onControl?.(control)
    let report: PackageReport | undefined
    let failure: Failure | undefined
    thread.on('message', (message: CheckerMessage) => {
      if ('total' in message) onTotal?.(message.total)
      else if ('report' in message) report = message.report
      else if ('failure' in message) failure = message.failure
    })
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') report = outOfMemory(path, format)
      else failed(error)
    })
    thread.once('exit', () => {
      clearInterval(reporting)
      signal.removeEventListener('abort', control.stop)
      if (report) done(report)
      else if (failure) failed(new Failed(failure))
      else
        failed(
          signal.aborted
            ? new DOMException('The check was stopped.', 'AbortError')
            : new Error('The thread that checks ended without a word.'),
        )
    })
  })
}
