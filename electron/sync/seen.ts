import { canMarkSeen, markSeen, type Notification } from '../archive-client/activity.ts'
import type { Reach } from '../archive-client/http.ts'
import { Failed } from '../contract/failure.ts'
import type { Cache } from '../store/cache.ts'
import type { Ledger } from '../store/ledger.ts'

const mostAtOnce = 50

/** Tells an archive what was seen at this desk, if it is one that can be told; others keep their own counsel, and the desk keeps its. */
export const openSeen = ({ cache, ledger }: { cache: Cache; ledger: Ledger }) => {
  const canBeTold = new Map<string, boolean>()
  return async (archive: string, there: Pick<Reach, 'allowed' | 'patch'>): Promise<void> => {
    if (canBeTold.get(archive) === false) return
    const said = cache.all<Notification>(archive, 'notifications').filter(({ id, seen }) => !seen && ledger.wasOpened(archive, `n${id}`))
    const [first] = said
    if (!first) return
    try {
      if (!canBeTold.has(archive)) canBeTold.set(archive, await canMarkSeen(there, first.id))
      if (canBeTold.get(archive) === true) for (const { id } of said.slice(0, mostAtOnce)) await markSeen(there, id)
    } catch (error) {
      // It is said again after the next refresh; a refusal is taken at its word.
      if (!(error instanceof Failed)) throw error
      if (error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found') canBeTold.set(archive, false)
    }
  }
}
