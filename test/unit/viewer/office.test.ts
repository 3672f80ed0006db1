import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn } from '../../viewer/frames.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const files = path.resolve(import.meta.dirname, '../../viewer/files')
const fileOf = async (name: string) => inMemory(name, await readFile(path.join(files, name)))
const cell = (drawn: Drawn, row: number, column: number) =>
  drawn.frame.locator(`[data-row="${row}"] [data-column="${column}"]`)

test.each(['odt', 'docx', 'rtf'])(
  'a letter in %s is drawn with its headings, table and picture',
  async (kind) => {
    const drawn = await frames.show(await fileOf(`brev.${kind}`))
    expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual([kind, undefined, []])
    expect(drawn.facts).toEqual([
      { name: 'title', value: 'Protokoll' },
      { name: 'author', value: 'Astrid Åkesson' },
    ])
    expect(drawn.notes).toHaveLength(1)
    const { frame } = drawn
    await frame.getByRole('cell', { name: '1 350 kr' }).waitFor()
    expect(await frame.locator('td, th').count()).toBe(6)
    expect(await frame.getByText('Närvarande').count()).toBe(1)
    expect(await frame.getByText('ersättare för Berg').count()).toBe(1)
    const picture = frame.locator('img')
    expect(await picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)).toBe(
      40,
    )
    // The letter has a link to elsewhere, which is said and not gone to.
    expect(await frame.locator('a[href]:not([href^="#"])').count()).toBe(0)
    await frame.getByText('bilaga 3').click()
    expect([drawn.requests, await drawn.text()]).toEqual([[], expect.stringContaining('14 november 1951')])
    await drawn.ask({ ask: 'act', act: 'find', text: 'den 14 NOVEMBER', isBackwards: false })
    await drawn.until(({ standing }) => standing.found?.number === 1 && standing.found.of === 1)
    await drawn.close()
  },
)

test.each(['odt', 'rtf'])('headings of %s are headings', async (kind) => {
  const drawn = await frames.show(await fileOf(`brev.${kind}`))
  await drawn.frame.getByRole('heading', { level: 1, name: 'Protokoll från hamnstyrelsen' }).waitFor()
  await drawn.frame.getByRole('heading', { level: 2, name: 'Närvarande' }).waitFor()
  await drawn.close()
})

// A cell of OpenDocument is kept with the text that it showed.
test.each([
  ['xlsx', '1250,5'],
  ['ods', '1250.5'],
])('a workbook in %s is drawn sheet by sheet, with dates and computed values', async (kind, number) => {
  const drawn = await frames.show(await fileOf(`kostnader.${kind}`), { language: 'sv' })
  expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['workbook', undefined, []])
  const choice = drawn.standing.choices?.[0]
  expect([choice?.name, choice?.values.map(({ label }) => label)]).toEqual([
    'sheet',
    ['Kostnader', 'Leverantörer'],
  ])
  await cell(drawn, 1, 1).filter({ hasText: '1951-11-14' }).waitFor()
  expect(await cell(drawn, 1, 2).textContent()).toBe(number)
  expect(await cell(drawn, 2, 2).textContent()).toBe('2501')
  await drawn.ask({ ask: 'act', act: 'find', text: 'summa', isBackwards: false })
  await drawn.frame.locator('.row[aria-selected="true"][data-row="2"]').waitFor()
  await drawn.ask({ ask: 'act', act: 'choose', name: 'sheet', value: '1' })
  await cell(drawn, 0, 0).filter({ hasText: 'Åkesson & Söner' }).waitFor()
  await drawn.close()
})

test('numbers of a workbook are days only where their format says so', async () => {
  const cells = (style: number, ...values: number[]) =>
    values.map((value) => `<c s="${style}"><v>${value}</v></c>`).join('')
  const spoken = '<rPh><t>uttal</t></rPh>'
  const rows = [
    // Built-in formats: General, a number with an exponent, a text, a day and a time.
    `${cells(0, 45414)}${cells(1, 45414)}${cells(2, 19510101)}${cells(3, 45414)}${cells(4, 0.5)}`,
    // Before and after the 29 February 1900 that spreadsheets count, and that never was; what took 30 hours.
    `${cells(3, 1, 59, 61)}${cells(5, 1.25)}`,
    // The second that is meant, a number with its zeros, and a day after the last one.
    `${cells(3, 45000.7083333)}${cells(6, 42)}${cells(3, 2958466)}`,
    `<c t="s"><v>0</v></c><c t="inlineStr"><is><t>ort</t>${spoken}</is></c>`,
  ]
  const formats = [0, 48, 49, 14, 21, 170, 171].map((id) => `<xf numFmtId="${id}"/>`)
  const workbook = zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<r><Relationship Id="r1" Target="worksheets/sheet1.xml"/></r>'),
    'xl/sharedStrings.xml': strToU8(`<sst><si><t>namn</t>${spoken}</si></sst>`),
    'xl/styles.xml': strToU8(
      `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]"/><numFmt numFmtId="171"
        formatCode="00000"/></numFmts><cellXfs>${formats.join('')}</cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet><sheetData>${rows.map((row) => `<row>${row}</row>`).join('')}</sheetData></worksheet>`,
    ),
  })
  const drawn = await frames.show(inMemory('tal.xlsx', Buffer.from(workbook)), { language: 'en' })
  const seen = (row: number) => drawn.frame.locator(`[data-row="${row}"] [data-column]`).allTextContents()
  await cell(drawn, 3, 0).waitFor()
  expect(
    [await seen(0), await seen(1), await seen(2), await seen(3)].map((row) =>
      row.filter((text) => text !== ''),
    ),
  ).toEqual([
    ['45414', '45414', '19510101', '2024-05-02', '12:00:00'],
    ['1900-01-01', '1900-02-28', '1900-03-01', '30:00:00'],
    ['2023-03-15 17:00:00', '00042', '2958466'],
    ['namn', 'ort'],
  ])
  await drawn.close()
})

const markdown = `# Läs mig

En **viktig** [länk](https://evil.example/x).

| A | B |
|---|---|
| 1 | 2 |

<script>fetch('https://evil.example/')</script>
<img src="https://evil.example/b.png">
`

test('Markdown is laid out, and HTML in it stays text', async () => {
  const drawn = await frames.show(inMemory('LÄS.md', markdown))
  expect([drawn.kind, drawn.trouble]).toEqual(['markdown', undefined])
  const { frame } = drawn
  await frame.getByRole('heading', { level: 1, name: 'Läs mig' }).waitFor()
  expect(await frame.getByRole('columnheader').allTextContents()).toEqual(['A', 'B'])
  expect(await frame.locator('article :is(script, img, a[href])').count()).toBe(0)
  await frame.getByText("<script>fetch('https://evil.example/')</script>").waitFor()
  expect(drawn.requests).toEqual([])
  await drawn.close()
})

test.each(['brev.odt', 'brev.docx', 'kostnader.xlsx', 'kostnader.ods'])(
  '%s that is cut is said to be broken',
  async (name) => {
    const bytes = await readFile(path.join(files, name))
    const drawn = await frames.show(inMemory(name, bytes.subarray(0, bytes.length / 2)))
    expect([drawn.trouble, drawn.requests]).toEqual(['broken', []])
    await drawn.close()
  },
)

test('Rich Text that opens groups without end is too complex', async () => {
  const drawn = await frames.show(inMemory('djup.rtf', `{\\rtf1 ${'{'.repeat(100_000)}`))
  expect([drawn.kind, drawn.trouble]).toEqual(['rtf', 'too complex'])
  await drawn.close()
})
