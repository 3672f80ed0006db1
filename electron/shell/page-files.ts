import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { entryIn } from '../common/records.ts'
import { decodePercent } from '../common/percent.ts'

const home = 'app://desk/'
const page = `${home}index.html`
/** The frame that draws content of packages. It has a host, and so a site and a process, of its own. */
export const frame = 'app://viewer/viewer.html'
/** The same in another process: a file whose thumbnail hangs or eats memory takes no drawing with it. */
export const thumbnailFrame = 'app://thumbnails/viewer.html'
export const isFrame = (url: string) => url === frame || url === thumbnailFrame

/**
 * The address of a place of the page; `place` as the page writes it after the '#', empty for its beginning.
 */
export const pageAt = (place: string) => (place === '' ? page : `${page}#/${place}`)

/** The place at which an address of the page is; empty where it is at its beginning. */
export const placeIn = (url: string) => (url.startsWith(`${page}#/`) ? url.slice(page.length + 2) : '')

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
  'frame-src app://viewer app://thumbnails',
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ')

/**
 * The frame that draws content of packages: it has an opaque origin, and may ask for nothing but its own
 * parts and those of the files that are open. Its libraries decode in WebAssembly and lay out with
 * styles of their own; what they draw can load nothing either.
 */
const framePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  'img-src blob: data:',
  'media-src blob: app://content',
  "font-src 'self' blob: data:",
  'connect-src app://content app://viewer app://thumbnails',
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
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
}

/** The folders of what is built, by the hosts under which they are served. */
export interface PageFolders {
  desk: string
  viewer: string
}

/** Whose files are served under which host. */
const hosts: Record<string, keyof PageFolders> = { desk: 'desk', viewer: 'viewer', thumbnails: 'viewer' }

/**
 * Answers a request below app://desk/ or the hosts of the frames with a file of what is built for that host,
 * and with nothing that lies outside its folder: 400 for an address that cannot be decoded, 404 for whatever
 * else is not there (RFC 9110 15.5.1, 15.5.5).
 */
export const answerFrom = async (folders: PageFolders, url: string): Promise<Response> => {
  const asked = URL.parse(url)
  const known = entryIn(hosts, asked?.host ?? '')
  const host = known ?? 'desk'
  const folder = folders[host]
  const headers: Record<string, string> = {
    'Content-Security-Policy': host === 'viewer' ? framePolicy : policy,
    'X-Content-Type-Options': 'nosniff',
    // The frame's origin is opaque, so its own modules are of another origin.
    ...(host === 'viewer' ? { 'Access-Control-Allow-Origin': '*' } : {}),
  }
  const pathname = asked === null ? undefined : decodePercent(asked.pathname)
  if (asked === null || pathname === undefined)
    return new Response('Not an address.', { status: 400, headers })
  const file = path.resolve(folder, `.${pathname === '/' ? '/index.html' : pathname}`)
  const isInside = file.startsWith(path.resolve(folder) + path.sep)
  const type = entryIn(types, path.extname(file))
  if (known === undefined || !isInside || type === undefined)
    return new Response('Not here.', { status: 404, headers })
  try {
    return new Response(new Uint8Array(await readFile(file)), {
      headers: { ...headers, 'Content-Type': type },
    })
  } catch {
    return new Response('Not here.', { status: 404, headers })
  }
}
