import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright'
import { findChromium } from '../setup/find-chromium.mjs'
import { root } from './places.ts'

/** Runs a tool of Debian and waits for it; what it says goes nowhere unless it fails. */
export const run = (tool: string, ...args: string[]): void => {
  execFileSync(tool, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

const fontFile = (file: string) =>
  readFileSync(path.join(root, 'node_modules/@fontsource-variable', file)).toString('base64')

const styles = () => `<style>
  @font-face { font-family: Serif4; src: url(data:font/woff2;base64,${fontFile(
    'source-serif-4/files/source-serif-4-latin-wght-normal.woff2',
  )}) }
  @font-face { font-family: Serif4; font-style: italic; src: url(data:font/woff2;base64,${fontFile(
    'source-serif-4/files/source-serif-4-latin-wght-italic.woff2',
  )}) }
  body { margin: 0 }
  svg { display: block }
</style>`

/** A drawing of a size in points, as SVG elements without the frame. */
export interface Drawing {
  width: number
  height: number
  elements: string
}

/** A drawing as a document of its own, as large as it says or enlarged. */
export const svgOf = ({ width, height, elements }: Drawing, scale = 1): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width * scale}" height="${height * scale}" ` +
  `viewBox="0 0 ${width} ${height}" font-family="Serif4, Georgia, serif">${elements}</svg>`

/** Draws with Chromium: pictures as PNG files in a scratch folder, and pages as PDF. */
export const openStudio = async () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'lectern-sample-'))
  const browser = await chromium.launch({ executablePath: findChromium() ?? '' })
  const page = await browser.newPage()
  let drawn = 0
  return {
    /** The path of a PNG. */
    png: async (drawing: Drawing, scale = 1): Promise<string> => {
      await page.setViewportSize({ width: drawing.width * scale, height: drawing.height * scale })
      await page.setContent(`${styles()}${svgOf(drawing, scale)}`)
      await page.evaluate(() => document.fonts.ready)
      const file = path.join(scratch, `${(drawn += 1)}.png`)
      writeFileSync(file, await page.screenshot())
      return file
    },
    /** The path of a PDF with selectable text. */
    pdf: async (html: string): Promise<string> => {
      await page.setContent(`${styles()}${html}`)
      await page.evaluate(() => document.fonts.ready)
      const file = path.join(scratch, `${(drawn += 1)}.pdf`)
      writeFileSync(file, await page.pdf({ format: 'A4', preferCSSPageSize: true, printBackground: true }))
      return file
    },
    /** A path in the scratch folder. */
    spare: (name: string): string => path.join(scratch, name),
    close: async () => {
      await browser.close()
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
export type Studio = Awaited<ReturnType<typeof openStudio>>

/** Where files of a package go: `place('1/brev/a.txt')` is a path whose folder is there. */
export const placesIn =
  (folder: string) =>
  (name: string): string => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    return file
  }
export type Place = ReturnType<typeof placesIn>

/** Numbers between 0 and 1 that are the same at each run. */
export const chance = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

/** The whole numbers from 0 to below `count`. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
