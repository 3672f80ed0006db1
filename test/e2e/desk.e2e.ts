import { existsSync, renameSync } from 'node:fs'
import path from 'node:path'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { makeBag } from '../packages/bags.ts'
import { checkAccess, expect, fetchAgain, settled, signIn, test, type Desk } from './fixtures.ts'
import { aloneWith } from './lanes.ts'
import { beginWork } from './under-way.ts'

/** Has an archive preserve some packages, each of which it tells. */
const preserveSome = async (archive: RunningArchive, names: string[]) => {
  const ingest = path.join(archive.data, 'ingest')
  for (const name of names) {
    makeBag(path.join(ingest, `.${name}`), { 'External-Identifier': name })
    renameSync(path.join(ingest, `.${name}`), path.join(ingest, name))
  }
  await until(async () => {
    const told = (await archive.get('notifications/')) as { message: string }[]
    return names.every((name) => told.some(({ message }) => message.includes(name))) ? true : undefined
  })
}

/** Whether somebody looks at the window, as the system would say. */
const lookAtWindow = ({ page }: Desk, isLookedAt: boolean) =>
  page.evaluate((looks) => {
    document.hasFocus = () => looks
    dispatchEvent(new Event(looks ? 'focus' : 'blur'))
  }, isLookedAt)

/** The same number at the bell, in the heading and in the rows of the page. */
const expectUnread = async ({ page }: Desk, count: number) => {
  const bell = count === 0 ? 'Notices' : `Notices, ${count} unread`
  const heading = `New since last time ${count === 0 ? 'all read' : `${count} unread`}`
  await expect(page.getByRole('button', { name: bell, exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Unread' })).toHaveCount(count)
}

test(
  'what is unread is one number for each archive, and what was looked at is read where it stands',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    using place = scratch()
    const { page } = desk
    const first = await startArchive(path.join(place.folder, 'first'))
    const second = await startArchive(path.join(place.folder, 'second'))
    await signIn(desk, first.url, first.username, first.password)
    await settled(page)
    await page.getByRole('button', { name: /Other archives/ }).click()
    await page.getByRole('button', { name: 'Another archive …' }).click()
    await signIn(desk, second.url, second.username, second.password)
    await expect(page.getByRole('banner').getByText(new URL(second.url).host)).toBeVisible()
    await settled(page)
    await lookAtWindow(desk, false)
    await preserveSome(first, ['one', 'two', 'three'])
    await preserveSome(second, ['four', 'five'])
    const turnTo = async ({ url }: RunningArchive) => {
      await page.getByRole('button', { name: /Other archives/ }).click()
      await page
        .getByRole('button', { name: new RegExp(new URL(url).host) })
        .last()
        .click()
      await fetchAgain(page)
    }
    await fetchAgain(page)
    await expectUnread(desk, 2)
    await turnTo(first)
    await expectUnread(desk, 3)
    await checkAccess(page)

    const row = page.getByRole('listitem').filter({ hasText: 'three' })
    const before = await row.boundingBox()
    await lookAtWindow(desk, true)
    await expectUnread(desk, 0)
    expect(await row.boundingBox()).toEqual(before)
    await lookAtWindow(desk, false)
    await turnTo(second)
    await expectUnread(desk, 2)
    await Promise.all([first.stop(), second.stop()])
  },
)

test(
  'what lies below the edge of the window is not read before it is seen',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    using place = scratch()
    const { page } = desk
    const archive = await startArchive(path.join(place.folder, 'archive'))
    await signIn(desk, archive.url, archive.username, archive.password)
    await settled(page)
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.keyboard.press('2')
    const names = Array.from({ length: 24 }, (_, index) => `package ${index}`)
    await preserveSome(archive, names)
    await fetchAgain(page)
    await expect(page.getByRole('button', { name: 'Notices, 24 unread' })).toBeVisible()
    await page.keyboard.press('1')
    const rows = page.getByRole('listitem').filter({ hasText: 'is preserved' })
    await expect(rows.first()).toBeVisible()
    await expect(rows.first().getByText('Unread')).toHaveCount(0)
    await expect(rows.last().getByText('Unread')).toHaveCount(1)
    await rows.last().scrollIntoViewIfNeeded()
    await expect(rows.last().getByText('Unread')).toHaveCount(0)
    await archive.stop()
  },
)

test(
  'what is under way says how far it is, and is stopped and gone on with where it stands',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    using place = scratch()
    const { archive, proxy, fetching, sending, saved } = await beginWork(desk, place.folder)
    await checkAccess(desk.page)
    await fetching.getByRole('button', { name: /Stop/ }).click()
    await expect(fetching).toContainText('Stopped')
    proxy.misbehave('none')
    await proxy.goOn()
    await fetching.getByRole('button', { name: /Go on/ }).click()
    await expect(fetching).toHaveCount(0)
    expect(existsSync(saved)).toBe(true)
    await expect(sending).toHaveCount(0, { timeout: 60_000 })
    await proxy.stop()
    await archive.stop()
  },
)
