import type { Subject } from '../contract/subjects.ts'
import type { Archive } from '../archives/archive.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import type { FileComparison } from '../contract/comparisons.ts'
import type { Dissemination } from '../contract/dips.ts'
import type { Failure } from '../contract/failure.ts'
import type { Download } from '../contract/files.ts'
import type { Destination } from '../contract/notices.ts'
import type { SessionStatus } from '../contract/session.ts'
import type { Progress } from '../contract/transfers.ts'

/** What happens at the desk, and what is known of it. Who tells it knows nobody who hears it. */
export interface DeskEvents {
  /** The connection to an archive, or who is signed in where, is another. */
  'session changed': SessionStatus
  /** What an archive can do was asked anew. */
  'capabilities learnt': { archive: string; capabilities: Capabilities }
  /** The lists of an archive were read: which completely, and what was wrong with the others. */
  'lists read': { archive: Archive; failure: Failure | null; complete: Subject[] }
  /** Rows of these lists were written and can be seen. */
  'rows written': { archive: string; subjects: Subject[] }
  /** Words of rows that came are in the index; with `isAll`, none waits. */
  'words indexed': { archive: string; isAll: boolean }
  'transfer changed': { id: string }
  'transfer progressed': Progress
  /** The id is empty where all of an archive's creations stopped, or go on. */
  'creation changed': { archive: string; id: string }
  'dissemination changed': { archive: string; dissemination: Dissemination }
  'download progressed': { archive: string; download: Download }
  'comparison progressed': { archive: string; comparison: FileComparison }
  'batch changed': { archive: string; id: string }
  'check changed': { id: string }
  'searches changed': { archive: string }
  'orders changed': { archive: string }
  /** A person saw messages of an archive. */
  'alerts seen': { archive: Archive }
  /** A person followed a notice or a link. */
  'place wanted': Destination
  /** How much is unread, of any archive. */
  'unread changed': null
}

export type Events = ReturnType<typeof openEvents>

/**
 * Brings what happens to those whom it concerns: at once, in the order in which they asked to hear it.
 * @param reportBug hears of one that failed; the others hear the event all the same
 */
export const openEvents = (reportBug: (error: unknown, source: string) => string) => {
  const handlers = new Map<keyof DeskEvents, ((event: never) => void)[]>()
  return {
    on: <Name extends keyof DeskEvents>(name: Name, handle: (event: DeskEvents[Name]) => void): void => {
      handlers.set(name, [...(handlers.get(name) ?? []), handle])
    },
    emit: <Name extends keyof DeskEvents>(name: Name, event: DeskEvents[Name]): void => {
      for (const handle of handlers.get(name) ?? [])
        try {
          // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- `on` lets in no others of a name
          handle(event as never)
        } catch (error) {
          reportBug(error, 'desk')
        }
    },
  }
}
