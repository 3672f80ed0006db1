import { copyFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test as base, expect, type Frame, type Page } from '@playwright/test'
import axe from 'axe-core'
import { present } from '../support/present.ts'
import type { Dialect } from '../archives/dialects.ts'
import { showsOwnPages } from './lanes.ts'
import { takeShifts } from './layout-shifts.ts'
import { openDesk, signIn, speak, type Desk } from './launch.ts'

export const test = base.extend<
  { desk: Desk; environment: Record<string, string>; isStill: boolean },
  { dialect: Dialect; spoken: undefined }
>({
  /** What the desk of a journey finds in its environment. */
  environment: [{}, { option: true }],
  /** Whether a journey fails where something on its pages moved by itself. */
  isStill: [true, { option: true }],
  dialect: ['specification', { option: true, scope: 'worker' }],
  /** Whatever archive a journey starts speaks this dialect, also the one on this computer. */
  spoken: [
    async ({ dialect }, use) => {
      speak(dialect)
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
  desk: async ({ environment, isStill }, use, info) => {
    takeShifts()
    const desk = await openDesk(environment)
    await use(desk)
    // What the page calls by a reference is in the log, which goes with the desk.
    const log = path.join(desk.userData, 'lectern.log')
    if (info.status !== info.expectedStatus && existsSync(log))
      copyFileSync(log, info.outputPath('lectern.log'))
    await desk.close()
    if (isStill && info.status === info.expectedStatus)
      expect(takeShifts(), 'what moved by itself').toEqual([])
  },
})

type Theme = 'light' | 'dark'
const themeOf = (page: Page) =>
  page.evaluate((): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
const setTheme = async (page: Page, theme: Theme) => {
  await page.evaluate((chosen) => window.bridge.application.settings.change({ theme: chosen }), theme)
  await expect.poll(() => themeOf(page)).toBe(theme)
}

interface Examined {
  /** What axe leaves in a page that it was brought into. */
  axe?: typeof axe
}
/** Whether a frame is for nobody to read, as the one that makes thumbnails; axe leaves it out. */
const isHidden = async (frame: Frame) => {
  if (frame.parentFrame() === null) return false
  const element = await frame.frameElement()
  return (await element.getAttribute('aria-hidden')) === 'true'
}
/**
 * What rules of axe find wrong on the page and in its frames. It names nothing that is right: that would take
 * longer than all the rest.
 * @param rules all of them where none are named
 */
const findings = async (page: Page, rules: string[] = []) => {
  for (const frame of page.frames())
    try {
      if (await isHidden(frame)) continue
      if (await frame.evaluate(() => (window as Examined).axe === undefined)) await frame.evaluate(axe.source)
    } catch (error) {
      // A frame goes when what it shows is closed; it may say so before it is known to have gone.
      if (!frame.isDetached() && !/detached/i.test(String(error))) throw error
    }
  const violations = await page.evaluate(async (runOnly) => {
    const result = await (window as Examined).axe?.run(document, {
      resultTypes: ['violations'],
      ...(runOnly.length > 0 ? { runOnly } : {}),
    })
    return result?.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }))
  }, rules)
  return present(violations).map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`)
}

/**
 * Every rule of axe on the page as it is now, and its contrast in the other theme as well; once for a page
 * that both dialects show alike.
 */
export const checkAccess = async (page: Page) => {
  const { project, file, tags } = test.info()
  if (!showsOwnPages(project.name === 'essarch' ? 'essarch' : 'specification', file, tags)) return
  expect(await findings(page)).toEqual([])
  const theme = await themeOf(page)
  const other = theme === 'dark' ? 'light' : 'dark'
  await setTheme(page, other)
  expect(await findings(page, ['color-contrast']), `in ${other}`).toEqual([])
  await setTheme(page, theme)
}

/**
 * Waits until what the archive gives has been read, or could not be: until then the status of the connection
 * is busy. What is done to an archive, or asked of its lists, comes after this.
 */
export const settled = (page: Page) =>
  expect(page.getByRole('banner').getByRole('status')).toHaveAttribute('aria-busy', 'false', {
    timeout: 60_000,
  })

/** The lists of description, as they stand beside them. */
export const listsOf = (page: Page) =>
  page
    .getByRole('main')
    .locator('nav a')
    .evaluateAll((links) =>
      links.map((link) => decodeURIComponent(link.getAttribute('href')?.split('/')[2] ?? '')),
    )
/** Goes to a list of description by the names beside it. */
export const openList = async (page: Page, list: string) => {
  const link = page.getByRole('main').locator(`nav a[href="#/description/${encodeURIComponent(list)}"]`)
  await link.evaluate((element) => element.closest('details')?.setAttribute('open', ''))
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
}
/** Puts the focus into the list of a place, once it has rows: a key before that has none to act on. */
export const focusList = async (page: Page, list: 'grid' | 'treegrid') => {
  await page.getByRole(list).getByRole('gridcell').first().waitFor()
  await page.getByRole(list).focus()
}
/** Opens the package whose page is shown in the reader. */
export const readPackage = (page: Page) => page.getByRole('button', { name: 'Read', exact: true }).click()
/** A file or folder in the tree of the reader, by how its name begins. */
export const inTree = (page: Page, name: string | RegExp) =>
  page.getByRole('treegrid', { name: 'Files' }).getByRole('row', { name })
/** Opens a folder of that tree, unless the first file lies in it and it is open already. */
export const expandInTree = async (page: Page, name: string | RegExp, at = 0) => {
  const row = inTree(page, name).nth(at)
  await row.waitFor()
  if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click()
}
/** Looks into the package that is open. */
export const openFiles = (page: Page) => page.getByRole('tab', { name: 'Files' }).click()

/** Asks for everything anew, from the menu of the connection. */
export const askAgain = async (page: Page) => {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /as of|nothing fetched yet|fetching …/ })
    .click()
  await page.getByRole('button', { name: 'Fetch again' }).click()
}

/**
 * Reads everything anew. A reading that is under way may have seen what was before, and is waited for first.
 */
export const fetchAgain = async (page: Page) => {
  await settled(page)
  await askAgain(page)
  await settled(page)
}

/**
 * Opens an archive of this computer, the reader's own or the one to practise with, and waits for its lists.
 */
const open = async ({ page }: Desk, name: RegExp) => {
  await page.getByRole('button', { name }).click()
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await settled(page)
}
export const openHere = (desk: Desk) => open(desk, /Open.*The archive on this computer/)
export const openPractice = (desk: Desk) => open(desk, /Open.*Practice archive/)

/**
 * Chooses where a draft goes in the archive, once that is known: its first delivery, or its first submission
 * agreement where packages go over the interface.
 */
export const chooseDestination = async (page: Page, dialect: Dialect) => {
  const name = dialect === 'essarch' ? 'Submission agreement' : 'Delivery'
  const destination = page.getByLabel(name, { exact: true })
  // Beside none, and beside a new delivery, the archive's first has to have arrived.
  await expect(destination.locator('option').nth(dialect === 'essarch' ? 1 : 2)).toBeAttached()
  await destination.selectOption({ index: 1 })
}

/** A draft with two files, of a folder made for it in this one. */
export const makeDraft = async (desk: Desk, place: string, name: string, newDelivery?: string) => {
  const { page, dialect } = desk
  const source = mkdtempSync(path.join(place, 'källa-'))
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  writeFileSync(path.join(source, 'bild.tif'), Buffer.alloc(3_000_000, 1))
  await page.getByRole('button', { name: 'New transfer' }).first().click()
  // A table's page, which may still be shown, has a list that is called so.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  // What an agreement asks for comes late, and moves what stands below it.
  await desk.answerDialogs([source])
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await expect(page.getByText('2 files, 1 folder')).toBeVisible()
  if (newDelivery === undefined || dialect === 'essarch') await chooseDestination(page, dialect)
  else {
    await page.getByLabel('Delivery', { exact: true }).selectOption({ label: 'New delivery …' })
    await page.getByLabel('Name of the new delivery').fill(newDelivery)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByLabel('Delivery', { exact: true })).toHaveValue(/^queued:/)
  }
  return source
}

export { expect }
export { signIn, type Desk }
