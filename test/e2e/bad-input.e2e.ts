import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import { startFaultyServer } from '../faults/faulty-server.ts'
import {
  checkAccess,
  expect,
  fetchAgain,
  makeDraft,
  openHere,
  settled,
  signIn,
  test,
  type Desk,
} from './fixtures.ts'
import { aloneWith } from './lanes.ts'

const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-bad-'))
test.afterAll(() => rmSync(place, { recursive: true, force: true }))

test(
  'a wrong address and a wrong password end in a sentence, and the form keeps what was typed',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const archive = await startArchive(path.join(place, 'a'))
    await signIn(desk, 'http://127.0.0.1:9', 'astrid', 'x')
    await expect(page.getByText('It accepts connections – no')).toBeVisible()
    await expect(page.getByText('An archive answers under /api/me/ – not tried')).toBeVisible()
    await signIn(desk, 'no address', 'astrid', 'x')
    await expect(page.getByText('The address can be read – no')).toBeVisible()
    const proxy = await startFaultyServer(archive.url)
    // What comes late moves nothing.
    proxy.misbehave('is slow', /^POST/)
    await signIn(desk, proxy.url, archive.username, 'wrong')
    await expect(page.getByText('The archive does not know this user name with this password.')).toBeVisible()
    await expect(page.getByLabel('Address')).toHaveValue(proxy.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
    await proxy.stop()
    await archive.stop()
  },
)

test(
  'what has to be said before a password is sent stands in view, however small the window',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await page.setViewportSize({ width: 1280, height: 640 })
    // Nobody has this name (RFC 2606 2).
    await signIn(desk, 'http://archive.invalid', 'astrid', 'x')
    await expect(page.getByLabel('Send the password all the same')).toBeInViewport({ ratio: 1 })
  },
)

test.describe('an archive that fails in the middle', () => {
  let archive: RunningArchive
  test.beforeAll(async () => {
    archive = await startArchive(path.join(place, 'b'), '--sample')
  })
  test.afterAll(() => archive.stop())

  test(
    'HTML instead of JSON: the sentence, the old rows, and back again',
    { tag: aloneWith.specification },
    async ({ desk }) => {
      const { page } = desk
      const proxy = await startFaultyServer(archive.url)
      await signIn(desk, proxy.url, archive.username, archive.password)
      await page.getByRole('link', { name: 'Packages' }).click()
      await settled(page)
      await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
      for (const [fault, sentence] of [
        ['html', 'The archive answered with a web page instead of data.'],
        ['half a body', 'The archive’s answer broke off in the middle.'],
        ['unauthorized', 'The archive no longer accepts your sign-in.'],
      ] as const) {
        proxy.misbehave(fault)
        await fetchAgain(page)
        await expect(page.getByText(sentence)).toBeVisible()
        await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
        proxy.misbehave('none')
        await fetchAgain(page)
        await expect(page.getByText(sentence)).toBeHidden()
      }
      await proxy.stop()
    },
  )

  test('the archive is gone: what is held stays, a draft can be written and packed, and it is sent when the archive is back', async ({
    desk,
    dialect,
  }) => {
    const { page } = desk
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await page.getByRole('link', { name: 'Packages' }).click()
    await settled(page)
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    proxy.misbehave('closes')
    await fetchAgain(page)
    await expect(page.getByText('Archive unavailable')).toBeVisible()
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    await page.keyboard.press('4')
    await makeDraft(desk, place, 'Utan nät')
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('It is sent by itself as soon as the archive can be reached.')).toBeVisible()
    await expect(page.getByText('Outbox: 1 waiting')).toBeVisible()
    proxy.misbehave('none')
    await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 120_000 })
    const list = dialect === 'essarch' ? 'information-packages/?view_type=flat&pager=none' : 'transfers/'
    const sent = (await archive.get(list)) as { label?: string; name?: string }[]
    expect(sent.filter(({ label, name }) => (name ?? label) === 'Utan nät')).toHaveLength(1)
    await proxy.stop()
  })
})

test(
  'a source file that vanishes is named, and the draft is as it was',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openHere(desk)
    const source = await makeDraft(desk, place, 'Försvunnen fil')
    await page.getByLabel('Description').fill('Behåll mig')
    rmSync(path.join(source, 'brev.txt'))
    mkdirSync(path.join(source, 'brev.txt'))
    execFileSync('mkfifo', [path.join(source, 'brev.txt', 'rör')])
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    // It is not packed as something else than what the draft showed.
    await expect(
      page.getByText(
        'The contents changed since they were counted. Then: 2 files, 1 folder, 3 MB. Now: 1 file, 2 ' +
          'folders, 3 MB.',
      ),
    ).toBeVisible()
    await expect(page.getByText('1 file will not be packed')).toBeVisible()
    await expect(page.getByText(path.join('brev.txt', 'rör'))).toBeVisible()
    rmSync(source, { recursive: true })
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await expect(page.getByText(`${source} is no longer there.`).first()).toBeVisible()
    await expect(page.getByLabel('Description')).toHaveValue('Behåll mig')
    await expect(page.getByLabel('Description')).toBeEditable()
  },
)

test('what was typed survives a power cut', { tag: aloneWith.essarch }, async ({ desk }) => {
  await openHere(desk)
  await makeDraft(desk, place, 'Strömavbrott')
  await desk.page.getByLabel('Description').fill('Typed a moment before')
  await expect(desk.page.getByText('Saved on this computer', { exact: true })).toBeVisible()
  await desk.restart('kill')
  await desk.page.getByRole('link', { name: 'Transfers' }).click()
  await desk.page.getByRole('row', { name: /Strömavbrott/ }).click()
  await expect(desk.page.getByLabel('Description')).toHaveValue('Typed a moment before')
  await expect(desk.page.getByText('2 files, 1 folder')).toBeVisible()
})

test('a deleted draft comes back by undo', { tag: aloneWith.specification }, async ({ desk }) => {
  const { page } = desk
  await openHere(desk)
  await makeDraft(desk, place, 'Ångrad')
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No transfers yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Ångrad' })).toBeVisible()
})

test(
  'the page of a deleted draft says so, and puts it back',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openHere(desk)
    await makeDraft(desk, place, 'Borttagen')
    const address = page.url()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No transfers yet.')).toBeVisible()
    await page.evaluate((to) => (location.href = to), address)
    await expect(page.getByText('Borttagen was deleted at this desk.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pack' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Put back' }).click()
    await expect(page.getByRole('heading', { name: 'Borttagen' })).toBeVisible()
    await expect(page.getByRole('row', { name: /Borttagen/ })).toBeVisible()
  },
)

/**
 * The process of the archive on this computer. Its script is on no command line; main knows it by its name.
 */
const archiveProcess = async (desk: Desk) => {
  const archives = await desk.app.evaluate(({ app }) =>
    app.getAppMetrics().flatMap(({ pid, name }) => (name === 'Lectern archive' ? [pid] : [])),
  )
  expect(archives).toHaveLength(1)
  return archives[0] ?? 0
}

test(
  'the archive on this computer ends by itself: it is said, and fetching again starts it',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openHere(desk)
    await expect(page.getByText('Online')).toBeVisible()
    process.kill(await archiveProcess(desk), 'SIGKILL')
    await expect(page.getByText('Archive unavailable')).toBeVisible()
    await makeDraft(desk, place, 'Trots allt')
    await fetchAgain(page)
    await expect(page.getByText('Online')).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Trots allt')
    const log = readFileSync(path.join(desk.userData, 'lectern.log'), 'utf8')
    expect(log).toMatch(
      /"A process ended".*"name":"Lectern archive","reason":"(killed|crashed|abnormal-exit)"/,
    )
    expect(log).toContain(`The archive in ${path.join(desk.userData, 'local-archive')} ended by itself`)
  },
)

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' }).status === 0

test(
  'a full disk in the ingest folder is said, the bag stays, and it is sent once there is room',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openHere(desk)
    await makeDraft(desk, place, 'Full disk')
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
    await page.getByRole('link', { name: 'Desk' }).click()
    await page.getByRole('link', { name: /Full disk: stopped/ }).click()
    await expect(page.getByText(`The disk with ${ingest} is full.`)).toBeVisible()
    await send.click()
    // A share that is not mounted leaves an empty folder, into which nothing must go by itself.
    await expect(page.getByText(`now nothing is mounted at ${ingest}`)).toBeVisible()
    await page.getByRole('button', { name: 'Send into this folder' }).click()
    await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 120_000 })
  },
)

test(
  'a list that came back empty keeps the old rows until a person agrees',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const archive = await startArchive(path.join(place, 'shrinking'), '--sample')
    const proxy = await startFaultyServer(archive.url)
    await signIn(desk, proxy.url, archive.username, archive.password)
    await settled(page)
    await page.keyboard.press('2')
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    proxy.misbehave('empty list', /information-packages/)
    await fetchAgain(page)
    await expect(page.getByText('Packages: the archive now gives 0, and 154 are held here.')).toBeVisible()
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Take the 0' }).click()
    await expect(page.getByText('The archive shows you no packages yet.')).toBeVisible()
    proxy.misbehave('none')
    await fetchAgain(page)
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    await expect(page.getByText(/the archive now gives/)).toHaveCount(0)
    await proxy.stop()
    await archive.stop()
  },
)

test(
  'a damaged file of drafts is set aside, its backup is taken, and the desk says what is missing',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    await openHere(desk)
    await makeDraft(desk, place, 'Kept in the backup')
    await desk.restart('quit')
    // A backup was made at the first start too, before there was a draft.
    const backup = path.join(desk.userData, 'desk.sqlite.backup-1')
    await expect
      .poll(() => existsSync(backup) && readFileSync(backup).includes('Kept in the backup'))
      .toBe(true)
    await desk.app.close()
    writeFileSync(path.join(desk.userData, 'desk.sqlite'), 'x'.repeat(30_000))
    await desk.restart('started')
    await expect(
      desk.page.getByText(/The file with your drafts was damaged or gone\. The backup of .* was taken/),
    ).toBeVisible()
    await expect(desk.page.getByText(/desk\.sqlite\.damaged-/)).toBeVisible()
    // It is said where the window opens, which is where it was left.
    await expect(desk.page.getByRole('heading', { name: 'Transfers', exact: true })).toBeVisible()
    await checkAccess(desk.page)
    await desk.page.getByRole('button', { name: 'Close' }).click()
    await desk.page.getByRole('link', { name: 'Packages' }).click()
    await desk.page.getByRole('link', { name: 'Desk' }).click()
    await expect(desk.page.getByRole('link', { name: 'Kept in the backup' })).toBeVisible()
    await expect(desk.page.getByText(/was damaged or gone/)).toBeHidden()
  },
)

test(
  'a damaged file of drafts without a backup is said before anybody has signed in',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    await openHere(desk)
    await desk.app.close()
    // What SQLite keeps beside the file may be all of it.
    for (const name of readdirSync(desk.userData).filter((entry) => entry.startsWith('desk.sqlite')))
      rmSync(path.join(desk.userData, name))
    writeFileSync(path.join(desk.userData, 'desk.sqlite'), 'x'.repeat(30_000))
    await desk.restart('started')
    await expect(desk.page.getByText(/was damaged, and there was no backup to take/)).toBeVisible()
    await expect(desk.page.getByText('Nothing of it could be read.')).toBeVisible()
    await expect(desk.page.getByText(/changed after that/)).toBeHidden()
    await checkAccess(desk.page)
  },
)
