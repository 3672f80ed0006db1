import type { JournalAct } from './activity.ts'
import type { ArchiveStep } from './transfers.ts'

/** Something that happened to a transfer, whoever tells it. */
export type TransferMoment = {
  /** ISO 8601. */
  time: string
} & (
  | { source: 'desk'; what: JournalAct }
  /** A step that the archive took, when that was seen. */
  | { source: 'archive'; what: ArchiveStep }
  /** What a message of the archive says of the package that it became. */
  | { source: 'notification'; what: string; failed: boolean }
)

/** What happened to a transfer last, in the order in which it did, and how much happened before. */
export interface TransferHistory {
  moments: TransferMoment[]
  earlier: number
}
