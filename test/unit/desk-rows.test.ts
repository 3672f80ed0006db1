import { svelte } from '@sveltejs/vite-plugin-svelte'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../setup/find-chromium.mjs'

const root = path.resolve(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-rows-'))
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [
      svelte({
        configFile: path.join(root, 'renderer/svelte.config.js'),
        compilerOptions: { css: 'injected' },
      }),
    ],
    build: {
      outDir: folder,
      target: 'chrome152',
      lib: {
        entry: path.join(root, 'test/component/ten-million-rows.svelte.ts'),
        formats: ['iife'],
        name: 'page',
        fileName: 'page',
      },
    },
  })
})
afterAll(() => rm(folder, { recursive: true }))

/** The numbers of the rows that are wholly seen, from the top. */
const seen = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const list = document.querySelector('[role=grid]')?.getBoundingClientRect()
    if (!list) return []
    return [...document.querySelectorAll('[role=row][id]')]
      .map((row) => ({ box: row.getBoundingClientRect(), index: Number(/\d+/.exec(row.textContent)?.[0]) }))
      .filter(({ box }) => box.top >= list.top + 27.5 && box.bottom <= list.bottom + 0.5)
      .map(({ index }) => index)
      .sort((a, b) => a - b)
  })

const last = 9_999_999

test.each([1, 1.25, 1.5, 2, 3])(
  'of ten million rows every one is reached at a scale of %s',
  async (scale) => {
    const browser = await chromium.launch({
      executablePath: findChromium() ?? chromium.executablePath(),
      args: ['--no-sandbox', `--force-device-scale-factor=${scale}`],
    })
    try {
      const page = await browser.newPage({ viewport: null })
      await page.setContent('<!doctype html><style>html, body { height: 100%; margin: 0 }</style>')
      await page.addScriptTag({ path: path.join(folder, 'page.iife.js') })
      expect(await page.evaluate(() => devicePixelRatio)).toBe(scale)
      const grid = page.getByRole('grid')
      await grid.focus()
      expect((await seen(page))[0]).toBe(0)
      const count = (await seen(page)).length

      await page.keyboard.press('End')
      expect((await seen(page)).at(-1)).toBe(last)
      await page.keyboard.press('PageUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('End')
      expect((await seen(page)).at(-1)).toBe(last)
      await page.keyboard.press('Home')
      expect((await seen(page))[0]).toBe(0)

      // By the bar, to its end and to its middle; from there the wheel goes row by row.
      const moveBar = (share: number) =>
        grid.evaluate((list, to) => {
          list.scrollTop = to * (list.scrollHeight - list.clientHeight)
        }, share)
      await moveBar(1)
      expect((await seen(page)).at(-1)).toBe(last)
      await moveBar(0.5)
      const [middle = 0] = await seen(page)
      expect(Math.abs(middle - last / 2)).toBeLessThan(count + 100)
      await grid.evaluate((list) => {
        list.addEventListener('wheel', (event) => {
          if (event instanceof WheelEvent) Object.assign(window, { turned: event.deltaY })
        })
      })
      await page.mouse.move(60, 60)
      await page.mouse.wheel(0, 340)
      await page.waitForFunction(() => 'turned' in window)
      // At some scales it is told in pixels of the device.
      const turned = await page.evaluate(() => (window as unknown as { turned: number }).turned)
      const rows = Math.round(turned / 34)
      expect(rows).toBeGreaterThan(2)
      await expect.poll(async () => (await seen(page))[0]).toBeGreaterThan(middle + rows - 2)
      expect((await seen(page))[0]).toBeLessThan(middle + rows + 2)

      // What is typed leads to a row that nobody has fetched.
      await grid.focus()
      await page.keyboard.press('r')
      await expect.poll(() => seen(page)).toContain(7_654_321)
      await page.keyboard.press('ArrowDown')
      expect(await seen(page)).toContain(7_654_322)

      const asked = await page.evaluate(() => (window as unknown as { asked: Set<number> }).asked.size)
      expect(asked).toBeLessThan(20 * (count + 20))
    } finally {
      await browser.close()
    }
  },
)
