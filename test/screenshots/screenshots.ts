import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import type { Desk } from '../e2e/fixtures.ts'
import { openDesk, speak } from '../e2e/launch.ts'
import { pages } from '../e2e/pages.ts'
import { beginWork } from '../e2e/under-way.ts'
import { walkEssarch } from './essarch.ts'

// Writes every page as a picture for each theme, width and language to out/screenshots/, and what is printed
// to out/screenshots/paper/.
const target = path.resolve(import.meta.dirname, '../../out/screenshots')
const paper = path.join(target, 'paper')

const settings = [
  { language: 'en', theme: 'light', width: 1440, height: 900 },
  { language: 'en', theme: 'dark', width: 1440, height: 900 },
  { language: 'en', theme: 'light', width: 1280, height: 800 },
  { language: 'en', theme: 'dark', width: 1280, height: 800 },
  { language: 'en', theme: 'light', width: 1024, height: 768 },
  { language: 'en', theme: 'light', width: 1920, height: 1080 },
  // 1440 × 900 at 200 %.
  { language: 'en', theme: 'light', width: 720, height: 450 },
  // So high that all of a page is in it.
  { language: 'en', theme: 'light', width: 1280, height: 2400 },
  { language: 'sv', theme: 'light', width: 1440, height: 900 },
  { language: 'sv', theme: 'dark', width: 1440, height: 900 },
] as const

const asFile = (name: string) => name.replaceAll(/[, ]+/g, '-')

/** Pictures of the page that is open, in every setting. */
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
    const size = height === 2400 ? 'whole' : width
    await page.screenshot({ path: path.join(target, `${asFile(name)}-${size}-${theme}-${language}.png`) })
  }
  await page.evaluate(() => window.bridge.application.settings.change({ language: 'en', theme: 'light' }))
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Pages of which the sheets are looked at too; the print view of some is open already. */
const printed = [
  'packages',
  'package, Overview',
  'package, All fields',
  'comparison of generations',
  'search',
  'transfer, preserved',
  'receipt',
  'transfers, a new draft',
  'slips',
  'orders',
  'storage',
  'medium',
  'risk',
  'description',
  'description, an agent',
  'activity',
  'reader',
  'report of a check',
  'guide',
]

/** Pictures of the first pages of every sheet that the page that is open offers to print. */
const print = async (desk: Desk, name: string): Promise<void> => {
  const view = desk.page.getByRole('dialog', { name: 'Print' })
  const open = async () => {
    if (!(await view.isVisible())) await desk.page.keyboard.press('Control+p')
    await view.waitFor()
  }
  await open()
  const sheets = view.getByRole('group', { name: 'What' }).getByRole('radio')
  const count = Math.max(1, await sheets.count())
  for (let sheet = 0; sheet < count; sheet += 1) {
    await open()
    if (count > 1) await sheets.nth(sheet).check()
    const file = path.join(paper, `${asFile(name)}-${sheet + 1}`)
    await desk.answerDialogs([`${file}.pdf`])
    await view.getByRole('button', { name: 'Save as PDF' }).click()
    await until(() => (existsSync(`${file}.pdf`) ? true : undefined))
    await view.waitFor({ state: 'hidden' })
    const { error } = spawnSync('pdftoppm', ['-png', '-l', '3', '-r', '80', `${file}.pdf`, file])
    if (error) throw error
  }
}

rmSync(target, { recursive: true, force: true })
mkdirSync(paper, { recursive: true })
using place = scratch()
speak('specification')
const desk = await openDesk()
try {
  await desk.page.setViewportSize({ width: 1440, height: 900 })
  for (const [name, open] of pages) {
    await open(desk, place.folder)
    // What an archive tells comes a moment after the page.
    await desk.page.waitForTimeout(700)
    await shoot(desk, name)
    if (printed.includes(name)) await print(desk, name)
  }
} finally {
  await desk.close()
}
await walkEssarch(shoot)
const worker = await openDesk()
try {
  const { archive, proxy } = await beginWork(worker, place.folder)
  await shoot(worker, 'desk, work under way')
  await proxy.stop()
  await archive.stop()
} finally {
  await worker.close()
}
console.log(`Screenshots are in ${target}`)
