import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import {
  askAgain,
  checkAccess,
  expect,
  fetchAgain,
  makeDraft,
  settled,
  signIn,
  test,
  type Desk,
  openFiles,
  openList,
} from './fixtures.ts'
import { goTo } from './pages.ts'
import { aloneWith } from './lanes.ts'

const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-offline-'))
test.afterAll(() => rmSync(place, { recursive: true, force: true }))

const outboxOf = ({ page }: Desk) => page.getByRole('region', { name: 'Outbox: on the way to the archive' })

/** Sends what waits, unless it went by itself, until nothing is on its way. */
const sendNow = async (desk: Desk) => {
  const send = desk.page.getByRole('button', { name: 'Send now' }).first()
  await expect(async () => {
    if (await send.isVisible()) await send.click({ timeout: 1_000 })
    // The list may not have been drawn yet; the head of the window always says what waits.
    await expect(desk.page.getByRole('link', { name: 'Outbox empty' })).toBeVisible({ timeout: 5_000 })
    await expect(outboxOf(desk)).toHaveCount(0, { timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
}

test(
  'a token that the archive no longer takes costs no form: the password is asked for over the page',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const archive = await startArchive(path.join(place, 'expiring'), '--sample')
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await settled(page)
    await page.keyboard.press('7')
    await openList(page, 'metric-types')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Name *').fill('Half typed')
    proxy.misbehave('unauthorized', /^(?!POST \/api\/auth)/)
    await askAgain(page)
    await expect(page.getByText('The archive no longer accepts your sign-in.')).toBeVisible()
    await checkAccess(page)
    await expect(page.getByLabel('Name *')).toHaveValue('Half typed')
    proxy.misbehave('none')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The archive does not know this user name with this password.')).toBeVisible()
    await page.getByLabel('Password').fill(archive.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The archive no longer accepts your sign-in.')).toHaveCount(0)
    await expect(page.getByLabel('Name *')).toHaveValue('Half typed')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { name: 'Half typed' })).toBeVisible()
    await proxy.stop()
    await archive.stop()
  },
)

test('what is created without a connection waits in the outbox, and what refers to it after it; both are sent once', async ({
  desk,
}) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'queued'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await settled(page)
  await page.keyboard.press('7')
  const create = page.getByRole('button', { name: 'Create' })
  // Looked at once while there is a connection, a form is there without one.
  for (const [list, field] of [
    ['deliveries', 'Name *'],
    ['transfers', 'Delivery *'],
  ] as const) {
    await openList(page, list)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel(field).waitFor()
  }
  proxy.misbehave('closes')
  await page.keyboard.press('Escape')
  await openList(page, 'deliveries')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Name *').fill('Delivery from the attic')
  await page.getByLabel(/^Type/).selectOption({ index: 1 })
  await create.click()
  const outbox = page.getByRole('region', { name: 'Outbox: on the way to the archive' })
  await expect(outbox.getByText('Delivery from the attic')).toBeVisible()
  await page.getByRole('link', { name: 'Description' }).click()
  await openList(page, 'transfers')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Name *').fill('Boxes from the attic')
  await page.getByLabel('Delivery *').selectOption({ label: 'Delivery from the attic …' })
  await create.click()
  await expect(outbox.getByText('Waits for: Delivery from the attic')).toBeVisible()
  await checkAccess(page)
  await outbox.getByRole('button', { name: 'Edit' }).last().click()
  await expect(page.getByLabel('Name *')).toHaveValue('Boxes from the attic')
  await page.getByLabel('Name *').fill('Boxes from the attic, two')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(outbox.getByText('Boxes from the attic, two')).toBeVisible()

  await desk.restart('kill')
  await expect(desk.page.getByText('Boxes from the attic, two')).toBeVisible()
  proxy.misbehave('none')
  await sendNow(desk)
  const deliveries = (await archive.get('deliveries/')) as { id: number; name: string }[]
  const transfers = (await archive.get('transfers/')) as { name: string; delivery: number }[]
  const [delivery, ...duplicates] = deliveries.filter(({ name }) => name === 'Delivery from the attic')
  expect(duplicates).toEqual([])
  expect(
    transfers.filter(({ name }) => name === 'Boxes from the attic, two').map((transfer) => transfer.delivery),
  ).toEqual([delivery?.id])
  await proxy.stop()
  await archive.stop()
})

test(
  'a record that was delivered while it was corrected is not doubled, and the correction is kept',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const archive = await startArchive(path.join(place, 'corrected'), '--sample')
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await settled(page)
    await page.keyboard.press('7')
    await openList(page, 'deliveries')
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await page.getByLabel('Name *').waitFor()
    proxy.misbehave('closes')
    await page.getByLabel('Name *').fill('From the attic')
    await page.getByLabel(/^Type/).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Create' }).click()
    await outboxOf(desk).getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name *').fill('From the attic, corrected')
    const form = page.url()
    proxy.misbehave('none')
    await page.getByRole('link', { name: 'Desk' }).click()
    await sendNow(desk)
    await page.goto(form)
    await expect(page.getByLabel('Name *')).toHaveValue('From the attic, corrected')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('It was delivered meanwhile')).toBeVisible()
    await checkAccess(page)
    await page.getByRole('row', { name: /From the attic/ }).click()
    await expect(page.getByRole('heading', { name: 'From the attic' })).toBeVisible()
    await page.goBack()
    await expect(page.getByLabel('Name *')).toHaveValue('From the attic, corrected')
    const names = ((await archive.get('deliveries/')) as { name: string }[]).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('From the attic'))).toEqual(['From the attic'])
    await proxy.stop()
    await archive.stop()
  },
)

test(
  'a transfer goes with a delivery that is new as well; quitting before that is asked once',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const archive = await startArchive(path.join(place, 'offline'), '--sample')
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await settled(page)
    proxy.misbehave('closes')
    await makeDraft(desk, place, 'Boxes without a network', 'A delivery without a network')
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Waits for: A delivery without a network')).toBeVisible()
    await checkAccess(page)
    await page.keyboard.press('1')
    const outbox = page.getByRole('region', { name: 'Outbox: on the way to the archive' })
    await expect(outbox.getByRole('listitem')).toHaveCount(2)
    await checkAccess(page)

    const asked = await desk.app.evaluate(async ({ app, dialog }) => {
      const questions: string[] = []
      dialog.showMessageBox = ((...[, { message }]: [unknown, { message: string }]) => {
        questions.push(message)
        return Promise.resolve({ response: 1, checkboxChecked: false })
      }) as typeof dialog.showMessageBox
      app.quit()
      while (questions.length === 0) await new Promise((ready) => setTimeout(ready, 50))
      return questions
    })
    expect(asked).toEqual(['2 items have not been sent yet.'])

    await desk.restart('kill')
    await expect(outboxOf(desk)).toBeVisible()
    proxy.misbehave('none')
    await fetchAgain(desk.page)
    await sendNow(desk)
    const transfers = (await archive.get('transfers/')) as { name: string; delivery: number }[]
    const deliveries = (await archive.get('deliveries/')) as { id: number; name: string }[]
    const made = deliveries.filter(({ name }) => name === 'A delivery without a network')
    expect(made).toHaveLength(1)
    expect(
      transfers.filter(({ name }) => name === 'Boxes without a network').map(({ delivery }) => delivery),
    ).toEqual([made[0]?.id])
    await proxy.stop()
    await archive.stop()
  },
)

/** A page that has been drawn says once that the archive is not reached; nothing is red, nothing too wide. */
const expectCalm = async ({ page }: Desk, where: string) => {
  await expect(page.getByText('One moment …'), where).toHaveCount(0)
  await expect(page.getByRole('alert'), where).toHaveCount(0)
  await expect(page.getByText(/could not be reached/), where).toHaveCount(1)
  const tooWide = ({ scrollWidth, clientWidth }: Element) => scrollWidth - clientWidth
  for (const seen of [page.getByRole('main'), page.getByText(/could not be reached/)])
    expect(await seen.evaluate(tooWide), where).toBe(0)
}

test('without a connection every place says so in one calm line, and goes on by itself when it is back', async ({
  desk,
}) => {
  test.setTimeout(120_000)
  const { page } = desk
  const archive = await startArchive(path.join(place, 'calm'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await settled(page)
  // So wide that it is said in one line, which is longer.
  await page.setViewportSize({ width: 1280, height: 800 })
  await makeDraft(desk, place, 'Half written')
  const draft = new URL(page.url()).hash
  // What is described is read after everything else, or once somebody looks at it.
  const firstRow = page.getByRole('main').getByRole('row').nth(1)
  await page.keyboard.press('5')
  await expect(page.getByRole('link', { name: 'Orders' })).toHaveAttribute('aria-current', 'page')
  await expect(firstRow).toBeVisible()
  await page.keyboard.press('7')
  for (const list of ['agents', 'locations']) {
    await openList(page, list)
    await expect(firstRow).toBeVisible()
  }
  // Last of all the archive is asked what it can do: by that a package has a page of its files.
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText(/^As it said itself/)).toBeVisible()
  await goTo(page, draft)
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half written')
  proxy.misbehave('closes')
  await askAgain(page)
  await expectCalm(desk, 'a draft')
  const goCalmly = async (hash: string) => {
    await goTo(page, hash)
    await expectCalm(desk, hash)
  }
  /** The record behind the first row of a list. */
  const openFirst = async (hash: string) => {
    await goCalmly(hash)
    await firstRow.click()
    await expect(page).toHaveURL(/#\/[a-z]+\/./)
    await expectCalm(desk, `the first of ${hash}`)
  }
  for (const name of [
    'desk',
    'search',
    'transfers',
    'storage',
    'description',
    'activity',
    'settings',
    'checks',
  ])
    await goCalmly(`#/${name}`)
  await goCalmly(draft)
  for (const name of ['orders', 'description/agents', 'description/locations']) await openFirst(`#/${name}`)
  for (const list of ['agents', 'deliveries', 'locations']) await goCalmly(`#/description/${list}:new`)
  await goCalmly('#/search/q%3Doxen')
  // Nobody has looked at it before.
  await goCalmly('#/description/deliveries')
  await expect(page.getByText('shown once the archive answers')).toBeVisible()
  await openFirst('#/packages')
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click()
    await expectCalm(desk, await tab.innerText())
  }
  await openFiles(page)
  await checkAccess(page)
  await expect(page.getByText('shown once the archive answers')).toBeVisible()
  const [said, tabs] = await Promise.all([
    page.getByText('shown once the archive answers').evaluate((text) => {
      const words = document.createRange()
      words.selectNodeContents(text)
      return words.getBoundingClientRect().x
    }),
    page.getByRole('tablist').boundingBox(),
  ])
  expect(Math.round(said), 'where all else on the page begins').toBe(Math.round(tabs?.x ?? 0))
  proxy.misbehave('none')
  await askAgain(page)
  await expect(page.getByText('shown once the archive answers')).toHaveCount(0)
  await expect(page.getByText(/could not be reached/)).toHaveCount(0)
  await proxy.stop()
  await archive.stop()
})
