import { markSeen } from '../archive-client/activity.ts'
import type { Reach } from '../archive-client/http.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { Failed } from '../contract/failure.ts'
import type { CacheOf } from '../store/caches.ts'
import type { Ledger } from '../store/ledger.ts'

const mostAtOnce = 50

/** Tells an archive what was seen at this desk, if it is one that can be told; others keep their own counsel, and the desk keeps its. */
export const openSeen = ({
  cacheOf,
  ledger,
  able,
}: {
  cacheOf: CacheOf
  ledger: Ledger
  able: (archive: string) => Capabilities | null
}) => {
  /** Archives that refused, whatever they said before. */
  const refused = new Set<string>()
  return async (archive: string, there: Pick<Reach, 'patch'>): Promise<void> => {
    if (able(archive)?.notifications.markSeen !== true || refused.has(archive)) return
    const said = cacheOf(archive)
      .unseen()
      .filter(({ id }) => ledger.wasOpened(archive, `n${id}`))
      .take(mostAtOnce)
      .toArray()
    try {
      // One by one: what came meanwhile was not seen here, and must not be said to be.
      for (const { id } of said) await markSeen(there, id)
    } catch (error) {
      // It is said again after the next refresh; a refusal is taken at its word.
      if (!(error instanceof Failed)) throw error
      if (error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found') refused.add(archive)
    }
  }
}
