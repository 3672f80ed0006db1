import { proxyName } from '../archive-client/routes.ts'
import type { Fulfils } from '../contract/define.ts'
import type { network as promised } from '../contract/network.ts'
import type { Proxies } from '../session/proxies.ts'
import type { Session } from '../session/session.ts'

interface Parts {
  session: Session
  proxies: Proxies
  /** Tries anew what could not be reached. */
  revive: () => Promise<void>
}

export const network = ({ session, proxies, revive }: Parts): Fulfils<typeof promised> => ({
  status: async () => {
    const { account } = session.status()
    const [route] = account ? await proxies.routing.to(account.url) : []
    if (!route || route.kind === 'direct') return { proxy: null, username: null }
    const proxy = proxyName(route)
    return { proxy, username: (await proxies.usernameAt(proxy)) ?? null }
  },
  signIn: async ({ proxy, username, password }) => {
    await proxies.signIn(proxy, { username, password })
    if (session.shown() !== undefined) await revive()
  },
  signOut: ({ proxy }) => proxies.signOut(proxy),
})
