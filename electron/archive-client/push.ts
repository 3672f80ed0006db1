import type { Dispatcher, WebSocket } from 'undici'
import { background, toProcess } from '../common/background.ts'
import type { Routing } from './routes.ts'

export interface Push {
  close: () => void
}

/**
 * Listens on the channel (a WebSocket, by session cookie) by which some archives tell of new notifications.
 * It only says that there
 * is something: what it is, is asked for as always, since a channel may be silent without anybody knowing.
 * @param ended it could not be opened, or broke off
 */
export const openPush = ({
  url,
  path,
  cookie,
  routing,
  heard,
  ended,
}: {
  url: string
  /** Below the address of the archive. */
  path: string
  cookie: string
  routing: Routing
  heard: () => void
  ended: () => void
}): Push => {
  const address = new URL(url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/${path}`
  let open: { socket: WebSocket; dispatcher: Dispatcher } | undefined
  let isClosed = false
  const close = () => {
    isClosed = true
    open?.socket.close()
    background(open?.dispatcher.destroy(), toProcess)
  }
  const over = () => {
    if (isClosed) return
    close()
    ended()
  }
  const connect = async () => {
    const [route] = await routing.to(url)
    const network = await import('./network.ts')
    if (isClosed) return
    const dispatcher = network.dispatcherOf(route ?? { kind: 'direct' }, url, true)
    open = { dispatcher, socket: new network.WebSocket(address, { headers: { cookie }, dispatcher }) }
    open.socket.addEventListener('message', () => heard())
    open.socket.addEventListener('close', over)
    open.socket.addEventListener('error', over)
  }
  connect().catch(over)
  return { close }
}
