import type { Locator } from '@playwright/test'
import {
  checkAccess,
  expect,
  focusList,
  openFiles,
  openList,
  openPractice,
  settled,
  test,
} from './fixtures.ts'
import { wholePractice } from './launch.ts'

test.use({ environment: wholePractice })

/** The last of what the archive puts down for the first day. */
const lastMessage = /^Brandförsvarets larmrapporter .* could not be preserved/

test('an archive to practise in has something in every place on the first day', async ({ desk }) => {
  const { page } = desk
  const main = page.getByRole('main')
  await openPractice(desk)

  await test.step('the desk', async () => {
    await expect(main.getByRole('link', { name: lastMessage })).toBeVisible({ timeout: 60_000 })
    await settled(page)
    const orders = main.locator('section', { has: page.getByRole('heading', { name: /Orders that/ }) })
    await expect(orders.getByRole('link')).toHaveText([
      /Kv\. Oxen: drawings and permits/,
      /Klassfotografier till jubileet/,
      /Reading room, Thursday/,
    ])
    await expect(main.getByRole('heading', { name: /New since last time/ })).toBeVisible()
    // Cards begin alike, whatever stands beside their heads.
    const above = await main.locator('.column .card:has(h2)').evaluateAll((cards) =>
      cards.map((card) => {
        const words = document.createRange()
        words.selectNodeContents(card.querySelector('h2') ?? card)
        return Math.round(words.getBoundingClientRect().top - card.getBoundingClientRect().top)
      }),
    )
    expect(above.length).toBeGreaterThan(3)
    expect(new Set(above).size, `px above the heads: ${above.join(', ')}`).toBe(1)
    const lefts = await main.locator('.card > ul > li').evaluateAll((rows) =>
      rows.flatMap((row) => {
        const words = row.querySelector(':scope > :is(a:first-child, .mark + *)')
        const list = row.parentElement
        return words && list ? [words.getBoundingClientRect().left - list.getBoundingClientRect().left] : []
      }),
    )
    expect(lefts.length).toBeGreaterThan(5)
    expect(new Set(lefts), 'px from the edge of its list to what a row says').toEqual(new Set([0]))
    await checkAccess(page)
  })

  await test.step('packages, and what is in them', async () => {
    await page.keyboard.press('2')
    await main.getByRole('row', { name: /Planning permits/ }).waitFor()
    const tallies = await main.locator('.row .num:has(> .marks)').evaluateAll((all) =>
      all.map((tally) => {
        const number = document.createRange()
        number.selectNode(tally.lastChild ?? tally)
        return [tally.querySelectorAll('i').length, Math.round(number.getBoundingClientRect().left)] as const
      }),
    )
    expect(new Set(tallies.map(([marks]) => marks)).size).toBeGreaterThan(1)
    expect(new Set(tallies.map(([, left]) => left)).size, 'numbers of copies stand below each other').toBe(1)
    const family = main.getByRole('row', { name: /Kv\. Oxen 4, ritningar/ })
    await family.getByRole('button').click()
    const generation = main.getByRole('row', { name: /^Generation 3/ })
    const [above, below] = await Promise.all(
      [family, generation].map((row) => row.locator('.label > .cut').boundingBox()),
    )
    expect((below?.x ?? 0) - (above?.x ?? 0), 'a generation stands in from its package').toBeGreaterThan(15)
    await family.getByRole('button').click()
    await expect(generation).toHaveCount(0)
    await family.click()
    const record = page.getByRole('article')
    await expect(record.getByRole('heading', { name: 'Kv. Oxen 4, ritningar 1938–1951' })).toBeVisible()
    // At 1280 px its three generations and what compares them share a line.
    await page.setViewportSize({ width: 1280, height: 800 })
    const strip = await record.getByRole('navigation', { name: /generations/ }).boundingBox()
    const compare = await record.getByRole('button', { name: /Compare/ }).boundingBox()
    expect(compare?.y).toBeLessThan((strip?.y ?? 0) + (strip?.height ?? 0))
    expect(strip?.height).toBeLessThan(60)
    await openFiles(page)
    for (const folder of ['content', 'data', 'ritningar'])
      await record.getByRole('button', { name: `Open ${folder}` }).click()
    await expect(record.getByRole('button', { name: 'Open 1951' })).toBeVisible()
    await checkAccess(page)
  })

  await test.step('letters whose names differ at their end', async () => {
    await page.keyboard.press('2')
    await main.getByRole('row', { name: /letters and minutes 1938/ }).click()
    await page.getByRole('article').getByRole('button', { name: 'Read' }).click()
    const whole = async (ends: Locator) => {
      await expect(ends).toHaveText([/50\)/, /-1\)/, /an\)/, /-8\)/, /16\)/, /52\)/])
      return ends.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    }
    const strip = page.getByRole('group', { name: 'Files of this folder' })
    for (const files of [strip, page.getByRole('treegrid', { name: 'Files' })])
      expect(await whole(files.locator('.end', { hasText: /\)\.txt$/ }))).not.toContain(false)
    await checkAccess(page)
  })

  await test.step('orders', async () => {
    await page.keyboard.press('5')
    await main.getByRole('row', { name: /Kv\. Oxen: drawings and permits/ }).click()
    await expect(page.getByRole('article').getByText('Planning permits 1985–1999').first()).toBeVisible()
  })

  await test.step('storage', async () => {
    await page.keyboard.press('6')
    await expect(main.getByRole('link', { name: 'Medium has failed' })).toBeVisible()
    await main.getByRole('link', { name: 'LTO-0415', exact: true }).click()
    await expect(page.getByRole('article').locator('.bad')).toHaveText('Failed')
    await expect(main.getByRole('heading', { name: 'Media', exact: true, level: 1 })).toBeVisible()
  })

  await test.step('description', async () => {
    await page.keyboard.press('7')
    await main.getByRole('row', { name: /Byggnadsnämnden, archive/ }).click()
    await page.keyboard.press('ArrowRight')
    await expect(main.getByRole('row', { name: /Kv\. Oxen 4, ritningar/ })).toBeVisible()
    await openList(page, 'deliveries')
    await expect(main.getByRole('row', { name: /Harbour Office, last boxes and disks/ })).toBeVisible()
    await openList(page, 'transfers')
    await expect(main.getByRole('row', { name: /Crane drawings 1934/ })).toBeVisible()
  })

  await test.step('activity', async () => {
    await page.keyboard.press('8')
    await expect(main.getByRole('row', { name: /Brandförsvarets larmrapporter/ }).first()).toBeVisible()
  })
})

test('by keys alone a package is read from its row and from a search, and one comes back to where one was', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await expect(page.getByRole('main').getByRole('link', { name: lastMessage })).toBeVisible({
    timeout: 60_000,
  })
  await settled(page)
  const packages = page.getByRole('treegrid', { name: 'Packages' })
  const files = page.getByRole('treegrid', { name: 'Files' })
  const active = () =>
    page.evaluate(() => {
      const row = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
      return document.getElementById(row)?.textContent.trim() ?? ''
    })
  await page.keyboard.press('2')
  await focusList(page, 'treegrid')
  await page.keyboard.type('hamns')
  await expect.poll(active).toMatch(/Hamnstyrelsens/)
  await page.keyboard.press('Space')
  await expect(files).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(packages).toBeFocused()
  await expect.poll(active).toMatch(/Hamnstyrelsens/)
  await expect(page.locator('#record h1')).toHaveCount(0)

  // The files of some lie on a tape: that is said, and Esc leads back from it too.
  await page.keyboard.type('aerial')
  await expect.poll(active).toMatch(/Aerial photographs/)
  await page.keyboard.press('End')
  // The last row is fetched: before that a key has none to act on.
  await expect.poll(active).not.toBe('')
  await page.keyboard.press('Space')
  await expect(page.getByText('The archive cannot give these files now')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(packages).toBeFocused()

  await page.keyboard.press('3')
  await page.getByRole('searchbox').fill('klassfotografier')
  const hit = page.getByRole('link', { name: /^Repslagargatans/ }).first()
  await hit.focus()
  await page.keyboard.press('Space')
  await expect(files).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(hit).toBeFocused()
})
