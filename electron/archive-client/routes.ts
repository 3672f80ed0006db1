import net from 'node:net'
import tls from 'node:tls'
import { Failed } from '../contract/failure.ts'

export interface ProxyCredentials {
  username: string
  password: string
}

/** A proxy between this computer and the archive (RFC 9110 3.7). */
export interface ProxyRoute {
  kind: 'http' | 'https' | 'socks5'
  host: string
  port: number
  /** For the proxy alone; the archive never sees them. */
  credentials: ProxyCredentials | null
}

/**
 * A way to an archive. `unusable` is a proxy of a kind that cannot be spoken with, as the system named it.
 */
export type Route = { kind: 'direct' } | ProxyRoute | { kind: 'unusable'; name: string }

/** Knows by which routes an address is reached. */
export interface Routing {
  /** The routes to try, one after the other; at least one. */
  to: (url: string) => Promise<Route[]>
  /** No connection could be made by this route. */
  failed: (url: string, route: Route) => void
}

/** Routes that were found before, or straight to the archive. */
export const fixedRouting = (routes: Route[] = [{ kind: 'direct' }]): Routing => ({
  to: () => Promise.resolve(routes),
  failed: () => undefined,
})

const kinds = { PROXY: 'http', HTTPS: 'https', SOCKS5: 'socks5' } as const
const usualPorts = { PROXY: 80, HTTPS: 443, SOCKS5: 1080 } as const

/**
 * Reads what a PAC script, and Electron's resolver, say of an address: "PROXY proxy.example:8080; DIRECT".
 */
export const readRoutes = (said: string): Route[] => {
  const routes = said.split(';').flatMap((part): Route[] => {
    const [, word = '', host = '', port] =
      /^\s*([a-z0-9]+)(?:\s+(\[[^\]]+\]|[^\s:]+)(?::(\d{1,5}))?)?\s*$/i.exec(part) ?? []
    const name = word.toUpperCase()
    if (name === 'DIRECT') return [{ kind: 'direct' }]
    if (name !== 'PROXY' && name !== 'HTTPS' && name !== 'SOCKS5')
      return part.trim() === '' ? [] : [{ kind: 'unusable', name: part.trim() }]
    const number = port === undefined ? usualPorts[name] : Number(port)
    return host === ''
      ? []
      : [{ kind: kinds[name], host: host.replace(/^\[|\]$/g, ''), port: number, credentials: null }]
  })
  const usable = routes.filter(({ kind }) => kind !== 'unusable')
  if (usable.length > 0) return usable
  return routes.length > 0 ? routes : [{ kind: 'direct' }]
}

/**
 * What a proxy is called, as people write it in the settings: its host and port, with https:// or socks5://
 * before one of
 * that kind. Two proxies of one name are the same proxy.
 */
export const proxyName = (route: Route): string => {
  if (route.kind === 'direct') return ''
  if (route.kind === 'unusable') return route.name
  const authority = `${net.isIPv6(route.host) ? `[${route.host}]` : route.host}:${route.port}`
  return route.kind === 'http' ? authority : `${route.kind}://${authority}`
}

/** No connection could be made, so nothing was sent: to the proxy of a route, or to the archive. */
export class NoConnection extends Error {
  readonly end: 'proxy' | 'archive'
  constructor(end: NoConnection['end'], cause: unknown) {
    super('No connection', { cause })
    this.name = 'NoConnection'
    this.end = end
  }
}

/**
 * What a proxy's refusal is to a person.
 * @param headers the challenges of a 407 stand in Proxy-Authenticate (RFC 9110 11.7.1)
 */
export const proxyRefusal = (
  route: Route,
  status: number,
  headers: Record<string, string | string[] | undefined>,
): Failed => {
  const proxy = proxyName(route)
  if (status !== 407 && status !== 401)
    return new Failed({ kind: 'proxy', proxy, trouble: 'refused', detail: String(status) })
  const challenges = [headers['proxy-authenticate'] ?? headers['www-authenticate'] ?? []].flat().join(', ')
  if (challenges !== '' && !/(^|,)\s*basic\b/i.test(challenges)) {
    const schemes = challenges.match(/(?<=^|,\s*)[a-z]+(?=\s|,|$)/gi) ?? []
    return new Failed({
      kind: 'proxy',
      proxy,
      trouble: 'method',
      detail: [...new Set(schemes)].slice(0, 5).join(', '),
    })
  }
  const hasSignedIn = route.kind !== 'direct' && route.kind !== 'unusable' && route.credentials !== null
  return new Failed({
    kind: 'proxy',
    proxy,
    trouble: hasSignedIn ? 'wrong-password' : 'sign-in',
    detail: '407',
  })
}

/**
 * Whether a proxy reads a request and sends it on (RFC 9112 3.2.2), instead of opening a tunnel that it
 * cannot look into.
 * @param isTunnel whether even what is not encrypted goes through a tunnel
 */
export const isForwarded = (route: Route, url: string, isTunnel = false): route is ProxyRoute =>
  (route.kind === 'http' || route.kind === 'https') && !isTunnel && !url.startsWith('https:')

/**
 * Whether an answer is the proxy's and not the archive's: what comes through a tunnel never is, `openTunnel`
 * has heard the proxy.
 * Some proxies (tinyproxy) answer wrong credentials with 401 and a page; an archive says that in JSON, and
 * what a proxy
 * passes on bears its mark (Via, RFC 9110 7.6.3).
 * @param url what was asked for
 */
export const isFromProxy = (
  route: Route,
  url: string,
  status: number,
  headers: Record<string, string | string[] | undefined>,
): boolean =>
  isForwarded(route, url) &&
  (status === 407 ||
    (status === 401 &&
      route.credentials !== null &&
      headers['via'] === undefined &&
      /html/i.test(String(headers['content-type']))))

/**
 * Certificates that Node ships and those the operating system trusts, since an archive's own authority is
 * known only there.
 */
export const trustedCertificates = () => [
  ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
]
