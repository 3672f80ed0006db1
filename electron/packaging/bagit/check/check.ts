import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Failed, type Failure } from '../../../contract/failure.ts'
import type { PackageReport } from '../../../contract/findings.ts'
import type { Profile } from '../profile.ts'
import type { CheckOptions } from '../../format.ts'
import { controlOf, share } from '../../pack/control.ts'
import type { CheckerData, CheckerMessage } from './checker.ts'
import { bagItFormat } from '../layout.ts'
import { makeScratch } from './scratch.ts'

type BagCheckOptions = Omit<CheckOptions, 'profile'> & { profile?: Profile }

const betweenReportsMs = 100
/** More would read no faster from most disks; each takes some ten megabytes. */
const mostThreads = 4

/**
 * What is said of a bag whose check ran out of memory: the bounds were wrong, and nothing is known of the
 * bag.
 */
const outOfMemory = (path: string): PackageReport => ({
  path,
  format: bagItFormat.name,
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

/**
 * Checks a bag in a folder, tar or zip (RFC 8493 3): complete, valid, and as a profile wants it where one is
 * given. Every error is found, not the first alone; nothing is unpacked or changed. Versions 0.93 to 1.0. The
 * path may be a link; in the bag none is followed.
 * @throws DOMException AbortError when the signal said so; the system's error where the path cannot be read;
 * Failed disk where our own temporary files find no room
 */
export const checkBag = async (path: string, options: BagCheckOptions): Promise<PackageReport> => {
  options.signal.throwIfAborted()
  const scratch = await makeScratch()
  try {
    return await runChecker(path, scratch.folder, options)
  } finally {
    await scratch.remove()
  }
}

const runChecker = (
  path: string,
  scratch: string,
  { scripts, signal, profile, onTotal, onProgress, onControl, threads }: BagCheckOptions,
): Promise<PackageReport> => {
  signal.throwIfAborted()
  const shared = share()
  const control = controlOf(shared)
  const data: CheckerData = {
    shared,
    path,
    scratch,
    profile: profile ?? null,
    threads: threads ?? Math.min(availableParallelism(), mostThreads),
    workerScript: scripts.worker.href,
  }
  return new Promise((done, failed) => {
    const thread = new Worker(scripts.checker, {
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
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') report = outOfMemory(path)
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
