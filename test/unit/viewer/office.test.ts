import { readFile } from 'node:fs/promises'
import path from 'node:path'
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
