import { createHash } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FrameLocator, Locator } from '@playwright/test'
import { startArchive, type RunningArchive } from '../archives/archive.ts'
import { present } from '../support/present.ts'
import { scratch } from '../support/scratch.ts'
import { until } from '../support/until.ts'
import { writeBag } from '../packages/bags.ts'
import { makePdf } from '../viewer/make-pdf.ts'
import { checkAccess, expect, inTree, readPackage, settled, signIn, test, type Desk } from './fixtures.ts'
import { aloneWith } from './lanes.ts'

const place = scratch()
test.afterAll(() => place[Symbol.dispose]())

const letter = 'Fasaden mot gården målades röd år 1938.\n'.repeat(40)

/** Gives the carried archive a package of two generations, of which one letter is another one. */
const preserve = async (archive: RunningArchive, more: Record<string, Buffer> = {}) => {
  const generations = async () => {
    const families = (await archive.get('information-packages/')) as {
      object_identifier_value: string
      information_packages: unknown[]
    }[]
    const family = families.find(({ object_identifier_value: value }) => value === 'fasader')
    return family?.information_packages.length ?? 0
  }
  for (const [index, text] of [letter, letter.replace('röd', 'grå')].entries()) {
    const bag = path.join(archive.data, '.fasader')
    writeBag(
      bag,
      { 'External-Identifier': 'fasader', 'External-Description': 'Fasader' },
      {
        'data/brev.txt': Buffer.from(text),
        'data/inventarium.csv': Buffer.from('nummer;rum\n1;hall\n'),
        'data/bilder/plan.svg': Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300"/></svg>',
        ),
        ...more,
      },
    )
    renameSync(bag, path.join(archive.data, 'ingest', 'fasader'))
    await until(async () => ((await generations()) > index ? true : undefined))
  }
}

/** Has an archive that is not running class whatever is kept by its policies. */
const classPolicies = (data: string, informationClass: number) => {
  using database = new DatabaseSync(path.join(data, 'archive.sqlite'))
  const change = "update record set body = json_set(body, '$.information_class', ?) where kind = ?"
  expect(database.prepare(change).run(informationClass, 'storage policy').changes).toBeGreaterThan(0)
}

/** The row of a package with two generations or more, and a letter in it. */
const atArchive = async (desk: Desk, name: string, more?: Record<string, Buffer>) => {
  const archive = await startArchive(path.join(place.folder, name), '--sample')
  if (desk.dialect === 'specification') await preserve(archive, more)
  await signIn(desk, archive.url, archive.username, archive.password)
  await settled(desk.page)
  return { archive, row: desk.dialect === 'specification' ? /asader/ : /Oxen/ }
}

/** Opens the sample's package with files in the reader, or another one, and gives its archive. */
const readAtArchive = async (desk: Desk, name: string, other?: RegExp) => {
  const { archive, row } = await atArchive(desk, name)
  await desk.page.keyboard.press('2')
  await desk.page.getByRole('row', { name: other ?? row }).click()
  await readPackage(desk.page)
  return archive
}

const facts = ({ page }: Desk) => page.getByRole('complementary', { name: 'About the file' })

test('files of a package are read, turned, found, compared, noted and ordered by keys', async ({ desk }) => {
  const archive = await readAtArchive(desk, 'read')
  const { page } = desk
  await inTree(page, 'brev.txt').click()
  await expect(page.frameLocator('iframe:not([inert])').locator('pre')).toBeVisible()
  await expect(facts(desk).getByRole('heading', { name: 'This is what was preserved' })).toBeVisible()
  await expect(facts(desk)).toContainText('brev.txt')
  await checkAccess(page)

  await test.step('the next file and the one before', async () => {
    const title = page.getByRole('heading', { level: 1 }).first()
    await expect(title).toHaveText('brev.txt')
    await page.keyboard.press('F6')
    await page.keyboard.press('ArrowRight')
    await expect(title).toHaveText(/^inven/)
    await page.keyboard.press('ArrowLeft')
    await expect(title).toHaveText('brev.txt')
    await page.goBack()
    await expect(title).toHaveText(/^inven/)
    await page.goForward()
    await expect(title).toHaveText('brev.txt')
    // In the frame too, whose keys go to the page where nothing in it takes them.
    await page.frameLocator('iframe:not([inert])').locator('pre').click()
    await page.keyboard.press('ArrowRight')
    await expect(title).toHaveText(/^inven/)
    await page.keyboard.press('ArrowLeft')
    await expect(title).toHaveText('brev.txt')
    await page.frameLocator('iframe:not([inert])').locator('pre').click()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(title).toHaveText(/^inven/)
    await page.keyboard.press('Alt+ArrowRight')
    await expect(title).toHaveText('brev.txt')
  })

  await test.step('a file found by its name', async () => {
    await page.getByRole('searchbox', { name: 'Find a file' }).fill('plan')
    const found = page.getByRole('grid', { name: 'Files' })
    await expect(found.getByRole('row', { name: 'plan.' }).first()).toBeVisible()
    await expect(found.getByRole('row', { name: 'brev' })).toHaveCount(0)
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await expect(inTree(page, 'brev.txt')).toBeVisible()
  })

  await test.step('the generation before, beside it', async () => {
    const beside = desk.dialect === 'specification' ? 'another file' : 'the same'
    await expect(facts(desk)).toContainText(beside)
    await page.getByRole('article').getByRole('heading', { name: 'brev.txt' }).click()
    await page.keyboard.press('c')
    await expect(page.locator('iframe:not([inert])')).toHaveCount(2)
    for (const index of [0, 1])
      await expect(page.frameLocator('iframe:not([inert])').nth(index).locator('pre')).toBeVisible()
    await expect(page.getByRole('region', { name: /^brev.txt · Generation \d/ })).toHaveCount(2)
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await expect(page.locator('iframe:not([inert])')).toHaveCount(1)
  })

  await test.step('a note, and an order', async () => {
    await facts(desk).getByLabel('A new note').fill('Också på kartan från 1952.')
    await facts(desk).getByRole('button', { name: 'Write it down' }).click()
    await expect(facts(desk).getByText('Också på kartan från 1952.')).toBeVisible()
    await facts(desk).getByRole('button', { name: 'Order a copy of this file' }).click()
    await page.getByRole('button', { name: 'Show the order' }).click()
    await expect(page.getByLabel('What it is for')).toHaveValue(/brev\.txt$/)
  })
  await page.goBack()
  await expect(facts(desk).getByText('Också på kartan från 1952.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab', { name: 'Files' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: 'Look at brev.txt' })).toBeFocused()
  await archive.stop()
})

test(
  'what the archive cannot give is said calmly, and can be ordered',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const archive = await readAtArchive(desk, 'withheld', /kv. Oxen/)
    const { page } = desk
    const main = page.getByRole('main')
    await expect(main.getByText('The archive cannot give these files now')).toBeVisible()
    await expect(main.getByRole('heading', { name: /kv. Oxen/ })).toBeAttached()
    await expect(main.getByRole('alert')).toHaveCount(0)
    await expect(main.getByRole('searchbox')).toHaveCount(0)
    await checkAccess(page)
    await main.getByRole('button', { name: 'Add to order' }).click()
    await expect(page.getByRole('button', { name: 'Show the order' })).toBeVisible()
    await main.getByRole('button', { name: 'Copies', exact: true }).click()
    await expect(page.getByRole('tab', { name: /^Copies/ })).toHaveAttribute('aria-selected', 'true')
    // What can be done with it comes before what cannot.
    await page.getByRole('tab', { name: 'Overview' }).click()
    await expect(main.getByRole('button', { name: 'Add to order' })).toHaveClass(/main/)
    await expect(main.getByRole('button', { name: 'Read', exact: true })).not.toHaveClass(/main/)
    await archive.stop()
  },
)

test(
  'reading begins with the first file that was sent, and keys turn and zoom from the tree',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const archive = await readAtArchive(desk, 'first')
    const { page } = desk
    const title = page.getByRole('article').getByRole('heading', { level: 1 })
    const tree = page.getByRole('treegrid', { name: 'Files' })
    await expect(title).toHaveText('plan.svg')
    await expect(page.getByRole('link', { name: /Back to the package.*Fasader/ }).first()).toBeVisible()
    await expect(tree).toBeFocused()
    await expect(inTree(page, 'plan.svg')).toHaveAttribute('aria-selected', 'true')
    const tools = page.getByRole('toolbar', { name: 'Tools' })
    await page.keyboard.press('0')
    const fitted = present(await tools.getByRole('status').textContent())
    await page.keyboard.press('+')
    await expect(tools.getByRole('status')).not.toHaveText(fitted)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(title).toHaveText('brev.txt')
    await page.keyboard.press('ArrowRight')
    await expect(title).toHaveText('inventarium.csv')
    await expect(tree).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(title).toHaveText('brev.txt')
    // Once words were looked for, the keys of the tree are heard again.
    await page.keyboard.press('Control+f')
    await expect(page.getByRole('searchbox', { name: 'Find in the file' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(tree).toBeFocused()
    await page.setViewportSize({ width: 1920, height: 900 })
    const middleOf = async (part: Locator) => {
      const { y, height } = present(await part.boundingBox())
      return y + height / 2
    }
    // There is room for the tools beside the name.
    await expect.poll(async () => (await middleOf(tools)) - (await middleOf(title))).toBeLessThan(4)
    await archive.stop()
  },
)

test(
  'a file is printed with what is known of it and what is drawn, not the program',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const archive = await readAtArchive(desk, 'paper')
    const { page } = desk
    const tools = page.getByRole('toolbar', { name: 'Tools' })
    const paper = page.locator('.paper')
    await tools.getByRole('button', { name: 'Print …' }).click()
    await expect(paper.getByRole('heading', { name: 'plan.svg' })).toBeVisible()
    await expect(paper.getByRole('img', { name: 'plan.svg' }).locator('canvas')).toBeVisible()
    await expect(paper.getByText('This is what was preserved')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save as PDF' })).toBeEnabled()
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await inTree(page, 'brev.txt').click()
    await expect(page.frameLocator('iframe:not([inert])').locator('pre')).toBeVisible()
    await page.keyboard.press('Control+p')
    await expect(paper.locator('pre')).toContainText('Fasaden mot gården')
    await expect(paper.getByText(/data\/brev\.txt$/)).toBeVisible()
    await expect(paper.getByRole('treegrid')).toHaveCount(0)
    await archive.stop()
  },
)

test(
  'of a document the pages from one to another are printed, of a text too',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const lines = Array.from({ length: 200 }, (_, index) => `Rad ${index + 1}`)
    const { archive, row } = await atArchive(desk, 'pages', {
      'data/protokoll.pdf': makePdf(['Ett', 'Två', 'Tre', 'Fyra']),
      'data/rader.txt': Buffer.from(lines.join('\n')),
    })
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: row }).click()
    await readPackage(page)
    const frame = page.frameLocator('iframe:not([inert])')
    const paper = page.locator('.paper')
    await inTree(page, 'protokoll.pdf').click()
    await expect(frame.locator('[data-page="1"]').getByText('Ett')).toBeVisible()
    await page.keyboard.press('Control+p')
    // First it is the page that was looked at.
    await expect(paper.getByText(/^Page \d of 4$/)).toHaveText(['Page 1 of 4'])
    await page.getByLabel('To page').fill('3')
    await page.getByLabel('To page').press('Enter')
    await page.getByLabel('From page').fill('2')
    await page.getByLabel('From page').press('Enter')
    await expect(paper.getByText(/^Page \d of 4$/)).toHaveText(['Page 2 of 4', 'Page 3 of 4'])
    await expect(paper.getByRole('img', { name: 'protokoll.pdf' })).toHaveCount(2)
    await page.getByLabel('To page').fill('9')
    await page.getByLabel('To page').press('Enter')
    await expect(page.getByLabel('To page')).toHaveValue('4')
    await checkAccess(page)
    await page.keyboard.press('Escape')
    await inTree(page, 'rader.txt').click()
    await expect(frame.locator('pre')).toBeVisible()
    await page.keyboard.press('Control+p')
    await expect(paper.locator('pre')).toHaveCount(4)
    await page.getByLabel('From page').fill('4')
    await page.getByLabel('From page').press('Enter')
    await expect(paper.locator('pre')).toHaveText([/^Rad 163\n[^]*Rad 200$/])
    await archive.stop()
  },
)

test(
  'words are found in a file, its text is copied, it is saved, and another one moves with it',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const lines = (word: string) => Array.from({ length: 400 }, (_, index) => `${word} ${index}`).join('\n')
    const text = lines('Rad')
    const { archive, row } = await atArchive(desk, 'beside', {
      'data/rader.txt': Buffer.from(text),
      'data/rows.txt': Buffer.from(lines('Row')),
    })
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: row }).click()
    await readPackage(page)
    await inTree(page, 'rader.txt').click()
    const frames = page.locator('iframe:not([inert])')
    const shownFile = page.frameLocator('iframe:not([inert])').first()
    await expect(shownFile.locator('pre')).toContainText('Rad 399')

    await page.keyboard.press('Control+f')
    await page.getByRole('searchbox', { name: 'Find in the file' }).fill('rad 350')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('search').getByRole('status').filter({ hasText: '1 of 1' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy the text' }).click()
    await expect(page.getByText('The text was copied.')).toBeVisible()

    const saved = path.join(place.folder, 'sparad.txt')
    await desk.answerDialogs([saved])
    await page.getByRole('article').getByRole('button', { name: 'Download' }).click()
    await expect(page.getByText('rader.txt was downloaded, and is what was preserved.')).toBeVisible()
    expect(readFileSync(saved, 'utf8')).toBe(text)

    const strip = page.getByRole('group', { name: 'Files of this folder' })
    await strip.getByRole('button', { name: 'rows.txt' }).click()
    await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText('rows.txt')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('button', { name: 'Another file …' }).click()
    await inTree(page, 'rader.txt').click()
    await expect(frames).toHaveCount(2)
    const [left, right] = [0, 1].map((index) => page.frameLocator('iframe:not([inert])').nth(index))
    await expect(present(right).getByText('Rad 399')).toBeAttached()
    await present(left).locator('pre').hover()
    await page.mouse.wheel(0, 100_000)
    const scrolled = (frame: FrameLocator | undefined) =>
      present(frame)
        .locator('html')
        .evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - clientHeight - scrollTop)
    await expect.poll(() => scrolled(left)).toBeLessThan(2)
    await expect.poll(() => scrolled(right)).toBeLessThan(2)
    await archive.stop()
  },
)

test(
  'what is pressed in a web page that is drawn leads as elsewhere',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { archive, row } = await atArchive(desk, 'inner', {
      'data/sida.html': Buffer.from('<h1>Fasader</h1><p>En sida om fasaderna.</p>'),
    })
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: row }).click()
    await readPackage(page)
    await inTree(page, 'brev.txt').click()
    const title = page.getByRole('heading', { level: 1 }).first()
    await expect(title).toHaveText('brev.txt')
    await inTree(page, 'sida.html').click()
    const drawn = page.frameLocator('iframe:not([inert])').frameLocator('iframe').locator('p')
    await drawn.click()
    const finder = page.getByRole('searchbox', { name: 'Find in the file' })
    await page.keyboard.press('Control+f')
    await expect(finder).toBeFocused()
    await drawn.click()
    await page.keyboard.press('Escape')
    await expect(finder).toHaveCount(0)
    await drawn.click()
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(title).toHaveText('brev.txt')
    await page.keyboard.press('Alt+ArrowRight')
    await drawn.click()
    // To the page, what has the focus in the frame is nothing of its own.
    const focused = page.locator(':focus')
    await expect(focused).toHaveCount(0)
    await page.keyboard.press('F6')
    await expect(focused).toHaveCount(1)
    await drawn.click()
    await page.keyboard.press('Escape')
    await expect(inTree(page, 'sida.html')).toHaveCount(0)
    await archive.stop()
  },
)

test('a METS leads to the files that it names', async ({ desk }) => {
  const archive = await readAtArchive(desk, 'named')
  const { page } = desk
  await inTree(page, 'mets.xml').click()
  const frame = page.frameLocator('iframe:not([inert])')
  await frame
    .getByRole('treegrid')
    .getByRole('row', { name: /brev\.txt/ })
    .first()
    .click()
  await frame.getByRole('button', { name: 'Open brev.txt' }).click()
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText('brev.txt')
  await expect(frame.locator('pre')).toBeVisible()
  await page.goBack()
  await expect(frame.getByRole('treegrid')).toBeVisible()
  await archive.stop()
})

test(
  'what the archive classes is drawn once somebody says that it may be shown',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const data = path.join(place.folder, 'classed')
    const before = await startArchive(data, '--sample')
    await preserve(before)
    await before.stop()
    classPolicies(data, 2)
    const archive = await startArchive(data)
    await signIn(desk, archive.url, archive.username, archive.password)
    await settled(desk.page)
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /asader/ }).click()
    const asked = 'It is kept in information class 2'
    await expect(page.getByText(asked)).toBeVisible()
    await readPackage(page)
    await inTree(page, 'brev.txt').click()
    await expect(page.getByText(asked)).toBeVisible()
    const drawn = page.frameLocator('iframe:not([inert])').locator('pre')
    const allow = page.getByRole('button', { name: 'It may be shown' })
    await expect(allow).toBeVisible()
    await expect(page.locator('iframe')).toHaveCount(0)
    await checkAccess(page)
    await allow.click()
    await expect(drawn).toContainText('Fasaden')
    await archive.stop()
  },
)

test(
  'a file of no known kind is shown byte by byte, with how many of its kind the package holds',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const archive = await startArchive(path.join(place.folder, 'unknown'), '--sample')
    const bag = path.join(archive.data, '.okänt')
    const unknown = Buffer.from([1, 0, 2, 0, 3, 0])
    writeBag(
      bag,
      { 'External-Identifier': 'okänt', 'External-Description': 'Okänt slag' },
      { 'data/a.xyz': unknown, 'data/b.xyz': unknown, 'data/c.txt': Buffer.from('Kajen') },
    )
    renameSync(bag, path.join(archive.data, 'ingest', 'okänt'))
    await until(async () => {
      const packages = await archive.get('information-packages/')
      return JSON.stringify(packages).includes('Okänt slag') ? true : undefined
    })
    await signIn(desk, archive.url, archive.username, archive.password)
    await settled(desk.page)
    const { page } = desk
    await page.keyboard.press('2')
    await page.getByRole('row', { name: /Okänt slag/ }).click()
    await readPackage(page)
    await inTree(page, 'a.xyz').click()
    await expect(facts(desk)).toContainText('2 files in this package are of its format (XYZ).')
    await checkAccess(page)
    await archive.stop()
  },
)

test('a package shows what is in it, and leads to its files of a format', async ({ desk }) => {
  const { archive, row } = await atArchive(desk, 'contents')
  const { page } = desk
  await page.keyboard.press('2')
  await page.getByRole('row', { name: row }).click()
  const contents = page.getByRole('article').locator('section', {
    has: page.getByRole('heading', { name: 'What is in it' }),
  })
  const drawn = desk.dialect === 'specification' ? 'plan.svg' : 'inventory.pdf'
  const thumbnail = contents.getByRole('link', { name: drawn }).locator('canvas')
  await expect(thumbnail).toBeVisible()
  await checkAccess(page)
  await test.step('all that is asked first stands in one screen, in both languages', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const language of ['sv', 'en'] as const) {
      await page.evaluate(
        (chosen) => window.bridge.application.settings.change({ language: chosen }),
        language,
      )
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      const below = () =>
        page.locator('#record').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
      await expect.poll(below).toBeLessThanOrEqual(0)
    }
  })
  await contents.getByRole('link', { name: 'Text', exact: true }).click()
  await expect(page.getByLabel('Format', { exact: true })).toHaveValue('Text')
  const found = page.getByRole('grid', { name: 'Files' })
  await expect(found.getByRole('row', { name: 'brev.txt' })).toBeVisible()
  await expect(found.getByRole('row', { name: drawn })).toHaveCount(0)
  await page.getByLabel('Format', { exact: true }).selectOption({ label: 'All formats' })
  await expect(inTree(page, 'brev.txt')).toBeVisible()
  await page.goBack()
  await expect(found).toBeVisible()
  await page.goBack()
  // What was made once is there at once.
  await expect(thumbnail).toBeVisible()
  await archive.stop()
})

test(
  'a hit of a search opens the file at its word, and says that it is what was preserved',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { archive } = await atArchive(desk, 'found')
    const { page } = desk
    await page.keyboard.press('3')
    await page.getByRole('searchbox').fill('gården')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'brev.txt' }).first().click()
    await expect(page.frameLocator('iframe:not([inert])').locator('pre')).toContainText('mot gården')
    expect(new URL(page.url()).hash).toContain(`looked=${encodeURIComponent('gården')}`)
    const digest = createHash('sha256').update(letter.replace('röd', 'grå')).digest('hex')
    const said = facts(desk).getByRole('heading', { name: 'This is what was preserved' })
    await expect(said).toBeVisible()
    expect([digest, createHash('sha256').update(letter).digest('hex')]).toContain(
      present(await facts(desk).locator('.mono').first().textContent()).replaceAll(' ', ''),
    )
    await archive.stop()
  },
)

test(
  'a drawing that eats memory is ended, and the page says so and goes on',
  { tag: aloneWith.essarch },
  async ({ desk }) => {
    const archive = await readAtArchive(desk, 'memory')
    const { page } = desk
    await inTree(page, 'brev.txt').click()
    await expect(page.frameLocator('iframe:not([inert])').locator('pre')).toBeVisible()
    const drawn = await page.locator('iframe:not([inert])').elementHandle()
    const frame = present(await drawn?.contentFrame())
    // More and more, for as long as it lives.
    const eating = frame.evaluate(async () => {
      const eaten: Uint8Array[] = []
      for (let most = 0; most < 40; most += 1) {
        eaten.push(new Uint8Array(64 * 1024 * 1024).fill(1))
        await new Promise((done) => requestAnimationFrame(done))
        await new Promise((done) => setTimeout(done, 200))
      }
      return eaten.length
    })
    const wasEnded = expect(eating).rejects.toThrow()
    await expect(page.getByText('It is too large to be drawn here')).toBeVisible()
    await wasEnded
    await inTree(page, 'inventory.pdf').click()
    await expect(page.frameLocator('iframe:not([inert])').locator('canvas').first()).toBeVisible()
    await archive.stop()
  },
)

test(
  'the last of many frames that came and went is loaded',
  { tag: aloneWith.specification },
  async ({ desk: { page } }) => {
    // As where files are turned quickly: some go while others begin, at many distances in time.
    const loadLast = (round: number) =>
      page.evaluate(async (delay) => {
        const address = new URL('viewer.html', location.href.replace('://desk', '://viewer')).href
        const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))
        let frame = document.createElement('iframe')
        for (let turned = 0; turned < 8; turned += 1) {
          const left = frame
          setTimeout(() => left.remove(), (delay * 7 + turned * 3) % 40)
          frame = document.createElement('iframe')
          frame.setAttribute('sandbox', 'allow-scripts')
          frame.src = address
          document.body.append(frame)
          if (turned < 7) await wait(20 + ((turned * 13 + delay) % 30))
        }
        await new Promise<void>((done) =>
          addEventListener('message', ({ source }) => {
            if (source === frame.contentWindow) done()
          }),
        )
        frame.remove()
      }, round)
    for (let round = 0; round < 12; round += 1) await loadLast(round)
  },
)
