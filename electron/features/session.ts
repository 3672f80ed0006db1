import { checkAddress } from '../archive-client/check-address.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Fulfils } from '../contract/define.ts'
import type { session as promised, SessionStatus } from '../contract/session.ts'
import type { Session } from '../session/session.ts'
import type { Journal } from '../store/journal.ts'

interface Parts {
  session: Session
  routing: Routing
  refresh: () => Promise<void>
  revive: () => Promise<void>
  /** Asks what the archive can do. */
  able: () => Promise<void>
  journal: Journal
  agree: (archive: string, subject: string) => void
  /** The connection could not be had. */
  troubled: (archive: string, error: unknown) => void
}

export const session = ({
  session: at,
  routing,
  refresh,
  revive,
  able,
  journal,
  agree,
  troubled,
}: Parts): Fulfils<typeof promised> => {
  const entered = (status: SessionStatus) => {
    const { account } = status
    if (account)
      journal.write({
        archive: account.archive,
        act: 'session.in',
        name: account.username,
        place: '',
        detail: account.url,
      })
    void able().then(refresh)
    return status
  }
  return {
    status: () => at.status(),
    check: ({ url }) => checkAddress(url, routing),
    signIn: async ({ url, username, password, mayBeRead }) => {
      return entered(await at.signIn(url, username, password, mayBeRead))
    },
    signInAgain: async ({ password, mayBeRead }) => {
      return entered(await at.signInAgain(password, mayBeRead))
    },
    signInHere: async ({ sample }) => {
      return entered(await at.signInHere(sample))
    },
    switchTo: ({ archive }) => {
      const { status, connected } = at.switchTo(archive)
      void connected.then(refresh, (error: unknown) => troubled(archive, error))
      return status
    },
    signOut: () => {
      const { account } = at.status()
      if (account)
        journal.write({
          archive: account.archive,
          act: 'session.out',
          name: account.username,
          place: '',
          detail: account.url,
        })
      return at.signOut()
    },
    refresh: revive,
    acceptShrunk: ({ subject }) => {
      agree(at.account().archive, subject)
      return refresh()
    },
  }
}
