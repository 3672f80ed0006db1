import { buildWithShelf } from '../third-dialect/build-app.ts'
import { startShelf } from '../third-dialect/serve.ts'
import { expect, settled, signIn, test, openList } from './fixtures.ts'
import { openDesk } from './launch.ts'

test('an archive of a dialect that the pages never heard of is browsed in a window', async () => {
  const server = await startShelf()
  const desk = await openDesk({}, await buildWithShelf())
  try {
    const { page } = desk
    await signIn(desk, server.url, 'ada', 'secret')
    await settled(page)

    await page.getByRole('link', { name: 'Packages' }).click()
    await expect(page.getByRole('row', { name: /Ledgers of the mill/ })).toBeVisible()
    await page.getByRole('button', { name: 'State', exact: true }).click()
    await page.getByRole('group', { name: 'State' }).getByLabel(/^Safe/).check()
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Maps of the harbour/ }).click()

    // Its newest generation, and the two before it.
    const generations = page.getByRole('navigation', { name: '3 generations' })
    await expect(generations.getByRole('link')).toHaveCount(3)
    await expect(page.getByText('AIP, generation 3 of 3')).toBeVisible()
    await generations.getByRole('link').first().click()
    await expect(page.getByText('AIP, generation 1 of 3')).toBeVisible()
    await page.getByRole('tab', { name: 'Copies' }).click()
    await expect(page.getByText('/C2/maps-1')).toBeVisible()

    await page.getByRole('link', { name: 'Storage', exact: true }).click()
    await page.getByRole('link', { name: /C1/ }).first().click()
    await expect(page.getByRole('heading', { name: 'C1' })).toBeVisible()
    await expect(page.getByText('Vault · open')).toBeVisible()
    await expect(page.getByRole('link', { name: /Ledgers of the mill, edition 2/ })).toBeVisible()

    await page.getByRole('link', { name: 'Description', exact: true }).click()
    await openList(page, 'agents')
    await expect(page.getByText('Dag')).toBeVisible()
  } finally {
    await desk.close()
    server.stop()
  }
})
