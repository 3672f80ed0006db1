import { needed, type DisseminationPart, type ArchiveClient } from '../../../dialects/dialect.ts'
import type { DipItem, DipTask } from '../../../contract/dips.ts'

/** Work of the archive's own failed: what it says of that. */
export class ArchiveFailed extends Error {}

/** What a step is given. */
export interface StepContext {
  archive: ArchiveClient
  /** Writes down how far it has come. */
  save: (task: DipTask) => DipTask
  stop: AbortSignal
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
}

/** How the archive makes dissemination packages. @throws Failed not-allowed where it makes none */
export const disseminationOf = ({ dialect }: ArchiveClient): DisseminationPart =>
  needed(dialect.dissemination)

export const pollIntervalMs = 1_500

/** The task with one of its items changed. */
export const withItem = (task: DipTask, changed: DipItem, change: Partial<DipItem>): DipTask => ({
  ...task,
  items: task.items.map((item) => (item.package === changed.package ? { ...item, ...change } : item)),
})
