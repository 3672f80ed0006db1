import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import { archiveHost, hasTinyproxy, noTinyproxy, startNetwork } from '../archives/proxies.ts'
import { askAgain, checkAccess, expect, makeDraft, signIn, test } from './fixtures.ts'

const place = scratch()
test.afterAll(() => place[Symbol.dispose]())
test.skip(!hasTinyproxy, noTinyproxy)

test('behind a proxy that asks who one is: the archive is signed in to, read and sent to, and nothing goes around the proxy', async ({
  desk,
  dialect,
}) => {
  const { page } = desk
  const archive = await startArchive(path.join(place.folder, dialect), '--sample')
  const network = await startNetwork(place.folder, Number(new URL(archive.url).port))
  const url = `http://${archiveHost}`

  // Straight, nobody finds the name.
  await signIn(desk, url, archive.username, archive.password)
  await expect(page.getByText('The host is found – no')).toBeVisible()
  await expect(page.getByText(`Your password would travel to ${url} unencrypted`)).toBeVisible()
  await checkAccess(page)

  await page.getByText('Network', { exact: true }).click()
  const choice = page.getByLabel('Proxy on the way to archives')
  await choice.selectOption({ label: 'This proxy' })
  await page.getByLabel('Address of the proxy').fill(`anna:secret@${network.name}`)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  await expect(page.getByText('Write it as proxy.example.org:8080, without name and password.')).toBeVisible()
  await page.getByLabel('Address of the proxy').fill(network.name)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
  await expect(page.getByText('This is used from now on.')).toBeVisible()

  await page.getByRole('button', { name: 'Check the address' }).click()
  await expect(
    page.getByText(`The proxy ${network.name} on the way to the archive asks you to sign in.`),
  ).toBeVisible()
  await checkAccess(page)
  await page.getByLabel('User name at the proxy').fill(network.credentials.username)
  await page.getByLabel('Password at the proxy').fill(network.credentials.password)
  await page.getByRole('button', { name: 'Sign in at the proxy' }).click()
  await expect(page.getByText('An archive answers under /api/me/ – yes')).toBeVisible()
  // The password of the archive has not been sent yet: that takes a yes.
  await expect(page.getByText('Say first whether the password may travel unencrypted.')).toBeVisible()
  expect(network.asked.filter((request) => request.includes('token_login'))).toEqual([])
  await page.getByLabel('Send the password all the same').check()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()

  await page.keyboard.press('2')
  await expect(page.getByRole('row', { name: /Oxen/ }).first()).toBeVisible()
  await page.keyboard.press('1')
  await makeDraft(desk, place.folder, 'Through the proxy')
  await page.getByLabel('E-mail').fill('anna@example.org')
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const created = dialect === 'essarch' ? /^POST .*\/information-packages\/$/ : /^POST .*\/transfers\/$/
  await expect.poll(() => network.asked.filter((request) => created.test(request)).length).toBe(1)
  if (dialect === 'essarch')
    await expect
      .poll(() => network.asked.filter((request) => request.startsWith('CONNECT')).length)
      .toBeGreaterThan(0)

  await page.keyboard.press(',')
  await expect(page.getByText('Now used for this archive')).toContainText(network.name)
  await expect(page.getByText('Signed in at the proxy as anna')).toBeVisible()
  await checkAccess(page)
  // Without the proxy nothing arrives any more: all that did came through it.
  await network.stop()
  await askAgain(page)
  await expect(
    page.getByText(`The proxy ${network.name} on the way to the archive could not be reached.`),
  ).toBeVisible()
  for (const name of ['settings.json', 'lectern.log', 'vault.json'].filter((item) =>
    existsSync(path.join(desk.userData, item)),
  ))
    expect(readFileSync(path.join(desk.userData, name), 'utf8')).not.toContain(network.credentials.password)
  await archive.stop()
})
