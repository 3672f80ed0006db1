import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { checkAccess, expect, makeDraft, openPractice, test } from './fixtures.ts'
import { aloneWith } from './lanes.ts'
import { goTo } from './pages.ts'

const sheetOf = (page: Page) => page.locator('.paper')
/** What Ctrl+P shows first in a place. */
const print = async (page: Page, hash: string) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Print' })).toBeHidden()
  await goTo(page, hash)
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  await page.locator('main h1').first().blur()
}

test(
  'what is printed first is a sheet, and nothing on it belongs to the screen',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const paper = sheetOf(page)
    await openPractice(desk)
    await test.step('the time line is a list', async () => {
      await print(page, '#/activity')
      await page.getByRole('row', { name: /Signed in/ }).waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('columnheader', { name: 'Time' })).toBeVisible()
    })
    await test.step('a search says the words that were asked', async () => {
      await print(page, '#/search/q=oxen')
      await page.locator('main mark').first().waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('heading', { name: 'Search: oxen' })).toBeVisible()
      await expect(paper.getByRole('checkbox')).toHaveCount(0)
    })
    await test.step('storage is tables', async () => {
      await print(page, '#/storage')
      await page.locator('.picture').waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('columnheader', { name: 'Year' })).toBeVisible()
      await expect(paper.locator('svg')).toHaveCount(0)
      await checkAccess(page)
    })
    await test.step('a package has no buttons', async () => {
      await print(page, '#/packages')
      await page.getByRole('row', { name: /Oxen/ }).click()
      await page.getByRole('tab', { name: 'Overview' }).waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('heading', { name: 'Identity' })).toBeVisible()
      await expect(paper.getByRole('button', { name: 'Compare generations' })).toBeHidden()
      await expect(paper.getByRole('heading', { name: /copies/ })).toBeVisible()
      await expect(paper.getByRole('button', { name: /^What is/ })).toHaveCount(0)
    })
    await test.step('beside a list in which nothing is chosen there is no record', async () => {
      await print(page, '#/transfers')
      await page.getByRole('heading', { name: 'Ways to begin' }).waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('heading', { name: 'Transfers' })).toBeVisible()
    })
    await test.step('a word that says what it means is a word on paper', async () => {
      const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-paper-'))
      await print(page, '#/transfers')
      await makeDraft(desk, place, 'Oxen, fourth delivery')
      await page.getByRole('button', { name: 'Pack', exact: true }).click()
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('heading', { name: 'Package', exact: true })).toBeVisible()
      rmSync(place, { recursive: true })
    })
    await test.step('a page of the guide', async () => {
      await print(page, '#/help/packages')
      await page.getByRole('navigation', { name: 'Contents' }).waitFor()
      await page.keyboard.press('Control+p')
      await expect(paper.getByRole('heading', { name: 'Packages', level: 1 })).toBeVisible()
      await expect(paper.getByRole('navigation')).toHaveCount(0)
      expect(await paper.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    })
  },
)

test(
  'what is printed is seen beside its choices in a window that is zoomed to 200 %',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.setViewportSize({ width: 720, height: 450 })
    await goTo(page, '#/orders')
    await page.getByRole('row', { name: /Thursday/ }).click()
    await page.getByRole('heading', { name: /Thursday/ }).waitFor()
    await page.keyboard.press('Control+p')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.scrollIntoViewIfNeeded()
    await expect(preview.getByText('Practice archive')).toBeInViewport()
    await checkAccess(page)
  },
)
