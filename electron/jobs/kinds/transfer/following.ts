import { background, toProcess } from '../../../common/background.ts'
import { moveAside } from '../../../packaging/pack/pack.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { Evidence } from './evidence.ts'
import type { Records } from './records.ts'

interface Parts {
  keep: Records['keep']
  evidence: Evidence
  now: () => Date
}

export type Following = ReturnType<typeof openFollowing>

/**
 * Follows what was sent, by what the desk has read of the archive's events and packages: received, preserved,
 * or refused.
 */
export const openFollowing =
  ({ keep, evidence, now }: Parts) =>
  (transfer: KeptTransfer): void => {
    const events = evidence.eventsOf(transfer)
    const rejected = events.find(({ failed }) => failed === true)
    const received = events.find(({ receipt }) => receipt === 'received')
    const preserved = events.find(({ receipt, failed }) => receipt === 'preserved' && failed !== true)
    const receivedAt = transfer.times.received ?? received?.time ?? null
    const byIdentifier = evidence.preservedAs(transfer, receivedAt)
    const became = preserved?.package ?? byIdentifier?.id ?? null
    const times = {
      ...transfer.times,
      received: receivedAt,
      preserved:
        became === null
          ? null
          : (transfer.times.preserved ?? preserved?.time ?? (byIdentifier?.since || now().toISOString())),
    }
    if (became !== null) {
      keep({ ...transfer, state: 'preserved', package: became, times, failure: null })
      // Every copy was read back by the archive; the desk's own copy of the package has done its work.
      if (transfer.sip) background(moveAside(transfer.sip.path), toProcess)
    } else if (rejected)
      keep({
        ...transfer,
        state: 'refused',
        times,
        failure: { kind: 'refused', fields: { '': [rejected.note] } },
      })
    else if (received && transfer.state === 'sent') keep({ ...transfer, state: 'received', times })
  }
