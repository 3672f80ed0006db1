import type { Subject } from '../../contract/subjects.ts'
import type { Cache } from './cache.ts'
import { prepare } from '../../common/statements.ts'
import { heldModel } from './held-model.ts'

/**
 * Whole lists of a local copy, however long they are: for threads that answer questions and for tests, never
 * for the thread that hears the window.
 */
export const openFullScans = ({ database }: Pick<Cache, 'database'>) => {
  const all = prepare<{ model: string }>(
    database,
    'select model from held where subject = ? order by position, number',
  )
  const ids = database.prepare('select id from held where subject = ? order by position, number')
  return {
    /** Every model of a subject, in the archive's order. The caller names the type that the sync wrote. */
    all: <T>(subject: Subject): T[] => all.all(subject).map(({ model }) => heldModel<T>(model)),
    ids: (subject: Subject): string[] => ids.all(subject).map(({ id }) => String(id)),
  }
}

export type FullScans = ReturnType<typeof openFullScans>
