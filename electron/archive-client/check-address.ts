import { lookup } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import { background, toProcess } from '../common/background.ts'
import { isUnencrypted, readAddress } from './address.ts'
import { Failed } from '../contract/failure.ts'
import type { Step } from '../contract/session.ts'
import { fixedRouting, NoConnection } from './routes.ts'
import {
  isFromProxy,
  proxyName,
  proxyRefusal,
  trustedCertificates,
  type Route,
  type Routing,
} from './routes.ts'
import { codeOf, messageOf } from '../common/errors.ts'

const waitMs = 8_000

const connected = (socket: net.Socket, event: 'connect' | 'secureConnect') =>
  new Promise<void>((done, failed) => {
    socket.setTimeout(waitMs, () => failed(new Error(`no answer within ${waitMs / 1000} s`)))
    socket.once(event, () => done())
    socket.once('error', failed)
  }).finally(() => socket.destroy())

/** The certificate's name. @param socket a tunnel that leads to the host */
const checkTls = async (host: string, port: number, socket?: net.Socket) => {
  const secure = tls.connect({
    host,
    ...(socket ? { socket } : { port }),
    ca: trustedCertificates(),
    ...(net.isIP(host) ? {} : { servername: host }),
  })
  let subject = ''
  secure.once(
    'secureConnect',
    () => (subject = [secure.getPeerCertificate().subject?.CN ?? ''].flat().join(', ')),
  )
  await connected(secure, 'secureConnect')
  return subject
}

/** What answers where every archive answers. */
const askAccount = async (url: URL, route: Route, path: string) => {
  const address = `${url.href.replace(/\/+$/, '')}/${path}`
  const { dispatcherOf, request } = await import('./network.ts')
  const dispatcher = dispatcherOf(route, address)
  try {
    const { statusCode, headers, body } = await request(address, {
      dispatcher,
      headers: { accept: 'application/json' },
      headersTimeout: waitMs,
      bodyTimeout: waitMs,
      signal: AbortSignal.timeout(waitMs),
    })
    body.on('error', () => undefined).destroy()
    if (isFromProxy(route, address, statusCode, headers)) throw proxyRefusal(route, statusCode, headers)
    const isArchive = [200, 401, 403].includes(statusCode) && String(headers['content-type']).includes('json')
    if (!isArchive) throw new Error([statusCode, headers['location'] ?? []].flat().join(' '))
    return {
      status: String(statusCode),
      schemes: [headers['www-authenticate'] ?? []].flat().join(', '),
    }
  } finally {
    background(dispatcher.destroy(), toProcess)
  }
}

/** The first of some paths that an archive answers at; where none does, what the first said. */
const askFirst = async (url: URL, route: Route, [first = '', ...others]: readonly string[]) => {
  let answer = askAccount(url, route, first)
  for (const path of others)
    answer = answer.catch((error: unknown) =>
      askAccount(url, route, path).catch(() => {
        throw error
      }),
    )
  return answer
}

const failIfAtProxy = (error: unknown) => {
  if (error instanceof Failed || (error instanceof NoConnection && error.end === 'proxy')) throw error
}

/**
 * Tries an address step by step, without credentials: readable, the proxy on the way, host found, port open,
 * TLS trusted, an account
 * is asked for and answered as by an archive, and a scheme of the specification (section 5) is asked for.
 * Steps after the first failure are not
 * reached. Where a proxy is on the way, it finds the host, and the step of the host is left out.
 * @param accountPaths where archives of different dialects tell whom they speak with, below the address
 */
export const checkAddress = async (
  typed: string,
  accountPaths: readonly string[],
  routing: Routing = fixedRouting(),
): Promise<Step[]> => {
  const url = readAddress(typed)
  const isSafe = url?.protocol === 'https:'
  const routes = url ? await routing.to(url.href) : []
  const route: Route = routes.find(({ kind }) => kind !== 'direct') ?? { kind: 'direct' }
  const steps: Step[] = []
  const take = async (name: Step['name'], work: () => Promise<string> | string) => {
    if (steps.some(({ outcome }) => outcome === 'failed')) {
      steps.push({ name, outcome: 'not reached', found: '', failure: null })
      return
    }
    try {
      steps.push({ name, outcome: 'passed', found: await work(), failure: null })
    } catch (error) {
      const cause = error instanceof NoConnection ? error.cause : error
      const failure = error instanceof Failed ? error.failure : null
      const found = failure?.kind === 'proxy' ? failure.detail : codeOf(cause) || messageOf(cause)
      steps.push({ name, outcome: 'failed', found, failure })
    }
  }
  await take('address', () => {
    if (!url) throw new Error(typed.trim())
    return url.origin
  })
  if (url && isUnencrypted(url))
    steps.push({
      name: 'encryption',
      outcome: 'warning',
      found: '',
      failure: { kind: 'unencrypted', address: url.origin },
    })
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const port = Number(url?.port || (isSafe ? 443 : 80))
  let tunnel: net.Socket | undefined
  let answering: ReturnType<typeof askAccount> | undefined
  /** Asks the archive once, for whichever step comes to it first. */
  const asked = async () => (url ? await (answering ??= askFirst(url, route, accountPaths)) : undefined)
  if (route.kind === 'direct') {
    await take('host', async () => (await lookup(host)).address)
    await take('connection', async () => {
      await connected(net.connect({ host, port }), 'connect')
      return String(port)
    })
  } else
    await take('proxy', async () => {
      if (isSafe && (route.kind === 'http' || route.kind === 'https')) {
        const { openTunnel } = await import('./network.ts')
        tunnel = await openTunnel(route, `${url.host.replace(/:\d+$/, '')}:${port}`)
      }
      // Without a tunnel the proxy says what it thinks of us when it is asked for the archive.
      else if (url) await asked().catch(failIfAtProxy)
      return proxyName(route)
    })
  if (isSafe && (route.kind === 'direct' || tunnel)) await take('tls', () => checkTls(host, port, tunnel))
  let schemes = ''
  await take('answers', async () => {
    const answer = await asked()
    schemes = answer?.schemes ?? ''
    return answer?.status ?? ''
  })
  await take('scheme', () => {
    if (schemes !== '' && !/token|basic|session/i.test(schemes)) throw new Error(schemes)
    return schemes || 'Token'
  })
  return steps
}
