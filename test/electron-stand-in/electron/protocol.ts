import { app } from './app.ts'

type Handler = (request: Request) => Response | Promise<Response>
const handlers = new Map<string, Handler>()

/**
 * Chromium cannot learn a scheme from outside, so app://desk/x travels as https://desk-app.invalid/x: two
 * hosts of a scheme are two sites there as well, each with a process of its own.
 */
export const toWire = (url: string) => {
  const [, scheme = '', host = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(url) ?? []
  return handlers.has(scheme.toLowerCase())
    ? `https://${host || 'host'}-${scheme}.invalid${rest || '/'}`
    : url
}
export const fromWire = (url: string) => {
  const [, host = '', scheme = '', rest = ''] =
    /^https:\/\/([^/?#]+)-([a-z][a-z0-9+]*)\.invalid(.*)$/is.exec(url) ?? []
  return handlers.has(scheme) ? `${scheme}://${host}${rest}` : url
}
export const handlerOf = (url: string) =>
  handlers.get(/^([a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase() ?? '')
export const wirePatterns = () => [...handlers.keys()].map((scheme) => `https://*-${scheme}.invalid/*`)

/** Sources in a policy, as `frame-src app://desk`, travel as addresses do. */
export const policyToWire = (policy: string) =>
  policy.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s;]+/gi, (source) => toWire(source).replace(/\/$/, ''))

let changed: () => void = () => undefined
export const onSchemesChanged = (listener: () => void) => {
  changed = listener
}

export const protocol = {
  registerSchemesAsPrivileged: () => {
    if (app.isReady())
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
  },
  handle: (scheme: string, handler: Handler) => {
    if (handlers.has(scheme)) throw new Error(`Protocol ${scheme} already handled`)
    handlers.set(scheme, handler)
    changed()
  },
  unhandle: (scheme: string) => handlers.delete(scheme),
  isProtocolHandled: (scheme: string) => handlers.has(scheme),
}
