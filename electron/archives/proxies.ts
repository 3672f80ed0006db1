import os from 'node:os'
import * as v from 'valibot'
import { isLoopback } from '../archive-client/address.ts'
import { proxyName, readRoutes, type ProxyCredentials, type Route } from '../archive-client/routes.ts'
import type { Routing } from '../archive-client/routes.ts'
import type { Vault } from '../vault/vault.ts'

/**
 * So long an answer of the system counts, and that the vault gave nothing: whoever changes settings, or opens
 * the keychain, need not wait longer.
 */
const knownForMs = 60_000
/** So long a proxy that could not be reached is tried after the others. */
const avoidedForMs = 300_000

const Credentials = v.object({ username: v.string(), password: v.string() })
/** @param proxy its name, which says its kind too: what one proxy may know is not sent to another */
const accountOf = (proxy: string) => `proxy ${proxy}`
/** Another network has other addresses, and other proxies. */
const networkNow = () =>
  Object.values(os.networkInterfaces())
    .flatMap((addresses) => (addresses ?? []).map(({ cidr }) => cidr))
    .join(' ')

interface Parts {
  /** How the system reaches a URL, in the words of a PAC script ("PROXY proxy.example:8080; DIRECT"). */
  resolve: (url: string) => Promise<string>
  vault: Pick<Vault, 'keep' | 'read' | 'forget'>
}

export type Proxies = ReturnType<typeof openProxies>

/**
 * Knows by which proxies archives are reached, and who one is there. The system is asked for each origin, and
 * again where a connection failed, the network changed or its answer is old. Addresses of this computer are
 * reached straight.
 */
export const openProxies = ({ resolve, vault }: Parts) => {
  const known = new Map<string, { routes: Route[]; until: number; network: string }>()
  const avoided = new Map<string, number>()
  const credentials = new Map<string, { found: ProxyCredentials | null; until: number }>()
  const remember = (proxy: string, found: ProxyCredentials | null) => {
    const until = found === null ? performance.now() + knownForMs : Infinity
    credentials.set(proxy, { found, until })
  }

  const credentialsOf = async (proxy: string): Promise<ProxyCredentials | null> => {
    const remembered = credentials.get(proxy)
    if (remembered && remembered.until > performance.now()) return remembered.found
    const kept = await vault.read(accountOf(proxy))
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Credentials), kept?.secret)
    const found = read.success ? read.output : null
    remember(proxy, found)
    return found
  }

  const ask = async (url: URL): Promise<Route[]> => {
    const before = known.get(url.origin)
    const network = networkNow()
    if (before && before.until > performance.now() && before.network === network) return before.routes
    // A proxy is asked for by the origin alone: what is read there is nobody else's matter.
    const routes = readRoutes(await resolve(`${url.origin}/`))
    known.set(url.origin, { routes, network, until: performance.now() + knownForMs })
    return routes
  }

  const isAvoided = (route: Route) => (avoided.get(proxyName(route)) ?? 0) > performance.now()

  const to = async (address: string): Promise<Route[]> => {
    const url = URL.parse(address)
    if (!url || isLoopback(url)) return [{ kind: 'direct' }]
    const routes = await Promise.all(
      (await ask(url)).map(async (route) =>
        route.kind === 'http' || route.kind === 'https'
          ? { ...route, credentials: await credentialsOf(proxyName(route)) }
          : route,
      ),
    )
    return routes.sort((a, b) => Number(isAvoided(a)) - Number(isAvoided(b)))
  }

  const routing: Routing = {
    to,
    failed: (address, route) => {
      if (route.kind !== 'direct') avoided.set(proxyName(route), performance.now() + avoidedForMs)
      known.delete(URL.parse(address)?.origin ?? '')
    },
  }

  return {
    routing,
    /** Forgets what the system said: other settings may hold now. */
    askAnew: () => {
      known.clear()
      avoided.clear()
    },
    /** Who one is at a proxy; undefined where it never asked. */
    usernameAt: async (proxy: string) => (await credentialsOf(proxy))?.username,
    signIn: async (proxy: string, given: ProxyCredentials) => {
      await vault.keep(accountOf(proxy), JSON.stringify(given))
      remember(proxy, given)
    },
    signOut: async (proxy: string) => {
      await vault.forget(accountOf(proxy))
      remember(proxy, null)
    },
  }
}
