import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startArchive } from '../archives/archive.ts'
import { scratch } from '../support/scratch.ts'
import {
  checkAccess,
  expect,
  fetchAgain,
  expandInTree,
  inTree,
  openFiles,
  readPackage,
  openPractice,
  settled,
  signIn,
  test,
  type Desk,
  openList,
} from './fixtures.ts'

const place = scratch()
test.afterAll(() => place[Symbol.dispose]())

const atArchive = async (desk: Desk, name: string) => {
  const archive = await startArchive(path.join(place.folder, name), '--sample')
  await signIn(desk, archive.url, archive.username, archive.password)
  await settled(desk.page)
  const act = (method: string, address: string, body: unknown) =>
    fetch(`${archive.url}/api/${address}`, {
      method,
      headers: { authorization: archive.basic, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { archive, act }
}

test('Settings say what the archive can do in plain words, and turn to another organization', async ({
  desk,
}) => {
  const { archive } = await atArchive(desk, 'capabilities')
  const { page } = desk
  await page.keyboard.press(',')
  const section = page.locator('section', {
    has: page.getByRole('heading', { name: 'What this archive can do' }),
  })
  await expect(section).toContainText('come in pages; they are read to the end, and say how many there are')
  await expect(section).toContainText('looks in the archive’s own index')
  await expect(section).toContainText('archival descriptions: on')
  await expect(
    section.locator('dt', { hasText: 'In the archive’s own administration' }).locator('+ dd'),
  ).toContainText('Event types')
  await section.getByLabel('You work for').selectOption({ label: 'Map department' })
  await expect(page.getByText('You work for Map department now.')).toBeVisible()
  await expect(section.getByLabel('You work for')).toHaveValue('2')
  await checkAccess(page)
  await page.keyboard.press('7')
  await openList(page, 'event-types')
  await page.keyboard.press('Control+n')
  await expect(page.getByText(/It is made in the archive’s own administration pages/)).toBeVisible()
  await archive.stop()
})

test('a package is looked into: text, image and PDF are drawn apart from the page, and a file is saved', async ({
  desk,
}) => {
  const { archive } = await atArchive(desk, 'files')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await openFiles(page)
  await page.getByRole('button', { name: 'Open content' }).click()
  await page.getByRole('button', { name: 'Look at brev.txt' }).click()
  const inside = page.frameLocator('iframe:not([inert])')
  await expect(inside.locator('pre')).toContainText('å, ä och ö')
  await inTree(page, 'plan.png').click()
  await expect(inside.getByRole('img', { name: /^plan\.png, 160 × / })).toBeVisible()
  await inTree(page, 'inventory.pdf').click()
  await expect(inside.locator('canvas').first()).toBeVisible()
  // That of thumbnails comes and goes beside the one that somebody looks at.
  const drawn = await page.locator('iframe:not([inert])').elementHandle()
  const frame = await drawn?.contentFrame()
  const reached = await frame?.evaluate(() => {
    const tried = (work: () => unknown) => {
      try {
        return String(work())
      } catch (error) {
        return (error as Error).name
      }
    }
    return {
      bridge: String('bridge' in window),
      parent: tried(() => window.parent.document.title),
      origin: window.origin,
    }
  })
  expect(reached).toEqual({ bridge: 'false', parent: 'SecurityError', origin: 'null' })
  await checkAccess(page)
  const saved = path.join(place.folder, 'brev.txt')
  await desk.answerDialogs([saved])
  await inTree(page, 'brev.txt').click()
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('brev.txt was downloaded, and is what was preserved.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect([
    readdirSync(place.folder).filter((name) => name.endsWith('.part')),
    readFileSync(saved, 'utf8'),
  ]).toEqual([[], expect.stringContaining('SE/STA/1037')])
  await archive.stop()
})

test('a drawing that would compute for ever holds up neither the page nor anybody for long', async ({
  desk,
}) => {
  const { archive } = await atArchive(desk, 'drawings')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await readPackage(page)
  await expandInTree(page, 'ritningar')
  const inside = page.frameLocator('iframe:not([inert])')
  await inTree(page, 'plan.svg').click()
  await expect(inside.getByRole('img', { name: /^plan\.svg, / })).toBeVisible()
  const tooLong = page.getByText('Drawing it took too long, and was ended.')
  // One that is counted before it is drawn; a machine so busy that even this takes long ends it as well.
  const ended = page.getByText('It is too complex to be drawn here').or(tooLong)
  await inTree(page, 'utan-slut.svg').click()
  await expect(ended).toBeVisible()
  // One that nobody can count: while it is painted, the page answers.
  await inTree(page, 'tung.svg').click()
  await expect(page.getByTitle('Content of tung.svg')).toHaveAttribute('aria-busy', 'true')
  await expect(ended).toBeHidden()
  const askedAt = Date.now()
  await page.getByRole('searchbox', { name: 'Find a file' }).focus()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
  expect(Date.now() - askedAt).toBeLessThan(3_000)
  await expect(tooLong).toBeVisible()
  await checkAccess(page)
  await archive.stop()
})

test('a state that says preserving names the step that failed, and what the archive says of it', async ({
  desk,
}) => {
  const { archive, act } = await atArchive(desk, 'failing')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  const id = /packages\/([0-9a-f-]+)/.exec(page.url())?.[1] ?? ''
  const { information_packages: own } = (await archive.get(`information-packages/${id}/`)) as {
    information_packages?: { id: string }[]
  }
  const current = own?.at(-1)?.id ?? id
  await act('POST', `information-packages/${current}/preserve/`, { structure_unit: 1 })
  // The archive works on it for a while.
  await expect(async () => {
    await fetchAgain(page)
    await expect(
      page.getByText('The state says “Preserving”, but step 4 failed: Write to tape.'),
    ).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 60_000 })
  await expect(page.getByText('No writable medium for target lto-vault')).toBeVisible()
  await checkAccess(page)
  await archive.stop()
})

test('from an order to its dissemination package is one task, which is gone on with after the desk was killed', async ({
  desk,
}) => {
  const { archive } = await atArchive(desk, 'dip')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  await page.getByRole('button', { name: 'Add to order' }).click()
  await page.keyboard.press('5')
  await page.getByRole('row').nth(1).click()
  await page.getByLabel('Name', { exact: true }).fill('For the reading room')
  await page.getByRole('button', { name: 'Place the order' }).click()
  await expect(page.getByRole('heading', { name: 'Dissemination package' })).toBeVisible()
  await page.getByRole('button', { name: 'Make the package' }).click()
  await expect(page.getByText('The archive works on it.')).toBeVisible()
  await desk.restart('kill')
  await settled(desk.page)
  await desk.page.keyboard.press('5')
  await desk.page.getByRole('row', { name: /For the reading room/ }).click()
  await desk.page.getByRole('button', { name: 'Go on' }).click()
  // Its page follows it to its end, though the local copy does not know it yet.
  await desk.page.getByRole('link', { name: 'Show the package' }).click()
  await expect(desk.page.getByRole('heading', { name: 'For the reading room' })).toBeVisible()
  await expect(desk.page.getByText('The package is made.')).toBeVisible()
  await checkAccess(desk.page)
  const made = (await archive.get('information-packages/?view_type=flat&package_type=4')) as {
    state: string
  }[]
  expect(made.map(({ state }) => state)).toEqual(['Created'])
  await archive.stop()
})

test('two people change one record: what the other wrote is shown field by field, and nothing is lost', async ({
  desk,
}) => {
  const { archive, act } = await atArchive(desk, 'two')
  const { page } = desk
  await page.keyboard.press('7')
  await openList(page, 'deliveries')
  await page.getByRole('row', { name: /Stadsmuseet/ }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('Name', { exact: false }).first().fill('Stadsmuseet 2027')
  await page.getByLabel('Description', { exact: false }).first().fill('My words')
  await act('PATCH', 'deliveries/3/', { description: 'A colleague’s words' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(
    page.getByText('Somebody else changed one field meanwhile. Nothing was saved yet.'),
  ).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: 'A colleague’s words' })).toBeVisible()
  await checkAccess(page)
  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Stadsmuseet 2027' })).toBeVisible()
  expect(await archive.get('deliveries/3/')).toMatchObject({
    name: 'Stadsmuseet 2027',
    description: 'A colleague’s words',
  })
  await archive.stop()
})

test('a new generation of a package is opened, filled, sent and preserved beside the one before', async ({
  desk,
}) => {
  const { page } = desk
  await openPractice(desk)
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).click()
  const generations = page.getByRole('navigation', { name: /generations/ }).getByRole('link')
  await expect(generations).toHaveCount(3)
  await page.getByRole('button', { name: 'New generation' }).click()
  await expect(page.getByText(/A new generation of.*Oxen/)).toBeVisible()
  const source = path.join(place.folder, 'Tillägg')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev till')
  await desk.answerDialogs([source])
  await page.getByRole('button', { name: 'Add a folder' }).click()
  await expect(page.getByText('1 file, 1 folder')).toBeVisible()
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 90_000 })
  await checkAccess(page)
  await page.getByRole('button', { name: 'Show the package' }).click()
  await expect(generations).toHaveCount(4)
  await expect(generations.nth(3)).toContainText('4 · current')
})
