import { readdirSync } from 'node:fs'
import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import {
  checkAccess,
  expect,
  openPractice,
  settled,
  signIn as fillSignIn,
  test,
  listsOf,
  openList,
} from './fixtures.ts'
import { goTo } from './pages.ts'
import { aloneWith } from './lanes.ts'

const signIn = async (...who: Parameters<typeof fillSignIn>) => {
  await fillSignIn(...who)
  await expect(who[0].page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await settled(who[0].page)
}

test(
  'storage is a picture and a list of the same chain, with what is at risk',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('6')
    const picture = page.getByRole('region', { name: 'From policy to medium' })
    await expect(
      picture.getByRole('link', {
        name: /^Method, Off-site object store ?, disabled · disk · in containers$/,
      }),
    ).toBeVisible()
    await expect(picture.getByRole('link', { name: /^Target, s3-lund ?, target disabled$/ })).toBeVisible()
    await expect(picture.locator('path.off')).toHaveCount(3)
    await checkAccess(page)
    await page.keyboard.press('Control+t')
    await expect(
      picture.getByRole('row', { name: /Standard policy Off-site object store s3-lund — disabled 0/ }),
    ).toBeVisible()
    // In a narrow window the names of a path still stand on one line.
    await page.setViewportSize({ width: 800, height: 800 })
    expect((await picture.getByRole('row', { name: /lto-robot LTO-0418/ }).boundingBox())?.height).toBe(34)
    await page.setViewportSize({ width: 1280, height: 800 })
    await desk.app.evaluate(({ nativeTheme }) => {
      nativeTheme.themeSource = 'dark'
    })
    await checkAccess(page)
    await page.getByRole('link', { name: /Fewer copies than the policy requires/ }).click()
    await expect(page.getByText('There are fewer copies than the policy')).toBeVisible()
    await checkAccess(page)
    const risky = page.getByRole('row').nth(1)
    await page.getByRole('columnheader').getByRole('button', { name: 'Size', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending')
    await expect(risky).toContainText('Council website, crawl 2024-06')
    // What is at risk is chosen and ordered as in any list.
    await risky.click({ modifiers: ['ControlOrMeta'] })
    await page
      .getByRole('row')
      .nth(2)
      .click({ modifiers: ['Shift'] })
    await expect(page.getByRole('toolbar', { name: 'With all that is chosen' })).toContainText('2 chosen')
    await checkAccess(page)
    await page.keyboard.press('+')
    await expect(page.getByText('2 packages added to the order.')).toBeVisible()
    await page.keyboard.press('Escape')
    const name = (await risky.getByRole('gridcell').first().getAttribute('title')) ?? ''
    await risky.click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await expect(page.getByText(/but the policy requires/).first()).toBeVisible()

    await page.keyboard.press('6')
    await page.keyboard.press('Control+t')
    await picture.getByRole('link', { name: /^Method, Tape ?,/ }).click()
    await expect(page.getByRole('heading', { name: 'Tape', exact: true })).toBeVisible()
    await page.keyboard.press('6')
    await picture.getByRole('link', { name: /LTO-0418/ }).click()
    await expect(page.getByRole('heading', { name: 'LTO-0418' })).toBeVisible()
    await expect(page.getByText('512 KiB', { exact: true })).toBeVisible()
  },
)

test('what a package does not permit is disabled, and says which permission is missing', async ({
  desk,
  dialect,
}) => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  // Who has no part in the work on packages: of ESSArch's stock roles, a plain user.
  const named = dialect === 'essarch' ? 'user' : 'reader'
  const reader = archive.others.find(({ username }) => username === named)
  await signIn(desk, archive.url, named, reader?.password ?? '')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  const order = page.getByRole('button', { name: 'Add to order' })
  await expect(order).toHaveAttribute('aria-disabled', 'true')
  await expect(order).toHaveAttribute('title', 'You lack the permission to fetch it from storage.')
  await expect(page.getByRole('button', { name: 'New generation' })).toHaveAttribute(
    'title',
    dialect === 'essarch'
      ? 'You lack the permission to open it as a new generation.'
      : 'You lack the permission to send new packages.',
  )
  await page.getByRole('tab', { name: 'All fields' }).click()
  await expect(page.getByText('see it', { exact: true })).toBeVisible()
  await checkAccess(page)
  await order.click({ force: true })
  await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  await archive.stop()
})

test('a package is ordered, and a new generation of it begun, from its own page', async ({
  desk,
  dialect,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('button', { name: 'Add to order' }).click()
  await page.getByRole('button', { name: 'Show the order' }).click()
  await expect(page.getByRole('link', { name: /kv\. Oxen/ })).toBeVisible()
  // What else an order says is known once the archive was asked for it.
  if (dialect === 'essarch') await expect(page.getByLabel('Type of order')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Thursday')
  await page.getByRole('button', { name: 'Place the order' }).click()
  await expect(page.getByText(/In the archive · Reading Room/)).toBeVisible()
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('button', { name: 'New generation' }).click()
  if (dialect === 'essarch') await expect(page.getByText(/A new generation of.*Oxen/)).toBeVisible()
  else await expect(page.getByLabel('Identifier of the package')).toHaveValue(/^SE\/STA\//)
})

test(
  'answers that were tampered with leave no page blank, and what could not be read is named',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    test.setTimeout(180_000)
    using place = scratch()
    const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
    const proxy = await startFaultyServer(archive.url)
    proxy.misbehave('mutated', /^GET \/api\/(?!me\/$)/)
    const { page } = desk
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await signIn(desk, proxy.url, archive.username, archive.password)
    const isWhole = async () => {
      await expect(page.locator('main h1').first()).toBeVisible()
      await expect(page.getByText('Something went wrong in Lectern itself.')).toHaveCount(0)
      expect(errors).toEqual([])
    }
    for (const key of ['1', '2', '4', '6', '7', ',']) {
      await page.keyboard.press(key)
      await isWhole()
    }
    await page.keyboard.press('2')
    const rows = page.locator('[role=row][aria-rowindex]:not([aria-rowindex="1"])')
    for (let at = 0; at < 12; at += 1) {
      await rows.nth(at).click()
      await expect(page.locator('#record h1')).toBeVisible()
      await isWhole()
    }
    await page.keyboard.press('7')
    for (const list of await listsOf(page)) {
      await openList(page, list)
      await expect(
        page.locator('[aria-rowcount]:not([aria-rowcount="1"]), .empty:not(:has-text("One moment"))').first(),
      ).toBeVisible()
      if ((await rows.count()) > 0) {
        await rows.first().click()
        await expect(page.locator('#record h1')).toBeVisible()
      }
      await isWhole()
    }
    const named = page.locator('details.trouble')
    await expect(named).toContainText(/records? of the archive could not be read/)
    await named.locator('summary').click()
    await expect(named.locator('li').first()).toContainText(/\/api\/[a-z/-]+\/(\[\d+\])/)
    await checkAccess(page)
    await proxy.stop()
    await archive.stop()
  },
)

test(
  'several archives stand side by side: turning to one shows at once what is held of it, and of it alone',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    using place = scratch()
    const [first, second] = [
      await startArchive(path.join(place.folder, 'first'), '--sample'),
      await startArchive(path.join(place.folder, 'second')),
    ]
    const { page } = desk
    const menu = page.getByRole('button', { name: /Other archives/ })
    const accent = () => page.evaluate(() => document.documentElement.dataset['accent'])
    await signIn(desk, first.url, first.username, first.password)
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Oxen/ }).click()
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
    const ofFirst = await accent()

    await menu.click()
    await page.getByRole('button', { name: 'Another archive …' }).click()
    await checkAccess(page)
    await signIn(desk, second.url, second.username, second.password)
    await expect(page.getByRole('banner').getByText(new URL(second.url).host)).toBeVisible()
    await settled(page)
    await page.keyboard.press('2')
    await expect(page.getByText('The archive shows you no packages yet.')).toBeVisible()
    expect(await accent()).not.toBe(ofFirst)
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'New transfer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('For the second archive')
    await expect(page.getByText('Saved on this computer', { exact: true })).toBeVisible()

    // The first archive is gone; what is held of it is there all the same.
    await first.stop()
    await menu.focus()
    await page.keyboard.press('Enter')
    await checkAccess(page)
    await page.getByRole('button', { name: new URL(first.url).host }).click()
    await page.keyboard.press('2')
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    expect(await accent()).toBe(ofFirst)
    await expect(page.getByRole('status').getByText('Archive unavailable')).toBeVisible()
    await page.keyboard.press('4')
    await expect(page.getByText('No transfers yet.')).toBeVisible()
    await expect(page.getByText('For the second archive')).toHaveCount(0)

    // Both are there after a start, and the one left last is the one shown.
    await desk.restart('kill')
    await expect(desk.page.getByRole('banner').getByText(new URL(first.url).host)).toBeVisible()
    await desk.page.getByRole('button', { name: /Other archives/ }).click()
    await desk.page.getByRole('button', { name: new URL(second.url).host }).click()
    await expect(desk.page.getByRole('status').getByText('Online')).toBeVisible()
    await desk.page.keyboard.press('4')
    await expect(desk.page.getByText('For the second archive').first()).toBeVisible()
    await second.stop()
  },
)

test(
  'an archive is forgotten once it was said what goes and what stays, and not while something is unsent',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    using place = scratch()
    const archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
    await signIn(desk, archive.url, archive.username, archive.password)
    const { page } = desk
    const ask = () => page.getByRole('button', { name: 'Forget this archive …' }).click()
    const confirm = () => page.getByRole('button', { name: 'Forget this archive', exact: true }).click()
    const copies = () =>
      readdirSync(path.join(desk.userData, 'archive-cache')).filter((name) => name.endsWith('.sqlite'))
    await page.keyboard.press('1')
    await page.getByRole('button', { name: 'New transfer' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Kept at the desk')
    await expect(page.getByText('Saved on this computer', { exact: true })).toBeVisible()

    // A record that waits is unsent.
    await page.getByRole('link', { name: 'Description' }).click()
    await openList(page, 'deliveries')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Name *').fill('Waits')
    await page.getByLabel(/^Type/).selectOption({ index: 1 })
    await archive.stop()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('banner').getByText('Outbox: 1 waiting')).toBeVisible()
    await goTo(page, '#/settings')
    await ask()
    await checkAccess(page)
    await confirm()
    await expect(page.getByRole('alert').filter({ hasText: 'has not been sent yet' })).toBeVisible()
    expect(copies()).toHaveLength(1)

    await goTo(page, '#/desk')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await goTo(page, '#/settings')
    await ask()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await ask()
    await confirm()
    await expect(page.getByRole('heading', { name: 'Which archive?' })).toBeVisible()
    await expect(page.getByText('is forgotten')).toBeVisible()
    await checkAccess(page)
    expect(copies()).toEqual([])
  },
)
