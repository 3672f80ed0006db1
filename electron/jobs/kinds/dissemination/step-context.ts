import { needed, type DisseminationPart, type ArchiveClient } from '../../../dialects/dialect.ts'
import type { DipItem, Dissemination } from '../../../contract/dips.ts'
import { Failed, isTransient, isUnreached } from '../../../contract/failure.ts'

/** Work of the archive's own failed: what it says of that. */
export class ArchiveFailed extends Error {}

/** What a step is given. */
export interface StepContext {
  archive: ArchiveClient
  /** Writes down how far it has come. */
  save: (dissemination: Dissemination) => Dissemination
  stop: AbortSignal
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
}

/** How the archive makes dissemination packages. @throws Failed not-allowed where it makes none */
export const disseminationOf = ({ dialect }: ArchiveClient): DisseminationPart =>
  needed(dialect.dissemination)

export const pollIntervalMs = 1_500

/** So many looks in a row meet a broken archive before the work is given up: after a minute and a half. */
const mostFailedLooks = 10
/** An archive that asks to be left alone for longer (Retry-After) is. */
const longestLeaveS = 60

/** How long to wait before it is asked again, in milliseconds; undefined where it would say the same. */
const waitBeforeRetry = (error: unknown, failed: number): number | undefined => {
  if (!(error instanceof Failed) || failed >= mostFailedLooks) return undefined
  const { failure } = error
  if (!isUnreached(failure) && !isTransient(failure)) return undefined
  const { retryAfterS = 0 } = failure.kind === 'server-broke' ? failure : {}
  if (retryAfterS > longestLeaveS) return undefined
  return Math.max(failed * pollIntervalMs, retryAfterS * 1_000)
}

/** Asks how things stand in the archive; where it could not say so just then once more, later each time. */
export const withRetries = async <T>(
  ask: () => Promise<T>,
  { wait, stop }: Pick<StepContext, 'wait' | 'stop'>,
): Promise<T> => {
  for (let failed = 1; ; failed += 1)
    try {
      return await ask()
    } catch (error) {
      const ms = waitBeforeRetry(error, failed)
      if (ms === undefined) throw error
      await wait(ms, stop)
    }
}

/** The dissemination with one of its items changed. */
export const withItem = (
  dissemination: Dissemination,
  changed: DipItem,
  change: Partial<DipItem>,
): Dissemination => ({
  ...dissemination,
  items: dissemination.items.map((item) =>
    item.package === changed.package ? { ...item, ...change } : item,
  ),
})
