import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { extractText, getDocumentProxy } from 'unpdf'
import decodeQR from 'qr/decode.js'
import type { Page } from '@playwright/test'
import { checkAccess, expect, focusList, openPractice, test, type Desk } from './fixtures.ts'
import { goTo } from './pages.ts'
import { aloneWith } from './lanes.ts'
import { root } from './launch.ts'

const idOfOxen = async (page: Page) => {
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Oxen/ }).first().click()
  await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  return page.evaluate(() => location.hash.split('/')[2] ?? '')
}

test(
  'what is held is found as it is typed, and an identifier leads straight to its page',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    const id = await idOfOxen(page)
    await page.keyboard.press('3')
    await page.keyboard.press('Control+f')
    await page.keyboard.type('OXEN')
    await expect(page.getByRole('status').filter({ hasText: '1 found' })).toBeVisible()
    await expect(page.getByText('3 generations match')).toBeVisible()
    await expect(page.locator('mark').first()).toHaveText('Oxen')
    await expect(page.getByText('Read as: words with “OXEN” in them.')).toBeVisible()
    await checkAccess(page)
    // A part of a compound word finds it; what else could be chosen is counted.
    await page.getByRole('searchbox').fill('nämnd OR harbour')
    await expect(page.getByRole('link', { name: 'Byggnadsnämndens ritningar, kv. Oxen' })).toBeVisible()
    const facet = (name: RegExp) => page.getByRole('complementary').getByRole('checkbox', { name })
    await facet(/^Agents/).check()
    await expect(page.getByRole('link', { name: /Oxen/ })).toHaveCount(0)
    await facet(/^Agents/).uncheck()
    await facet(/^LTO-0417/).check()
    await expect(facet(/^LTO-0417/)).toBeChecked()
    await expect(page.getByText(/^Read as/)).toBeVisible()
    await checkAccess(page)
    // What was chosen is ordered, and the search is watched.
    const oxen = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /Oxen/ }) })
    await oxen.getByRole('link').focus()
    await page.keyboard.press('Control+Space')
    const bar = page.getByRole('toolbar')
    await expect(bar.getByText('1 chosen')).toBeVisible()
    await page.getByRole('button', { name: 'Watch this search' }).click()
    await expect(page.getByRole('button', { name: 'Watched' })).toBeVisible()
    // Many are chosen as in every list: with Shift, all at once, and by the menu of a row.
    await oxen.getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowUp')
    await expect(bar.getByText('2 chosen')).toBeVisible()
    await page.keyboard.press('Control+a')
    const links = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: /^Choose/ }) })
    await expect(bar.getByText(`${await links.count()} chosen`)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(bar).toHaveCount(0)
    await oxen.click({ button: 'right' })
    await expect(page.getByRole('menuitem')).toHaveCount(8)
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await oxen.click({ modifiers: ['ControlOrMeta'] })
    await bar.getByRole('button', { name: 'Add to order' }).click()
    await expect(page.getByText(/“[^”]*Oxen[^”]*” added to the order\./)).toBeVisible()
    await page.getByRole('searchbox').fill(id)
    await expect(page.getByText('Exactly this')).toBeVisible()
    await page.getByRole('searchbox').press('Enter')
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
  },
)

test('an order is collected, placed, walked and printed; the codes on its slips can be read', async ({
  desk,
}) => {
  const { page } = desk
  const slips = page.locator('.paper article')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-slips-'))
  await openPractice(desk)
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Water works/ }).click()
  await page.keyboard.press('+')
  await expect(page.getByText(/“Water works.*” added to the order\./)).toBeVisible()
  await page.keyboard.press('5')
  await page.getByRole('row', { name: /Unnamed order/ }).click()
  await expect(page.getByTitle('It still needs a name.')).toHaveText('Place the order')
  const name = page.getByLabel('Name', { exact: true })
  const before = await name.boundingBox()
  await name.fill('Torsdag')
  // What was missing is missed no more, and the field stays where somebody types.
  await expect(page.getByText('It still needs a name.')).toHaveCount(0)
  expect(await name.boundingBox()).toEqual(before)
  await page.getByLabel('Paste identifiers, one a line').fill('SE/STA/1037\nno such thing')
  await page.getByRole('button', { name: 'Check and add' }).click()
  await expect(page.getByText('not found here')).toBeVisible()
  await expect(page.getByLabel('Paste identifiers, one a line')).toHaveValue('no such thing')
  await checkAccess(page)
  const draft = page.url()
  await page.locator('#record .record').evaluate((record) => record.setAttribute('data-before', ''))
  await page.getByRole('button', { name: 'Place the order' }).click()
  await expect(page.getByText('kept on this computer only')).toBeVisible()
  // Its page goes on under the identifier that the archive gave it.
  await expect(page).not.toHaveURL(draft)
  await expect(page.locator('#record .record[data-before]')).toBeVisible()
  const steps = page.getByRole('button', { name: /^(Asked for|Being fetched|In the reading room|Returned)$/ })
  await expect(steps).toHaveCount(4)
  // However wide the page is, as many stand in each line.
  const stepsInLines = () =>
    steps.evaluateAll((buttons) => {
      const tops = buttons.map((button) => Math.round(button.getBoundingClientRect().top))
      return new Set([...new Set(tops)].map((top) => tops.filter((other) => other === top).length)).size
    })
  for (const width of [420, 700, 1101, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await stepsInLines(), `${width} px`).toBe(1)
  }
  await page.getByRole('button', { name: 'In the reading room' }).click()
  await expect(page.getByRole('button', { name: 'In the reading room', pressed: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: /Water works/ })).toHaveValue('desk')
  await checkAccess(page)
  // One key for the next state of a package, and one back.
  const ordered = page.getByRole('listitem').filter({ hasText: 'Water works' })
  await ordered.press('Space')
  await expect(page.getByRole('combobox', { name: /Water works/ })).toHaveValue('returned')
  await ordered.press('Shift+Space')
  await expect(page.getByRole('combobox', { name: /Water works/ })).toHaveValue('desk')
  await ordered.press('ArrowDown')
  await expect(page.getByRole('listitem').filter({ hasText: 'Oxen' })).toBeFocused()
  await page.getByRole('button', { name: 'Print slips …' }).click()
  await expect(page.getByRole('radio', { name: 'Slips' })).toBeFocused()
  await expect(slips).toHaveCount(2)
  await checkAccess(page)
  const read = await readSquares(page)
  expect(read).not.toBe('')
  expect(await slips.first().innerText()).toContain(read)
  for (const size of ['A4', 'A5', 'label'] as const) {
    const file = path.join(folder, `${size}.pdf`)
    await page.getByRole('radio', { name: 'Slips' }).check()
    await page.getByLabel('Paper').selectOption(size)
    await desk.answerDialogs([file])
    await page.getByRole('button', { name: 'Save as PDF' }).click()
    const sizes = { A4: [595, 842], A5: [420, 595], label: [283, 176] }
    const sizeOf = () => {
      const [, width = '', height = ''] =
        /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(
          existsSync(file) ? readFileSync(file, 'latin1') : '',
        ) ?? []
      return [size, Math.round(Number(width) / 5), Math.round(Number(height) / 5)]
    }
    await expect.poll(sizeOf).toEqual([size, ...sizes[size].map((points) => Math.round(points / 5))])
    await expect(page.getByRole('dialog', { name: 'Print' })).toBeHidden()
    await page.keyboard.press('Control+p')
  }
  for (const [sheet, told] of [
    ['Walking list', /Water works.*Byggnadsnämndens/],
    ['Receipt', /Receipt for packages handed out.*Date and signature/],
    ['What is shown', /2 packages on/],
    ['The list', /Orders.*Torsdag/],
  ] as const) {
    await page.getByRole('radio', { name: sheet }).check()
    await expect(page.locator('.paper')).toContainText(told)
    await checkAccess(page)
  }
  const paper = page.getByRole('button', { name: 'Print on paper' })
  await answerPrinting(desk, 'Print job failed')
  await paper.click()
  await expect(page.getByRole('alert')).toContainText('Nothing was printed.')
  await page.getByRole('alert').locator('summary').click()
  await expect(page.getByRole('alert')).toContainText('Print job failed')
  await checkAccess(page)
  await answerPrinting(desk, 'Print job canceled')
  await paper.click()
  await expect(paper).not.toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByText('Printed.', { exact: true })).toBeHidden()
  await answerPrinting(desk, '')
  await paper.click()
  await expect(page.getByText('Printed.', { exact: true })).toBeVisible()
  rmSync(folder, { recursive: true })
})

/** Nobody is there for the system's dialog, nor is a printer: what printing comes to; '' when it printed. */
const answerPrinting = (desk: Desk, reason: string) =>
  desk.app.evaluate(({ BrowserWindow }, why) => {
    for (const { webContents } of BrowserWindow.getAllWindows())
      webContents.print = (_options, done) => done?.(why === '', why)
  }, reason)

/** The code of the first slip from the squares of its picture. */
const readSquares = async (page: Page) => {
  const { size, path: drawn } = await page
    .locator('.paper article svg')
    .first()
    .evaluate((svg) => ({
      size: Number(svg.getAttribute('viewBox')?.split(' ')[2]),
      path: svg.querySelector('path')?.getAttribute('d') ?? '',
    }))
  const scale = 6
  const data = new Uint8Array(size * size * scale * scale * 4).fill(255)
  for (const [, x = '', y = ''] of drawn.matchAll(/M(\d+) (\d+)h/g))
    for (let row = 0; row < scale; row += 1)
      for (let column = 0; column < scale; column += 1)
        data.fill(
          0,
          ((Number(y) * scale + row) * size * scale + Number(x) * scale + column) * 4,
          ((Number(y) * scale + row) * size * scale + Number(x) * scale + column) * 4 + 3,
        )
  return decodeQR({ width: size * scale, height: size * scale, data })
}

test(
  'a list prints whole on numbered pages that name the archive, as it is narrowed',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-print-'))
    await openPractice(desk)
    await page.keyboard.press('2')
    await expect(page.getByRole('row', { name: /Oxen/ })).toBeVisible()
    const total =
      Number(await page.getByRole('grid').or(page.getByRole('treegrid')).getAttribute('aria-rowcount')) - 1
    const printed = async (file: string) => {
      await page.keyboard.press('Control+p')
      await expect(page.locator('.paper tbody tr').first()).toBeVisible()
      await checkAccess(page)
      await desk.answerDialogs([file])
      await page.getByRole('button', { name: 'Save as PDF' }).click()
      await expect.poll(() => existsSync(file)).toBe(true)
      await expect(page.getByRole('dialog', { name: 'Print' })).toBeHidden()
      const { totalPages, text } = await extractText(
        await getDocumentProxy(new Uint8Array(readFileSync(file))),
      )
      return { pages: totalPages, text }
    }
    const whole = await printed(path.join(folder, 'whole.pdf'))
    expect(whole.pages).toBeGreaterThan(1)
    expect(whole.text.at(-1)).toContain(`Page ${whole.pages} of ${whole.pages}`)
    for (const text of whole.text) expect(text).toMatch(/^Practice archive/)
    expect(whole.text[0]).toContain(`${total} rows`)
    expect(whole.text[0]).toMatch(/Printed \d+ \w+ 20\d\d/)
    await page.keyboard.press('Control+f')
    await page.keyboard.type('oxen')
    await expect(page.getByRole('row')).toHaveCount(2)
    const narrowed = await printed(path.join(folder, 'narrowed.pdf'))
    expect(narrowed.pages).toBe(1)
    expect(narrowed.text[0]).toContain('oxen')
    expect(narrowed.text[0]).toContain('Page 1 of 1')
    await goTo(page, '#/storage')
    await page.locator('.picture').waitFor()
    await printed(path.join(folder, 'storage.pdf'))
    await page.keyboard.press('8')
    const about = page
      .getByRole('row', { name: /Printed/ })
      .first()
      .getByRole('gridcell')
      .nth(2)
    await expect(about).toHaveText('Storage')
    rmSync(folder, { recursive: true })
  },
)

test(
  'what happened is one time line, its journal is sound, and both are saved',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    const { page } = desk
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-activity-'))
    await openPractice(desk)
    await page.keyboard.press('8')
    await expect(page.getByRole('row', { name: /Signed in/ })).toBeVisible()
    await expect(page.getByRole('row', { name: /AIP preserved/ }).first()).toBeVisible()
    await checkAccess(page)
    await page.getByRole('button', { name: 'Check the journal' }).click()
    await expect(page.getByText(/1 lines?, each as it was written/)).toBeVisible()
    const chips = page.getByRole('group', { name: 'Narrow the list' })
    await chips.getByRole('button', { name: 'Source' }).click()
    await page.getByRole('checkbox', { name: /^This desk \d+$/ }).check()
    await expect(page.getByRole('row', { name: /AIP preserved/ })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await desk.answerDialogs([path.join(folder, 'journal.jsonl')])
    await page.getByRole('button', { name: 'Save the journal' }).click()
    await expect(page.getByText('1 line was saved.')).toBeVisible()
    expect(JSON.parse(readFileSync(path.join(folder, 'journal.jsonl'), 'utf8'))).toMatchObject({
      number: 1,
      act: 'session.in',
    })
    await page.keyboard.press('Escape')
    await desk.answerDialogs([path.join(folder, 'activity.csv')])
    await page.getByTitle('Save the list').click()
    const all = page.getByRole('button', { name: /^All that match: \d+ rows$/ })
    const count = /\d+/.exec(await all.innerText())?.[0]
    await all.click()
    await expect(page.getByText(`${count} rows were saved.`)).toBeVisible()
    expect(readFileSync(path.join(folder, 'activity.csv'), 'utf8').trim().split('\n')).toHaveLength(
      Number(count) + 1,
    )
    rmSync(folder, { recursive: true })
  },
)

test(
  'lists are as they were left, also when the program starts again',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await expect(page.locator('[role=row][aria-rowindex="2"]')).toContainText('Aerial photographs')
    await page.getByTitle('Columns').click()
    await page.getByRole('checkbox', { name: 'Identifier' }).check()
    await page.getByRole('checkbox', { name: 'Size' }).uncheck()
    await page.keyboard.press('Escape')
    await focusList(page, 'treegrid')
    await page.keyboard.press('End')
    const count = Number(await page.getByRole('treegrid').getAttribute('aria-rowcount'))
    const last = page.locator(`[role=row][aria-rowindex="${count}"]`)
    await expect(last).toBeInViewport()
    await expect(last.getByRole('gridcell').first()).not.toBeEmpty()
    const name = (await last.innerText()).split('\n')[0] ?? ''
    // How a list is shown is kept a moment after it was changed.
    const kept = () =>
      page.evaluate(async () => {
        const status = await window.bridge.application.session.status()
        const archive = 'value' in status ? (status.value.archives[0]?.account.archive ?? '') : ''
        const reply = await window.bridge.archive.views.all(archive)
        return JSON.parse('value' in reply ? (reply.value['packages'] ?? '{}') : '{}') as unknown
      })
    await expect.poll(kept).toMatchObject({
      sort: 'label',
      descending: false,
      at: count - 2,
      columns: ['label', 'identifier', 'copies', 'changed'],
    })
    await desk.restart('quit')
    const again = desk.page
    await expect(again.getByRole('heading', { name: 'Packages', exact: true })).toBeVisible()
    await expect(again.getByRole('columnheader', { name: 'Identifier' })).toBeVisible()
    await expect(again.getByRole('columnheader', { name: 'Size' })).toHaveCount(0)
    await expect(again.getByRole('columnheader', { name: 'Label' })).toHaveAttribute('aria-sort', 'ascending')
    await expect(again.getByRole('row').last()).toContainText(name)
    await expect(again.getByRole('row').last()).toBeInViewport()
  },
)

test(
  'a link opens its page in the archive it names, and says so when there is none',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await openPractice(desk)
    const id = await idOfOxen(page)
    const follow = (link: string) =>
      new Promise((done) =>
        spawn(
          process.execPath,
          [path.join(root, 'node_modules/electron/cli.js'), root, `--user-data-dir=${desk.userData}`, link],
          { env: process.env, stdio: 'ignore' },
        ).once('exit', done),
      )
    await page.keyboard.press('1')
    await follow(`lectern://practice/package/${id}`)
    await expect(page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
    await follow(`lectern://nowhere.example.org/package/${id}`)
    await expect(page.getByText('The link names the archive nowhere.example.org')).toBeVisible()
    // The window is gone, the desk is not: the link brings it back.
    await page.keyboard.press('1')
    await desk.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().forEach((window) => window.close()),
    )
    await expect.poll(() => desk.app.windows().length).toBe(0)
    const opened = desk.app.waitForEvent('window')
    await follow(`lectern://practice/package/${id}`)
    await expect((await opened).getByRole('heading', { name: /Oxen/ })).toBeVisible()
    // Nor does it have to run.
    await desk.app.close()
    await desk.restart('started', [`lectern://practice/package/${id}`])
    await expect(desk.page.getByRole('heading', { name: /Oxen/ })).toBeVisible()
    await desk.app.close()
    await desk.restart('started', [`lectern://nowhere.example.org/package/${id}`])
    await expect(desk.page.getByText('The link names the archive nowhere.example.org')).toBeVisible()
  },
)
