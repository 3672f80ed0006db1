import { background, toProcess } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { capabilities as promised } from '../contract/capabilities.ts'
import type { Fulfils } from '../contract/define.ts'

interface Parts {
  deskOf: (archive: string) => ArchiveDesk
  /** Lets a list be as short as the archive gave it, when it is read again. */
  acceptShrunk: (archive: string, subject: string) => void
}

/** What an archive can do. Another organization sees other packages, so everything is read anew. */
export const capabilities = ({ deskOf, acceptShrunk }: Parts): Fulfils<typeof promised, [Archive]> => {
  /** Another organization may see much less: nobody has to be asked whether that is right. */
  const refreshed = async ({ archive, refresh }: ArchiveDesk) => {
    await refresh.wholeAnew()
    const { shrunk } = archive.connection()
    for (const { subject } of shrunk) acceptShrunk(archive.id, subject)
    if (shrunk.length > 0) await refresh.wholeAnew()
  }
  return {
    read: ({ id }) => deskOf(id).capabilities.known(),
    ask: ({ id }) => deskOf(id).capabilities.ask(),
    chooseOrganization: async (archive, { id }) => {
      const desk = deskOf(archive.id)
      const learnt = await desk.capabilities.chooseOrganization(id)
      background(refreshed(desk), toProcess)
      return learnt
    },
  }
}
