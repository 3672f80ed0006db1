import { spawn } from 'node:child_process'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { present } from '../support/present.ts'
import { checkAccess, expect, focusList, openPractice, settled, openList, test } from './fixtures.ts'
import { root } from './launch.ts'
import { wordsIn } from '../../electron/language/words.ts'

test('the menu speaks the chosen language', async ({ desk }) => {
  const labels = () =>
    desk.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label))
  const mac = process.platform === 'darwin' ? ['Lectern'] : []
  expect(await labels()).toEqual([...mac, 'File', 'Edit', 'View', 'Window', 'Help'])
  await desk.page.getByRole('button', { name: /Open.*The archive on this computer/ }).click()
  await desk.page.getByRole('link', { name: 'Settings' }).click()
  await desk.page.getByLabel('Language').selectOption('sv')
  await expect(desk.page.getByRole('heading', { name: 'Inställningar' })).toBeVisible()
  expect(await labels()).toEqual([...mac, 'Arkiv', 'Redigera', 'Visa', 'Fönster', 'Hjälp'])
  const all = await desk.app.evaluate(({ Menu }) => {
    const below = (items: Electron.MenuItem[]): string[] =>
      items.flatMap(({ type, label, submenu }) => [
        ...(type === 'separator' ? [] : [label]),
        ...below(submenu?.items ?? []),
      ])
    return below(Menu.getApplicationMenu()?.items ?? [])
  })
  const ours: unknown[] = [...Object.values(wordsIn('sv', '').menu), ...mac]
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter((label) => !ours.includes(label))).toEqual([])
  expect(await desk.page.evaluate(() => document.documentElement.lang)).toBe('sv')
  await checkAccess(desk.page)
})

test('F5 is a key of the menu, and fetches everything again', async ({ desk }) => {
  await openPractice(desk)
  await settled(desk.page)
  await desk.page.evaluate(() => {
    const status = document.querySelector('header [role=status]')
    const look = () => {
      if (status?.getAttribute('aria-busy') === 'true') document.body.dataset['fetches'] = ''
    }
    if (status) new MutationObserver(look).observe(status, { attributes: true })
  })
  await expect(desk.page.locator('[data-fetches]')).toHaveCount(0)
  // The system takes keys of the menu before any page does, so what it would click is clicked.
  await desk.app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? [])
    items?.find(({ accelerator }) => accelerator === 'F5')?.click()
  })
  await expect(desk.page.locator('[data-fetches]')).toHaveCount(1)
  await settled(desk.page)
})

test('a list keeps the width that it was dragged to, also after a start, and a narrow rail shows icons', async ({
  desk,
}) => {
  await openPractice(desk)
  await desk.page.setViewportSize({ width: 1440, height: 900 })
  const edge = () => desk.page.getByRole('separator', { name: 'Width of the list' })
  const middleOf = async () => {
    const { x, width } = present(await edge().boundingBox())
    return x + width / 2
  }
  await test.step('the edge follows the pointer', async () => {
    await desk.page.keyboard.press('2')
    await desk.page.getByRole('row', { name: /Oxen/ }).click()
    await desk.page.getByRole('tab', { name: 'Overview' }).waitFor()
    const before = await middleOf()
    await desk.page.mouse.move(before, 500)
    await desk.page.mouse.down()
    await desk.page.mouse.move(before + 60, 500)
    await desk.page.mouse.move(before + 120, 500)
    await desk.page.mouse.up()
    await desk.page.mouse.move(before + 300, 500)
    await expect.poll(async () => Math.round((await middleOf()) - before)).toBe(120)
  })
  const share = present(await edge().getAttribute('aria-valuenow'))
  await test.step('the next start puts it where it was', async () => {
    // How a list is shown is kept a moment after it was changed.
    const store = new DatabaseSync(path.join(desk.userData, 'desk.sqlite'), { readOnly: true })
    const kept = store.prepare(
      `select round(body ->> '$.open') as share from view where list = 'split packages'`,
    )
    await expect.poll(() => kept.get()?.['share']).toBe(Number(share))
    store.close()
    await desk.restart('quit')
    await desk.page.setViewportSize({ width: 1440, height: 900 })
    await settled(desk.page)
    await desk.page.keyboard.press('2')
    await desk.page.getByRole('row', { name: /Oxen/ }).click()
    await desk.page.getByRole('tab', { name: 'Overview' }).waitFor()
    await expect(edge()).toHaveAttribute('aria-valuenow', share)
  })
  await test.step('below 1100 px the rail is as wide as its icons', async () => {
    const rail = desk.page.getByRole('navigation', { name: 'Places' })
    const widthOf = async (window: number) => {
      await desk.page.setViewportSize({ width: window, height: 800 })
      return present(await rail.boundingBox()).width
    }
    expect(await widthOf(1101)).toBeGreaterThan(150)
    // Its keys are seen by whoever reaches for it.
    await desk.page.mouse.move(800, 400)
    await expect(rail.locator('kbd').first()).toBeHidden()
    await rail.hover()
    await expect(rail.locator('kbd').first()).toBeVisible()
    expect(await widthOf(1099)).toBe(56)
    await expect(rail.getByRole('link', { name: 'Packages' })).toBeVisible()
    await expect(rail.locator('kbd').first()).toBeHidden()
  })
})

test('closed, the desk goes on; started again, the one that runs comes forward', async ({ desk }) => {
  await desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().forEach((window) => window.close()),
  )
  await expect.poll(() => desk.app.windows().length).toBe(0)
  const opened = desk.app.waitForEvent('window')
  const second = spawn(
    process.execPath,
    [path.join(root, 'node_modules/electron/cli.js'), root, `--user-data-dir=${desk.userData}`],
    { env: process.env, stdio: 'ignore' },
  )
  const ended = new Promise((done) => second.once('exit', done))
  await expect((await opened).getByRole('heading', { name: 'Which archive?' })).toBeVisible()
  await ended
})

test('signed in before, the desk shows what it holds before anybody answers', async ({ desk }) => {
  await openPractice(desk)
  await desk.page.getByRole('link', { name: 'Packages' }).click()
  await expect(desk.page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  await desk.restart('quit')
  await desk.page.getByRole('link', { name: 'Packages' }).click()
  await expect(desk.page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  await expect(desk.page.getByText('Online')).toBeVisible()
  await desk.page.getByRole('button', { name: /Other archives/ }).click()
  await desk.page.getByRole('button', { name: 'Sign out' }).click()
  await expect(desk.page.getByRole('heading', { name: 'Which archive?' })).toBeVisible()
  await desk.restart('quit')
  await expect(desk.page.getByRole('heading', { name: 'Which archive?' })).toBeVisible()
})

test('the desk works by keyboard alone, from the first start to a draft', async ({ desk }) => {
  const { page } = desk
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(button('Open The archive on this computer')).toBeFocused()
  await press('Tab')
  await expect(button('Open Practice archive')).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await settled(page)
  await press('2')
  await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  await press('Control+f')
  await page.keyboard.type('oxen')
  await expect(page.getByText('1 of 42')).toBeVisible()
  await focusList(page, 'treegrid')
  await press('ArrowRight')
  await expect(page.getByRole('row', { name: /Generation 2/ })).toBeVisible()
  await press('ArrowDown', 'ArrowDown', 'Enter')
  await expect(page.getByText('AIP, generation 2 of 3')).toBeVisible()
  await press('Escape')
  await expect(page.getByText('Choose a package to see where its copies lie.')).toBeVisible()
  // What it tells of stays while the list is narrowed otherwise.
  await expect(page.getByRole('link', { name: /Byggnadsnämnden\s*1/ })).toBeVisible()
  await press('Control+t')
  await expect(page.getByText('3 of 112')).toBeVisible()
  // What is counted beside the list is what the list would show.
  await expect(page.getByRole('link', { name: /Byggnadsnämnden\s*3/ })).toBeVisible()
  await press('4')
  await expect(page.getByRole('heading', { name: 'Ways to begin' })).toBeVisible()
  await press('Control+n')
  await expect(page.getByLabel('Name', { exact: true })).toBeVisible()
  await press('Escape', '6')
  await expect(page.getByRole('heading', { name: 'Storage', exact: true })).toBeVisible()
})

test('at 200 % and in a narrow window nothing is lost', async ({ desk }) => {
  const { page } = desk
  await page.setViewportSize({ width: 720, height: 450 })
  await openPractice(desk)
  await page.getByRole('link', { name: 'Packages' }).click()
  await page.getByRole('row', { name: /Oxen/ }).click()
  await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  await checkAccess(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
})

test('long words are neither broken nor covered nor cut, and what is chosen shows in forced colours', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press(',')
  await page.getByLabel('Language').selectOption('sv')
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const place of ['Överföringar', 'Beställningar', 'Lagring', 'Paket']) {
    await page.getByRole('link', { name: place }).click()
    const heading = page.getByRole('heading', { name: place, exact: true, level: 1 })
    await expect(heading).toBeVisible()
    const { height } = (await heading.boundingBox()) ?? { height: 0 }
    expect(height, place).toBe(28)
  }
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.emulateMedia({ forcedColors: 'active' })
  await expect(page.getByRole('row', { name: /Oxen/ })).toHaveCSS('outline-style', 'solid')
  await page.emulateMedia({ forcedColors: 'none' })
  await page.getByRole('tab', { name: 'Historik' }).click()
  await expect(page.locator('#record')).toContainText('AIP bevarat – Bevarat i 3 kopior')

  await page.getByRole('link', { name: 'Beskrivning' }).click()
  await openList(page, 'deliveries')
  await page.getByRole('row', { name: /Byggnadsnämnden 2026/ }).click()
  const name = page.locator('dt', { hasText: 'Leveransöverenskommelse' })
  expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)

  await page.setViewportSize({ width: 720, height: 450 })
  await expect(page.locator('nav').first()).toBeVisible()
  expect(
    await page
      .locator('nav')
      .first()
      .evaluate((element) => element.scrollWidth <= element.clientWidth),
  ).toBe(true)
})

test('what the stand-in cannot imitate it refuses in a sentence', async ({ desk }) => {
  test.skip(process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined, 'This is Electron itself.')
  const refused = desk.app.evaluate(({ app }) => Reflect.get(app, 'getGPUInfo') as unknown)
  await expect(refused).rejects.toThrow(/The stand-in for Electron has no app\.getGPUInfo/)
})
