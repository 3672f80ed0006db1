import type { capabilities as promised } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Abilities } from '../session/abilities.ts'
import type { Session } from '../session/session.ts'

interface Parts {
  session: Session
  abilities: Abilities
  /** Reads everything anew. */
  refresh: () => Promise<void>
  /** Takes a list that came back much shorter as the archive gives it. */
  agree: (archive: string, subject: string) => void
}

/** What the archive that is shown can do. Another organization sees other packages, so everything is read anew. */
export const capabilities = ({ session, abilities, refresh, agree }: Parts): Fulfils<typeof promised> => {
  /** Another organization may see much less: nobody has to be asked whether that is right. */
  const refreshed = async () => {
    await refresh()
    const { account, connection } = session.status()
    if (!account || connection.shrunk.length === 0) return
    for (const { subject } of connection.shrunk) agree(account.archive, subject)
    await refresh()
  }
  return {
    read: () => abilities.of(session.account().archive),
    ask: () => abilities.ask(),
    chooseOrganization: async ({ id }) => {
      const it = await abilities.chooseOrganization(id)
      void refreshed()
      return it
    },
  }
}
