import type { ArchiveClient } from '../dialects/dialect.ts'
import type { Capabilities } from '../contract/capabilities.ts'
import { Failed } from '../contract/failure.ts'

const mostAtOnce = 50

/**
 * Tells an archive what was seen at this desk, if it is one that can be told; others keep their own counsel,
 * and the desk keeps its.
 */
export const openSeen = ({
  opened,
  capabilities,
}: {
  /** Ids of some of what a person opened at this desk, and that an archive calls unread. */
  opened: (archive: string, most: number) => Promise<number[]>
  capabilities: (archive: string) => Capabilities | null
}) => {
  /** Archives that refused, whatever they said before. */
  const refused = new Set<string>()
  return async (archive: string, client: Pick<ArchiveClient, 'patch' | 'dialect'>): Promise<void> => {
    const { markSeen } = client.dialect.news
    if (!markSeen || capabilities(archive)?.notifications.markSeen !== true || refused.has(archive)) return
    const said = await opened(archive, mostAtOnce)
    try {
      // One by one: what came meanwhile was not seen here, and must not be said to be.
      for (const id of said) await markSeen(client, id)
    } catch (error) {
      // It is said again after the next refresh; a refusal is taken at its word.
      if (!(error instanceof Failed)) throw error
      if (error.failure.kind === 'not-allowed' || error.failure.kind === 'not-found') refused.add(archive)
    }
  }
}
