import { moveAside } from '../../../packaging/pack/pack.ts'
import { passes, type Failure } from '../../../contract/failure.ts'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Bring } from './bringing.ts'
import type { Records } from './records.ts'

interface Parts {
  engine: Pick<Engine, 'isDue' | 'afterAttempt'>
  records: Pick<Records, 'keep' | 'need'>
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  /** Goes on with one at its archive, until it is preserved. */
  finish: Bring
  failureOf: (error: unknown) => Failure
}

/** Goes on with what was submitted over the interface, until it is preserved; what comes of it is kept. */
export const openFinishing = ({ engine, records, findClient, finish, failureOf }: Parts) => {
  const { keep, need } = records

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
      try {
        const done = await finish(transfer, archive, signal)
        if (done.state === 'preserved' && done.sip) await moveAside(done.sip.path)
      } catch (error) {
        if (!signal.aborted) keepFailure(id, failureOf(error))
      }
    },
  }
}

export type Finishing = ReturnType<typeof openFinishing>
