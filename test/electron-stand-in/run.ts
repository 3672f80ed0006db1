import { readFileSync, statSync } from 'node:fs'
import inspector from 'node:inspector'
import { createRequire, registerHooks } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { launchChromium } from './chromium/launch.ts'

/**
 * What the stand-in's `electron` runs:
 *   electron [-r file]... [--inspect=0] [--remote-debugging-port=N] [--user-data-dir=DIR] [--headless]
 * [--force-renderer-accessibility] [--force-device-scale-factor=N] <folder or script> [args]
 */
const names = new Set(['electron', 'electron/main', 'electron/common'])
const target = new URL('./electron/index.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier) ? { url: target, shortCircuit: true } : next(specifier, context),
})
delete process.env['ELECTRON_OVERRIDE_DIST_PATH']
Object.assign(process.versions, { electron: 'stand-in' })
Object.assign(process, { type: 'browser', defaultApp: true })
// Loaded before the inspector opens, so that a debugger's require('electron') finds it whole.
const { app } = await import('./electron/app.ts')
await import('./electron/index.ts')

const args = process.argv.slice(2)
const required: string[] = []
const positional: string[] = []
for (let index = 0; index < args.length; index += 1) {
  const arg = args[index] ?? ''
  if (arg === '-r' || arg === '--require') required.push(args[(index += 1)] ?? '')
  else if (!arg.startsWith('-')) positional.push(arg)
}
const flag = (name: string) =>
  args.find((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))?.replace(/^--[^=]+=?/, '')

const given = path.resolve(positional[0] ?? '.')
const isFolder = statSync(given).isDirectory()
const manifest = (isFolder ? JSON.parse(readFileSync(path.join(given, 'package.json'), 'utf8')) : {}) as {
  main?: string
  name?: string
  productName?: string
  version?: string
}
const main = isFolder ? path.join(given, manifest.main ?? 'index.js') : given
app.setName(manifest.productName ?? manifest.name ?? 'Electron')
Object.assign(app.standIn, {
  appPath: isFolder ? given : path.dirname(main),
  version: manifest.version ?? '0.0.0',
  windows: () => [],
})
const userData = flag('user-data-dir')
if (userData) app.setPath('userData', path.resolve(userData))

/** Whether an instance with this user data runs already; it is told how this one was called. */
const tellFirst = () =>
  new Promise<boolean>((told) => {
    const client = net.connect(path.join(app.getPath('userData'), 'stand-in.sock'))
    client.on('error', () => told(false))
    client.on('connect', () =>
      client.write(JSON.stringify({ argv: process.argv, cwd: process.cwd() }), () => told(true)),
    )
  })
app.standIn.isSecond = await tellFirst()

const isHeadless =
  flag('headless') !== undefined ||
  process.env['STAND_IN_HEADLESS'] === '1' ||
  (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'])
if (flag('inspect') !== undefined) inspector.open(0, '127.0.0.1')
for (const file of required) createRequire(path.join(process.cwd(), 'x'))(file)
process.on('SIGTERM', () => app.quit())
process.on('SIGINT', () => app.quit())
await import(pathToFileURL(main).href)

// 'ready' waits for the app's own script, as in Electron.
const { BrowserWindow, followTargets } = await import('./electron/window.ts')
try {
  const cdp = await launchChromium({
    userData: app.getPath('userData'),
    headless: isHeadless,
    debuggingPort: flag('remote-debugging-port'),
    switches: args.filter((arg) => /^--force-(renderer-accessibility$|device-scale-factor=)/.test(arg)),
  })
  Object.assign(app.standIn, { cdp, windows: () => BrowserWindow.getAllWindows() })
  followTargets(cdp)
  app.becomeReady()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
