import { existsSync } from 'node:fs'
import path from 'node:path'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { expect, makeDraft, settled, signIn, test, type Desk, openList } from './fixtures.ts'
import { goTo } from './pages.ts'
import { aloneWith } from './lanes.ts'
import { beginFetching } from './under-way.ts'

const signInElsewhere = async (desk: Desk, url: string, { username, password }: RunningArchive) => {
  await desk.page.getByRole('button', { name: /Other archives/ }).click()
  await desk.page.getByRole('button', { name: 'Another archive …' }).click()
  await signIn(desk, url, username, password)
  await expect(desk.page.getByRole('banner').getByText(new URL(url).host)).toBeVisible()
}

/** Renews the sign-in to an archive that is not the one shown, as its page would. */
const signInAgain = ({ page }: Desk, host: string, password: string) =>
  page.evaluate(
    async ([named, secret]) => {
      const { session } = window.bridge.application
      const reply = await session.status()
      const archives = 'value' in reply ? reply.value.archives : []
      const archive = archives.find(({ account }) => account.url.includes(named))?.account.archive ?? ''
      await session.signInAgain({ archive, password: secret })
    },
    [host, password] as const,
  )

test(
  'what was begun at one archive goes on there while another is shown and the sign-in is renewed',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    test.setTimeout(120_000)
    using place = scratch()
    const first = await startArchive(path.join(place.folder, 'first'), '--sample')
    const second = await startArchive(path.join(place.folder, 'second'))
    const proxy = await startFaultyServer(first.url)
    const { page } = desk
    await signIn(desk, proxy.url, first.username, first.password)
    await settled(page)
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Oxen/ }).click()
    await page.getByRole('button', { name: 'Add to order' }).click()
    await page.keyboard.press('5')
    await page.getByRole('row').nth(1).click()
    await page.getByLabel('Name', { exact: true }).fill('For the reading room')
    await page.getByRole('button', { name: 'Place the order' }).click()
    await expect(page.getByRole('button', { name: 'Make the package' })).toBeVisible()
    const order = new URL(page.url()).hash
    await page.keyboard.press('1')
    await makeDraft(desk, place.folder, 'Letters')
    await page.getByRole('button', { name: 'Pack', exact: true }).click()

    // From now on the first archive hears nothing that is done to it, nor is a file of it read.
    proxy.misbehave('holds', /^POST |\/files\//)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await until(() => ((proxy.met()['holds'] ?? 0) > 0 ? true : undefined))
    await goTo(page, order)
    await page.getByRole('button', { name: 'Make the package' }).click()
    await expect(page.getByText('The archive works on it.')).toBeVisible()
    proxy.misbehave('none')
    const saved = path.join(place.folder, 'brev.txt')
    await beginFetching(desk, proxy, saved)

    await signInElsewhere(desk, second.url, second)
    await signInAgain(desk, new URL(proxy.url).host, first.password)
    await expect(page.getByRole('banner').getByText(new URL(second.url).host)).toBeVisible()
    const sent = async () => {
      const packages = await first.get('information-packages/?view_type=flat&pager=none')
      return (packages as { label: string }[]).filter(({ label }) => label === 'Letters')
    }
    expect([await sent(), existsSync(saved)]).toEqual([[], false])
    proxy.misbehave('none')
    await proxy.goOn()
    await until(() => (existsSync(saved) ? true : undefined))
    await until(async () => ((await sent()).length > 0 ? true : undefined))
    await until(async () => {
      const made = await first.get('information-packages/?view_type=flat&package_type=4')
      return (made as { state: string }[]).some(({ state }) => state === 'Created') ? true : undefined
    }, 60_000)
    await expect(page.getByRole('banner').getByText(new URL(second.url).host)).toBeVisible()
    await page.keyboard.press('4')
    await expect(page.getByText('No transfers yet.')).toBeVisible()
    await expect(page.getByText('Letters')).toHaveCount(0)
    await proxy.stop()
    await Promise.all([first.stop(), second.stop()])
  },
)

test(
  'ten archives are read and sent to side by side, each at its pace',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    test.setTimeout(240_000)
    using place = scratch()
    const { page } = desk
    const archives: RunningArchive[] = []
    for (let nth = 0; nth < 10; nth += 1)
      archives.push(await startArchive(path.join(place.folder, `archive ${nth}`)))
    const [slow, ...others] = archives as [RunningArchive, ...RunningArchive[]]
    const proxy = await startFaultyServer(slow.url)
    const named = async (archive: RunningArchive) =>
      ((await archive.get('deliveries/')) as { name: string }[])
        .map(({ name }) => name)
        .filter((name) => /^Delivery \d$/.test(name))
    const create = async (name: string, before: () => void = () => undefined) => {
      await page.keyboard.press('7')
      await openList(page, 'deliveries')
      // The list is another one once its address is.
      await expect(page).toHaveURL(/deliveries/)
      await page.getByRole('button', { name: 'New', exact: true }).click()
      await page.getByLabel('Name *').fill(name)
      await page.getByLabel(/^Type/).selectOption({ index: 1 })
      before()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
    }

    await signIn(desk, proxy.url, slow.username, slow.password)
    await settled(page)
    await create('Delivery 0', () => proxy.misbehave('holds'))
    for (const [index, archive] of others.entries()) {
      await signInElsewhere(desk, archive.url, archive)
      await create(`Delivery ${index + 1}`)
      await expect(
        page
          .getByRole('main')
          .getByText(`Delivery ${index + 1}`)
          .first(),
      ).toBeVisible()
    }
    for (const [index, archive] of others.entries())
      await until(async () => ((await named(archive)).includes(`Delivery ${index + 1}`) ? true : undefined))
    expect(await named(slow)).toEqual([])
    proxy.misbehave('none')
    await proxy.goOn()
    await until(async () => ((await named(slow)).includes('Delivery 0') ? true : undefined))
    expect(await Promise.all(others.map(named))).toEqual(others.map((_, index) => [`Delivery ${index + 1}`]))
    await settled(page)
    await proxy.stop()
    await Promise.all(archives.map((archive) => archive.stop()))
  },
)
