import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { decodePercent } from './percent.ts'

const home = 'app://desk/'
const page = `${home}index.html`
/** The frame that draws content of packages. It has a host, and so a site and a process, of its own. */
export const frame = 'app://preview/preview.html'

/**
 * The address of a place of the page; `place` as the page writes it after the '#', empty for its beginning.
 */
export const pageAt = (place: string) => (place === '' ? page : `${page}#/${place}`)

/** Whether an address is that of our one page, at whichever of its places. */
export const isPage = (url: string) => url === page || url.startsWith(`${page}#`)

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-src app://preview',
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ')

/**
 * The frame that draws content of packages: it has an origin of its own, and what is in it can neither load
 * nor ask for anything.
 */
const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors app://desk',
  'sandbox allow-scripts',
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Answers a request below app://desk/ or app://preview/ with a file of the built page, and with nothing that
 * lies outside its folder: 400 for an address that cannot be decoded, 404 for whatever else is not there (RFC
 * 9110 15.5.1, 15.5.5).
 */
export const answerFrom = async (folder: string, url: string): Promise<Response> => {
  const headers = {
    'Content-Security-Policy': url === frame ? framePolicy : policy,
    'X-Content-Type-Options': 'nosniff',
  }
  const asked = URL.parse(url)
  const pathname = asked === null ? undefined : decodePercent(asked.pathname)
  if (asked === null || pathname === undefined)
    return new Response('Not an address.', { status: 400, headers })
  const file = path.resolve(folder, `.${pathname === '/' ? '/index.html' : pathname}`)
  const isInside = file.startsWith(path.resolve(folder) + path.sep)
  const type = types[path.extname(file)]
  const host = path.basename(file).startsWith('preview.') ? 'preview' : 'desk'
  if (asked.host !== host || !isInside || type === undefined)
    return new Response('Not here.', { status: 404, headers })
  try {
    return new Response(new Uint8Array(await readFile(file)), {
      headers: { ...headers, 'Content-Type': type },
    })
  } catch {
    return new Response('Not here.', { status: 404, headers })
  }
}
