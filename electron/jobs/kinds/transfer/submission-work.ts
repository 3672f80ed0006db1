import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import { archiveSteps, type ArchiveStep } from '../../../contract/transfers.ts'
import { Failed } from '../../../contract/failure.ts'
import type { Counts } from '../../../contract/counts.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { LaidPackages } from '../../../store/desk/laid-packages.ts'
import type { Records } from './records.ts'

/** What works at a transfer that goes over the interface. */
export interface SubmissionTools {
  archive: ArchiveClient
  change: Records['change']
  current: Records['need']
  /** The archive was seen to take files of an extension, or to refuse them. */
  noteExtension: (extension: string, isAccepted: boolean) => void
  /** Where packages were laid for archives. */
  laid: LaidPackages
  scripts: PackagingScripts
  /** Whether this account may receive what it brings, and have it preserved. */
  mayReceive: boolean
  /** Whether this account may have the archive keep a record of a transfer. */
  mayRecord: boolean
  /** How fast a folder takes what is written, in bytes a second; else it is measured. */
  writeSpeedOf?: ((folder: string) => Promise<number>) | undefined
  signal: AbortSignal
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  onPlan: (survey: { counts: Counts }) => void
  onProgress: (progress: WorkProgress) => void
}

/** So long it is waited between two looks at what the archive does. */
export const betweenLooksMs = 1_500
/** So long an archive may take until what it was asked for shows. */
export const longestStartMs = 60_000
/** So long one attempt watches the archive at work; the next goes on from there. */
export const longestWorkMs = 900_000

/** Whether a package has taken a step, or one after it. */
export const isAsFarAs = ({ step }: SubmissionStatus, wanted: ArchiveStep) =>
  step !== 'unknown' && archiveSteps.indexOf(step) >= archiveSteps.indexOf(wanted)

/** The failure of an archive that does not come to an end. @param excerpt what it said last */
export const tooSlow = ({ url }: ArchiveClient, excerpt: string) =>
  new Failed({ kind: 'server-broke', address: url, status: 200, detail: 'too-slow', excerpt })

/** The work at one transfer. */
export interface Work extends SubmissionTools {
  transfer: KeptTransfer
  submission: SubmissionPart
}

/**
 * The package that carries the identifier of a transfer.
 * @throws Failed conflict where that is another than the one that was made for it
 */
export const find = async ({ submission, archive, transfer, current }: Work) => {
  const found = await submission.find(archive, transfer.form.identifier)
  const { remote, refusedPackage } = current(transfer.id)
  const isOurs = remote === null || found === undefined || found.id === remote || found.id === refusedPackage
  if (!isOurs) throw new Failed({ kind: 'conflict', detail: 'identifier' })
  return found
}

/** A package that was asked for, as soon as the archive shows it. @throws Failed server-broke too-slow */
export const afterAsking = async (work: Work): Promise<SubmissionStatus> => {
  const { archive, transfer, wait, signal } = work
  const began = performance.now()
  for (;;) {
    const found = await find(work)
    if (found) return found
    if (performance.now() - began > longestStartMs) throw tooSlow(archive, transfer.form.identifier)
    await wait(betweenLooksMs, signal)
  }
}
