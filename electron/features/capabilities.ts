import type { Archive } from '../archives/archive.ts'
import type { capabilities as promised } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Shrunk } from '../contract/session.ts'
import type { Abilities } from '../session/abilities.ts'

interface Parts {
  abilities: Abilities
  /** Lists that came back much shorter than they are held. */
  shrunk: (archive: string) => Shrunk[]
  /** Reads everything anew. */
  refresh: () => Promise<void>
  /** Takes a list that came back much shorter as the archive gives it. */
  agree: (archive: string, subject: string) => void
}

/** What the archive that is shown can do. Another organization sees other packages, so everything is read anew. */
export const capabilities = ({
  abilities,
  shrunk,
  refresh,
  agree,
}: Parts): Fulfils<typeof promised, [Archive]> => {
  /** Another organization may see much less: nobody has to be asked whether that is right. */
  const refreshed = async (archive: string) => {
    await refresh()
    const shrunken = shrunk(archive)
    for (const { subject } of shrunken) agree(archive, subject)
    if (shrunken.length > 0) await refresh()
  }
  return {
    read: (archive) => abilities.of(archive.id),
    ask: () => abilities.ask(),
    chooseOrganization: async (archive, { id }) => {
      const it = await abilities.chooseOrganization(id)
      void refreshed(archive.id)
      return it
    },
  }
}
