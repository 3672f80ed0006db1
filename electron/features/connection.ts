import type { Archive } from '../archives/archive.ts'
import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { connection as promised } from '../contract/connection.ts'
import type { Fulfils } from '../contract/define.ts'

interface Parts {
  deskOf: (archive: string) => ArchiveDesk
  /** Takes a list that came back much shorter as the archive gives it. */
  agree: (archive: string, subject: string) => void
}

export const connection = ({ deskOf, agree }: Parts): Fulfils<typeof promised, [Archive]> => ({
  refresh: ({ id }) => deskOf(id).renew(),
  acceptShrunk: ({ id }, { subject }) => {
    agree(id, subject)
    return deskOf(id).refresh.whole()
  },
})
