import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import {
  checkAccess,
  chooseDestination,
  expect,
  expandInTree,
  inTree,
  openHere,
  readPackage,
  test,
  type Desk,
} from './fixtures.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A folder such as donors bring: awkward names, an empty file, an empty folder, and one large file. */
const makeSource = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-source-'))
  const source = path.join(folder, 'Vinden på Östra gatan')
  mkdirSync(path.join(source, 'tom mapp'), { recursive: true })
  mkdirSync(path.join(source, 'ritningar/plan 3'), { recursive: true })
  writeFileSync(path.join(source, 'å ä ö.txt'), 'räksmörgås\n')
  writeFileSync(path.join(source, 'ritningar/plan 3/100%.tif'), randomBytes(70_000))
  writeFileSync(path.join(source, 'ritningar/100%25 kvar'), 'per cent')
  writeFileSync(path.join(source, 'rad\nbryt.txt'), 'a name of two lines')
  writeFileSync(path.join(source, 'tom.dat'), '')
  writeFileSync(path.join(source, ' mellan  slag '), 'spaces')
  const block = randomBytes(1024 * 1024)
  writeFileSync(path.join(source, 'inspelning.wav'), Buffer.concat(Array.from({ length: 200 }, () => block)))
  return { folder, source }
}

const filesBelow = (folder: string, inside = ''): string[] =>
  readdirSync(path.join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(inside, entry.name)
    return entry.isDirectory() ? filesBelow(folder, name) : [name]
  })

/** Unpacks a stored copy, and the bag in it where that was sent as one tar. @returns its payload */
const payloadOf = (copy: string, out: string): string => {
  const identifier = path.basename(copy, '.tar')
  if (copy.endsWith('.tar')) execFileSync('tar', ['-xf', copy, '-C', out])
  const stored = copy.endsWith('.tar') ? path.join(out, identifier) : copy
  const inside = path.join(stored, 'content', identifier, 'content')
  if (!existsSync(inside)) return path.join(stored, 'content/data')
  const [bag = ''] = readdirSync(inside)
  execFileSync('tar', ['-xf', path.join(inside, bag), '-C', out])
  return path.join(out, path.basename(bag, '.tar'), 'data')
}

const notices = () => {
  const read = JSON.parse(execFileSync('dunstctl', ['history'], { encoding: 'utf8' })) as {
    data: { summary: { data: string }; body: { data: string } }[][]
  }
  return (read.data[0] ?? []).map(({ summary, body }) => `${summary.data}: ${body.data}`)
}

test('a folder becomes a preserved package', async ({ desk }) => {
  const { folder, source } = makeSource()
  try {
    await walk(desk, source)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const walk = async (desk: Desk, source: string) => {
  const { page } = desk
  const name = 'Vinden, Östra gatan 4'
  // Notices of earlier journeys still stand on the same desktop.
  if (process.env['LECTERN_NOTICES'] === 'yes') execFileSync('dunstctl', ['close-all'])

  await test.step('first start, the archive on this computer', async () => {
    await checkAccess(page)
    await openHere(desk)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Theme').selectOption('dark')
    await expect
      .poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(true)
    await checkAccess(page)
    await page.keyboard.press('1')
    await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible()
    await checkAccess(page)
  })

  await test.step('a draft with a folder', async () => {
    await page.getByRole('button', { name: 'New transfer' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await chooseDestination(page, desk.dialect)
    await page.getByLabel('Submitting organization').fill('Stadsarkivet')
    await page.getByLabel('Submitted by').fill('Astrid Åkesson')
    await page.getByLabel('E-mail').fill('astrid@example.org')
    await page.getByLabel('Description').fill('Ritningar och inspelningar.\nTvå rader.')
    await desk.answerDialogs([source])
    await page.getByRole('button', { name: 'Add a folder' }).click()
    await expect(page.getByText('7 files, 4 folders', { exact: false })).toBeVisible()
    await checkAccess(page)
  })

  await test.step('pack and send', async () => {
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await expect(page.getByText('7 files, 4 folders, 210 MB: the same before and after')).toBeVisible()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 90_000 })
    await checkAccess(page)
  })

  await test.step('look at the files in the package, and fetch one', async () => {
    await page.getByRole('button', { name: 'Show the package' }).click()
    await readPackage(page)
    // The archive lays a package that came over the interface into a folder of its own.
    if (desk.dialect === 'essarch') {
      await expandInTree(page, /^content/)
      await expandInTree(page, /^content/, 1)
    }
    // The only folder in it is opened with it.
    await expandInTree(page, /^data/)
    await inTree(page, 'å ä ö.txt').click()
    await expect(page.frameLocator('iframe:not([inert])').getByText('räksmörgås')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'This is what was preserved' })).toBeVisible()
    await checkAccess(page)
    await inTree(page, 'inspelning.wav').click()
    const fetched = path.join(path.dirname(source), 'fetched.wav')
    await desk.answerDialogs([fetched])
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const compared = page.getByText('inspelning.wav was downloaded, and is what was preserved.')
    await expect(compared).toBeVisible({ timeout: 90_000 })
    await page.keyboard.press('Escape')
    expect(sha256(readFileSync(fetched))).toBe(sha256(readFileSync(path.join(source, 'inspelning.wav'))))
  })

  const copies = await test.step('see its copies', async () => {
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect(page.getByRole('heading', { name: '3 copies, all that the policy requires' })).toBeVisible()
    await checkAccess(page)
    const told = desk.dialect === 'essarch' ? 'Preserved AIP' : 'Preserved in 3 copies'
    await page.getByRole('tab', { name: 'History' }).click()
    await expect(page.getByText(told).first()).toBeVisible()
    await checkAccess(page)
    await page.getByRole('tab', { name: 'All fields' }).click()
    await checkAccess(page)
    await page.getByRole('tab', { name: 'Copies' }).click()
    await checkAccess(page)
    const lines = await page
      .locator('tr.path td')
      .evaluateAll((cells) =>
        cells.map((cell) => (cell.querySelector('[title]') ?? cell).getAttribute('title') ?? ''),
      )
    await page.keyboard.press('6')
    await page.getByRole('link', { name: 'FOLDER-1', exact: true }).click()
    await page.getByRole('link', { name }).waitFor()
    await checkAccess(page)
    return lines
  })

  await test.step('every stored copy holds the bytes of the originals', () => {
    expect(copies).toHaveLength(3)
    const originals = new Map(
      filesBelow(source).map((file) => [
        path.join(path.basename(source), file),
        sha256(readFileSync(path.join(source, file))),
      ]),
    )
    expect(originals.size).toBe(7)
    for (const copy of copies) {
      const out = mkdtempSync(path.join(os.tmpdir(), 'lectern-copy-'))
      const data = payloadOf(copy, out)
      const stored = new Map(
        filesBelow(data).map((file) => [file, sha256(readFileSync(path.join(data, file)))]),
      )
      expect(stored).toEqual(originals)
      expect(statSync(path.join(data, path.basename(source), 'tom mapp')).isDirectory()).toBe(true)
      rmSync(out, { recursive: true })
    }
  })

  if (process.env['LECTERN_NOTICES'] === 'yes')
    await test.step('the alert has the label, and a click opens the package though the window was closed', async () => {
      await expect
        .poll(() => Number(execFileSync('dunstctl', ['count', 'displayed'], { encoding: 'utf8' })))
        .toBeGreaterThan(0)
      // Only some desktops of Linux show a count beside the icon of a program.
      const badge = await desk.app.evaluate(({ app }) => app.setBadgeCount(app.getBadgeCount()))
      const count = () => desk.app.evaluate(({ app }) => app.getBadgeCount())
      if (badge) await expect.poll(count).toBe(1)
      await desk.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().forEach((window) => window.close()),
      )
      await expect.poll(() => desk.app.windows().length).toBe(0)
      const opened = desk.app.waitForEvent('window')
      execFileSync('dunstctl', ['action', '0'])
      const again = await opened
      await expect(again.getByRole('heading', { name })).toBeVisible()
      await expect.poll(notices).toContainEqual(`Preserved: ${name}`)
      // Whoever followed it has seen it.
      if (badge) await expect.poll(count).toBe(0)
    })
}
