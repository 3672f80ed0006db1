import { lookup } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import { request } from 'undici'
import type { Step } from '../contract/session.ts'
import { trustedCertificates } from './http.ts'

const waitMs = 8_000
const order: Step['name'][] = ['address', 'host', 'connection', 'tls', 'answers', 'scheme']

/** The address as it is meant: a scheme is added where none is typed, and a path of the interface is cut off. */
export const readAddress = (typed: string): URL | undefined => {
  const trimmed = typed.trim().replace(/\/api(\/.*)?$/, '')
  if (trimmed === '' || /\s/.test(trimmed)) return undefined
  const isLocal = /^(localhost|127\.|\[::1\])/i.test(trimmed)
  try {
    const url = new URL(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`,
    )
    return /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username === '' ? url : undefined
  } catch {
    return undefined
  }
}

const connected = (socket: net.Socket, event: 'connect' | 'secureConnect') =>
  new Promise<void>((done, failed) => {
    socket.setTimeout(waitMs, () => failed(new Error(`no answer within ${waitMs / 1000} s`)))
    socket.once(event, () => done())
    socket.once('error', failed)
  }).finally(() => socket.destroy())

const checkTls = async (host: string, port: number) => {
  const socket = tls.connect({
    host,
    port,
    ca: trustedCertificates(),
    ...(net.isIP(host) ? {} : { servername: host }),
  })
  let subject = ''
  socket.once(
    'secureConnect',
    () => (subject = [socket.getPeerCertificate().subject?.CN ?? ''].flat().join(', ')),
  )
  await connected(socket, 'secureConnect')
  return subject
}

/**
 * Tries an address step by step, without credentials: readable, host found, port open, TLS trusted, `/api/me/` answers as an
 * archive would, and a scheme of the specification (section 5) is asked for. Steps after the first failure are not reached.
 */
export const checkAddress = async (typed: string): Promise<Step[]> => {
  const steps: Step[] = []
  const take = async (name: Step['name'], work: () => Promise<string> | string) => {
    if (steps.some(({ outcome }) => outcome === 'failed')) return
    try {
      steps.push({ name, outcome: 'passed', found: await work() })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      steps.push({ name, outcome: 'failed', found: code ?? (error as Error).message })
    }
  }
  const url = readAddress(typed)
  await take('address', () => {
    if (!url) throw new Error(typed.trim())
    return url.origin
  })
  if (url) {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    await take('host', async () => (await lookup(host)).address)
    await take('connection', async () => {
      await connected(net.connect({ host, port }), 'connect')
      return String(port)
    })
    if (url.protocol === 'https:') await take('tls', () => checkTls(host, port))
    let schemes = ''
    await take('answers', async () => {
      const response = await request(`${url.href.replace(/\/+$/, '')}/api/me/`, {
        headers: { accept: 'application/json' },
        headersTimeout: waitMs,
        bodyTimeout: waitMs,
      })
      await response.body.dump()
      schemes = [response.headers['www-authenticate']].flat().join(', ')
      const isArchive =
        (response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 200) &&
        String(response.headers['content-type']).includes('json')
      if (!isArchive) throw new Error(String(response.statusCode))
      return String(response.statusCode)
    })
    await take('scheme', () => {
      if (schemes !== '' && !/token|basic|session/i.test(schemes)) throw new Error(schemes)
      return schemes || 'Token'
    })
  }
  const reached = order.filter((name) => name !== 'tls' || url?.protocol === 'https:')
  return reached.map(
    (name) => steps.find((step) => step.name === name) ?? { name, outcome: 'not reached', found: '' },
  )
}
