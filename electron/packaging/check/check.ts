import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { BagReport } from '../../contract/findings.ts'
import type { Profile } from '../bagit/profile.ts'
import { reins, share, type Reins } from '../pack/control.ts'
import type { CheckerData, CheckerMessage } from './checker.ts'

export interface CheckScripts {
  checker: URL
  hand: URL
}

export interface HowToCheck {
  scripts: CheckScripts
  signal: AbortSignal
  profile?: Profile
  onTotal?: (total: { files: number; bytes: number }) => void
  onProgress?: (progress: { files: number; bytes: number; file: string }) => void
  onReins?: (reins: Reins) => void
  threads?: number
}

const betweenReportsMs = 100
const mostThreads = 8

/**
 * Checks a bag in a folder, tar or zip (RFC 8493 3): complete, valid, and as a profile wants it where one is given. Every error is
 * listed, not the first alone; nothing is unpacked or changed. Versions 0.93 to 1.0.
 * @throws DOMException AbortError when the signal said so; the system's error where the path cannot be read
 */
export const checkBag = (
  path: string,
  { scripts, signal, profile, onTotal, onProgress, onReins, threads }: HowToCheck,
): Promise<BagReport> => {
  signal.throwIfAborted()
  const shared = share()
  const held = reins(shared)
  const data: CheckerData = {
    shared,
    path,
    profile: profile ?? null,
    threads: threads ?? Math.min(availableParallelism(), mostThreads),
    hand: scripts.hand.href,
  }
  return new Promise((done, failed) => {
    const thread = new Worker(scripts.checker, {
      workerData: data,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 96 },
    })
    const looking = setInterval(() => {
      const { files, bytes, file } = held.progress()
      onProgress?.({ files, bytes: bytes * 2, file })
    }, betweenReportsMs)
    signal.addEventListener('abort', held.stop, { once: true })
    onReins?.(held)
    let report: BagReport | undefined
    thread.on('message', (message: CheckerMessage) => {
      if ('total' in message) onTotal?.(message.total)
      else if ('report' in message) report = message.report
    })
    thread.once('error', failed)
    thread.once('exit', () => {
      clearInterval(looking)
      signal.removeEventListener('abort', held.stop)
      if (report) done(report)
      else
        failed(
          signal.aborted
            ? new DOMException('The check was stopped.', 'AbortError')
            : new Error('The thread that checks ended without a word.'),
        )
    })
  })
}
