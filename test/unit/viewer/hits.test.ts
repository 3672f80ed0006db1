import { afterAll, beforeAll, expect, test } from 'vitest'
import { htmlLetter, mailbox } from '../../viewer/letters.ts'
import { inMemory, buildFrames } from '../../viewer/frames.ts'
import { makePdf } from '../../viewer/make-pdf.ts'
import { siardFile } from '../../viewer/siard.ts'
import { captured, dublinCore, ead, json, keptFile, mets, sampled, warc } from '../../viewer/specimens.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const lines = (count: number) => Array.from({ length: count }, (_, index) => `Rad ${index}, kajen`)
const pages = Array.from({ length: 40 }, (_, index) => `Sida ${index}`)
const ofSample = (name: string) => sampled().find((file) => file.name === name)?.bytes ?? Buffer.alloc(0)
const bigXml = `<?xml version="1.0"?><rader>${lines(3_000)
  .map((line) => `<rad>${line}</rad>`)
  .join('')}</rader>`

/** Files with words in them that are not seen where they begin. */
const files: [name: string, looked: string, bytes: () => Promise<Buffer> | Buffer | string][] = [
  ['kort.txt', 'rad 900', () => lines(1_000).join('\n')],
  ['lång.log', 'rad 299999', () => lines(300_000).join('\n')],
  ['läs mig.md', 'rad 900', () => lines(1_000).join('\n\n')],
  ['register.csv', 'rad 900', () => `Nummer;Text\n${lines(1_000).join(';a\n')};a\n`],
  ['register.tsv', 'rad 900', () => `Nummer\tText\n${lines(1_000).join('\ta\n')}\ta\n`],
  ['sida.html', 'rad 900', () => `<!doctype html><p>${lines(1_000).join('</p><p>')}</p>`],
  ['rader.xml', 'rad 2900', () => bigXml],
  ['rader.json', 'rad 2900', () => JSON.stringify(lines(3_000))],
  ['diarium.json', 'huset', () => json],
  ['mets.xml', 'stadsarkivet', () => mets],
  ['dc.xml', 'fri', () => dublinCore],
  ['ead.xml', 'ritningar', () => ead],
  ['protokoll.pdf', 'sida 31', () => makePdf(pages)],
  [
    'brev.eml',
    'rad 900',
    () => `From: a@b.example\r\nDate: Mon, 1 Jan 2001 10:00:00 +0000\r\n\r\n${lines(1_000).join('\r\n')}`,
  ],
  ['plan.eml', 'planen', () => htmlLetter.replace('<p onclick', `${'<p>Rad</p>'.repeat(200)}<p onclick`)],
  ['kontoret.mbox', 'Kajskjul 397', () => mailbox(400)],
  ['stämning.msg', 'quay', () => ofSample('2014-01-15, closing of the quay.msg')],
  ['brev.docx', 'ännu en mening', () => keptFile('brev.docx')],
  ['brev.odt', 'ännu en mening', () => keptFile('brev.odt')],
  ['brev.rtf', 'ännu en mening', () => keptFile('brev.rtf')],
  ['kostnader.xlsx', 'söner', () => keptFile('kostnader.xlsx')],
  ['kostnader.ods', 'söner', () => keptFile('kostnader.ods')],
  ['bygglov.siard', 'Valen 9', () => siardFile('2.1', 300, true)],
  ['bygglov.sqlite', '1938-112', () => ofSample('bygglov 1938–1951.sqlite')],
  ['webb.warc', 'om.html', () => warc(captured)],
]

/** What is marked as found and seen in the window: its text. */
const seenMarks = (words: string) => {
  const isSeen = ({ top, bottom, height }: DOMRect) => height > 0 && bottom > 0 && top < innerHeight
  const ranges = [...(CSS.highlights.get('shown') ?? [])].filter(
    (range) => range instanceof Range && isSeen(range.getBoundingClientRect()),
  )
  const elements = [...document.querySelectorAll('mark, [aria-selected="true"]')].filter((element) =>
    isSeen(element.getBoundingClientRect()),
  )
  return [...ranges.map(String), ...elements.map(({ textContent }) => textContent)].filter((text) =>
    text.toLowerCase().includes(words),
  ).length
}

test.each(files)('a hit of a search opens %s at “%s”', async (name, looked, bytes) => {
  const drawn = await frames.show(inMemory(name, await bytes()), { looked })
  expect(drawn.trouble).toBeUndefined()
  await drawn.until(({ standing }) => (standing.found?.number ?? 0) > 0)
  const seen = async () => {
    const all = await Promise.all(
      drawn.frame
        .page()
        .frames()
        .map((frame) => frame.evaluate(seenMarks, looked.toLowerCase())),
    )
    return all.reduce((sum, count) => sum + count, 0)
  }
  await expect.poll(seen).toBeGreaterThan(0)
  expect(drawn.requests).toEqual([])
  await drawn.close()
})
