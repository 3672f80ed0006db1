import { checkAccess, expect, openPractice, test } from './fixtures.ts'
import { aloneWith } from './lanes.ts'

test(
  'a list is narrowed by chips that stand in its address, and many of its packages are ordered at once',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('2')
    await expect(page.getByRole('status').filter({ hasText: /^42$/ })).toBeVisible()
    // All are preserved: a column would say the same in every row.
    await expect(page.getByRole('columnheader', { name: 'State' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Year', exact: true }).click()
    await page.getByRole('group', { name: 'Year' }).getByLabel(/2024/).check()
    await expect(page.getByText('23 of 42')).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Created by', exact: true }).click()
    const creators = page.getByRole('group', { name: 'Created by' })
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
    await page.keyboard.press('Escape')
    await row(2).click({ modifiers: ['Control'] })
    await row(4).click({ modifiers: ['Shift'] })
    await expect(page.getByRole('toolbar').getByText('3 chosen')).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('+')
    await expect(page.getByText('3 packages added to the order.')).toBeVisible()
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('toolbar').getByText('23 chosen')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('23 chosen')).toHaveCount(0)
    await row(3).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy identifiers' }).click()
    await expect(page.getByText('The identifier is copied.')).toBeVisible()
    await page.getByRole('button', { name: 'Take off: Year: 2024' }).click()
    await expect(page.getByRole('status').filter({ hasText: /^42$/ })).toBeVisible()

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
