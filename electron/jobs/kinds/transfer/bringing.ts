import type { ArchiveClient } from '../../../dialects/dialect.ts'
import type { Progress } from '../../../contract/transfers.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { deliver } from './delivery.ts'
import type { Evidence } from './evidence.ts'
import { meter } from './meter.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'
import type { SubmissionTools } from './submission-work.ts'
import { finish, submit } from './submission.ts'

interface Parts {
  store: Pick<DeskStore, 'ingestFolders' | 'mountPointOf' | 'noteFileExtension' | 'laidPackages'>
  records: Pick<Records, 'change' | 'need'>
  evidence: Pick<Evidence, 'ingestFolderOf' | 'wasReceived'>
  transports: Pick<Transports, 'isOverInterface' | 'mayReceive' | 'mayRecord'>
  scripts: PackagingScripts
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  progress: (progress: Progress) => void
}

/** Takes a transfer as far as it goes at its archive; what it throws is for its caller to keep. */
export type Bring = (
  transfer: KeptTransfer,
  archive: ArchiveClient,
  signal: AbortSignal,
) => Promise<KeptTransfer>

/** Brings the packages of transfers to their archive, the way that each goes there. */
export const openBringing = (parts: Parts): { bring: Bring; finish: Bring } => {
  const { store, records, evidence, transports, scripts, now, wait, progress } = parts

  /** What works at one transfer that goes over the interface. */
  const toolsFor = (transfer: KeptTransfer, archive: ArchiveClient, signal: AbortSignal): SubmissionTools => {
    const { onPlan, onProgress } = meter(transfer.id, 'sending', progress)
    return {
      archive,
      change: records.change,
      current: records.need,
      noteExtension: (extension, isAccepted) =>
        store.noteFileExtension(transfer.archive, extension, isAccepted),
      laid: store.laidPackages,
      scripts,
      mayReceive: transports.mayReceive(transfer.archive),
      mayRecord: transports.mayRecord(transfer.archive),
      signal,
      now,
      wait,
      onPlan,
      onProgress,
    }
  }

  return {
    /** Sends one: over the interface until it is submitted, else into the ingest folder. */
    bring: (transfer, archive, signal) => {
      if (transports.isOverInterface(transfer)) return submit(transfer, toolsFor(transfer, archive, signal))
      const { onPlan, onProgress } = meter(transfer.id, 'sending', progress)
      return deliver(transfer, {
        archive,
        ingestFolder: evidence.ingestFolderOf(transfer.archive),
        chosenFolders: store.ingestFolders(transfer.archive),
        mountPointOf: (folder) => store.mountPointOf(transfer.archive, folder),
        change: records.change,
        wasReceived: evidence.wasReceived,
        scripts,
        signal,
        now,
        onPlan,
        onProgress,
      })
    },
    /** Goes on with one that was submitted, until it is preserved. */
    finish: (transfer, archive, signal) => finish(transfer, toolsFor(transfer, archive, signal)),
  }
}
