import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from '@playwright/test'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import { present } from '../support/present.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { checkAccess, expect, fetchAgain, settled, signIn, test, type Desk } from './fixtures.ts'
import { aloneWith } from './lanes.ts'
import { goTo } from './pages.ts'

const place = scratch()
test.afterAll(() => place[Symbol.dispose]())

const atArchive = async (desk: Desk, name: string) => {
  const archive = await startArchive(path.join(place.folder, name), '--sample')
  await signIn(desk, archive.url, archive.username, archive.password)
  await settled(desk.page)
  return archive
}
/** Opens the comparison of the last two generations of a package. */
const openComparison = async ({ page }: Desk, row: RegExp) => {
  await page.keyboard.press('2')
  await page.getByRole('row', { name: row }).click()
  const button = page.getByRole('button', { name: 'Compare generations' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/Generation \d beside generation \d/)).toBeVisible()
}
const section = ({ page }: Desk, name: string) =>
  page.locator('#record section', { has: page.getByRole('heading', { name, exact: true }) })

/** Names of media in it that begin on one line and end on another. */
const brokenNames = (row: Locator) =>
  row.evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const { 0: name, index } of (node.nodeValue ?? '').matchAll(/[A-Z]+-\w+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + name.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(name)
      }
    return broken
  })

/** Makes a generation in the archive that has one file less, one more, and one that is another. */
const makeGeneration = async (archive: RunningArchive, packageId: string) => {
  const ask = async (method: string, address: string, body?: unknown) => {
    const answer = await fetch(`${archive.url}/api/${address}`, {
      method,
      headers: { authorization: archive.basic, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(answer.ok, `${method} ${address}`).toBe(true)
  }
  const identifier = 'third-generation'
  interface Found {
    id: string
    state: string
    step_state: string
  }
  const found = async (list: 'workareas' | 'information-packages', wanted: (one: Found) => boolean) =>
    until(async () => {
      const address = `${list}/?view_type=flat&object_identifier_value=${identifier}`
      // The double answers as ESSArch was recorded.
      const [one] = (await archive.get(address)) as Found[]
      return one && wanted(one) ? one : undefined
    })
  await ask('POST', `information-packages/${packageId}/access/`, {
    new: true,
    extracted: true,
    object_identifier_value: identifier,
  })
  const { id } = await found('workareas', ({ step_state: step }) => step === 'SUCCESS')
  const content = path.join(archive.data, 'packages-over-rest', identifier, 'content')
  rmSync(path.join(content, 'plan.png'))
  writeFileSync(path.join(content, 'brev.txt'), 'Ett annat brev')
  writeFileSync(path.join(content, 'bilder', 'positiv.tif'), 'ny')
  await ask('POST', `workareas/${id}/receive/`, {})
  await found('information-packages', ({ state }) => state === 'Received')
  await ask('POST', `information-packages/${id}/preserve/`, {})
  await found('information-packages', ({ state }) => state === 'Preserved')
  return id
}

test('generations are compared field by field, and the page can be linked', async ({ desk, dialect }) => {
  const archive = await atArchive(desk, 'fields')
  const { page } = desk
  await openComparison(desk, /Oxen/)
  const fields = section(desk, 'Fields')
  await expect(fields.getByText(/\d+ of \d+ fields differ/)).toBeVisible()
  await expect(fields.getByRole('rowheader', { name: 'Generation', exact: true })).toBeVisible()
  // No two packages share an id: that it differs says nothing.
  for (const name of ['Id', 'Type'])
    await expect(fields.getByRole('rowheader', { name, exact: true })).toBeHidden()
  await fields.getByLabel('All fields').check()
  for (const name of ['Id', 'Type'])
    await expect(fields.getByRole('rowheader', { name, exact: true })).toBeVisible()
  const media = fields.getByRole('row', { name: /^Media/ })
  await expect(media).toContainText(/[A-Z]+-\w+, [A-Z]+-\w+/)
  for (const width of [1440, 1360, 1280, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await brokenNames(media), `at ${width} px`).toEqual([])
  }
  if (dialect === 'specification')
    await expect(section(desk, 'Files')).toContainText(
      'The files of one of the two are not within reach of the archive',
    )
  else await expect(section(desk, 'Files')).toContainText('6 the same')
  await checkAccess(page)
  // The address is that of both: what is linked shows the same, and Escape leads back to the package.
  const address = new URL(page.url()).hash
  expect(decodeURIComponent(address)).toMatch(/^#\/packages\/compare:[^:]+:[^:]+$/)
  await page.keyboard.press('1')
  await goTo(page, address)
  await expect(fields.getByText(/\d+ of \d+ fields differ/)).toBeVisible()
  await page.getByRole('button', { name: 'Swap the two' }).click()
  await expect(page.getByText(/Generation \d beside generation \d/)).toBeVisible()
  expect(new URL(page.url()).hash).not.toBe(address)
  // An archive that cannot be reached tells no files of another pair; fields are as they are held.
  if (dialect === 'essarch') {
    await expect(section(desk, 'Files')).toContainText('6 the same')
    await archive.stop()
    await page.getByLabel('Before', { exact: true }).selectOption({ index: 0 })
    await expect(section(desk, 'Files')).toContainText('The archive cannot be reached now')
    await expect(fields.getByText(/\d+ of \d+ fields differ/)).toBeVisible()
    await checkAccess(page)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: 'Overview' })).toBeVisible()
  if (dialect === 'specification') await archive.stop()
})

test(
  'files that came, went and changed are seen, printed and saved',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    const archive = await atArchive(desk, 'files')
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Oxen/ }).click()
    const id = present(/packages\/([0-9a-f-]+)/.exec(page.url())?.[1])
    // A page that is open would tell of the new generation, and what stands below that would move.
    await goTo(page, '#/transfers')
    const made = await makeGeneration(archive, id)
    await fetchAgain(page)
    await goTo(page, `#/packages/compare:${id}:${made}`)
    const files = section(desk, 'Files')
    await expect(files.getByRole('button', { name: 'Added 3' })).toBeVisible()
    await expect(files.getByRole('button', { name: 'Removed 1' })).toBeVisible()
    await expect(files.getByRole('button', { name: 'Changed 1' })).toBeVisible()
    await expect(files).toContainText('Compared by digest (6 files).')
    const row = (name: string) => files.getByRole('row', { name })
    await expect(row('brev.txt')).toContainText('Changed')
    await expect(row('plan.png')).toContainText('Removed')
    // The one folder among a few lines is open; by keys it is closed and opened.
    await files.getByRole('button', { name: 'Close bilder' }).focus()
    await page.keyboard.press('Enter')
    await expect(row('positiv.tif')).toBeHidden()
    await page.keyboard.press('Enter')
    await expect(row('positiv.tif')).toContainText('Added')
    await checkAccess(page)
    await files.getByRole('button', { name: 'Removed 1' }).click()
    await expect(row('brev.txt')).toBeHidden()
    await expect(row('plan.png')).toBeVisible()
    await page.keyboard.press('Control+p')
    const paper = page.getByRole('region', { name: 'Preview' })
    await expect(paper).toContainText('generations compared')
    await expect(paper).toContainText('content/bilder/positiv.tif')
    await checkAccess(page)
    await page.keyboard.press('Escape')
    const saved = path.join(place.folder, 'comparison.csv')
    await desk.answerDialogs([saved])
    await page.locator('#record summary').first().click()
    await page.locator('#record .menu button').first().click()
    await expect.poll(() => existsSync(saved)).toBe(true)
    expect(readFileSync(saved, 'utf8')).toContain('content/plan.png')
    await archive.stop()
  },
)
