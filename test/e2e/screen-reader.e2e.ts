import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeDraft, openPractice, test as base } from './fixtures.ts'
import { openDesk } from './launch.ts'
import { forScreenReader, startScreenReader, type ScreenReader } from './screen-reader.ts'

const test = base.extend<{ orca: ScreenReader }>({
  desk: async ({}, use) => {
    const desk = await openDesk(forScreenReader.env, undefined, forScreenReader.args)
    await openPractice(desk)
    await use(desk)
    await desk.close()
  },
  // Once the window stands: what AT-SPI is asked by both at once, it may answer to neither.
  orca: async ({ desk: _ }, use) => {
    const orca = await startScreenReader('Lectern')
    await use(orca)
    await orca.stop()
  },
})

test.skip(process.env['LECTERN_SCREEN_READER'] !== 'yes', 'No screen reader here.')

// One window for all: AT-SPI's registry does not answer any more once the first window has gone.
test('Orca tells of a package, of what a draft lacks, and of what needs one', async ({ desk, orca }) => {
  const { page } = desk
  const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-heard-'))

  await test.step('why a draft cannot be packed yet', async () => {
    orca.press('b')
    await orca.hears('New transfer push button')
    orca.press('Return')
    await orca.hears('Name entry required')
    orca.type('The cellar')
    await orca.hears('Saved on this computer')
    orca.press('shift+Tab')
    await orca.hears('Delete push button')
    orca.press('Up')
    await orca.hears('Preserved')
    orca.press('Down')
    await orca.hears('Pack push button grayed. It still needs a folder or files.')
  })

  await test.step('a package, opened from the list', async () => {
    orca.press('F6')
    await orca.hears('banner')
    orca.press('F6')
    await orca.hears('Transfers link')
    orca.press('shift+Tab')
    await orca.hears('Search link')
    orca.press('shift+Tab')
    await orca.hears('Packages link')
    orca.press('Return')
    await orca.hears('42')
    orca.press('F6')
    await orca.hears('tree level 1')
    orca.press('b', 'y', 'g')
    await orca.hears('Byggnadsnämndens ritningar, kv. Oxen 38.4 GB 3')
    orca.press('Return')
    await page.getByRole('tab', { name: 'Overview' }).waitFor()
    orca.press('F6')
    await orca.hears('Byggnadsnämndens ritningar, kv. Oxen article')
    orca.press('Tab')
    await orca.hears('Copy: Identifier push button')
    orca.press('Tab')
    await orca.hears('Read push button')
    orca.press('Tab')
    await orca.hears('Add to order push button')
    orca.press('h')
    await orca.hears('What is in it heading level 2')
    orca.press('h')
    await orca.hears('3 copies, all that the policy requires heading level 2')
  })

  await test.step('what needs one, and what has come', async () => {
    await page.getByRole('link', { name: 'Transfers' }).first().click()
    await makeDraft(desk, place, 'The attic')
    await page.getByRole('button', { name: 'Pack', exact: true }).click()
    await orca.hears(/Prepared ·/)
    orca.press('F6')
    orca.press('F6')
    // One is packed, and waits for somebody.
    await orca.hears('Transfers 1 link')
    orca.press('shift+Tab')
    await orca.hears('Search link')
    orca.press('shift+Tab')
    await orca.hears('Packages link')
    orca.press('shift+Tab')
    await orca.hears('Desk link')
    orca.press('Return')
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    orca.press('F6')
    await orca.hears('main content')
    orca.press('2')
    await orca.hears('Needs you heading level 2')
    orca.press('Tab')
    await orca.hears(/The attic (visited )?link/)
    await page.getByRole('link', { name: 'The attic' }).first().click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await orca.hears('The archive has preserved it.')
    await orca.hears('New notice: ')
  })
  rmSync(place, { recursive: true })
})
