import type { Progress, TransferState, Transfer } from '../../../electron/contract/transfers.ts'
import { say, shown } from '../../language/say.svelte.ts'

const order: TransferState[] = ['draft', 'packing', 'prepared', 'sending', 'sent', 'received', 'preserved']
const rungs = ['prepared', 'sent', 'received', 'preserved'] as const

/**
 * The ladder of a transfer: prepared → sent → received → preserved, each with its time, or with what is going
 * on.
 */
export const rungsOf = (transfer: Transfer, progress: Progress | undefined) => {
  const reached =
    transfer.state === 'refused'
      ? transfer.times.received
        ? 5
        : transfer.times.sent
          ? 4
          : 2
      : order.indexOf(transfer.state)
  const nextRung = rungs.findIndex((rung) => order.indexOf(rung) > reached)
  return rungs.map((rung, index) => {
    const isDone = order.indexOf(rung) <= reached
    const isNow = index === nextRung
    const share = progress && progress.ofBytes > 0 ? shown.percent(progress.bytes / progress.ofBytes) : ''
    const doing =
      isNow && (transfer.state === 'packing' || transfer.state === 'sending')
        ? `${say.transfers.states[transfer.state].toLowerCase()} ${share}`.trim()
        : ''
    const waits =
      rung === 'sent' && isNow && transfer.isWaiting && transfer.state === 'prepared'
        ? say.transfers.waits.toLowerCase()
        : ''
    return {
      name: say.transfers.ladder[rung],
      note: isDone ? shown.moment(transfer.times[rung]) : doing || waits,
      state: isDone
        ? ('done' as const)
        : isNow && transfer.state === 'refused'
          ? ('failed' as const)
          : isNow
            ? ('now' as const)
            : ('ahead' as const),
    }
  })
}
