import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { expect, inTree, readPackage, settled, signIn, type Desk } from '../e2e/fixtures.ts'
import { openDesk } from '../e2e/launch.ts'
import { goTo } from '../e2e/pages.ts'

type Shoot = (desk: Desk, name: string) => Promise<void>

/**
 * Takes pictures of what only an archive with more than the specification shows: its capabilities, files in
 * the reader, an order on the way to its dissemination package, a change of two people.
 */
export const walkEssarch = async (shoot: Shoot): Promise<void> => {
  using place = scratch()
  const archive = await startArchive(path.join(place.folder, 'archive'), '--sample', '--dialect', 'essarch')
  const desk = await openDesk()
  const { page } = desk
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(desk, archive.url, archive.username, archive.password)
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await settled(page)
  await goTo(page, '#/settings')
  await shoot(desk, 'essarch, settings')
  await goTo(page, '#/packages')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await readPackage(page)
  for (const name of ['plan.png', 'inventory.pdf']) {
    await inTree(page, name).click()
    await page.frameLocator('iframe:not([inert])').locator('canvas, img').first().waitFor()
    await shoot(desk, `essarch, ${name}`)
  }
  await goTo(page, '#/packages')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('button', { name: 'Add to order' }).click()
  await page.getByRole('button', { name: 'Show the order' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Oxen, Thursday')
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByRole('button', { name: 'Make the package' }).waitFor()
  await shoot(desk, 'essarch, order')
  await page.getByRole('button', { name: 'Make the package' }).click()
  await page.getByText('The package is made').waitFor()
  await shoot(desk, 'essarch, order made')
  await goTo(page, '#/description/deliveries')
  await page.getByRole('row', { name: /Stadsmuseet/ }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('Description', { exact: true }).fill('My words')
  await fetch(`${archive.url}/api/deliveries/3/`, {
    method: 'PATCH',
    headers: { authorization: archive.basic, 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'A colleague’s words', reference_code: 'L/2026/33' }),
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.differ').waitFor()
  await shoot(desk, 'essarch, two changes')
  await desk.close()
  await archive.stop()
}
