import { checkAccess, expect, focusList, openPractice, test } from './fixtures.ts'
import { goTo } from './pages.ts'
import { aloneWith } from './lanes.ts'

test(
  'a list is narrowed by chips that stand in its address, and many of its packages are ordered at once',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('2')
    await expect(page.getByRole('status').filter({ hasText: /^42$/ })).toBeVisible()
    // Beside its word, in the cell of the heading.
    await page.getByRole('columnheader', { name: 'Size' }).click({ position: { x: 2, y: 2 } })
    await expect(page.getByRole('contentinfo')).toContainText('Sorted by Size, ')
    // All are preserved: a column would say the same in every row.
    await expect(page.getByRole('columnheader', { name: 'State' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Year', exact: true }).click()
    await page.getByRole('group', { name: 'Year' }).getByLabel(/2024/).check()
    await expect(page.getByText('23 of 42')).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Archival creator', exact: true }).click()
    const creators = page.getByRole('group', { name: 'Archival creator' })
    await creators.getByRole('searchbox').fill('hamn')
    await creators.getByRole('searchbox').fill('museum')
    await creators.getByRole('checkbox').first().check()
    await expect(page.getByText(/^[12] of 42$/)).toBeVisible()
    await page.goBack()
    await expect(page.getByText('23 of 42')).toBeVisible()
    await page.keyboard.press('Escape')

    const row = (nth: number) => page.getByRole('row').nth(nth)
    await row(1).click()
    await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
    // The list beside the page stays as narrow as it was, also when another place was looked at between.
    await page.keyboard.press('1')
    await page.keyboard.press('2')
    await expect(page.getByText('23 of 42')).toBeVisible()
    // All are chosen wherever one is in the place, and no words of the window are marked.
    await page.getByRole('heading', { name: 'Packages', exact: true }).click()
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar').getByText('23 chosen')).toBeVisible()
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
    // What can be done with them stands in one row, also beside a record and in the longer language.
    await page.setViewportSize({ width: 1280, height: 800 })
    const topsOfActs = () =>
      page
        .getByRole('toolbar')
        .locator('.acts button:visible')
        .evaluateAll((buttons) => [...new Set(buttons.map((button) => button.getBoundingClientRect().top))])
    for (const language of ['sv', 'en'] as const) {
      await page.evaluate(
        (chosen) => window.bridge.application.settings.change({ language: chosen }),
        language,
      )
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect.poll(topsOfActs).toHaveLength(1)
    }
    await page.keyboard.press('Escape')
    await row(2).click({ modifiers: ['Control'] })
    await row(4).click({ modifiers: ['Shift'] })
    await expect(page.getByRole('toolbar').getByText('3 chosen')).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('+')
    await expect(page.getByText('3 packages added to the order.')).toBeVisible()
    // What can be done about what is said stands on its line.
    const ends = await page
      .getByRole('contentinfo')
      .getByRole('status')
      .locator('> *')
      .evaluateAll((parts) =>
        parts.map((part) => {
          const range = document.createRange()
          range.selectNodeContents(part)
          return range.getBoundingClientRect().bottom
        }),
      )
    expect(ends).toEqual([ends[0], ends[0]])
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar').getByText('23 chosen')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('23 chosen')).toHaveCount(0)
    await row(3).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy the identifier' }).click()
    await expect(page.getByText('The identifier is copied.')).toBeVisible()
    await page.getByRole('button', { name: 'Take off: Year: 2024' }).click()
    await expect(page.getByRole('status').filter({ hasText: /^42$/ })).toBeVisible()

    // What came by a link is kept like what somebody chose, and so is the way back.
    await goTo(page, '#/packages?year=2024')
    await expect(page.getByText('23 of 42')).toBeVisible()
    await page.keyboard.press('1')
    await page.keyboard.press('2')
    await expect(page.getByText('23 of 42')).toBeVisible()
    await page.goBack()
    await page.goBack()
    await expect(page.getByText('23 of 42')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('status').filter({ hasText: /^42$/ })).toBeVisible()
    await page.goForward()
    await expect(page.getByText('23 of 42')).toBeVisible()
    await page.getByRole('button', { name: 'Take off: Year: 2024' }).click()

    // A list takes the room that it is given, and keeps it.
    const edge = page.getByRole('separator', { name: 'Width of the list' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBeLessThan(before)
    await page.keyboard.press('Home')
    await expect(edge).toHaveAttribute('aria-valuenow', String(before))
  },
)

test(
  'rows of every list have a menu by keys and by pointer, and many are chosen at once',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    const lists = [
      // The one of which nothing was said is opened again.
      { keys: ['4', 'Control+n', 'Escape', 'Control+n', 'Escape'], name: 'Transfers', rows: 1 },
      { keys: ['5', 'Control+n', 'Escape', 'Control+n', 'Escape'], name: 'Orders', rows: 3 },
      { address: 'description/agents', name: 'Agents', rows: 40 },
      { address: 'description', name: 'Archives', rows: 40 },
      { keys: ['8'], name: 'Activity' },
    ]
    for (const { keys = [], address, name, rows } of lists) {
      if (address !== undefined) await goTo(page, `#/${address}`)
      for (const key of keys) {
        const heading = page.getByRole('heading', { level: 1 }).first()
        await page.keyboard.press(key)
        if (key === 'Control+n') await expect(page).toHaveURL(/#\/\w+\/[\w-]{36}/)
        else await expect(heading).toBeVisible()
        if (key === 'Escape') await expect(page).not.toHaveURL(/[\w-]{36}/)
      }
      const list = page.locator('[role=grid], [role=treegrid]').first()
      if (rows !== undefined) await expect(list).toHaveAttribute('aria-rowcount', `${rows + 1}`)
      await expect(list.getByRole('row').nth(1)).toBeVisible()
      const count = Number(await list.getAttribute('aria-rowcount')) - 1
      const before = page.url()
      await list.focus()
      await page.keyboard.press('Shift+F10')
      const menu = page.getByRole('menu')
      await expect(menu.getByRole('menuitem', { name: 'Open' }), name).toBeFocused()
      await checkAccess(page)
      await page.keyboard.press('Escape')
      await expect(menu).toBeHidden()
      await expect(list).toBeFocused()
      expect(page.url()).toBe(before)
      await list.getByRole('row').nth(1).click({ button: 'right' })
      await menu.getByRole('menuitem', { name: 'Copy the identifier' }).click()
      await expect(page.getByText('The identifier is copied.')).toBeVisible()
      await expect(list).toBeFocused()
      await page.keyboard.press('Control+a')
      const bar = page.getByRole('toolbar')
      await expect(bar.getByText(`${count} chosen`)).toBeVisible()
      await checkAccess(page)
      await bar.getByRole('button', { name: 'Save …' }).click()
      for (const format of ['CSV', 'XLSX', 'JSON'])
        await expect(page.getByRole('button', { name: `Save as ${format}` })).toBeVisible()
      await page.keyboard.press('Escape')
      await list.focus()
      await page.keyboard.press('Escape')
      await expect(bar).toHaveCount(0)
      expect(page.url()).toBe(before)
    }
    // Storage targets are a table, whose lines are links.
    await page.keyboard.press('6')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Storage targets' }) })
    const targets = section.getByRole('row').getByRole('link')
    const chosen = page.getByRole('toolbar')
    await targets.first().focus()
    await page.keyboard.press('Shift+ArrowDown')
    await expect(chosen.getByText('2 chosen')).toBeVisible()
    await expect(targets.nth(1)).toBeFocused()
    await page.keyboard.press('Control+a')
    await expect(chosen.getByText(`${await targets.count()} chosen`)).toBeVisible()
    await checkAccess(page)
    await targets.first().click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: 'Open' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(chosen).toHaveCount(0)
    const media = page.locator('#media')
    for (const order of ['ascending', 'descending']) {
      await media.getByRole('columnheader', { name: 'Medium' }).getByRole('button').click()
      const names = await media.getByRole('link').allTextContents()
      const sorted = names.toSorted(new Intl.Collator('en', { numeric: true }).compare)
      expect([names.length > 1, names]).toEqual([true, order === 'ascending' ? sorted : sorted.toReversed()])
      await expect(media.getByRole('columnheader', { name: 'Medium' })).toHaveAttribute('aria-sort', order)
    }
    // Beside an open medium stands the list of all.
    await page.locator('#media').getByRole('link').first().click()
    await page.getByRole('searchbox', { name: 'Filter media' }).fill('no such medium')
    await expect(page.getByText('Nothing matches all of these filters.')).toBeVisible()
    await page.keyboard.press('Escape')
    await focusList(page, 'grid')
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar').getByText(/chosen/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('toolbar')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Media' })).toBeVisible()
  },
)

test(
  'a package that is opened from elsewhere is seen in its list',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.setViewportSize({ width: 1280, height: 600 })
    await page.keyboard.press('2')
    await page.getByRole('row').nth(1).click()
    await page.keyboard.press('6')
    await goTo(page, '#/storage/risk:few%20copies')
    await page.getByRole('heading', { name: /Fewer copies/ }).waitFor()
    // An earlier generation: its package is opened for its row to be there.
    await page.getByRole('row', { name: /^Slaughterhouse ledgers/ }).click()
    await page.getByRole('tab', { name: 'Overview' }).waitFor()
    await expect(page.getByRole('row', { selected: true })).toBeInViewport()
    await expect(page.getByRole('row', { selected: true })).toContainText('Generation')
  },
)

test(
  'who sorts or narrows a list sees it from the top, or where the package is that is open',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.setViewportSize({ width: 1280, height: 600 })
    await page.keyboard.press('2')
    const list = page.getByRole('treegrid')
    const scrolled = () => list.evaluate(({ scrollTop }) => scrollTop)
    const label = page.getByRole('columnheader').getByRole('button', { name: /^Label/ })
    const rows = list.getByRole('row')
    await expect(rows.nth(1)).toBeVisible()
    await list.focus()
    await list.press('End')
    await expect.poll(scrolled).toBeGreaterThan(100)
    await label.click()
    await expect.poll(scrolled).toBe(0)
    // From the heading one goes on into the rows, and no other key moves in them.
    await label.press('ArrowRight')
    await expect(page.getByRole('columnheader').getByRole('button').nth(1)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(list).toBeFocused()
    await page.keyboard.press('End')
    await expect.poll(scrolled).toBeGreaterThan(100)
    await page.getByPlaceholder('Label, identifier or state').fill('a')
    await expect.poll(scrolled).toBe(0)
    await page.getByPlaceholder('Label, identifier or state').fill('')
    await rows.nth(2).click()
    const open = list.getByRole('row', { selected: true })
    const name = await open.innerText()
    await label.click()
    await expect(label).toHaveText(/↓/)
    await expect.poll(scrolled).toBeGreaterThan(100)
    await expect(open).toBeInViewport()
    expect(await open.innerText()).toBe(name)
  },
)
