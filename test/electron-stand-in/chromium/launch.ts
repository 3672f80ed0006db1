import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Cdp } from './cdp.ts'
import { findChromium } from '../../setup/find-chromium.mjs'

interface Options {
  userData: string
  headless: boolean
  /** As on Electron's command line; undefined opens no port. */
  debuggingPort: string | undefined
  /** Switches of Electron's command line that mean Chromium. */
  switches: string[]
}

/**
 * What Chromium has beside pages. The lists of its address field are pages of their own, which each window
 * would start in a process of theirs, seen or not.
 */
const withoutFeatures = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
]
const quiet = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-search-engine-choice-screen',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--password-store=basic',
  `--disable-features=${withoutFeatures.join()}`,
]

/** Says where DevTools listens, in Electron's words: Playwright waits for this line. */
const sayAddress = async (folder: string) => {
  const file = path.join(folder, 'DevToolsActivePort')
  for (let look = 0; look < 400; look += 1) {
    const [port, socket] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (port && socket) {
      process.stderr.write(`\nDevTools listening on ws://127.0.0.1:${port}${socket}\n`)
      return
    }
    await pause(25)
  }
}

export const launchChromium = async (options: Options): Promise<Cdp> => {
  const { userData, headless, debuggingPort, switches } = options
  const executable = findChromium()
  if (!executable)
    throw new Error(
      'No Chromium was found. Install one (Debian: apt-get install chromium), or name it in ' +
        'STAND_IN_CHROMIUM.',
    )
  const folder = path.join(userData, 'Chromium')
  mkdirSync(folder, { recursive: true })
  rmSync(path.join(folder, 'DevToolsActivePort'), { force: true })
  const cdp = new Cdp(executable, [
    '--remote-debugging-pipe',
    ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
    `--user-data-dir=${folder}`,
    ...quiet,
    ...switches,
    ...(headless ? ['--headless=new'] : []),
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ])
  await cdp.send('Target.setDiscoverTargets', { discover: true })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
  if (debuggingPort !== undefined) await sayAddress(folder)
  return cdp
}
