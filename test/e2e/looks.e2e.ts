import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { scratch } from '../support/scratch.ts'
import { walkEssarch } from '../screenshots/essarch.ts'
import { expect, openPractice, test } from './fixtures.ts'
import { faultsOf, standsStill } from './look-rules.ts'
import { takeShifts } from './layout-shifts.ts'
import { goTo, pages } from './pages.ts'
import { beginWork } from './under-way.ts'

/** Windows, one zoomed to 200 %, and one to 400 % (WCAG 1.4.10). */
const sizes = [
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 720, height: 450 },
  { width: 320, height: 256 },
  { width: 320, height: 3000 },
  // So high that all of a page is in it.
  { width: 1280, height: 3000 },
  { width: 720, height: 3000 },
]
const languages = ['en', 'sv'] as const
const themes = ['light', 'dark'] as const

const change = (page: Page, language: 'en' | 'sv', theme: 'light' | 'dark') =>
  page.evaluate(
    async (chosen) => {
      await window.bridge.application.settings.change(chosen)
      const isChosen = () =>
        document.documentElement.lang === chosen.language &&
        matchMedia(`(prefers-color-scheme: ${chosen.theme})`).matches
      while (!isChosen()) await new Promise((drawn) => requestAnimationFrame(drawn))
    },
    { language, theme },
  )

/** What looks wrong on the page that is open, in every language, theme and size: a line for each. */
const look = async (page: Page, name: string): Promise<string[]> => {
  const found: string[] = []
  for (const language of languages)
    for (const theme of themes) {
      await change(page, language, theme)
      // A theme is colours (see the test of the tokens): what stands straight in one does in the other.
      for (const size of theme === 'light' ? sizes : sizes.slice(-2)) {
        await page.setViewportSize(size)
        for (const [element, what] of await faultsOf(page))
          // At 400 % a heading may be longer than a line.
          if (size.width > 320 || what !== 'wraps to a second line')
            found.push(`${name}, ${size.width} × ${size.height}, ${language}, ${theme}: ${element} ${what}`)
      }
    }
  await change(page, 'en', 'light')
  await page.setViewportSize({ width: 1280, height: 800 })
  return found
}

/** Buttons of the page that are pressed first, where there is more than one: one page has one main action. */
const mainButtons = async (page: Page, name: string): Promise<string[]> => {
  const buttons = await page.locator('main button.main:visible').allTextContents()
  return buttons.length > 1 ? [`${name} has ${buttons.length} main buttons: ${buttons.join(', ')}`] : []
}

/** Marks on a line, as those of a ladder or a time line, whose middle is not that of the line. */
const marksOffLine = (page: Page, name: string) =>
  page.locator('main ol > li:visible').evaluateAll(
    (lines, where) =>
      lines.flatMap((line) => {
        const [one, other] = (['::before', '::after'] as const).map((part) => {
          const style = getComputedStyle(line, part)
          if (style.display === 'none' || style.position !== 'absolute') return undefined
          const px = (value: string) => Number.parseFloat(value) || 0
          const around =
            style.boxSizing === 'border-box' ? 0 : px(style.borderTopWidth) + px(style.borderBottomWidth)
          const [width, height] = [px(style.width) + around, px(style.height) + around]
          return { x: px(style.left) + width / 2, y: px(style.top) + height / 2, width, height }
        })
        if (!one || !other) return []
        const isAcross = [one, other].some(({ width, height }) => width > height * 2)
        const off = isAcross ? Math.abs(one.y - other.y) : Math.abs(one.x - other.x)
        return off > 0.5
          ? [`${where}: the mark of “${line.textContent.trim()}” is ${off} px off its line`]
          : []
      }),
    name,
  )

test('every page stands straight at every size, in both languages and themes', async ({ desk }) => {
  // Some fifty pages, each in 22 windows: more than a journey of one errand.
  test.slow()
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-looks-'))
  const found: string[] = []
  takeShifts()
  await desk.page.setViewportSize({ width: 1280, height: 800 })
  for (const [name, open] of pages) {
    await test.step(name, () => open(desk, place))
    await standsStill(desk.page)
    found.push(...(await mainButtons(desk.page, name)), ...(await marksOffLine(desk.page, name)))
    found.push(...(await look(desk.page, name)))
  }
  rmSync(place, { recursive: true })
  expect([...found, ...takeShifts()]).toEqual([])
})

test('what only an archive with more than the specification shows stands straight too', async () => {
  const found: string[] = []
  await walkEssarch(async ({ page }, name) => {
    await standsStill(page)
    found.push(...(await look(page, name)))
  })
  expect(found).toEqual([])
})

test('the Desk with work under way, and with some of it stopped, stands straight', async ({ desk }) => {
  using place = scratch()
  const { archive, proxy, fetching } = await beginWork(desk, place.folder)
  await standsStill(desk.page)
  const found = await look(desk.page, 'desk, work under way')
  await fetching.getByRole('button', { name: /Stop/ }).click()
  await expect(fetching).toContainText('Stopped')
  await standsStill(desk.page)
  found.push(...(await look(desk.page, 'desk, work stopped')))
  expect(found).toEqual([])
  await proxy.stop()
  await archive.stop()
})

test('a menu of the bar above opens below its button, and its end is reached in a low window', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  const opened = async (id: string) => {
    const button = page.locator(`[popovertarget=${id}]`)
    await button.click()
    const menu = page.locator(`#${id}`)
    await menu.locator('a, button').last().scrollIntoViewIfNeeded()
    const [of, box, last] = await Promise.all([
      button.boundingBox(),
      menu.boundingBox(),
      menu.locator('a, button').last().boundingBox(),
    ])
    await page.keyboard.press('Escape')
    if (!of || !box || !last) throw new Error(`${id} is not drawn`)
    return { of, box, last }
  }
  for (const [width, height] of [
    [1440, 900],
    [1280, 800],
    [640, 400],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const id of ['connection', 'notices']) {
      const { of, box, last } = await opened(id)
      const where = `${id} at ${width} × ${height}`
      expect(box.x, where).toBeGreaterThanOrEqual(12)
      expect(box.x + box.width, where).toBeLessThanOrEqual(width - 12)
      expect(box.y + box.height, where).toBeLessThanOrEqual(height - 12)
      expect(last.y + last.height, where).toBeLessThanOrEqual(box.y + box.height)
      const middle = of.x + of.width / 2
      expect(box.x < middle && middle < box.x + box.width, `${where} is below its button`).toBe(true)
    }
  }
})

/** A fault for each rule, planted in the page as a style, and how it is told. */
const planted: [style: string, told: RegExp][] = [
  [
    '[role=tab] { white-space: normal !important; width: 40px }',
    /button “All fields” wraps to a second line/,
  ],
  [
    'td.unbroken { white-space: normal !important } td.unbroken a { width: 40px }',
    /“DISK-A” wraps to a second line/,
  ],
  [
    '.bar h1 { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; width: 40px }',
    /h1 “Packages” is cut/,
  ],
  ['.bar .right { width: 100% }', /h1 “Packages” stands above its tools/],
  ['#record > * { width: 3000px }', /article\.page .* scrolls sideways/],
  ['.place > * { width: 3000px !important }', /main .* hides what stands in it/],
  ['[role=tab] { overflow: hidden; height: 12px }', /button “All fields” hides what is below/],
  ['.row span { overflow: visible !important } .row .label { width: 80px }', /leaves div\.label/],
  [
    '.row span { overflow: visible !important } .row .label { padding-left: 200px }',
    /span\.cut .* lies over/,
  ],
  ['#record h1 { opacity: 0.7 }', /h1.* is dimmed to 0\.7/],
  ['.small { font-size: 11px !important }', /is 11 px$/],
  ['[role=tab] { padding: 0 !important }', /button “All fields” is \d+ × 2\d px to press/],
  ['.acts button { margin-left: -40px }', /button.* lies over button/],
  ['.head { padding-left: 40px !important }', /does not stand over/],
  ['.head .right { text-align: left !important }', /is left, .* is right/],
  ['.row { height: 36px !important }', /is 36 px high/],
  ['.row .label { padding-top: 6px }', /stands on another line than/],
  ['button svg { translate: 0 4px }', /stands on another line than/],
  ['dt { padding-top: 6px !important }', /dt.* stands on another line than dd/],
  ['.bar h1 { translate: 0 6px }', /stands on another line than/],
]

test.describe('faults that are planted', () => {
  test.use({ isStill: false })

  test('each rule tells what it is there for', async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    // As high as the overview of a package is as a whole.
    await page.setViewportSize({ width: 1280, height: 1000 })
    await goTo(page, '#/packages')
    await page.getByRole('row', { name: /Oxen/ }).click()
    await page.getByRole('tab', { name: 'Overview' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    for (const [style, told] of planted) {
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(text)
        document.adoptedStyleSheets = [sheet]
      }, style)
      const found = (await faultsOf(page)).map((fault) => fault.join(' '))
      expect(
        found.filter((line) => told.test(line)),
        `${style}: ${found.slice(0, 5).join('\n')}`,
      ).not.toEqual([])
    }
    await page.evaluate(() => (document.adoptedStyleSheets = []))
    await goTo(page, '#/settings')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await standsStill(page)
    takeShifts()
    const told: string[] = []
    // Soon after something was done it counts as an answer to that.
    const push = () =>
      page.evaluate(() => {
        const title = document.querySelector<HTMLElement>('main h1')
        if (title) title.style.marginTop = title.style.marginTop === '' ? '80px' : ''
      })
    await expect
      .poll(async () => {
        await push()
        told.push(...takeShifts())
        return told
      })
      .toContainEqual(
        expect.stringMatching(/ moved by 0 px to the right and \d+ px down .* ms after the page/),
      )
  })
})

test('what stands beside a list begins at one edge, whatever it is', async ({ desk }) => {
  const { page } = desk
  await openPractice(desk)
  const edges: number[] = []
  for (const [address, told] of [
    ['#/packages', 'Choose a package to see where its copies lie.'],
    ['#/checks', /^A check reads every file/],
  ] as const) {
    await goTo(page, address)
    const text = await page.locator('#record').getByText(told).boundingBox()
    edges.push(Math.round(text?.x ?? 0))
  }
  expect(edges[1]).toBe(edges[0])
})

test('in forced colours what is chosen, pressed first, full or an exception is still drawn', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.emulateMedia({ forcedColors: 'active' })
  const style = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  await goTo(page, '#/packages')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('tab', { name: 'Overview' }).waitFor()
  const ground = await style('body', 'background-color')
  for (const drawn of [
    '.row[aria-selected=true]',
    '[role=tab][aria-selected=true]',
    '#record a[aria-current=page]',
    'nav a[aria-current=page]',
    '#record button.main',
    '.row .marks i',
  ])
    // What the package can be opened as is asked for, and the button is another one then.
    await expect(page.locator(drawn).first()).not.toHaveCSS('background-color', ground)
  /** Where the text of an element is of the colour of its ground. */
  const unread = (selector: string) =>
    page.locator(selector).evaluateAll((elements) =>
      elements.flatMap((element) => {
        const { color, backgroundColor } = getComputedStyle(element)
        return color === backgroundColor ? [element.textContent] : []
      }),
    )
  expect(await unread(':is([aria-current=page], [aria-selected=true]) :is(kbd, span)')).toEqual([])
  expect(await style('#record .warn', 'border-top-style')).toBe('solid')
  await goTo(page, '#/storage')
  expect(await style('.picture .meter i', 'background-color')).not.toBe(ground)
  expect(await style('.picture .meter', 'forced-color-adjust')).toBe('none')
  expect(await style('svg rect', 'fill')).not.toBe(ground)
  await goTo(page, '#/settings')
  // The system draws them, where it is to draw in its own colours.
  expect(await style('[type=checkbox]', 'appearance')).toBe('auto')
  await page.emulateMedia({ forcedColors: 'none' })
  expect(await style('[type=checkbox]', 'appearance')).toBe('none')
})

test('generations and what compares them share a line, and so do several media of a target', async ({
  desk,
}) => {
  const { page } = desk
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPractice(desk)
  await goTo(page, '#/packages')
  const linesOf = (selector: string) =>
    page.locator(selector).evaluateAll((elements) => {
      const middles = elements
        .map((element) => element.getBoundingClientRect())
        .map(({ top, height }) => top + height / 2)
      return new Set(middles.map(Math.round)).size
    })
  for (const [name, count] of [
    [/1938 flood/, 4],
    [/Oxen/, 3],
  ] as const) {
    await page.getByRole('row', { name }).click()
    await expect(page.locator('#record .generations a')).toHaveCount(count)
    for (const language of languages)
      for (const size of sizes.filter(({ width, height }) => width > 1024 && height < 1000)) {
        await change(page, language, 'light')
        await page.setViewportSize(size)
        await standsStill(page)
        const where = [count, language, size.width]
        expect([...where, await linesOf('#record .generations :is(a, button)')]).toEqual([...where, 1])
      }
  }
  await page.setViewportSize({ width: 800, height: 700 })
  await goTo(page, '#/storage')
  const rows = page.locator('.sideways tbody tr')
  await rows.first().waitFor()
  await standsStill(page)
  const heights = await rows.evaluateAll((all) =>
    all.map((row) => Math.round(row.getBoundingClientRect().height)),
  )
  expect(new Set(heights).size).toBe(1)
})

test('every place of the rail is seen in a window of 1280 × 800 that is zoomed to 200 %', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.setViewportSize({ width: 640, height: 400 })
  await standsStill(page)
  const rail = page.getByRole('navigation', { name: 'Places' })
  const hidden = await rail.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  expect(hidden).toBe(0)
})
