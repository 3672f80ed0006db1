import { checkAccess, expect, openPractice, test, listsOf, openList } from './fixtures.ts'
import { aloneWith } from './lanes.ts'

test('every list is shown, its records link to one another, and what the archive asks for is its form', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('7')
  // One tree leads from the archive over the series to the package; a record is shown in its place.
  const tree = page.getByRole('treegrid')
  const row = (name: RegExp) => page.getByRole('row', { name })
  // By its first letters, wherever it stands, once all that stands in the tree is read: rows that come later
  // may move it out of sight. Places are read last.
  await expect(page.getByRole('link', { name: /^Locations \d/ })).toBeVisible()
  await expect(row(/Kommunstyrelsen, archive/)).toBeVisible()
  await tree.focus()
  await page.keyboard.type('byggnadsn')
  await expect(row(/Byggnadsnämnden, archive/).and(page.locator('.active'))).toBeVisible()
  await page.keyboard.press('ArrowRight')
  // Where only a series says what stands in it, nodes go there from their place right below the archive.
  await expect(row(/Incoming letters/)).toBeVisible()
  await page.keyboard.type('incoming')
  await expect(row(/Incoming letters/).and(page.locator('.active'))).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(row(/Volume 1/)).toHaveCount(1)
  await expect(row(/Volume 1/)).toHaveAttribute('aria-level', '3')
  await row(/Volume 1/).click()
  await page.keyboard.press('ArrowRight')
  // Its record has come beside the tree.
  await expect(page.locator('#record').getByRole('heading', { name: 'Volume 1' })).toBeVisible()
  const held = row(/ritningar, kv. Oxen/)
  await expect(held).toHaveAttribute('aria-level', '4')
  await checkAccess(page)
  // The package is ordered from where it stands, by the key that its menu names, and read from there.
  await held.click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByRole('toolbar').getByText('1 chosen')).toBeVisible()
  await page.keyboard.press('+')
  await expect(page.getByText(/Oxen.*added to the order/)).toBeVisible()
  await page.keyboard.press('Escape')
  await row(/Volume 1/).click()
  await expect(page.locator('#record').getByRole('link', { name: /Oxen/ })).toBeVisible()
  await page.locator('#record').getByRole('button', { name: 'Add to order' }).click()
  await expect(page.getByText(/Oxen.*already/)).toBeVisible()
  await held.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Read' }).click()
  await expect(page.getByRole('link', { name: 'Back to the package' })).toBeVisible()
  await page.keyboard.press('7')
  await held.click()
  await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  await page.keyboard.press('7')
  // What there is in a list is told of that list alone.
  await expect(page.getByRole('link', { name: /^Outgoing letters/ })).toBeVisible()
  await openList(page, 'agents')
  await expect(page.getByRole('heading', { name: 'Agent type' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Outgoing letters/ })).toBeHidden()
  await page.getByRole('row', { name: /Byggnadsnämnden/ }).click()
  await expect(page.getByRole('heading', { name: 'Byggnadsnämnden' })).toBeVisible()
  await expect(
    page.getByRole('cell', { name: 'Records of Byggnadsnämnden, delivered in several parts.' }),
  ).toBeVisible()
  await expect(page.getByTitle('0', { exact: true }).filter({ hasText: 'full' })).toBeVisible()
  await checkAccess(page)
  await page.getByRole('link', { name: 'Byggnadsnämnden, archive' }).click()
  await expect(page.getByRole('heading', { name: 'Byggnadsnämnden, archive' })).toBeVisible()
  await page.locator('#record').getByRole('link', { name: 'Byggnadsnämnden', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Byggnadsnämnden', exact: true })).toBeVisible()

  const lists = await listsOf(page)
  // Structure units stand in the tree of archives.
  expect(lists).toHaveLength(35)
  const failed: string[] = []
  for (const list of lists) {
    await openList(page, list)
    await expect(
      page.locator('[aria-rowcount]:not([aria-rowcount="1"]), .empty:not(:has-text("One moment"))').first(),
    ).toBeVisible()
    const first = page.locator('[role=row][aria-rowindex="2"]')
    if ((await first.count()) > 0) {
      await first.click()
      await expect(page.locator('#record h1')).toBeVisible()
      await expect(page.locator('#record summary').first()).toBeVisible()
    }
    if ((await page.getByRole('alert').count()) > 0) failed.push(list)
  }
  expect(failed).toEqual([])

  await openList(page, 'deliveries')
  await page.getByRole('row').nth(1).click()
  await openList(page, 'submission-agreements')
  await page
    .getByRole('row', { name: /Drawings and photographs/ })
    .first()
    .click()
  await expect(page.getByRole('row', { name: /^SIP yes Stadsarkivet sip/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: /Deliveries that refer to it/ })).toBeVisible()
})

test('trees open row by row, by mouse and by keys', { tag: aloneWith.essarch }, async ({ desk }) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('7')
  await openList(page, 'locations')
  const tree = page.getByRole('treegrid')
  await tree.getByRole('row', { name: /City archive/ }).waitFor()
  await tree.focus()
  await page.keyboard.press('ArrowRight')
  await expect(tree.getByRole('row', { name: /Vault 1/ })).toHaveAttribute('aria-level', '2')
  await tree
    .getByRole('row', { name: /Vault 1/ })
    .getByRole('button')
    .click()
  await tree.getByRole('row', { name: /Shelf 4/ }).click()
  await expect(page.getByRole('heading', { name: 'Shelf 4' })).toBeVisible()
  await expect(page.locator('#record').getByRole('link', { name: 'City archive' })).toBeVisible()
  await tree.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(tree.getByRole('row', { name: /Shelf 4/ })).toHaveCount(0)
  await page.getByLabel('Filter').fill('shelf 3')
  await expect(page.getByRole('grid').getByRole('row', { name: /Shelf 3/ })).toHaveCount(2)

  await openList(page, 'structures')
  await page.getByRole('row', { name: /1952/ }).click()
  await page
    .locator('#record')
    .getByRole('row', { name: /Registers/ })
    .getByRole('button')
    .click()
  await page
    .locator('#record')
    .getByRole('row', { name: /Registers, part 2/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Registers, part 2' })).toBeVisible()
  await desk.app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
  })
  await checkAccess(page)
})

test('a form is checked before it is sent, and what the archive refuses stands by its field', async ({
  desk,
  dialect,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('7')
  const create = page.getByRole('button', { name: 'Create' })
  await openList(page, 'metric-types')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await create.click()
  await expect(page.getByText('This is needed.')).toBeVisible()
  await page.getByLabel('Name *').fill('Boxes')
  // Who looks something up elsewhere finds what was typed again, and may begin anew.
  await page.getByRole('link', { name: 'Packages', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Packages', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Name *')).toHaveValue('Boxes')
  await page.getByRole('button', { name: 'Empty the form' }).click()
  await expect(page.getByLabel('Name *')).toHaveValue('')
  await page.getByLabel('Name *').fill('Boxes')
  await create.click()
  await expect(page.getByText('metric type with this name already exists.')).toBeVisible()
  await page.getByLabel('Name *').fill('Hyllmeter')
  await create.click()
  await expect(page.getByRole('heading', { name: 'Hyllmeter' })).toBeVisible()

  await openList(page, 'agents')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  // What one is called comes first.
  await expect(page.locator('form').getByRole('textbox').first()).toHaveAccessibleName('Main name *')
  const types = page.getByRole('combobox', { name: /^Type/ })
  await types.last().selectOption({ label: 'Person' })
  const language = page.getByRole('combobox', { name: 'Language' })
  await language.fill('svenska')
  await page.getByRole('option', { name: 'svenska' }).click()
  await expect(language).toHaveValue(/svenska/)
  for (const code of [/^Reference code/, /^Level of detail/, /^Record status/, /^Script/])
    await page.getByLabel(code).selectOption({ index: 1 })
  await page.getByLabel('Start date').last().fill('1800-13-01')
  await types.first().selectOption({ index: 1 })
  await create.click()
  await expect(page.getByText('This is not a date.')).toBeVisible()
  await expect(page.getByText('2 fields are not right yet; each says why.')).toBeVisible()
  await checkAccess(page)
  await page.getByLabel('Main name *').fill('Ida Ek')
  await page.getByLabel('Start date').last().fill('1900-01-01')
  await page.getByLabel('End date').last().fill('1800-01-01')
  await create.click()
  await expect(page.getByText('The end date is before the start date.')).toBeVisible()
  await page.getByLabel('End date').last().fill('1980-01-01')
  await create.click()
  await expect(page.getByRole('heading', { name: 'Ida Ek' })).toBeVisible()

  await openList(page, 'orders')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  if (dialect === 'essarch') {
    await page.getByLabel('Label *').fill('For Friday')
    await page.getByLabel('Type *').selectOption({ index: 1 })
    await create.click()
    await expect(page.getByRole('heading', { name: 'For Friday' })).toBeVisible()
  } else {
    await page.getByLabel(/^Name \(label\) \*$/).fill('For Friday')
    await page.getByLabel(/Find among/).fill('oxen')
    await page.locator('fieldset li button').first().click()
    await create.click()
    await expect(page.getByRole('heading', { name: 'For Friday' })).toBeVisible()
    await page.locator('#record td').getByRole('link', { name: /Oxen/ }).click()
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
    await page.getByRole('navigation', { name: 'Which list' }).waitFor({ state: 'detached' })
  }

  await page.keyboard.press('7')
  await openList(page, 'events')
  await expect(page.getByRole('button', { name: 'New', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
})
