import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { Failed, isRefusal } from '../../../contract/failure.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Records } from './records.ts'
import { findRegistered } from './registration.ts'
import type { Transports } from './transport.ts'

interface Parts {
  store: Pick<DeskStore, 'maybeSent' | 'transfer' | 'waitingAfter'>
  records: Pick<Records, 'keep'>
  transports: Pick<Transports, 'isOverInterface'>
}

/** Each record of the list is looked through for the marks of so many. */
const mostAtOnce = 500

export type SentBefore = ReturnType<typeof openSentBefore>

/**
 * Asks the archive for transfers that a later state of the desk's file may have sent, before the first of
 * them is sent: many at once, since a whole list is read for that. Those that it has are looked up further,
 * as those are that a backup brought back.
 */
export const openSentBefore = ({ store, records: { keep }, transports }: Parts) => {
  const { maybeSent } = store
  const isAsked = (transfer: KeptTransfer) =>
    isReadable(transfer) && transfer.wasRestored !== true && transfer.sending !== 'registering'
  /** The archive has a record of one that goes over the interface where a delivery was chosen for it. */
  const mayBeMarked = (transfer: KeptTransfer) =>
    transfer.form.delivery !== '' || !transports.isOverInterface(transfer)
  /** As it is known by its mark, or by its id there once it has one. */
  const findIn = async (client: ArchiveClient, asked: KeptTransfer[]) => {
    const marked = asked.filter((transfer) => transfer.remote === null && mayBeMarked(transfer))
    const copied = asked.filter(({ sending }) => sending === 'copying').flatMap(({ remote }) => remote ?? [])
    const registered = marked.length === 0 ? undefined : await findRegistered(client, marked)
    const received = copied.length === 0 ? undefined : await client.lookUp('received', copied)
    return {
      idOf: (transfer: KeptTransfer) => (transfer.remote === null ? registered?.idOf(transfer) : undefined),
      isReceived: ({ remote }: KeptTransfer) => remote !== null && received?.has(remote) === true,
    }
  }
  return async (archive: string, client: ArchiveClient, wanted: string): Promise<void> => {
    if (!maybeSent.has(wanted) || client.dialect.lists.transfers === undefined) return
    const ids = [wanted, ...store.waitingAfter(archive, wanted, mostAtOnce)].filter(maybeSent.has)
    const asked = ids.flatMap((id) => store.transfer(id) ?? []).filter(isAsked)
    let found: Awaited<ReturnType<typeof findIn>>
    try {
      found = await findIn(client, asked)
    } catch (error) {
      // An archive that shows this account no transfers cannot be asked for them.
      if (error instanceof Failed && isRefusal(error.failure)) return
      throw error
    }
    for (const { id } of asked) {
      const transfer = store.transfer(id)
      if (transfer === undefined) continue
      const remote = found.idOf(transfer)
      // A package that goes over the interface is found there by its identifier; this is the record of it.
      if (remote !== undefined && transports.isOverInterface(transfer))
        keep({ ...transfer, record: { id: remote } })
      else if (remote !== undefined || found.isReceived(transfer)) keep({ ...transfer, wasRestored: true })
      maybeSent.settle(id)
    }
  }
}
