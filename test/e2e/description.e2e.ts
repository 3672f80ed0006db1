import { checkAccess, expect, test } from './desk.ts'

test('every list of description is shown, and what the archive asks for is its form', async ({ desk }) => {
  const { page } = desk
  await page.locator('.here button').nth(1).click()
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await page.keyboard.press('7')
  await page.getByRole('row', { name: /Byggnadsnämnden/ }).click()
  await expect(page.getByRole('heading', { name: 'Byggnadsnämnden' })).toBeVisible()
  await expect(page.getByText('Records of Byggnadsnämnden, delivered in several parts.').first()).toBeVisible()
  await checkAccess(page)

  const which = page.getByLabel('Which list')
  const lists = await which.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
  expect(lists).toHaveLength(29)
  const failed: string[] = []
  for (const list of lists) {
    await which.selectOption(list)
    await expect(page.locator('[aria-rowcount], .empty').first()).toBeVisible()
    if ((await page.getByRole('alert').count()) > 0) failed.push(list)
  }
  expect(failed).toEqual([])

  await which.selectOption('metric-types')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await expect(page.getByText('Still missing: Name.')).toHaveCount(0)
  await page.getByLabel('Name *').fill('Boxes')
  await checkAccess(page)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('metric type with this name already exists.')).toBeVisible()
  await page.getByLabel('Name *').fill('Hyllmeter')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Hyllmeter' })).toBeVisible()
  await expect(page.getByRole('row', { name: /Hyllmeter/ })).toBeVisible()

  await which.selectOption('agents')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Type *').selectOption({ label: 'Person' })
  await page.getByLabel('Language').selectOption({ label: 'svenska' })
  await page.getByLabel('Start date').fill('1800-13-01')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Date has wrong format. Use YYYY-MM-DD.')).toBeVisible()
  await page.getByLabel('Start date').fill('1800-12-01')
  await page.getByLabel('Names').fill('[{"main": "Ida Ek"}]')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Ida Ek' })).toBeVisible()

  await which.selectOption('locations')
  await expect(page.getByRole('row', { name: /Shelf 4/ }).first()).toBeVisible()
  await desk.app.evaluate(({ nativeTheme }) => {
    nativeTheme.themeSource = 'dark'
  })
  await page.getByRole('row', { name: /Vault 1/ }).click()
  await checkAccess(page)
})
