import { protocol } from 'electron'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

export const home = 'app://desk/'
/** The frame that draws content of packages. */
export const frame = `${home}preview.html`

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
].join('; ')

/** The frame that draws content of packages: it has an origin of its own, and what is in it can neither load nor ask for anything. */
const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Must be called before the app is ready. */
export const registerScheme = () =>
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])

/** Serves the built page under app://desk/, and nothing that lies outside its folder. The page has no network: see the policy. */
export const servePage = (folder: string) =>
  protocol.handle('app', async ({ url }) => {
    const { host, pathname } = new URL(url)
    const headers = {
      'Content-Security-Policy': url === frame ? framePolicy : policy,
      'X-Content-Type-Options': 'nosniff',
    }
    const file = path.resolve(folder, `.${decodeURIComponent(pathname === '/' ? '/index.html' : pathname)}`)
    const isInside = file.startsWith(path.resolve(folder) + path.sep)
    const type = types[path.extname(file)]
    if (host !== 'desk' || !isInside || type === undefined)
      return new Response('Not here.', { status: 404, headers })
    try {
      return new Response(new Uint8Array(await readFile(file)), {
        headers: { ...headers, 'Content-Type': type },
      })
    } catch {
      return new Response('Not here.', { status: 404, headers })
    }
  })
