import type { Archive } from '../archives/archive.ts'
import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { connection as promised } from '../contract/connection.ts'
import type { Fulfils } from '../contract/define.ts'

interface Parts {
  deskOf: (archive: string) => ArchiveDesk
  /** Lets a list be as short as the archive gave it, when it is read again. */
  acceptShrunk: (archive: string, subject: string) => void
}

export const connection = ({ deskOf, acceptShrunk }: Parts): Fulfils<typeof promised, [Archive]> => ({
  refresh: ({ id }) => deskOf(id).renew(),
  acceptShrunk: ({ id }, { subject }) => {
    acceptShrunk(id, subject)
    return deskOf(id).refresh.whole()
  },
})
