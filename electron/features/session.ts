import { background, toProcess } from '../common/background.ts'
import type { Archive } from '../archives/archive.ts'
import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { Archives } from '../archives/archives.ts'
import { checkAddress } from '../archive-client/check-address.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Dialects } from '../dialects/dialects.ts'
import type { Fulfils } from '../contract/define.ts'
import { Failed } from '../contract/failure.ts'
import type { session as promised } from '../contract/session.ts'
import type { Journal } from '../store/desk/journal.ts'

interface Parts {
  archives: Archives
  deskOf: (archive: string) => ArchiveDesk
  routing: Routing
  dialects: Dialects
  journal: Journal
  /** Whether something of an archive is unsent or under way. */
  isBusy: (archive: string) => boolean
  /** Deletes what was read of an archive. */
  forget: (archive: string) => Promise<void>
}

export const session = ({
  archives,
  deskOf,
  routing,
  dialects,
  journal,
  isBusy,
  forget,
}: Parts): Fulfils<typeof promised> => {
  const note = (act: 'session.in' | 'session.out' | 'session.forgotten', archive: Archive) => {
    const { username, url } = archive.account()
    journal.write({ archive: archive.id, act, name: username, place: '', detail: url })
  }
  const entered = (archive: Archive) => {
    note('session.in', archive)
    archives.show(archive.id)
    background(deskOf(archive.id).begin(), toProcess)
    return { archive: archive.id }
  }
  return {
    status: () => archives.status(),
    check: ({ url }) =>
      checkAddress(
        url,
        dialects.all.map(({ conventions, session: { accountPath } }) => conventions.base + accountPath),
        routing,
      ),
    signIn: async ({ url, username, password, mayBeRead }) =>
      entered(await archives.signIn(url, { username, password }, mayBeRead)),
    signInAgain: async ({ archive, password, mayBeRead }) =>
      entered(await archives.signInAgain(archive, password, mayBeRead)),
    signInHere: async ({ sample }) => entered(await archives.signInHere(sample)),
    show: ({ archive: id }) => {
      archives.show(id)
      background(deskOf(id).turnTo(), toProcess)
    },
    signOut: async ({ archive }) => {
      note('session.out', archives.of(archive))
      await archives.signOut(archive)
    },
    forget: async ({ archive: id }) => {
      const archive = archives.of(id)
      if (isBusy(id)) throw new Failed({ kind: 'conflict', detail: 'busy-archive' })
      note('session.forgotten', archive)
      // First, so that nothing reads it anew.
      await archives.signOut(id)
      await forget(id)
    },
  }
}
