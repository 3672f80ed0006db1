import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Desk } from '../e2e/fixtures.ts'
import { openDesk, speak } from '../e2e/launch.ts'
import { pages } from '../e2e/pages.ts'
import { walkEssarch } from './essarch.ts'

// Writes every page as a picture for each theme, width and language to out/screenshots/.
const target = path.resolve(import.meta.dirname, '../../out/screenshots')

const settings = [
  { language: 'en', theme: 'light', width: 1440, height: 900 },
  { language: 'en', theme: 'dark', width: 1440, height: 900 },
  { language: 'en', theme: 'light', width: 1280, height: 800 },
  { language: 'en', theme: 'dark', width: 1280, height: 800 },
  { language: 'sv', theme: 'light', width: 1440, height: 900 },
] as const

/** Pictures of the page that is open: in English at two widths by day and by night, in Swedish by day. */
const shoot = async ({ page }: Desk, name: string): Promise<void> => {
  for (const { language, theme, width, height } of settings) {
    await page.evaluate(
      async (chosen) => {
        await window.bridge.application.settings.change(chosen)
        await document.fonts.ready
      },
      { language, theme },
    )
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(250)
    const file = `${name.replaceAll(', ', '-').replaceAll(' ', '-')}-${width}-${theme}-${language}.png`
    await page.screenshot({ path: path.join(target, file) })
  }
  await page.evaluate(() => window.bridge.application.settings.change({ language: 'en', theme: 'light' }))
  await page.setViewportSize({ width: 1440, height: 900 })
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-pages-'))
speak('specification')
const desk = await openDesk()
try {
  for (const [name, open] of pages) {
    await open(desk, place)
    // What an archive tells comes a moment after the page.
    await desk.page.waitForTimeout(700)
    await shoot(desk, name)
  }
  await walkEssarch(shoot)
  console.log(`Screenshots are in ${target}`)
} finally {
  await desk.close()
  rmSync(place, { recursive: true, force: true })
}
