import type { Dialect, ArchiveClient } from '../../../dialects/dialect.ts'
import type { Capabilities } from '../../../contract/capabilities.ts'
import type { Failure } from '../../../contract/failure.ts'
import type { ListName } from '../../../contract/lists.ts'
import type { Creation } from '../../../contract/outbox.ts'
import type { DeskStore, KeptCreation } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Engine } from '../../engine.ts'
import { openCommands, openForms } from './commands.ts'
import { openCreating } from './creating.ts'
import { openOutcome } from './outcome.ts'
import { openPosting } from './posting.ts'
import { openRecords } from './records.ts'
import { openReferences } from './references.ts'
import { goesByItself, openSending } from './sending.ts'

interface Parts {
  engine: Engine
  store: DeskStore
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  /** What the last exchange with an archive showed. */
  noteExchange: (archive: string, failure: Failure | null) => void
  /** What an archive speaks. */
  dialectOf: (archive: string) => Dialect
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  now: () => Date
  /** Something of an archive's outbox is another; an empty id is the outbox itself, stopped or going on. */
  changed: (archive: string, id: string) => void
  /** A record is in the archive: its list is to be read again. */
  delivered: (archive: string, list: ListName) => Promise<void>
}

export type Creations = ReturnType<typeof openCreations>

/**
 * Sends what was created at this desk, in order, each exactly once: what is to be sent and what the archive's
 * list held before is on disk before the request leaves (posting.ts). After an answer that was lost the
 * archive may still be working at it: the list is read and compared (finding.ts), and only what several
 * lookups over minutes did not find is sent again (sending.ts). What a person does is in commands.ts.
 */
export const openCreations = (parts: Parts) => {
  const { engine, store, findClient, noteExchange, capabilitiesOf, now, changed, delivered } = parts
  const records = openRecords({ store, changed })
  const references = openReferences(store)
  const creatingAt = openCreating(parts.dialectOf)
  const outcome = openOutcome({ engine, records, noteExchange, delivered })
  const posting = openPosting({ store, records, outcome, creatingAt, now })
  const send = openSending({
    store,
    records,
    references,
    outcome,
    posting,
    creatingAt,
    noteExchange,
    capabilitiesOf,
    now,
  })

  /** Whether one goes now; one that a person sends goes though it was refused or was to wait. */
  const isNext = (creation: KeptCreation, isByHand: boolean) => {
    const goes = isByHand
      ? goesByItself(creation) || creation.state === 'refused'
      : goesByItself(creation) && engine.isDue(creation)
    return goes && references.waitsFor(creation).length === 0
  }
  /** Sends what is due, one after the other. One that is refused or waits does not hold the others back. */
  const sendDue = (archive: string, only?: string): Promise<void> =>
    engine.sendDue(archive, 'creation', {
      // What another creation of the same words made could not be told from what this one made.
      most: 1,
      attempt: async (id, isByHand) => {
        const client = findClient(archive)
        const creation = store.creation(id)
        if (!client || !creation || !isReadable(creation) || !isNext(creation, isByHand)) return false
        await send(client, creation)
        return true
      },
      only,
    })

  const shown = (creation: KeptCreation): Creation => ({
    id: creation.id,
    list: creation.list,
    title: creation.title,
    state: creation.wasRestored === true && creation.state !== 'undecided' ? 'unanswered' : creation.state,
    made: creation.made,
    nextAt: creation.nextAt,
    attempts: creation.attempts,
    failure: creation.failure,
    remote: creation.remote,
    wasFound: creation.wasFound === true,
    waitsFor: references.waitsFor(creation).map(references.titleOf),
  })

  return {
    ...openForms({ store, records, creatingAt, now, changed, delivered, sendDue }),
    ...openCommands({ store, records, creatingAt, now, changed, delivered, sendDue }),
    /** Those that are not in the archive yet, in the order of sending. */
    undelivered: (archive: string, most: number): Creation[] => store.undelivered(archive, most).map(shown),
    count: store.undeliveredCount,
    isTroubled: store.hasTroubledCreation,
    /** Those that were found in the archive after their answers were lost, the last first. */
    found: (archive: string, most: number): Creation[] => store.foundCreations(archive, most).map(shown),
    /** Those of a list that may not be in the local copy yet. */
    of: (archive: string, list: ListName, most: number): Creation[] =>
      store.creationsOf(archive, list, most).map(shown),
    /** Sends what is due. */
    sendDue,
    /** At the start: a request that was under way when the desk ended may have arrived. */
    tidy: (archives: string[]) => {
      for (const creation of archives.flatMap(store.sendingCreations)) {
        const state = engine.stateOf('creation', creation)
        if (state === creation.state) continue
        const { triedAt, nextAt } = engine.afterAttempt(creation, null)
        store.keepCreation({ ...creation, state, triedAt, nextAt })
      }
    },
  }
}
