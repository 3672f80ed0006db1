import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn } from '../../viewer/frames.ts'
import { hugePdf, makePdf } from '../../viewer/make-pdf.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const pageOf = (drawn: Drawn, number: number) => drawn.frame.locator(`[data-page="${number}"]`)
const threePages = () => makePdf(['Protokoll nummer ett', 'Beslut om hamnen', 'Hamnen och hamnkontoret'])

test('a PDF is drawn page by page with its text, its facts, and nothing asked for', async () => {
  const drawn = await frames.show(inMemory('protokoll.pdf', threePages()))
  expect([drawn.kind, drawn.trouble]).toEqual(['pdf', undefined])
  await pageOf(drawn, 1).getByText('Protokoll nummer ett').waitFor()
  expect(drawn.facts).toEqual([
    { name: 'title', value: 'Protokoll 1951' },
    { name: 'author', value: 'Astrid Åkesson' },
    { name: 'producer', value: 'Skrivaren 3' },
    { name: 'version', value: 'PDF 1.7' },
    { name: 'conformance', value: 'PDF/A-3b' },
    { name: 'pages', value: '3' },
    { name: 'pageSize', value: 'A4, 210 × 297 mm' },
  ])
  expect(await drawn.text()).toContain('Beslut om hamnen')
  expect(drawn.tools).toEqual(['zoom', 'rotate', 'pages', 'find', 'text', 'picture'])
  expect(drawn.requests).toEqual([])
  await drawn.close()
})

test('links lead within a PDF, and never out of it', async () => {
  const drawn = await frames.show(inMemory('protokoll.pdf', threePages()))
  const elsewhere = pageOf(drawn, 1).locator('span.pdf-link')
  await elsewhere.waitFor()
  expect(await elsewhere.getAttribute('title')).toBe('https://evil.example/')
  await elsewhere.click()
  await drawn.frame.getByRole('button', { name: 'Go to the place in this document' }).click()
  await drawn.until(({ standing }) => standing.page?.number === 2)
  expect(drawn.requests).toEqual([])
  await drawn.close()
})

test('words are found across the pages of a PDF', async () => {
  const drawn = await frames.show(inMemory('protokoll.pdf', threePages()))
  const find = (text: string) => drawn.ask({ ask: 'act', act: 'find', text, isBackwards: false })
  await find('HAMN')
  await drawn.until(({ standing }) => standing.found?.number === 1 && standing.found.of === 3)
  await drawn.until(({ standing }) => standing.page?.number === 2)
  await find('HAMN')
  await find('HAMN')
  await drawn.until(({ standing }) => standing.found?.number === 3)
  const shown = await drawn.frame.evaluate(() =>
    [...(CSS.highlights.get('shown') ?? [])].map((range) => (range instanceof Range ? range.toString() : '')),
  )
  expect(shown).toEqual(['hamn'])
  await find('flygplats')
  await drawn.until(({ standing }) => standing.found?.of === 0)
  await drawn.close()
})

test('a file attached to a PDF opens', async () => {
  const drawn = await frames.show(inMemory('protokoll.pdf', threePages()))
  await drawn.frame.getByRole('button', { name: 'bilaga.txt' }).click()
  await drawn.until(({ kind, inside }) => kind === 'text' && inside[0] === 'bilaga.txt')
  await drawn.frame.getByText('Det som bifogades').waitFor()
  await drawn.close()
})

test('of a PDF of 5 000 pages and a gigabyte little is read, and any page is gone to', async () => {
  const drawn = await frames.show(hugePdf(5_000))
  await pageOf(drawn, 1).getByText('Sida nummer 1').waitFor()
  expect(drawn.read).toBeLessThan(8 * 1024 * 1024)
  await drawn.ask({ ask: 'act', act: 'page', number: 4_321 })
  await pageOf(drawn, 4_321).getByText('Sida nummer 4321').waitFor()
  await drawn.until(({ standing }) => standing.page?.number === 4_321)
  expect(await drawn.frame.locator('canvas').count()).toBeLessThan(8)
  expect(drawn.read).toBeLessThan(16 * 1024 * 1024)
  await drawn.close()
})

test('a PDF that is cut, or none, is said to be broken', async () => {
  for (const bytes of ['%PDF-1.7\nnothing of one', threePages().subarray(0, 400)]) {
    const drawn = await frames.show(inMemory('trasig.pdf', bytes))
    expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['pdf', 'broken', []])
    await drawn.close()
  }
})
