import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { openDesk } from '../e2e/launch.ts'
import { pack } from '../packing.ts'
import { walkEssarch } from './essarch.ts'

// Writes every page, light and dark, to out/screenshots/.
const target = path.resolve(import.meta.dirname, '../../out/screenshots')
const source = mkdtempSync(path.join(os.tmpdir(), 'Oxen '))

const walk = async (theme: 'light' | 'dark', language: 'en' | 'sv') => {
  const desk = await openDesk()
  const { page } = desk
  const shot = async (name: string) => {
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(250)
    await page.screenshot({
      path: path.join(target, `${name}-${theme}${language === 'sv' ? '-sv' : ''}.png`),
    })
  }
  await desk.app.evaluate(({ nativeTheme }, wanted) => {
    nativeTheme.themeSource = wanted
  }, theme)
  await page.evaluate((chosen) => window.bridge.application.settings.change(chosen), { theme, language })
  await shot('sign-in')
  await page.getByLabel(/Address|Adress/).fill('http://127.0.0.1:9')
  await page.getByRole('button', { name: /Check the address|Pröva adressen/ }).click()
  await page.locator('.steps').waitFor()
  await shot('sign-in-checked')
  await page.locator('.carried button').nth(1).click()
  await page
    .getByRole('status')
    .filter({ hasText: /as of|hämtat/ })
    .waitFor()
  await page.waitForTimeout(1500)
  await packages(page, shot)
  await page.keyboard.press('3')
  await page.getByRole('searchbox').fill('volume')
  await page.keyboard.press('Enter')
  await page.locator('main mark').first().waitFor()
  await shot('search')
  await leaveField(page)
  await page.keyboard.press('6')
  await page.locator('.picture').waitFor()
  await shot('storage')
  await page.keyboard.press('Control+t')
  await shot('storage-list')
  await page.keyboard.press('Control+t')
  await page.locator('.storage').evaluate((overview) => overview.scrollTo(0, 620))
  await shot('storage-years')
  await page.getByRole('link', { name: 'LTO-0418', exact: true }).click()
  await page.getByRole('heading', { name: 'LTO-0418' }).waitFor()
  await shot('medium')
  await page.keyboard.press('7')
  await page.getByRole('treegrid').getByRole('row').nth(1).waitFor()
  await shot('description-tree')
  await page.evaluate(() => (location.hash = '#/description/agents'))
  await page.getByRole('row', { name: /Harbour Office/ }).click()
  await page.getByRole('heading', { name: /Harbour Office/ }).waitFor()
  await shot('description')
  await page.keyboard.press('Control+n')
  await page.locator('form').waitFor()
  await page.locator('form fieldset button').first().click()
  await shot('description-new')
  for (const [list, row] of [
    ['structures', /1952/],
    ['locations', /City archive/],
    ['submission-agreements', /Drawings/],
    ['orders', /Thursday/],
  ] as const) {
    await page.evaluate((hash) => (location.hash = hash), `#/description/${list}`)
    await page.getByRole('row', { name: row }).first().click()
    await page.locator('#record h1').waitFor()
    await page.waitForTimeout(800)
    await shot(`description-${list}`)
  }
  await transfers(page, shot, (paths) => desk.answerDialogs(paths))
  await bags(page, shot, (paths) => desk.answerDialogs(paths))
  await readingRoom(page, shot)
  await leaveField(page)
  await page.keyboard.press('1')
  await page.locator('.desk').waitFor()
  await shot('desk')
  await page.keyboard.press(',')
  await page.locator('.settings').waitFor()
  await shot('settings')
  await leaveField(page)
  await page.keyboard.press('F1')
  await page.locator('.help').waitFor()
  await shot('guide')
  await desk.close()
}

/** Letters and digits are keys again. */
const leaveField = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())

type Shot = (name: string) => Promise<void>

const packages = async (page: Page, shot: Shot) => {
  await page.keyboard.press('2')
  const oxen = page.getByRole('row', { name: /Oxen/ })
  await oxen.locator('button').click()
  await page.getByRole('row', { name: /Generation 3/ }).click()
  await page.getByRole('heading', { name: /Oxen/ }).waitFor()
  await shot('packages')
  await page.locator('#record').evaluate((record) => record.scrollTo(0, 520))
  await shot('packages-facts')
  await page.getByRole('searchbox').fill('tjoho')
  await shot('packages-none')
  await page.getByRole('searchbox').fill('')
  await page.getByRole('searchbox').blur()
}

const transfers = async (page: Page, shot: Shot, answer: (paths: string[]) => Promise<void>) => {
  await page.keyboard.press('4')
  await shot('transfers-none')
  await page.keyboard.press('Control+n')
  const field = (name: RegExp) => page.getByLabel(name)
  await field(/^(Name|Namn)$/).fill('Oxen, fourth delivery')
  await field(/^(Delivery|Leverans)$/).selectOption({ index: 1 })
  await field(/^(Submitting|Levererande) organi[sz]ation$/).fill('Stadsarkivet')
  await field(/^(Submitted by|Levererad av)$/).fill('Astrid Åkesson')
  await field(/^(E-mail|E-post)$/).fill('astrid@stadsarkivet')
  await field(/^(Description|Beskrivning)$/).fill(
    'Fourth and last delivery of the drawings for the block Oxen, 1938–1951. Scans at 600 dpi; file ' +
      'names kept from the office.',
  )
  await answer([source])
  await page.getByRole('button', { name: /Add a folder|Lägg till en mapp/ }).click()
  await page.getByText(/12 fil/).waitFor()
  await shot('transfers-draft')
  await field(/^(E-mail|E-post)$/).fill('astrid@stadsarkivet.example')
  await page.getByRole('button', { name: /^(Pack|Packa)$/ }).click()
  await page.getByRole('progressbar').waitFor()
  await shot('transfers-packing')
  await page.getByRole('button', { name: /^(Send|Skicka)$/ }).click({ timeout: 60_000 })
  await page.getByRole('button', { name: /Show the package|Visa paketet/ }).waitFor({ timeout: 90_000 })
  await page.locator('#record').evaluate((record) => record.scrollTo(0, 0))
  await shot('transfers-preserved')
  await page.locator('#record').evaluate((record) => record.scrollTo(0, 2_000))
  await shot('transfers-formats')
  await page.getByRole('button', { name: /^(Receipt|Kvitto)$/ }).click()
  await page.locator('.receipt').waitFor()
  await page.waitForTimeout(1_000)
  await shot('receipt')
}

/** Searching, ordering, what happened, what is at risk, and the palette over it. */
const readingRoom = async (page: Page, shot: Shot) => {
  await page.keyboard.press('3')
  await page.getByRole('searchbox').fill('oxen -generation "kv. Oxen"')
  await page.locator('main mark').first().waitFor()
  await shot('search-held')
  await leaveField(page)
  await page.keyboard.press('2')
  await page.getByRole('row', { name: /Water works/ }).click()
  await page.keyboard.press('+')
  await page.keyboard.press('5')
  await page.getByRole('row').nth(1).click()
  await page.getByLabel(/^(Paste identifiers|Klistra in)/).fill('SE/STA/1037\nSE/STA/1000\nno such thing')
  await page.getByRole('button', { name: /^(Check and add|Kontrollera och)/ }).click()
  await page.getByLabel(/^(Name|Namn)$/).fill('Thursday, table 4')
  await page.waitForTimeout(800)
  await shot('orders-draft')
  await page.getByRole('button', { name: /^(Place the order|Lägg beställningen)$/ }).click()
  await page.getByText(/this computer only|bara på den här datorn/).waitFor()
  await shot('orders')
  await page.getByRole('button', { name: /^(Print slips …|Skriv ut beställningssedlar …)$/ }).click()
  await page.locator('.paper svg').first().waitFor()
  await shot('orders-slips')
  await page.keyboard.press('Escape')
  await leaveField(page)
  await page.keyboard.press('8')
  await page.getByRole('row').nth(5).waitFor()
  await page.getByRole('button', { name: /^(Check the journal|Kontrollera)/ }).click()
  await shot('activity')
  await page.evaluate(() => (location.hash = '#/storage/risk:few%20copies'))
  await page.getByRole('row').nth(2).waitFor()
  await shot('storage-risk')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('oxen')
  await page.getByRole('option').nth(2).waitFor()
  await shot('palette')
  await page.keyboard.press('Escape')
}

/** A bag that is damaged, a table with mistakes, a draft with links, odd names and a profile. */
const bags = async (page: Page, shot: Shot, answer: (paths: string[]) => Promise<void>) => {
  await page.getByRole('button', { name: /More ways|Fler sätt/ }).click()
  await shot('start')
  await answer([path.join(odd, 'bag')])
  await page.getByRole('button', { name: /bag in a folder|bag i en mapp/ }).click()
  await page.getByText(/extra.txt/).waitFor()
  await shot('check')
  await page.keyboard.press('4')
  await page.getByRole('button', { name: /More ways|Fler sätt/ }).click()
  await answer([path.join(odd, 'lista.csv')])
  await page.getByRole('button', { name: /From a table|Från en tabell/ }).click()
  await page.getByRole('button', { name: /Dry run|Provkör/ }).click()
  await page.getByText(/2 (files|filer)/).waitFor()
  await shot('batch')
  await page.locator('#record').evaluate((record) => record.scrollTo(0, 2_000))
  await shot('batch-rows')
  await page.getByRole('button', { name: /New transfer|Ny överföring/ }).click()
  await answer([path.join(odd, 'källa')])
  await page.getByRole('button', { name: /Add a folder|Lägg till en mapp/ }).click()
  await answer([path.join(odd, 'profile.json')])
  await page.getByRole('button', { name: /Choose a profile|Välj en profil/ }).click()
  for (const folded of await page.locator('#record summary').all()) await folded.click()
  await page
    .getByText(/Record-Type/)
    .first()
    .waitFor()
  await page.locator('#record').evaluate((record) => record.scrollTo(0, 2_000))
  await shot('transfers-arranged')
}

const odd = mkdtempSync(path.join(os.tmpdir(), 'odd-'))
const makeOdd = async () => {
  const folder = path.join(odd, 'källa')
  mkdirSync(folder)
  for (const name of ['brev.txt', 'Brev.txt', 'CON.txt', '.dold'])
    writeFileSync(path.join(folder, name), name)
  await pack([folder], path.join(odd, 'bag'), { info: [['Source-Organization', 'Ölands arkiv']] })
  appendFileSync(path.join(odd, 'bag/data/källa/brev.txt'), 'x')
  writeFileSync(path.join(odd, 'bag/data/extra.txt'), 'x')
  symlinkSync('/etc/hostname', path.join(folder, 'länk'))
  for (const name of ['Album 1', 'Album 2']) {
    mkdirSync(path.join(odd, name))
    for (const page of ['1', '2']) writeFileSync(path.join(odd, name, `${page}.txt`), name)
  }
  writeFileSync(
    path.join(odd, 'lista.csv'),
    'Title;Folder;Contact;E-mail\nAlbum ett;Album 1;Ann;ann@example.org\nAlbum två;Album ' +
      '2;Bo;bo@\nSaknas;Album 9;;\n',
  )
  const asked = {
    'Contact-Phone': { required: true, description: '+46 …' },
    'Record-Type': { required: true, values: ['Photos', 'Letters'] },
  }
  const profile = {
    'BagIt-Profile-Info': {
      'BagIt-Profile-Identifier': 'https://example.org/p.json',
      'External-Description': 'Region archive deposits',
    },
    'Bag-Info': asked,
    Serialization: 'required',
  }
  writeFileSync(path.join(odd, 'profile.json'), JSON.stringify(profile))
}

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (let plan = 1; plan <= 12; plan += 1)
  writeFileSync(path.join(source, `plan ${plan}, 100%.tif`), Buffer.alloc(plan * 4_000_000, plan))
await makeOdd()
try {
  for (const [theme, language] of [
    ['light', 'en'],
    ['dark', 'en'],
    ['light', 'sv'],
  ] as const) {
    await walk(theme, language)
    await walkEssarch(target, theme, language)
  }
  console.log(`Screenshots are in ${target}`)
} finally {
  for (const folder of [source, odd]) rmSync(folder, { recursive: true, force: true })
}
