import type { Page } from '@playwright/test'
import { expect, openPractice, settled, test } from './fixtures.ts'
import { aloneWith } from './lanes.ts'

/**
 * What can be pressed on the page: all of it but what stands in rows of lists, which have keys of their own.
 */
const pressable =
  'header button, header a[href], nav a[href], main button, main a[href], main input, main select, ' +
  'main textarea, main summary, [role=grid], [role=treegrid]'

/** Names of everything that can be pressed, each marked, so that it is known again when it has the focus. */
const mark = (page: Page) =>
  page.evaluate((selector) => {
    for (const it of document.querySelectorAll<HTMLElement>('[data-walked]')) delete it.dataset['walked']
    return [...document.querySelectorAll<HTMLElement>(selector)]
      .filter(
        (element) =>
          element.offsetParent !== null &&
          !element.closest('[role=row]') &&
          element.tabIndex >= 0 &&
          !(element.closest('details:not([open])') && element.tagName !== 'SUMMARY'),
      )
      .map((element, index) => {
        element.dataset['walked'] = String(index)
        return (
          `${element.tagName.toLowerCase()} ` +
          `${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}`
        )
      })
  }, pressable)

/** Presses Tab until the focus comes round, and tells which of the marked were reached. */
const walk = async (page: Page, most: number) => {
  const reached = new Set<number>()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const { activeElement: it } = document
      const outline = it ? getComputedStyle(it).outlineStyle : ''
      // Between the last and the first the focus is nowhere.
      const isSeen =
        it === null ||
        it === document.body ||
        outline !== 'none' ||
        it.matches('[role=grid], [role=treegrid], .control, input, textarea, select')
      return {
        index: Number((it as HTMLElement | null)?.dataset['walked'] ?? -1),
        isSeen,
        what: it?.outerHTML.slice(0, 120) ?? '',
      }
    })
    if (at.index >= 0) reached.add(at.index)
    expect([at.what, at.isSeen]).toEqual([at.what, true])
  }
  return reached
}

const commands = async (page: Page) => {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('banner').getByRole('combobox')).toBeFocused()
  const listed = await page.getByRole('banner').getByRole('option').allInnerTexts()
  await page.keyboard.press('Escape')
  return listed.map((text) => text.split('\n')[0]?.trim() ?? '')
}

test('every place, and everything that can be pressed in it, is reached by keys alone and stands in the palette', async ({
  desk,
}) => {
  test.slow()
  const { page } = desk
  await expect(page.getByRole('button', { name: /Open.*on this computer/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /Open.*Practice archive/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await settled(page)
  // Keys as a Swedish keyboard gives them: digits and the comma without a modifier.
  const places: [key: string, heading: string][] = [
    ['1', 'Desk'],
    ['2', 'Packages'],
    ['3', 'Search'],
    ['4', 'Transfers'],
    ['5', 'Orders'],
    ['6', 'Storage'],
    ['7', 'Archives'],
    ['8', 'Activity'],
    [',', 'Settings'],
  ]
  for (const [key, heading] of places) {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press(key)
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
    // What stands on a page may still be coming while it is walked; once it stands, everything is reached.
    await expect(async () => {
      const names = await mark(page)
      const reached = await walk(page, names.length + 12)
      expect([heading, names.filter((_, index) => !reached.has(index))]).toEqual([heading, []])
    }).toPass({ timeout: 90_000 })
    const buttons = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main button')]
        // What the words of the field mean is found in the guide, and is no command; nor is a heading.
        .filter(
          (element) =>
            element.offsetParent !== null &&
            !element.closest('[role=row], [role=columnheader], details, .term'),
        )
        .map((element) =>
          (
            element.getAttribute('aria-label') ??
            [...element.childNodes]
              // How many there are is no part of what it is called.
              .filter((child) => !(child instanceof HTMLElement && child.matches('kbd, .num')))
              .map((child) => child.textContent)
              .join(' ')
          )
            .replace(/\s+/g, ' ')
            .trim(),
        )
        .filter(Boolean),
    )
    const listed = await commands(page)
    expect([
      heading,
      buttons.filter((name) => !listed.some((command) => command.replace(/\s+/g, ' ').includes(name))),
    ]).toEqual([heading, []])
  }
})

test('the palette goes to places, presses what is on the page, and opens packages by name and number', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  const choose = async (typed: string, option: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('banner').getByRole('combobox')).toBeFocused()
    await page.keyboard.type(typed)
    await expect(page.getByRole('banner').getByRole('option', { selected: true })).toContainText(option)
    await page.keyboard.press('Enter')
  }
  await choose('packages', 'Packages')
  await expect(page.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
  await choose('every gen', /generation by itself/i)
  await expect(page.getByRole('grid')).toBeVisible()
  await choose('oxen', 'Oxen')
  await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  await choose('LTO-0418', 'LTO-0418')
  await expect(page.getByRole('heading', { name: 'LTO-0418' })).toBeVisible()
  await choose('dark theme', /dark/i)
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  await choose('svenska', /svenska/i)
  await expect(page.getByRole('link', { name: 'Inställningar' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('qqqq')
  await expect(page.getByRole('banner').getByRole('option')).toHaveText('Sök efter ”qqqq”')
})

test(
  'Esc and a click elsewhere close the menu that lies above, and Esc the record only after that',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Oxen/ }).click()
    const record = page.getByRole('heading', { name: /Oxen/, level: 1 })
    for (const menu of [/Other archives/, /as of/, 'Notices']) {
      await page.getByRole('banner').getByRole('button', { name: menu }).click()
      await expect(page.locator(':popover-open')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(page.locator(':popover-open')).toHaveCount(0)
      await expect(record).toBeVisible()
    }
    const filters = page.getByRole('group', { name: 'Narrow the list' })
    for (const menu of [
      page.getByRole('banner').getByRole('button', { name: /Other archives/ }),
      filters.getByRole('button', { name: 'State', exact: true }),
      filters.getByRole('button', { name: 'Filter', exact: true }),
    ]) {
      await menu.click()
      await expect(page.locator(':popover-open')).toHaveCount(1)
      await page.getByRole('contentinfo').click({ position: { x: 2, y: 2 } })
      await expect(page.locator(':popover-open')).toHaveCount(0)
      await expect(record).toBeVisible()
    }
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Escape')
    await expect(record).toHaveCount(0)
  },
)
