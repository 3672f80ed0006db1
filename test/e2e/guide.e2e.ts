import { readFileSync } from 'node:fs'
import path from 'node:path'
import { scratch } from '../support/scratch.ts'
import { checkAccess, expect, openPractice, test } from './fixtures.ts'
import { aloneWith } from './lanes.ts'

test(
  'the guide is opened by F1 at the page that fits, read, searched and closed by keys alone',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('6')
    await expect(page.getByRole('heading', { name: 'At risk' })).toBeVisible()
    await page.keyboard.press('F1')
    await expect(page.getByRole('heading', { level: 1, name: 'Storage, and what is at risk' })).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('Control+f')
    await page.keyboard.type('originals')
    const hit = page.getByRole('link', { name: /Transfers.*Receipt/ })
    await expect(hit.locator('mark').first()).toHaveText('originals')
    await checkAccess(page)
    await hit.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Receipt' })).toBeFocused()
    // A page for each, so that none of them has a trouble that only it can have.
    await page.getByRole('searchbox').fill('')
    for (const name of ['Keys', 'Words', 'Transfers']) {
      await page
        .getByRole('navigation', { name: 'Contents' })
        .getByRole('link', { name, exact: true })
        .click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      await checkAccess(page)
    }
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'At risk' })).toBeVisible()

    await page.keyboard.press('?')
    await page.getByRole('button', { name: 'Guide' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Storage, and what is at risk' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('walking list')
    await page.getByRole('group', { name: 'Guide' }).getByRole('option').first().click()
    await expect(page.getByRole('heading', { level: 1, name: /Orders|Words/ })).toBeVisible()

    // At 200 % one of the two is shown, and the other is a link away.
    await page.setViewportSize({ width: 640, height: 400 })
    await page.getByRole('link', { name: 'All pages of the guide' }).click()
    await expect(page.getByRole('link', { name: 'Keys', exact: true })).toBeVisible()
    await checkAccess(page)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible()
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    await checkAccess(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia({ forcedColors: 'active' })
    await expect(page.locator('nav a[aria-current=page]', { hasText: 'Keys' })).toHaveCSS(
      'outline-style',
      'solid',
    )
    await page.emulateMedia({ forcedColors: 'none' })
  },
)

test(
  'a word of the field says what it means where it stands, by keys and to a screen reader',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Oxen/ }).click()
    const word = page.locator('#record').getByRole('button', { name: 'Policy' })
    await word.focus()
    await page.keyboard.press('Enter')
    const said = page.getByRole('dialog', { name: 'Policy' })
    await expect(said).toHaveAccessibleDescription(/how many copies/)
    await expect(said.getByRole('link', { name: 'More in the guide' })).toBeFocused()
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await expect(said).toBeHidden()
    await expect(word).toBeFocused()
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
    const sign = page.getByRole('button', { name: 'What is this: Copy' })
    await sign.click()
    await page.getByRole('dialog', { name: 'Copy' }).getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()

    await page.keyboard.press('4')
    await page.getByRole('button', { name: 'New transfer' }).first().click()
    await page.getByRole('button', { name: 'What is this: Delivery' }).click()
    await expect(page.getByRole('dialog', { name: 'Delivery' })).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Delivery', exact: true }).focus()
    // The words stay out of the list of what can be done on a page.
    await page.keyboard.press('Control+k')
    const onPage = page.getByRole('group', { name: 'On this page' })
    await expect(onPage).toBeVisible()
    await page.keyboard.type('What is this')
    await expect(onPage).toHaveCount(0)
  },
)

test(
  'what the program is and what it is made of stands beside the guide, and in the menu',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('About Lectern')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'About Lectern' })).toBeVisible()
    await expect(page.getByText('Permission is hereby granted').first()).toBeVisible()
    for (const name of ['svelte', 'undici', '@fontsource-variable/inter', 'unpdf', 'keytar'])
      await expect(page.getByRole('listitem').filter({ hasText: new RegExp(`^${name} \\d`) })).toBeVisible()
    await checkAccess(page)
    await page.getByText(/^undici/).click()
    await expect(page.getByText(/Copyright.*Undici/i)).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('1')
    await desk.app.evaluate(({ Menu }) => {
      const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help')
      help?.submenu?.items.find(({ label }) => label === 'About Lectern')?.click()
    })
    await expect(page.getByRole('heading', { level: 1, name: 'About Lectern' })).toBeVisible()
  },
)

test(
  'the file for whoever helps is seen whole before it is saved as it was seen',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    using place = scratch()
    const target = path.join(place.folder, 'diagnostics.json')
    await openPractice(desk)
    await page.keyboard.press(',')
    await page.getByRole('button', { name: 'Show what would be in it' }).click()
    const shown = page.getByRole('region', { name: 'Diagnostics' })
    await expect(shown).toContainText('"isHere": true')
    await checkAccess(page)
    const text = await shown.textContent()
    await desk.answerDialogs([target])
    await page.getByRole('button', { name: 'Save as a file' }).click()
    await expect(page.getByText('The diagnostics are saved.')).toBeVisible()
    expect(readFileSync(target, 'utf8')).toBe(text)
    expect(text).not.toContain(desk.userData)
  },
)

test(
  'the guide opens from a field as well, where nothing that was typed is lost',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('Control+k')
    await page.keyboard.press('F1')
    await expect(page.getByRole('heading', { level: 1, name: 'First steps' })).toBeVisible()
    await page.keyboard.press('4')
    await page.getByRole('button', { name: 'New transfer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Letters of the harbour office')
    await page.keyboard.press('F1')
    await expect(page.getByRole('heading', { level: 1, name: 'Transfers' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Letters of the harbour office')
  },
)
