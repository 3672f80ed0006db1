/** Hosts of this computer: nothing that is sent to them leaves it. */
const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])\.?$/i

export const isLoopback = ({ hostname }: URL): boolean => loopback.test(hostname)

/**
 * The address of an archive as it is meant: a scheme is added where none is typed, and a path of the
 * interface is cut off, as is what a browser adds to show a page (RFC 3986 3.4, 3.5).
 */
export const readAddress = (typed: string): URL | undefined => {
  const trimmed = typed
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/\/api(\/.*)?$/, '')
  if (trimmed === '' || /\s/.test(trimmed)) return undefined
  // A colon stands before a port, or is part of a scheme that was mistyped.
  if (/^[a-z][a-z0-9+.-]*:(?!\/\/|\d{1,5}(?:[/?#]|$))/i.test(trimmed)) return undefined
  const isLocal = /^(localhost|127\.|\[::1\])/i.test(trimmed)
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`,
  )
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' && url.username === '' ? url : undefined
}

/** Whether what is sent to an address can be read on its way to another computer. */
export const isUnencrypted = (url: URL): boolean => url.protocol === 'http:' && !isLoopback(url)
