import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../../../renderer/viewer/kinds.ts'
import { present } from '../../support/present.ts'
import { planDxf } from '../../viewer/dxf.ts'
import { buildFrames, inMemory, type Drawn } from '../../viewer/frames.ts'
import { htmlLetter, mailbox } from '../../viewer/letters.ts'
import { makePdf } from '../../viewer/make-pdf.ts'
import { outlookMailbox } from '../../viewer/outlook.ts'
import { kept, made, sampled, type Specimen } from '../../viewer/specimens.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
let specimens: Specimen[]
beforeAll(async () => {
  frames = await buildFrames()
  specimens = [
    { name: 'protokoll.pdf', bytes: makePdf(['Protokoll nummer ett', 'Beslut om hamnen']) },
    { name: 'plan.dxf', bytes: planDxf() },
    { name: 'brev.eml', bytes: Buffer.from(htmlLetter) },
    { name: 'brev.mbox', bytes: Buffer.from(mailbox(20)) },
    { name: 'arkiv.pst', bytes: outlookMailbox() },
    ...(await made()),
    ...kept(),
    ...sampled(),
  ]
})
afterAll(() => frames.close())

/** A file of every kind. */
const files = [
  ['pdf', 'protokoll.pdf'],
  ['picture', 'squares.png'],
  ['tiff', 'pages.tif'],
  ['jpeg2000', 'tiles.jp2'],
  ['heic', 'squares.heic'],
  ['drawing', 'ritning.svg'],
  ['dxf', 'plan.dxf'],
  ['workbook', 'kostnader.xlsx'],
  ['docx', 'brev.docx'],
  ['odt', 'brev.odt'],
  ['rtf', 'brev.rtf'],
  ['markdown', 'läs mig.md'],
  ['delimited', 'räkenskaper 1938.csv'],
  ['mailbox', 'brev.mbox'],
  ['letter', 'brev.eml'],
  ['outlook', 'arkiv.pst'],
  ['siard', 'bygglov 1938–1951.siard'],
  ['sqlite', 'norra kajen 1947.gpkg'],
  ['sound', 'syn.wav'],
  ['film', 'film.webm'],
  ['zip', 'paket.zip'],
  ['webArchive', 'webb.warc'],
  ['gzip', 'brev.txt.gz'],
  ['tar', 'paket.tar'],
  ['webPage', 'sida.html'],
  ['mets', 'mets.xml'],
  ['premis', 'premis.xml'],
  ['ead', 'ead.xml'],
  ['record', 'mods.xml'],
  ['xml', 'register.xml'],
  ['json', 'diarium.json'],
  ['text', 'brev.txt'],
  ['other', 'okänd.bin'],
] as const

/** What rules of axe find wrong in a frame. */
const findingsIn = (drawn: Drawn): Promise<string[]> =>
  drawn.frame.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      // The heading of the page is above the frame.
      rules: { 'page-has-heading-one': { enabled: false } },
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  })

/** What is chosen and looks in forced colours like everything else. */
const unmarkedIn = (drawn: Drawn): Promise<string[]> =>
  drawn.frame.evaluate(() => {
    const probe = document.createElement('div')
    probe.style.cssText = 'forced-color-adjust: none; background: Highlight'
    document.body.append(probe)
    const highlight = getComputedStyle(probe).backgroundColor
    probe.remove()
    const chosen = document.querySelectorAll(
      '.outline-row[aria-selected="true"], .table .row[aria-selected="true"] .cell, ' +
        '.folders button[aria-current="true"]',
    )
    return [...chosen]
      .filter((one) => getComputedStyle(one).backgroundColor !== highlight)
      .map((one) => one.textContent)
  })

test.each(files)(
  '%s is read by everybody: in both themes, in forced colours and at 200 %',
  async (kind, name) => {
    const { bytes } = present(specimens.find((one) => one.name === name))
    const drawn = await frames.show(inMemory(name, bytes), { language: 'sv' })
    expect([drawn.kind, drawn.trouble]).toEqual([kind, undefined])
    await drawn.frame.evaluate(axe.source)
    const page = drawn.frame.page()
    expect(await findingsIn(drawn), 'light').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findingsIn(drawn), 'dark').toEqual([])
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    expect(await findingsIn(drawn), 'in forced colours').toEqual([])
    expect(await unmarkedIn(drawn), 'in forced colours').toEqual([])
    await page.emulateMedia({ forcedColors: 'none' })
    // A window of 900 × 700 that is zoomed to 200 % is as wide as this one (WCAG 1.4.4).
    await page.setViewportSize({ width: 450, height: 350 })
    expect(await findingsIn(drawn), 'at 200 %').toEqual([])
    const cut = await drawn.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(cut, 'cut off at 200 %').toBeLessThanOrEqual(0)
    await drawn.close()
  },
)

test('every kind is among them', () => {
  expect(files.map(([kind]) => kind as string)).toEqual(kinds.map(({ name }) => name))
})
