import { Agent, WebSocket } from 'undici'
import { trustedCertificates } from './http.ts'

export interface Push {
  close: () => void
}

/**
 * Listens on the channel by which some archives tell of new notifications (ESSArch: /ws/, by session cookie). It only says that there
 * is something: what it is, is asked for as always, since a channel may be silent without anybody knowing.
 * @param ended it could not be opened, or broke off
 */
export const openPush = ({
  url,
  cookie,
  heard,
  ended,
}: {
  url: string
  cookie: string
  heard: () => void
  ended: () => void
}): Push => {
  const address = new URL(url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/ws/`
  const dispatcher = new Agent({ connect: { ca: trustedCertificates(), timeout: 10_000 } })
  const socket = new WebSocket(address, { headers: { cookie }, dispatcher })
  let isClosed = false
  const over = () => {
    if (isClosed) return
    isClosed = true
    void dispatcher.destroy()
    ended()
  }
  socket.addEventListener('message', () => heard())
  socket.addEventListener('close', over)
  socket.addEventListener('error', over)
  return {
    close: () => {
      isClosed = true
      socket.close()
      void dispatcher.destroy()
    },
  }
}
