import type { ArchiveClient } from '../../../dialects/dialect.ts'
import type { Capabilities } from '../../../contract/capabilities.ts'
import { Failed, isRefusal, type Failure } from '../../../contract/failure.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'
import { afterLookup, isSurelyAbsent, noLookups } from '../../delays.ts'
import type { CreatingAt } from './creating.ts'
import { findMade } from './finding.ts'
import type { Outcome } from './outcome.ts'
import type { Posting } from './posting.ts'
import type { Records } from './records.ts'
import type { References } from './references.ts'

interface Parts {
  store: Pick<DeskStore, 'isClaimed' | 'maybeSent'>
  records: Records
  references: References
  outcome: Outcome
  posting: Posting
  creatingAt: CreatingAt
  /** What the last exchange with an archive showed. */
  noteExchange: (archive: string, failure: Failure | null) => void
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  now: () => Date
}

/**
 * Whether the archive may have it already; one that is said to be sent though nobody sends it now was left by
 * a run that broke.
 */
const mayBeThere = ({ state, wasRestored }: KeptCreation) =>
  state === 'unanswered' || state === 'sending' || (wasRestored === true && state !== 'undecided')

/** Those that the clock sends; of those that a backup brought back it asks whether they are there. */
export const goesByItself = (creation: KeptCreation) => creation.state === 'waiting' || mayBeThere(creation)

type Form = Pick<KeptCreation, 'fields' | 'values'>

/** What is sent of a creation as it is, or as an earlier form said it. */
const openRequests =
  ({ references, creatingAt, capabilitiesOf }: Parts) =>
  ({ archive, list }: KeptCreation, form: Form) =>
    creatingAt(archive).request(list, form, references.remoteOf, capabilitiesOf(archive))

/** Finds records that say what a creation said before a person corrected it. */
const openFormer = (parts: Parts) => {
  const requestFor = openRequests(parts)
  return async (archive: ArchiveClient, creation: KeptCreation): Promise<unknown[]> => {
    const records: unknown[] = []
    for (const form of creation.former ?? []) {
      const asked = { ...creation, ...requestFor(creation, form) }
      const creating = parts.creatingAt(creation.archive)
      const { same, similar } = await findMade(archive, asked, creating, parts.store)
      records.push(...similar, ...same)
    }
    return records
  }
}

/** Sends one creation: what the archive may have is looked up first, and what it surely has not is sent. */
export const openSending = (parts: Parts) => {
  const { store, outcome, posting, creatingAt, noteExchange, now } = parts
  const { keepUnchanged } = parts.records
  const requestFor = openRequests(parts)
  const findFormer = openFormer(parts)

  /**
   * After a lookup that found nothing: waits as long as the archive may still be working at it, then sends
   * it. What a later state of the desk's file may have sent is not under way any more.
   */
  const sendUnfound = async (archive: ArchiveClient, creation: KeptCreation, asked: KeptCreation) => {
    const { state, failure } = creation
    if (!mayBeThere(creation)) return posting.post(archive, creation, { ...asked, before: [], former: [] })
    const doubt = afterLookup(creation.doubt, creation, now())
    if (!isSurelyAbsent(doubt)) {
      outcome.later(creation, state === 'sending' ? 'unanswered' : state, failure, { doubt })
      return noteExchange(creation.archive, null)
    }
    if (state === 'held' || state === 'refused')
      keepUnchanged(creation, {
        ...creation,
        wasRestored: false,
        former: [],
        attempts: 0,
        nextAt: null,
        doubt: noLookups,
      })
    else
      await posting.post(archive, creation, {
        ...asked,
        before: creation.before ?? [],
        former: [],
        wasRestored: false,
      })
  }

  /** Asks the archive for one that it may have, and sends it where it surely has not. */
  const lookUp = async (archive: ArchiveClient, creation: KeptCreation) => {
    const asked = creation.body === null ? { ...creation, ...requestFor(creation, creation) } : creation
    if (creation.wasTaken === true) return posting.arrivedNameless(archive, creation)
    const creating = creatingAt(creation.archive)
    const { same, similar } = await findMade(archive, asked, creating, store)
    const former = await findFormer(archive, creation)
    store.maybeSent.settle(creation.id)
    // Where nobody knows what was there before, one that is older or does not say its age may be another's.
    const proven =
      creation.before === null ? same.filter((record) => creating.wasMadeSince(record, creation.made)) : same
    // Of one that nothing says was sent the record may be somebody else's.
    if (proven.length === 1 && mayBeThere(creation))
      return outcome.arrived(asked, creating.idOf(proven[0]), true)
    const candidates = [...new Set([...former, ...similar, ...same].map(creating.idOf))]
    if (candidates.length === 0) return sendUnfound(archive, creation, asked)
    keepUnchanged(creation, { ...asked, state: 'undecided', candidates, failure: null, nextAt: null })
  }

  /** Fulfilled when it is known how it stands; that is kept. */
  return async (archive: ArchiveClient, creation: KeptCreation): Promise<void> => {
    try {
      if (mayBeThere(creation) || store.maybeSent.has(creation.id)) return await lookUp(archive, creation)
      const { path, body } = requestFor(creation, creation)
      const { found, isSure } = await archive.lookUp('saying', creation.list, body, path)
      // A list that may lack records does not say what was there before.
      const before = isSure ? [...found.keys()] : null
      await posting.post(archive, creation, { ...creation, before, path, body })
    } catch (error) {
      // The list could not be read: nothing was sent.
      if (!(error instanceof Failed)) throw error
      const { state } = creation
      const isSent = state === 'sending' || state === 'unanswered'
      if (isRefusal(error.failure))
        keepUnchanged(creation, {
          ...creation,
          state: mayBeThere(creation) ? 'undecided' : 'refused',
          failure: error.failure,
        })
      else outcome.failed(creation, isSent ? 'unanswered' : state, error.failure)
    }
  }
}
