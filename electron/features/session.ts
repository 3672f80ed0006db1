import type { Archive } from '../archives/archive.ts'
import type { ArchiveDesk } from '../archives/archive-desk.ts'
import type { Archives } from '../archives/archives.ts'
import { checkAddress } from '../archive-client/check-address.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Fulfils } from '../contract/define.ts'
import type { session as promised } from '../contract/session.ts'
import type { Journal } from '../store/journal.ts'

interface Parts {
  archives: Archives
  deskOf: (archive: string) => ArchiveDesk
  routing: Routing
  journal: Journal
}

export const session = ({ archives, deskOf, routing, journal }: Parts): Fulfils<typeof promised> => {
  const note = (act: 'session.in' | 'session.out', archive: Archive) => {
    const { username, url } = archive.account()
    journal.write({ archive: archive.id, act, name: username, place: '', detail: url })
  }
  const entered = (archive: Archive) => {
    note('session.in', archive)
    archives.show(archive.id)
    void deskOf(archive.id).begin()
    return { archive: archive.id }
  }
  return {
    status: () => archives.status(),
    check: ({ url }) => checkAddress(url, routing),
    signIn: async ({ url, username, password, mayBeRead }) =>
      entered(await archives.signIn(url, username, password, mayBeRead)),
    signInAgain: async ({ archive, password, mayBeRead }) =>
      entered(await archives.signInAgain(archive, password, mayBeRead)),
    signInHere: async ({ sample }) => entered(await archives.signInHere(sample)),
    show: ({ archive: id }) => {
      const { connect, connection } = archives.show(id)
      if (connection().state === 'signed-out') void connect().then(() => deskOf(id).refresh.whole())
    },
    signOut: async ({ archive }) => {
      note('session.out', archives.of(archive))
      await archives.signOut(archive)
    },
  }
}
