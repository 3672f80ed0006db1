import { Failed } from '../../../contract/failure.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'

interface Parts {
  store: Pick<DeskStore, 'transfer' | 'removedTransfer' | 'keepTransfer' | 'removeTransfer'>
  now: () => Date
  changed: (id: string) => void
}

/** As one is that was never tried, or whose last attempt went well. */
export const untried = { failure: null, attempts: 0, nextAt: null } as const

export type Records = ReturnType<typeof openRecords>

/** Transfers as this desk keeps them; every change of one is told. */
export const openRecords = ({ store, now, changed }: Parts) => {
  /** @throws Failed not-found, which says where it was taken off the list */
  const need = (id: string): KeptTransfer => {
    const transfer = store.transfer(id)
    if (transfer) return transfer
    const removed = store.removedTransfer(id)
    throw new Failed({ kind: 'not-found', what: removed?.form.name || id, isRemoved: removed !== undefined })
  }
  const keep = (transfer: KeptTransfer): KeptTransfer => {
    store.keepTransfer({ ...transfer, changed: now().toISOString() })
    changed(transfer.id)
    return transfer
  }
  return {
    need,
    keep,
    /**
     * Changes some of a transfer as it is now. Whoever waited for something meanwhile changes it so: a person
     * may have stopped it since.
     */
    change: (id: string, change: Partial<Omit<KeptTransfer, 'id'>>): KeptTransfer =>
      keep({ ...need(id), ...change }),
    /** Takes a transfer out of the list (with a time) or puts it back; nothing of it is erased. */
    putAway: (id: string, moment: string | null) => {
      store.removeTransfer(id, moment)
      changed(id)
    },
  }
}
