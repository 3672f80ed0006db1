import { proxyName } from '../archive-client/routes.ts'
import type { Proxies } from '../archives/proxies.ts'
import type { Fulfils } from '../contract/define.ts'
import type { network as promised } from '../contract/network.ts'

interface Parts {
  /** Where an archive is. @throws Failed where nobody is signed in to it */
  addressOf: (archive: string) => string
  proxies: Proxies
  /** Tries anew what could not be reached. */
  renew: () => void
}

export const network = ({ addressOf, proxies, renew }: Parts): Fulfils<typeof promised> => ({
  status: async ({ archive }) => {
    const [route] = await proxies.routing.to(addressOf(archive))
    if (!route || route.kind === 'direct') return { proxy: null, username: null }
    const proxy = proxyName(route)
    return { proxy, username: (await proxies.usernameAt(proxy)) ?? null }
  },
  signIn: async ({ proxy, username, password }) => {
    await proxies.signIn(proxy, { username, password })
    renew()
  },
  signOut: ({ proxy }) => proxies.signOut(proxy),
})
