import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { eArkFiles, writeFolder } from '../packages/e-ark.ts'
import { pack } from '../packages/packing.ts'
import {
  checkAccess,
  expect,
  inTree,
  expandInTree,
  makeDraft,
  openPractice,
  readPackage,
  test,
  type Desk,
} from './fixtures.ts'
import { aloneWith } from './lanes.ts'
import { goTo } from './pages.ts'

const place = mkdtempSync(path.join(os.tmpdir(), 'lectern-bags-'))
test.afterAll(() => rmSync(place, { recursive: true, force: true }))
const at = (...names: string[]) => path.join(place, ...names)

const inPractice = async (desk: Desk) => {
  const { page } = desk
  await openPractice(desk)
  await page.getByRole('link', { name: 'Transfers' }).click()
  await expect(page.getByRole('heading', { name: 'Ways to begin' })).toBeVisible()
}
const profile = {
  'BagIt-Profile-Info': {
    'BagIt-Profile-Identifier': 'https://example.org/p.json',
    'External-Description': 'Deposits of the region',
  },
  'Bag-Info': { 'Record-Type': { required: true, values: ['Photos', 'Letters'] } },
  Serialization: 'required',
  'Accept-Serialization': ['application/x-tar'],
}

/** Drops real files on the window, as a person does with the mouse. */
const drop = async (page: Page, files: string[]) => {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data })
}

test('a draft says what will not be packed and what its profile asks, and becomes a tar', async ({
  desk,
}) => {
  const { page } = desk
  await inPractice(desk)
  const source = await makeDraft(desk, place, 'Med profil')
  symlinkSync('/etc/passwd', path.join(source, 'länk'))
  writeFileSync(path.join(source, 'CON.txt'), 'x')
  await desk.answerDialogs([source])
  await page.getByRole('button', { name: 'Add a folder' }).click()
  // So few are shown at once.
  await expect(page.getByText('1 file will not be packed')).toBeVisible()
  await expect(page.getByText('points to /etc/passwd')).toBeVisible()
  await expect(page.getByText('1 unusual name')).toBeVisible()
  await expect(page.getByText('Windows would not store this name')).toBeVisible()
  writeFileSync(at('p.json'), JSON.stringify(profile))
  await desk.answerDialogs([at('p.json')])
  await page.getByRole('button', { name: 'Choose a profile' }).click()
  await expect(page.getByText(/The profile asks for .* more/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Pack', exact: true })).toHaveAttribute(
    'title',
    /what its profile asks for/,
  )
  // What the profile allows is chosen from.
  await page.getByLabel('Record-Type', { exact: true }).selectOption('Letters')
  // Over the interface it goes as one file in any case.
  const form = page.getByLabel('Form', { exact: true })
  if (desk.dialect !== 'essarch') await form.selectOption({ label: 'One file (tar)' })
  await expect(page.getByText('The draft meets its profile.')).toBeVisible()
  await checkAccess(page)
  await page.getByRole('button', { name: 'Pack', exact: true }).click()
  await expect(page.getByText('SHA-256, 3 files, 1 folder, 3 MB: the same before and after')).toBeVisible()
  await expect(page.getByText('1 file not packed')).toBeVisible()
  await expect(page.getByText('Lectern’s own library')).toBeVisible()
  await checkAccess(page)
})

test(
  'what is dropped on the window is checked, and every error is shown and saved',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await inPractice(desk)
    mkdirSync(at('källa'))
    writeFileSync(at('källa/brev.txt'), 'Ett brev')
    await pack([at('källa')], at('bag'))
    await drop(page, [at('bag')])
    await expect(page.getByRole('heading', { name: 'bag', exact: true })).toBeVisible()
    await expect(page.getByText('every file is there')).toBeVisible()
    await page.getByRole('button', { name: 'Send on' }).click()
    await expect(page).toHaveURL(/#\/transfers\//)
    await expect(page.getByRole('heading', { name: 'bag', exact: true })).toBeVisible()
    await expect(
      page.getByText('BagIt, Folder, 1 file, 1 folder, 8 B: the same before and after'),
    ).toBeVisible()
    await expect(page.getByText('Add a folder or files')).toHaveCount(0)
    await checkAccess(page)
    appendFileSync(at('bag/data/källa/brev.txt'), 'x')
    await drop(page, [at('bag')])
    await expect(page.getByText('The content does not have the checksum that is listed')).toBeVisible()
    await expect(page.getByRole('row', { name: /bag Not valid/ })).toBeVisible()
    await desk.answerDialogs([at('fynd.csv')])
    await page.getByRole('button', { name: 'Save the findings' }).click()
    await expect
      .poll(() => existsSync(at('fynd.csv')) && readFileSync(at('fynd.csv'), 'utf8'))
      .toMatch(/error,mismatch,manifest-sha256.txt,1,/)
    await checkAccess(page)
    // Another format is known by its METS.
    writeFolder(at('package-1'), eArkFiles({ root: (mets) => mets.replace('TYPE="PHYSICAL"', '') }))
    await drop(page, [at('package-1')])
    await expect(page.getByText('E-ARK SIP 2.2.0, folder')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send on' })).toHaveCount(0)
    await expect(
      page.getByText('CSIP81 is not met. The rule: @TYPE of the structMap CSIP is PHYSICAL.'),
    ).toBeVisible()
    await expect(page.getByText('Submission agreement in METS')).toBeVisible()
    await checkAccess(page)
    // A package of ESSArch is checked as far as its METS says.
    const letter = createHash('sha256').update('Ett brev').digest('hex')
    writeFolder(at('arkivpaket'), {
      'mets.xml':
        '<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" ' +
        'OBJID="UUID:1" PROFILE="http://example.org/profile.xml"><mets:fileSec><mets:fileGrp>' +
        `<mets:file ID="a" SIZE="8" CHECKSUM="${letter}" CHECKSUMTYPE="SHA-256"><mets:FLocat LOCTYPE="URL" ` +
        'xlink:type="simple" xlink:href="file:///content/brev.txt"/></mets:file></mets:fileGrp>' +
        '</mets:fileSec><mets:structMap><mets:div/></mets:structMap></mets:mets>',
      'content/brev.txt': 'Ett brev',
    })
    await drop(page, [at('arkivpaket')])
    await expect(page.getByRole('heading', { name: 'arkivpaket', exact: true })).toBeVisible()
    await expect(page.getByText('http://example.org/profile.xml', { exact: true })).toBeVisible()
    await expect(page.getByRole('row', { name: /arkivpaket Complete and valid/ })).toBeVisible()
    // Why it is not sent on is said, and what to do with one that is not valid.
    await expect(page.getByText('Packages of this kind are checked only')).toBeVisible()
    appendFileSync(at('arkivpaket/content/brev.txt'), 'x')
    await drop(page, [at('arkivpaket')])
    await expect(page.getByRole('row', { name: /arkivpaket Not valid/ })).toBeVisible()
    await expect(page.getByText(/^To send it on, have it put right/)).toBeVisible()
    // A file is compared with the package that is open.
    await page.getByRole('link', { name: 'Packages' }).click()
    await page.getByRole('row', { name: /Oxen/ }).first().click()
    await expect(page.locator('#record h1')).toBeVisible()
    writeFileSync(at('fil.txt'), 'x')
    await drop(page, [at('fil.txt')])
    await expect(page.getByText(/^Compared with “/)).toBeVisible()
    await checkAccess(page)
  },
)

test(
  'a METS that lies, or calls elsewhere, is told of, and nothing is fetched or drawn',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    let asked = 0
    const elsewhere = createServer((_request, response) => {
      asked += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    await inPractice(desk)
    // Its label is markup, its schemas lie elsewhere, and one of its files is said to.
    const calling = (mets: string) =>
      mets
        .replace('LABEL="Protocols"', `LABEL="&lt;img src='${url}/label'&gt;"`)
        .replace(
          '<mets ',
          `<?xml-stylesheet href="${url}/style"?><mets xsi:schemaLocation="a ${url}/schema" `,
        )
        .replace('<mets ', '<mets xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ')
        .replace('xlink:href="documentation', `xlink:href="${url}/documentation`)
    writeFolder(at('calling'), eArkFiles({ identifier: 'calling', root: calling }))
    await drop(page, [at('calling')])
    await expect(page.getByText('Not valid', { exact: true }).first()).toBeVisible()
    await expect(page.getByText(`<img src='${url}/label'>`)).toBeVisible()
    await expect(page.getByText(`${url}/documentation`).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send on' })).toHaveCount(0)
    await checkAccess(page)
    const entity = (mets: string) =>
      mets.replace('<mets ', `<!DOCTYPE mets [<!ENTITY a SYSTEM "${url}/entity">]><mets `)
    writeFolder(at('entity'), eArkFiles({ identifier: 'entity', root: entity }))
    await drop(page, [at('entity')])
    await expect(page.getByText('document type declaration')).toBeVisible()
    expect(asked).toBe(0)
    elsewhere.close()
  },
)

test('a table becomes transfers, and a preserved one a receipt on paper', async ({ desk }) => {
  const { page } = desk
  await inPractice(desk)
  for (const name of ['ett', 'två']) {
    mkdirSync(at('arv', name), { recursive: true })
    writeFileSync(at('arv', name, 'brev.txt'), name)
  }
  const destination =
    desk.dialect === 'essarch'
      ? ['Agreement', 'Minutes and registers']
      : ['Delivery', 'Byggnadsnämnden 2026, drawings']
  writeFileSync(
    at('arv/lista.csv'),
    `Folder,Title,${destination[0]}\nett,Brev från Öland,"${destination[1]}"\nborta,Borta,\n`,
  )
  await desk.answerDialogs([at('arv/lista.csv')])
  await page.getByRole('button', { name: 'From a table' }).click()
  await expect(page.getByText('1 ready, 1 to be put right, 0 packed')).toBeVisible()
  await expect(page.getByText('the source is not there')).toBeVisible()
  await checkAccess(page)
  await page.getByRole('button', { name: 'Pack and send' }).click()
  await page.getByRole('link', { name: 'Brev från Öland' }).click()
  await expect(page.getByRole('button', { name: 'Show the package' })).toBeVisible({ timeout: 60_000 })
  const receipt = page.getByRole('button', { name: 'Receipt' })
  await receipt.press('Enter')
  await expect(page.getByText('The originals may be deleted.')).toBeVisible({ timeout: 30_000 })
  await checkAccess(page)
  await page.keyboard.press('Escape')
  await expect(receipt).toBeFocused()
  await receipt.press('Enter')
  // Until the receipt is there, the list beside it has the one button to print.
  await expect(page.getByText('The originals may be deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Print …' }).last().click()
  await expect(page.getByRole('radio', { name: 'Receipt' })).toBeChecked()
  await expect(page.locator('.paper')).toContainText('The originals may be deleted.')
  await checkAccess(page)
  await desk.answerDialogs([at('kvitto.pdf')])
  await page.getByRole('button', { name: 'Save as PDF' }).click()
  await expect
    .poll(() => existsSync(at('kvitto.pdf')) && readFileSync(at('kvitto.pdf')).subarray(0, 5).toString())
    .toBe('%PDF-')
})

test(
  'a draft becomes an E-ARK SIP, which the archive shows whole; one more is its next generation',
  { tag: aloneWith.specification },
  async ({ desk }) => {
    const { page } = desk
    await inPractice(desk)
    await makeDraft(desk, place, 'Som E-ARK')
    await page.getByLabel('Package format').selectOption('E-ARK SIP 2.2.0')
    await expect(page.getByRole('checkbox', { name: /Each folder/ })).toBeVisible()
    // Whoever submits is named in the header of METS; without that nothing is packed.
    await expect(page.getByRole('button', { name: 'Pack', exact: true })).toBeDisabled()
    await checkAccess(page)
    const send = async () => {
      await page.getByLabel('Identifier of the package').fill('SE-EARK-1')
      await page.getByLabel('Submitting organization').fill('Stadsarkivet')
      await page.getByLabel('Content category').selectOption('Datasets')
      await page.getByRole('button', { name: 'Pack', exact: true }).click()
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(page.getByText('The archive has preserved it.')).toBeVisible({ timeout: 90_000 })
      await page.getByRole('button', { name: 'Show the package' }).click()
    }
    await send()
    await readPackage(page)
    for (const name of [/^METS\.xml Package description/, /^representations/, /^metadata/])
      await expect(inTree(page, name).first()).toBeVisible()
    // Its METS names what the reader opened first.
    await expect(page.getByRole('heading', { name: 'This is what was preserved' })).toBeVisible()
    await checkAccess(page)
    await goTo(page, '#/transfers')
    await makeDraft(desk, place, 'Som E-ARK igen')
    await page.getByLabel('Package format').selectOption('E-ARK SIP 2.1.0')
    await send()
    await expect(page.getByText('Generation 2').first()).toBeVisible()
    await readPackage(page)
    await expandInTree(page, /^representations/)
    await expect(inTree(page, /^rep1 Representation/)).toBeVisible()
  },
)
