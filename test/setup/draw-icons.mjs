import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { findChromium } from './find-chromium.mjs'
import { icnsOf, icoOf } from './icon-files.mjs'
import { inRoot } from './machine.mjs'

// Draws the icons of the app from resources/icon.svg and icon-small.svg:
//   npm run icons
const small = [16, 24, 32]
const large = [48, 64, 128, 256, 512]
/** Displays of macOS that have twice as many points. */
const largest = 1024

const browser = await chromium.launch({ executablePath: findChromium() })
const page = await browser.newPage()
const drawn = new Map()
for (const size of [...small, ...large, largest]) {
  const svg = readFileSync(inRoot(`resources/${small.includes(size) ? 'icon-small' : 'icon'}.svg`), 'utf8')
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  )
  drawn.set(size, await page.screenshot({ omitBackground: true }))
}
await browser.close()

mkdirSync(inRoot('resources/icons'), { recursive: true })
for (const size of [...small, ...large])
  writeFileSync(inRoot(`resources/icons/${size}x${size}.png`), drawn.get(size))
writeFileSync(inRoot('resources/icon.png'), drawn.get(512))
writeFileSync(inRoot('resources/tray.png'), drawn.get(32))
writeFileSync(
  inRoot('resources/icon.ico'),
  icoOf([16, 24, 32, 48, 64, 128, 256].map((size) => drawn.get(size))),
)
writeFileSync(
  inRoot('resources/icon.icns'),
  icnsOf((size) => drawn.get(size)),
)
