import { putAway } from '../../../packaging/pack/pack.ts'
import { passes, type Failure } from '../../../contract/failure.ts'
import type { Progress } from '../../../contract/transfers.ts'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import { meter } from './meter.ts'
import type { Records } from './records.ts'
import type { Routes } from './route.ts'
import { finish } from './submission.ts'

interface Parts {
  engine: Pick<Engine, 'isDue' | 'afterAttempt'>
  records: Records
  store: Pick<DeskStore, 'noteFileExtension'>
  routes: Routes
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  scripts: PackagingScripts
  now: () => Date
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  progress: (progress: Progress) => void
  failureOf: (error: unknown) => Failure
}

/** Goes on with what was submitted over the interface, until it is preserved; what comes of it is kept. */
export const openFinishing = (parts: Parts) => {
  const { engine, routes, findClient, scripts, now, wait, failureOf } = parts
  const { keep, need, change } = parts.records

  /** Whether it is looked at again by itself: a drive that is away comes back. */
  const isTriedAgain = (failure: Failure) =>
    passes(failure) || (failure.kind === 'disk' && failure.trouble === 'gone')
  const keepFailure = (id: string, failure: Failure) => {
    const transfer = need(id)
    if (failure.kind === 'refused') return void keep({ ...transfer, state: 'refused', failure })
    keep({ ...transfer, failure, ...(isTriedAgain(failure) ? engine.afterAttempt(transfer, failure) : {}) })
  }

  return {
    /** Whether there is something to be done with one that was sent, by itself and now. */
    isDue: (transfer: KeptTransfer): boolean =>
      transfer.sending === 'submitting' &&
      (transfer.state === 'sent' || transfer.state === 'received') &&
      (transfer.failure === null || isTriedAgain(transfer.failure)) &&
      engine.isDue(transfer),
    finishNow: async (id: string, signal: AbortSignal): Promise<void> => {
      const transfer = need(id)
      const archive = findClient(transfer.archive)
      if (!archive) return
      const mayReceive = routes.mayReceive(transfer.archive)
      const steps = meter(id, 'sending', parts.progress)
      try {
        const done = await finish(transfer, {
          archive,
          change,
          current: need,
          noteExtension: (extension, isTaken) =>
            parts.store.noteFileExtension(transfer.archive, extension, isTaken),
          scripts,
          signal,
          now,
          wait,
          mayReceive,
          mayRecord: routes.mayRecord(transfer.archive),
          ...steps,
        })
        if (done.state === 'preserved' && done.sip) await putAway(done.sip.path)
      } catch (error) {
        if (!signal.aborted) keepFailure(id, failureOf(error))
      }
    },
  }
}

export type Finishing = ReturnType<typeof openFinishing>
