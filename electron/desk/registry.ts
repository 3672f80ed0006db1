import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { ArchiveClient } from '../dialects/dialect.ts'
import { Failed, type Failure } from '../contract/failure.ts'

export type Registry = ReturnType<typeof openRegistry>

/** The archives that somebody is signed in to, by their ids: what works for all of them finds one here. */
export const openRegistry = () => {
  const desks = new Map<string, ArchiveDesk>()
  /** @throws Failed signed-out where nobody is signed in to such an archive */
  const of = (id: string): ArchiveDesk => {
    const desk = desks.get(id)
    if (!desk) throw new Failed({ kind: 'signed-out' })
    return desk
  }
  return {
    of,
    all: (): ArchiveDesk[] => [...desks.values()],
    find: (id: string): ArchiveDesk | undefined => desks.get(id),
    add: (desk: ArchiveDesk): void => void desks.set(desk.archive.id, desk),
    remove: (id: string): void => void desks.delete(id),
    /** The client of an archive. @throws Failed where there is none, and why */
    clientOf: (id: string): ArchiveClient => of(id).archive.client(),
    /** The same; undefined where there is none. */
    findClient: (id: string): ArchiveClient | undefined => desks.get(id)?.archive.findClient(),
    /** What the last exchange with an archive showed. */
    noteExchange: (id: string, failure: Failure | null): void => desks.get(id)?.archive.noteExchange(failure),
  }
}
