import { checkAddress } from '../archive-client/check-address.ts'
import type { Fulfils } from '../contract/define.ts'
import type { session as promised } from '../contract/session.ts'
import type { Session } from '../session/session.ts'

interface Parts {
  session: Session
  refresh: () => Promise<void>
  revive: () => Promise<void>
  agree: (archive: string, subject: string) => void
  /** The connection could not be had. */
  troubled: (archive: string, error: unknown) => void
}

export const session = ({ session: at, refresh, revive, agree, troubled }: Parts): Fulfils<typeof promised> => ({
  status: () => at.status(),
  check: ({ url }) => checkAddress(url),
  signIn: async ({ url, username, password }) => {
    const status = await at.signIn(url, username, password)
    void refresh()
    return status
  },
  signInAgain: async ({ password }) => {
    const status = await at.signInAgain(password)
    void refresh()
    return status
  },
  signInHere: async ({ sample }) => {
    const status = await at.signInHere(sample)
    void refresh()
    return status
  },
  switchTo: ({ archive }) => {
    const { status, connected } = at.switchTo(archive)
    void connected.then(refresh, (error: unknown) => troubled(archive, error))
    return status
  },
  signOut: () => at.signOut(),
  refresh: revive,
  acceptShrunk: ({ subject }) => {
    agree(at.account().archive, subject)
    return refresh()
  },
})
