import { queuedIdOf } from '../../../contract/queued.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'

export type ChosenDelivery = ReturnType<typeof openChosenDelivery>

/** The delivery that a transfer is part of, which may be in this desk's outbox still. */
export const openChosenDelivery = ({ creationOrRemoved }: Pick<DeskStore, 'creationOrRemoved'>) => ({
  /**
   * The name of the delivery of this desk that a transfer waits for, where that is not in the archive yet.
   */
  waitsFor: ({ form }: KeptTransfer): string | null => {
    const queued = queuedIdOf(form.delivery)
    const delivery = queued === undefined ? undefined : creationOrRemoved(queued)
    return queued === undefined || delivery?.remote ? null : (delivery?.title ?? queued)
  },
  /** The transfer with the archive's own id of its delivery, once that is known; else the transfer itself. */
  resolved: (transfer: KeptTransfer): KeptTransfer => {
    const remote = creationOrRemoved(queuedIdOf(transfer.form.delivery) ?? '')?.remote
    return remote ? { ...transfer, form: { ...transfer.form, delivery: remote } } : transfer
  },
})
