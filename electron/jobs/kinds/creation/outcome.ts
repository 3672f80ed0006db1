import { isUnreached, type Failure } from '../../../contract/failure.ts'
import type { ListName } from '../../../contract/lists.ts'
import type { KeptCreation } from '../../../store/desk/desk-store.ts'
import type { Engine } from '../../engine.ts'
import type { Records } from './records.ts'

interface Parts {
  engine: Pick<Engine, 'afterAttempt'>
  records: Records
  /** What the last exchange with an archive showed. */
  noteExchange: (archive: string, failure: Failure | null) => void
  /** A record is in the archive: its list is to be read again. */
  delivered: (archive: string, list: ListName) => Promise<void>
}

export type Outcome = ReturnType<typeof openOutcome>

/** Keeps what came of an attempt. */
export const openOutcome = ({ engine, records: { keep, keepUnchanged }, noteExchange, delivered }: Parts) => {
  /** Nothing is known yet, or nothing came of it: it is tried again later. */
  const later = (
    read: KeptCreation,
    state: KeptCreation['state'],
    failure: Failure | null,
    change: Pick<Partial<KeptCreation>, 'doubt'> = {},
  ): void =>
    void keepUnchanged(read, { ...read, ...change, state, failure, ...engine.afterAttempt(read, failure) })
  return {
    later,
    /** The same after the archive did not answer, or answered with a failure. */
    failed: (read: KeptCreation, state: KeptCreation['state'], failure: Failure): void => {
      later(read, state, failure)
      noteExchange(read.archive, failure.kind === 'signed-out' || isUnreached(failure) ? failure : null)
    },
    /** @param remote the archive's id of it; null where that is not known */
    arrived: async (creation: KeptCreation, remote: string | null, wasFound = false): Promise<void> => {
      keep({
        ...creation,
        wasFound,
        wasRestored: false,
        state: 'delivered',
        remote,
        failure: null,
        nextAt: null,
      })
      noteExchange(creation.archive, null)
      await delivered(creation.archive, creation.list)
    },
  }
}
