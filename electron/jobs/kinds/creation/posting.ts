import type { ArchiveClient } from '../../../dialects/dialect.ts'
import { Failed, isRefusal, isSurelyUnsent } from '../../../contract/failure.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'
import { isRecord } from '../../../common/records.ts'
import { noLookups } from '../../delays.ts'
import { findMade } from './finding.ts'
import type { CreatingAt } from './creating.ts'
import type { Outcome } from './outcome.ts'
import type { Records } from './records.ts'

interface Parts {
  store: Pick<DeskStore, 'isClaimed'>
  records: Records
  outcome: Outcome
  /** How records come into being at an archive. */
  creatingAt: CreatingAt
  now: () => Date
}

export type Posting = ReturnType<typeof openPosting>

/** The one request that creates a record: written down before it leaves, and its answer kept. */
export const openPosting = ({ store, records: { keep, keepUnchanged }, outcome, creatingAt, now }: Parts) => {
  /**
   * Looks up the id of one that the archive took without saying it. Where it did not even say that it took
   * one, and has none, a person decides.
   */
  const arrivedNameless = async (archive: ArchiveClient, creation: KeptCreation): Promise<void> => {
    let found: unknown[] = []
    try {
      found = (await findMade(archive, creation, creatingAt(creation.archive), store)).same
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (!isRefusal(error.failure)) return outcome.failed(creation, 'unanswered', error.failure)
    }
    if (found.length === 0 && creation.wasTaken !== true)
      return void keep({ ...creation, state: 'undecided', candidates: [], failure: null, nextAt: null })
    // Of several that say the same, the last one is as good as any to refer to.
    await outcome.arrived(
      creation,
      found.length === 0 ? null : creatingAt(creation.archive).idOf(found.at(-1)),
    )
  }
  return {
    arrivedNameless,
    /** Sends one as `next` has it; nothing is sent of one that is not as it was read. */
    post: async (archive: ArchiveClient, read: KeptCreation, next: KeptCreation): Promise<void> => {
      // Written before it is sent: a desk that ends now knows afterwards that it may have been.
      const intent = keepUnchanged(read, {
        ...next,
        state: 'sending',
        failure: null,
        triedAt: now().toISOString(),
        nextAt: null,
        doubt: noLookups,
      })
      if (!intent) return
      const creating = creatingAt(intent.archive)
      let made: unknown
      try {
        made = await archive.post(intent.path ?? creating.pathOf(intent.list), intent.body)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        const { failure } = error
        if (isRefusal(failure)) keep({ ...intent, state: 'refused', failure })
        else outcome.failed(intent, isSurelyUnsent(failure) ? 'waiting' : 'unanswered', failure)
        return
      }
      const remote = creating.idOf(made)
      if (remote !== '') await outcome.arrived(intent, remote)
      else await arrivedNameless(archive, isRecord(made) ? keep({ ...intent, wasTaken: true }) : intent)
    },
  }
}
