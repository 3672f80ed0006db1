import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startArchive, type RunningArchive } from '../archive.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import { checkAccess, expect, test, type Desk } from './desk.ts'

const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-bad-'))
test.afterAll(() => rmSync(place, { recursive: true, force: true }))

const signIn = async ({ page }: Desk, url: string, username: string, password: string) => {
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const openHere = ({ page }: Desk) => page.getByRole('button', { name: /Open.*The archive on this computer/ }).click()

const makeDraft = async (desk: Desk, name: string, newDelivery?: string) => {
  const { page } = desk
  const source = mkdtempSync(path.join(place, 'källa-'))
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  writeFileSync(path.join(source, 'bild.tif'), Buffer.alloc(3_000_000, 1))
  await page.getByRole('button', { name: 'New transfer' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  if (newDelivery === undefined) await page.getByLabel('Delivery', { exact: true }).selectOption({ index: 1 })
  else {
    await page.getByLabel('Delivery', { exact: true }).selectOption({ label: 'New delivery …' })
    await page.getByLabel('Name of the new delivery').fill(newDelivery)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByLabel('Delivery', { exact: true })).toHaveValue(/^queued:/)
  }
  await desk.answerDialogs([source])
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await expect(page.getByText('2 files, 1 folder')).toBeVisible()
  return source
}

test('a wrong address and a wrong password end in a sentence, and the form keeps what was typed', async ({ desk }) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'a'))
  await signIn(desk, 'http://127.0.0.1:9', 'astrid', 'x')
  await expect(page.getByText('It accepts connections – no')).toBeVisible()
  await expect(page.getByText('An archive answers under /api/me/ – not tried')).toBeVisible()
  await signIn(desk, 'no address', 'astrid', 'x')
  await expect(page.getByText('The address can be read – no')).toBeVisible()
  await signIn(desk, archive.url, archive.username, 'wrong')
  await expect(page.getByText('The archive does not know this user name with this password.')).toBeVisible()
  await expect(page.getByLabel('Address')).toHaveValue(archive.url)
  await signIn(desk, archive.url, archive.username, archive.password)
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await archive.stop()
})

test.describe('an archive that fails in the middle', () => {
  let archive: RunningArchive
  test.beforeAll(async () => {
    archive = await startArchive(path.join(place, 'b'), '--sample')
  })
  test.afterAll(() => archive.stop())

  test('HTML instead of JSON: the sentence, the old rows, and back again', async ({ desk }) => {
    const { page } = desk
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await page.getByRole('link', { name: 'Packages' }).click()
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    for (const [fault, sentence] of [
      ['html', 'The archive answered with a web page instead of data.'],
      ['half a body', 'The archive’s answer broke off in the middle.'],
      ['unauthorized', 'The archive no longer accepts your sign-in.'],
    ] as const) {
      proxy.misbehave(fault)
      await page.getByRole('button', { name: 'Fetch again' }).click()
      await page.getByRole('button', { name: 'Fetch again' }).click()
      await expect(page.getByText(sentence)).toBeVisible()
      await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
      proxy.misbehave('none')
      await page.getByRole('button', { name: 'Fetch again' }).click()
      await expect(page.getByText(sentence)).toBeHidden()
    }
    await proxy.stop()
  })

  test('the archive is gone: what is held stays, a draft can be written and packed, and it is sent when the archive is back', async ({ desk }) => {
    const { page } = desk
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await page.getByRole('link', { name: 'Packages' }).click()
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    proxy.misbehave('closes')
    await page.getByRole('button', { name: 'Fetch again' }).click()
    await expect(page.getByText('Archive out of order')).toBeVisible()
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    await page.keyboard.press('4')
    await makeDraft(desk, 'Utan nät')
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('It is sent by itself as soon as the archive can be reached.')).toBeVisible()
    await expect(page.getByText('Outbox: 1 waiting')).toBeVisible()
    proxy.misbehave('none')
    await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 60_000 })
    expect(((await archive.get('transfers/')) as unknown[]).length).toBe(1)
    await proxy.stop()
  })
})

test('a source file that vanishes is named, and the draft is as it was', async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  const source = await makeDraft(desk, 'Försvunnen fil')
  await page.getByLabel('Description').fill('Behåll mig')
  rmSync(path.join(source, 'brev.txt'))
  mkdirSync(path.join(source, 'brev.txt'))
  execFileSync('mkfifo', [path.join(source, 'brev.txt', 'rör')])
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await expect(page.getByText(`${path.join(source, 'brev.txt', 'rör')} is a link or a device`, { exact: false })).toBeVisible()
  rmSync(source, { recursive: true })
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await expect(page.getByText(`${source} is no longer there.`)).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Behåll mig')
  await expect(page.getByLabel('Description')).toBeEditable()
})

test('what was typed survives a power cut', async ({ desk }) => {
  await openHere(desk)
  await makeDraft(desk, 'Strömavbrott')
  await desk.page.getByLabel('Description').fill('Typed a moment before')
  await expect(desk.page.getByText('Saved on this computer', { exact: true })).toBeVisible()
  await desk.page.waitForTimeout(400)
  await desk.restart('kill')
  await desk.page.getByRole('link', { name: 'Transfers' }).click()
  await desk.page.getByRole('row', { name: /Strömavbrott/ }).click()
  await expect(desk.page.getByLabel('Description')).toHaveValue('Typed a moment before')
  await expect(desk.page.getByText('2 files, 1 folder')).toBeVisible()
})

test('a deleted draft comes back by undo', async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  await makeDraft(desk, 'Ångrad')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No transfers yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Ångrad' })).toBeVisible()
})

test('the archive on this computer ends by itself: it is said, and fetching again starts it', async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  await expect(page.getByText('Online')).toBeVisible()
  execFileSync('pkill', ['-9', '-f', `local-archive.js --data ${desk.userData}`])
  await expect(page.getByText('Archive out of order')).toBeVisible()
  await makeDraft(desk, 'Trots allt')
  await page.getByRole('button', { name: 'Fetch again' }).click()
  await expect(page.getByText('Online')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Trots allt')
})

const mount = (folder: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' }).status === 0

test('a full disk in the ingest folder is said, the bag stays, and it is sent once there is room', async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  await makeDraft(desk, 'Full disk')
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await send.waitFor()
  const ingest = path.join(desk.userData, 'local-archive/ingest')
  test.skip(!mount(ingest), 'This machine lets nobody mount a small disk.')
  try {
    await send.click()
    await expect(page.getByText(`The disk with ${ingest} is full.`)).toBeVisible()
    await expect(send).toBeVisible()
  } finally {
    execFileSync('umount', ['-l', ingest])
  }
  await send.click()
  await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 60_000 })
})

test('a list that came back empty keeps the old rows until a person agrees', async ({ desk }) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'shrinking'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await page.keyboard.press('2')
  await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  // Rows are seen before the lists are complete.
  await expect(page.getByRole('banner').getByText('as of')).toBeVisible()
  proxy.misbehave('empty list', /information-packages/)
  await page.getByRole('button', { name: 'Fetch again' }).click()
  await expect(page.getByText('Packages: the archive now gives 0, and 154 are held here.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  await checkAccess(page)
  await page.getByRole('button', { name: 'Take the 0' }).click()
  await expect(page.getByText('The archive shows you no packages yet.')).toBeVisible()
  proxy.misbehave('none')
  await page.getByRole('button', { name: 'Fetch again' }).click()
  await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
  await expect(page.getByText(/the archive now gives/)).toHaveCount(0)
  await proxy.stop()
  await archive.stop()
})

test('a damaged file of drafts is set aside, its backup is taken, and the desk says what is missing', async ({ desk }) => {
  await openHere(desk)
  await expect(desk.page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await makeDraft(desk, 'Kept in the backup')
  await desk.restart('quit')
  await expect(desk.page.getByRole('link', { name: 'Kept in the backup' })).toBeVisible()
  await expect.poll(() => existsSync(path.join(desk.userData, 'desk.sqlite.backup-1'))).toBe(true)
  await desk.app.close()
  writeFileSync(path.join(desk.userData, 'desk.sqlite'), 'x'.repeat(30_000))
  await desk.restart('started')
  await expect(desk.page.getByText(/The file with your drafts was damaged or gone\. The backup of .* was taken/)).toBeVisible()
  await expect(desk.page.getByText(/desk\.sqlite\.damaged-/)).toBeVisible()
  await expect(desk.page.getByRole('link', { name: 'Kept in the backup' })).toBeVisible()
  await checkAccess(desk.page)
})

test('a token that the archive no longer takes costs no form: the password is asked for over the page', async ({ desk }) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'expiring'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await page.keyboard.press('7')
  await page.getByLabel('Which list').selectOption('metric-types')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Name *').fill('Half typed')
  proxy.misbehave('unauthorized', /^(?!POST \/api\/auth)/)
  await page.getByRole('button', { name: 'Fetch again' }).click()
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
})

test('what is created without a connection waits in the outbox, and what refers to it after it; both are sent once', async ({ desk }) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'queued'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
  await page.keyboard.press('7')
  const which = page.getByLabel('Which list')
  const create = page.getByRole('button', { name: 'Create' })
  // Looked at once while there is a connection, a form is there without one.
  for (const list of ['deliveries', 'transfers']) {
    await which.selectOption(list)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await create.waitFor()
  }
  proxy.misbehave('closes')
  await page.keyboard.press('Escape')
  await which.selectOption('deliveries')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Name *').fill('Delivery from the attic')
  await create.click()
  const outbox = page.getByRole('region', { name: 'Outbox: on the way to the archive' })
  await expect(outbox.getByText('Delivery from the attic')).toBeVisible()
  await page.getByRole('link', { name: 'Description' }).click()
  await which.selectOption('transfers')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Name *').fill('Boxes from the attic')
  await page.getByLabel('Delivery *').selectOption({ label: 'Delivery from the attic …' })
  await create.click()
  await expect(outbox.getByText('Waits for: Delivery from the attic')).toBeVisible()
  await checkAccess(page)
  await outbox.getByRole('button', { name: 'Edit' }).last().click()
  await expect(page.getByLabel('Name *')).toHaveValue('Boxes from the attic')
  await page.getByLabel('Name *').fill('Boxes from the attic, two')
  await create.click()
  await expect(outbox.getByText('Boxes from the attic, two')).toBeVisible()

  await desk.restart('kill')
  await expect(desk.page.getByText('Boxes from the attic, two')).toBeVisible()
  proxy.misbehave('none')
  const again = desk.page.getByRole('region', { name: 'Outbox: on the way to the archive' })
  await desk.page.getByRole('button', { name: 'Send now' }).first().click()
  await expect(again).toHaveCount(0, { timeout: 30_000 })
  const deliveries = (await archive.get('deliveries/')) as { id: number; name: string }[]
  const transfers = (await archive.get('transfers/')) as { name: string; delivery: number }[]
  const [delivery, ...twins] = deliveries.filter(({ name }) => name === 'Delivery from the attic')
  expect(twins).toEqual([])
  expect(transfers.filter(({ name }) => name === 'Boxes from the attic, two').map((it) => it.delivery)).toEqual([delivery?.id])
  await proxy.stop()
  await archive.stop()
})

test('a transfer prepared without a connection goes with a delivery that is new as well; quitting before that is asked once', async ({ desk }) => {
  const { page } = desk
  const archive = await startArchive(path.join(place, 'offline'), '--sample')
  const proxy = await startFaultyServer(archive.url)
  await signIn(desk, proxy.url, archive.username, archive.password)
  await expect(page.getByRole('banner').getByText('as of')).toBeVisible()
  proxy.misbehave('closes')
  await makeDraft(desk, 'Boxes without a network', 'A delivery without a network')
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
    await new Promise((ready) => setTimeout(ready, 300))
    return questions
  })
  expect(asked).toEqual(['2 items have not been sent yet.'])

  await desk.restart('kill')
  proxy.misbehave('none')
  await desk.page.getByRole('button', { name: 'Fetch again' }).click()
  await desk.page.keyboard.press('1')
  await desk.page.getByRole('button', { name: 'Send now' }).first().click()
  await expect(desk.page.getByRole('region', { name: 'Outbox: on the way to the archive' })).toHaveCount(0, { timeout: 60_000 })
  const transfers = (await archive.get('transfers/')) as { name: string; delivery: number }[]
  const deliveries = (await archive.get('deliveries/')) as { id: number; name: string }[]
  const made = deliveries.filter(({ name }) => name === 'A delivery without a network')
  expect(made).toHaveLength(1)
  expect(transfers.filter(({ name }) => name === 'Boxes without a network').map(({ delivery }) => delivery)).toEqual([made[0]?.id])
  await proxy.stop()
  await archive.stop()
})
