import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

const usual = [
  '/usr/lib/chromium/chromium',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** A Chromium of this machine: the one that is named, Playwright's own, or the system's. */
export const findChromium = () =>
  [process.env.STAND_IN_CHROMIUM, chromium.executablePath(), ...usual].find(
    (file) => file && existsSync(file),
  )
