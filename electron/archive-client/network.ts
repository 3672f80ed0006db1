import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { Agent, buildConnector, Socks5ProxyAgent, type Dispatcher } from 'undici'
import { Failed } from '../contract/failure.ts'
import {
  isForwarded,
  NoConnection,
  proxyName,
  proxyRefusal,
  trustedCertificates,
  type ProxyRoute,
  type Route,
} from './routes.ts'

// What speaks HTTP takes a tenth of a second to load: whoever is about to ask an archive imports this file
// then, and no start waits for it.
export { FormData, request, WebSocket } from 'undici'

const connectMs = 10_000

const authorizationOf = ({ credentials }: ProxyRoute): Record<string, string> => {
  if (credentials === null) return {}
  const { username, password } = credentials
  return { 'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

type Connector = buildConnector.connector

/** Few of the servers that speak HTTP/2 open a WebSocket by it (RFC 8441), and proxies open no tunnel. */
const connector = (): Connector =>
  buildConnector({ timeout: connectMs, ca: trustedCertificates(), allowH2: false })

/** The same, where an error says that there was no connection, and to whom. */
const marked =
  (connect: Connector, end: NoConnection['end']): Connector =>
  (options, callback) =>
    connect(options, (error, socket) =>
      error ? callback(new NoConnection(end, error), null) : callback(null, socket),
    )

/** Connects to the proxy instead of the archive. */
const toProxy = ({ kind, host, port }: ProxyRoute): Connector => {
  const connect = marked(connector(), 'proxy')
  return (options, callback) =>
    connect(
      {
        ...options,
        protocol: kind === 'https' ? 'https:' : 'http:',
        hostname: host,
        host,
        port: String(port),
        servername: kind === 'https' && net.isIP(host) === 0 ? host : '',
      },
      callback,
    )
}

/**
 * Asks a proxy for a tunnel (CONNECT, RFC 9110 9.3.6).
 * @param authority the host and port that it is to lead to
 * @throws Failed where the proxy refuses, NoConnection where it cannot be reached
 */
export const openTunnel = (route: ProxyRoute, authority: string): Promise<net.Socket> =>
  new Promise((opened, failed) => {
    const asking = (route.kind === 'https' ? https : http).request({
      host: route.host,
      port: route.port,
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...authorizationOf(route) },
      agent: false,
      ...(route.kind === 'https' ? { ca: trustedCertificates() } : {}),
    })
    const late = setTimeout(
      () => asking.destroy(Object.assign(new Error('Connect timeout'), { code: 'UND_ERR_CONNECT_TIMEOUT' })),
      connectMs,
    )
    asking.once('error', (error) => {
      clearTimeout(late)
      failed(new NoConnection('proxy', error))
    })
    asking.once('connect', ({ statusCode = 0, headers }, socket: net.Socket, head) => {
      clearTimeout(late)
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        opened(socket)
        return
      }
      socket.on('error', () => undefined).destroy()
      failed(proxyRefusal(route, statusCode, headers))
    })
    asking.end()
  })

/** Through a tunnel; the archive's certificate is checked against the archive's name, as without a proxy. */
const throughTunnel = (route: ProxyRoute): Connector => {
  const connect = marked(connector(), 'archive')
  return (options, callback) => {
    const isSafe = options.protocol === 'https:'
    const host = net.isIPv6(options.hostname) ? `[${options.hostname}]` : options.hostname
    openTunnel(route, `${host}:${options.port || (isSafe ? 443 : 80)}`).then(
      (socket) => {
        if (isSafe) connect({ ...options, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

/**
 * Sends requests to a proxy in the absolute form, which needs no tunnel (RFC 9112 3.2.2); many proxies allow
 * tunnels to port 443 only.
 */
const forwarding = (route: ProxyRoute): Dispatcher =>
  new Agent({ connect: toProxy(route) }).compose((dispatch) => (options, handler) => {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- exchange.ts gives headers by name
    const headers = options.headers as Record<string, string> | undefined
    const path = `${String(options.origin)}${options.path}`
    return dispatch({ ...options, path, headers: { ...headers, ...authorizationOf(route) } }, handler)
  })

/** A channel only says that there is something; more than this is not one of ours. */
const longestPush = 1024 * 1024

/**
 * What sends requests by a route.
 * @param isTunnel whether even what is not encrypted goes through a tunnel, as WebSockets do (RFC 6455 4.1)
 */
export const dispatcherOf = (route: Route, url: string, isTunnel = false): Dispatcher => {
  const webSocket = { maxPayloadSize: longestPush }
  if (route.kind === 'unusable')
    throw new Failed({ kind: 'proxy', proxy: route.name, trouble: 'kind', detail: route.name })
  if (route.kind === 'direct') return new Agent({ connect: marked(connector(), 'archive'), webSocket })
  if (route.kind === 'socks5')
    return new Socks5ProxyAgent(new URL(proxyName(route)), {
      connect: toProxy(route),
      requestTls: { ca: trustedCertificates() },
    })
  return isForwarded(route, url, isTunnel)
    ? forwarding(route)
    : new Agent({ connect: throughTunnel(route), webSocket })
}
