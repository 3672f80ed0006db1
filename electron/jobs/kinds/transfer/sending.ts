import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { isUnreached, passes, type Failure } from '../../../contract/failure.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Bring } from './bringing.ts'
import type { ChosenDelivery } from './chosen-delivery.ts'
import type { Evidence } from './evidence.ts'
import type { Lookup } from './lookup.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'
import type { SentBefore } from './sent-before.ts'

interface Parts {
  engine: Pick<Engine, 'afterAttempt' | 'isDue'>
  records: Pick<Records, 'keep' | 'need'>
  evidence: Pick<Evidence, 'packagesOf'>
  chosenDelivery: ChosenDelivery
  transports: Pick<Transports, 'isKnown'>
  askIfSentBefore: SentBefore
  lookUpRestored: Lookup
  /** Brings one to its archive, the way that it goes there. */
  bring: Bring
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  /** What the last exchange with an archive showed. */
  noteExchange: (archive: string, failure: Failure | null) => void
  failureOf: (error: unknown) => Failure
}

/**
 * Says which transfers go to their archive now, and brings one there; one that fails says why and when it
 * goes again.
 */
export const openSending = (parts: Parts) => {
  const { engine, evidence, chosenDelivery, transports, bring, failureOf } = parts
  const { keep, need } = parts.records

  /** Keeps why one could not be sent, and when it is tried again. */
  const keepFailure = (id: string, failure: Failure | null) => {
    const transfer = need(id)
    // The archive may have it already: what failed after that was found says nothing of this one.
    if (transfer.state !== 'sending' && transfer.state !== 'prepared') return
    const isRefused = failure?.kind === 'refused'
    const isTriedAgain = failure !== null && passes(failure)
    keep({
      ...transfer,
      state: isRefused ? 'refused' : 'prepared',
      sending: isRefused ? null : transfer.sending,
      failure,
      isWaiting: failure === null ? transfer.isWaiting : isTriedAgain,
      ...(isTriedAgain ? engine.afterAttempt(transfer, failure) : {}),
    })
    const isOfArchive = failure?.kind !== 'disk' && failure?.kind !== 'unconfirmed'
    if (failure !== null && isOfArchive && passes(failure)) parts.noteExchange(transfer.archive, failure)
  }

  /** Whether one is to be sent still, once it is known whether it was sent before. */
  const isStillToBeSent = async (id: string, archive: ArchiveClient) => {
    try {
      await parts.askIfSentBefore(need(id).archive, archive, id)
      if (need(id).wasRestored === true) await parts.lookUpRestored(need(id).archive, archive, id)
    } catch (error) {
      keepFailure(id, failureOf(error))
    }
    const { state, wasRestored } = need(id)
    return wasRestored !== true && state === 'prepared'
  }

  /**
   * Whether one goes to its archive by itself now: one whose archive could not be reached goes as soon as it
   * can be, others wait for their time.
   */
  const isDue = (transfer: KeptTransfer) =>
    transfer.isWaiting &&
    transfer.handedOver === null &&
    transfer.state === 'prepared' &&
    transports.isKnown(transfer) &&
    chosenDelivery.waitsFor(transfer) === null &&
    ((transfer.failure !== null && isUnreached(transfer.failure)) || engine.isDue(transfer))

  return {
    isDue,
    /**
     * Sends one, where its archive can be reached and nothing that it needs is missing there; its fate is
     * kept.
     */
    sendNow: async (id: string, signal: AbortSignal): Promise<void> => {
      const archive = parts.findClient(need(id).archive)
      if (!archive || !(await isStillToBeSent(id, archive))) return
      const transfer = chosenDelivery.resolved(need(id))
      if (chosenDelivery.waitsFor(transfer) !== null || !transports.isKnown(transfer)) return
      // Only before the first attempt: what a half-finished one brought must not count as older.
      const before =
        transfer.sending === null ? evidence.packagesOf(transfer).map((known) => known.id) : transfer.before
      try {
        await bring(keep({ ...transfer, before, state: 'sending', failure: null }), archive, signal)
      } catch (error) {
        keepFailure(id, signal.aborted ? null : failureOf(error))
      }
    },
  }
}

export type Sending = ReturnType<typeof openSending>
