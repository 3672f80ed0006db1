import { background, toProcess } from '../../../common/background.ts'
import { inSlices } from '../../../common/slices.ts'
import type { ArchiveClient } from '../../../dialects/dialect.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Engine } from '../../engine.ts'
import type { ChosenDelivery } from './chosen-delivery.ts'
import type { Task } from './commands.ts'
import type { Finishing } from './finishing.ts'
import type { Following } from './following.ts'
import type { Lookup } from './lookup.ts'
import type { Packing } from './packing.ts'
import { mayBeReceived, takeBack } from './reception.ts'
import type { Records } from './records.ts'

interface Parts {
  engine: Pick<Engine, 'isStopped' | 'stateOf'>
  store: Pick<
    DeskStore,
    'transfer' | 'removedTransfer' | 'openTransferIds' | 'leftTransfers' | 'firstRestored' | 'laidPackages'
  >
  records: Pick<Records, 'keep'>
  chosenDelivery: Pick<ChosenDelivery, 'resolved'>
  packing: Pick<Packing, 'packNow' | 'sweep'>
  lookUpRestored: Lookup
  followSent: Following
  finishing: Pick<Finishing, 'isDue'>
  queueToFinish: (archive: string, id: string) => void
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  /** Works at a transfer where nobody does yet; fulfilled when that is over. */
  run: (id: string, task: Task) => Promise<void>
}

/** Removes what lies in receptions of an archive and is of no use any more: a drive may be back. */
const openTakeLeftBack =
  ({ engine, store, run }: Pick<Parts, 'engine' | 'store' | 'run'>) =>
  (archive: string): Promise<void> =>
    inSlices(
      store.laidPackages.transfers(archive),
      (id) => {
        const transfer = store.transfer(id)
        // What is sent soon takes it back itself.
        const isNeeded = transfer && (!isReadable(transfer) || transfer.isWaiting || mayBeReceived(transfer))
        if (!isNeeded)
          background(
            run(id, () => takeBack(store.laidPackages, { id })),
            toProcess,
          )
      },
      engine.isStopped,
    )

/** Sees to transfers that nobody works at: what became of them at their archive, and what was left undone. */
export const openUpkeep = (parts: Parts) => {
  const { engine, store, records, chosenDelivery, packing, finishing, queueToFinish, findClient, run } = parts
  const takeLeftBack = openTakeLeftBack(parts)
  let swept = Promise.resolve()

  /** What nobody works on though it says so was left by work that broke off, or by a desk that was killed. */
  const resume = (transfer: KeptTransfer) => {
    const state = engine.stateOf('transfer', { id: transfer.id, state: transfer.state })
    if (state === 'packing') background(run(transfer.id, packing.packNow), toProcess)
    else if (state !== transfer.state) records.keep({ ...transfer, state })
  }
  const eachOpen = (archive: string, see: (transfer: KeptTransfer) => void): Promise<void> =>
    inSlices(
      store.openTransferIds(archive),
      (id) => {
        const transfer = store.transfer(id)
        if (transfer && isReadable(transfer)) see(transfer)
      },
      engine.isStopped,
    )

  return {
    /** After a refresh: sees what became of what was sent. */
    follow: async (archive: string): Promise<void> => {
      const restored = store.firstRestored(archive)
      const client = findClient(archive)
      if (restored !== undefined && client)
        background(
          run(restored, () => parts.lookUpRestored(archive, client)),
          toProcess,
        )
      await takeLeftBack(archive)
      await eachOpen(archive, (kept) => {
        const transfer = chosenDelivery.resolved(kept)
        if (transfer !== kept) records.keep(transfer)
        if (finishing.isDue(transfer)) queueToFinish(archive, transfer.id)
        else if (transfer.state === 'sent' || transfer.state === 'received') {
          // What goes over the interface is called preserved once it was compared.
          if (transfer.sending === null) parts.followSent(transfer)
        } else resume(transfer)
      })
    },
    /**
     * Sees how far an archive is with what was submitted to it. Its lists say nothing that this needs, so it
     * does not wait for them.
     */
    followSubmitted: (archive: string): Promise<void> =>
      eachOpen(archive, (transfer) => {
        if (finishing.isDue(transfer)) queueToFinish(archive, transfer.id)
      }),
    /** Fulfilled when nothing that an earlier run left is in the way of what is brought here. */
    swept: () => swept,
    /** At the start: what a killed desk left half done becomes what it was before, or goes on. */
    tidy: (archives: string[]) => {
      // What was taken off the list can be put back, and what cannot be read now another version may read.
      const isKnown = (id: string) => (store.transfer(id) ?? store.removedTransfer(id)) !== undefined
      const sweeping = packing.sweep(isKnown)
      background(sweeping, toProcess)
      // What cannot be removed keeps nobody from anything.
      swept = sweeping.catch(() => undefined)
      for (const transfer of archives.flatMap(store.leftTransfers)) resume(transfer)
    },
  }
}
