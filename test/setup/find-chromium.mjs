import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

const usual = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The one that Playwright installs. To load Playwright takes as long as all else of a start. */
const ofPlaywright = () => createRequire(import.meta.url)('playwright').chromium.executablePath()

/** A Chromium of this machine: the one that is named, Playwright's own, or the system's. */
export const findChromium = () => {
  const named = process.env.STAND_IN_CHROMIUM
  return named && existsSync(named) ? named : [ofPlaywright(), ...usual].find((file) => existsSync(file))
}
