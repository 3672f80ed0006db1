import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn } from '../../viewer/frames.ts'
import { makePdf } from '../../viewer/make-pdf.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const firstRow = (drawn: Drawn) => drawn.frame.getByRole('row').first().textContent()
const topOf = (drawn: Drawn) =>
  drawn.frame.evaluate(() => document.querySelector('[data-scrolls]')?.scrollTop)

/** Scrolls as a person does, until that is told. */
const scrollDown = async (drawn: Drawn) => {
  const { mouse } = drawn.frame.page()
  await mouse.move(300, 300)
  await mouse.wheel(0, 900)
  await drawn.until(({ standing }) => (standing.view?.y ?? 0) > 0)
}

test('a text is drawn, and nothing is asked for but its bytes', async () => {
  const drawn = await frames.show(inMemory('brev.txt', 'Hamnkontoret, å ä ö'))
  expect([drawn.kind, drawn.trouble, drawn.requests]).toEqual(['text', undefined, []])
  expect(await drawn.text()).toBe('Hamnkontoret, å ä ö')
  await drawn.close()
})

test('what nobody knows is shown byte by byte', async () => {
  const drawn = await frames.show(inMemory('x.bin', Buffer.from([0, 1, 2, 255, 65])))
  expect(drawn.kind).toBe('other')
  expect(await drawn.text()).toContain('00 01 02 ff 41')
  await drawn.close()
})

test('of a text that the archive does not give any more there is none, and the drawing stays', async () => {
  const { name, bytes, read } = inMemory('rader.txt', 'Hamnkontoret\n'.repeat(400_000))
  let isGiven = true
  const drawn = await frames.show({
    name,
    bytes,
    read: (range) => (isGiven ? read(range) : Promise.reject(new Error('503'))),
  })
  isGiven = false
  await expect(drawn.text()).rejects.toThrow('The frame gives no text.')
  expect(drawn.trouble).toBeUndefined()
  await drawn.close()
})

test('a file is shown once its words can be seen, and not before its typefaces are there', async () => {
  const given: string[] = []
  const drawn = await frames.show(inMemory('läs mig.md', '# Hamnkontoret'), {
    beforeTypeface: async (page) => {
      await page.frameLocator('iframe').getByRole('heading', { name: 'Hamnkontoret' }).waitFor()
      given.push('a typeface')
    },
  })
  expect(given).toEqual(['a typeface', 'a typeface'])
  await drawn.close()
})

test.each([
  ['a text', 'rader.txt', () => 'Rad\n'.repeat(2_000)],
  ['a document', 'protokoll.pdf', () => makePdf(['Ett', 'Två', 'Tre', 'Fyra'])],
  ['a table', 'rader.csv', () => 'a;b\n1;2\n'.repeat(2_000)],
])(
  '%s is scrolled as far as one beside it, and tells how far a person scrolled',
  async (_what, name, file) => {
    const drawn = await frames.show(inMemory(name, file()))
    await scrollDown(drawn)
    await drawn.ask({ ask: 'act', act: 'view', view: { x: 0, y: 1, zoom: 1 } })
    const left = () =>
      drawn.frame.evaluate(() => {
        const scroller = document.querySelector('[data-scrolls]') ?? document.documentElement
        return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
      })
    await expect.poll(left).toBeLessThan(2)
    await drawn.close()
  },
)

test('a drawing whose page speaks another language is drawn in it, at the place where it stood', async () => {
  const drawn = await frames.show(inMemory('rader.csv', 'a;b\n1;2\n'.repeat(2_000)))
  expect(await firstRow(drawn)).toContain('Row')
  await drawn.ask({ ask: 'act', act: 'choose', name: 'encoding', value: 'ISO-8859-1' })
  await drawn.until(({ standing }) => standing.choices?.[0]?.chosen === 'ISO-8859-1')
  await scrollDown(drawn)
  const before = await topOf(drawn)
  await drawn.ask({ ask: 'language', language: 'sv' })
  await expect.poll(() => firstRow(drawn)).toContain('Rad')
  await expect.poll(() => topOf(drawn)).toBe(before)
  await drawn.close()
})

test.each([
  ['before it is drawn', () => Promise.resolve()],
  ['one after the other', (drawn: Drawn) => expect.poll(() => firstRow(drawn)).toContain('Rad')],
])('a drawing stays at its place when the language changes twice, %s', async (_when, between) => {
  const drawn = await frames.show(inMemory('rader.csv', 'a;b\n1;2\n'.repeat(2_000)))
  await scrollDown(drawn)
  const before = await topOf(drawn)
  await drawn.ask({ ask: 'language', language: 'sv' })
  await between(drawn)
  await drawn.ask({ ask: 'language', language: 'en' })
  await expect.poll(() => firstRow(drawn)).toContain('Row')
  await expect.poll(() => topOf(drawn)).toBe(before)
  await drawn.close()
})

test('what was looked for is found, though the language changes before anything is drawn', async () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `Rad ${index}, kajen`)
  const drawn = await frames.show(inMemory('kort.txt', lines.join('\n')), {
    looked: 'rad 900',
    beforeTypeface: (page) =>
      page.evaluate(() =>
        document
          .querySelector('iframe')
          ?.contentWindow?.postMessage({ ask: 'language', language: 'sv' }, '*'),
      ),
  })
  const found = () => drawn.frame.evaluate(() => [...(CSS.highlights.get('shown') ?? [])].length)
  await expect.poll(found).toBe(1)
  await drawn.close()
})

test('a document in a file stays open, at its page, when the page speaks another language', async () => {
  const pdf = makePdf(['Ett', 'Två', 'Tre', 'Fyra'])
  const zip = zipSync({ 'protokoll.pdf': [pdf, { level: 0 }] })
  const drawn = await frames.show(inMemory('paket.zip', zip))
  await drawn.frame.getByText('protokoll.pdf').click()
  await drawn.until(({ kind, tools }) => kind === 'pdf' && tools.includes('pages'))
  await drawn.ask({ ask: 'act', act: 'page', number: 3 })
  await drawn.until(({ standing }) => standing.page?.number === 3)
  await drawn.ask({ ask: 'language', language: 'sv' })
  await drawn.until(({ standing }) => standing.page === undefined || standing.page.number === 1)
  await drawn.until(({ standing }) => standing.page?.number === 3)
  expect(drawn.inside).toEqual(['protokoll.pdf'])
  await drawn.close()
})

test('what a file says of itself at length is cut, and nothing else of it is missing', async () => {
  const title = 'Kaj '.repeat(1_000)
  const drawn = await frames.show(
    inMemory('brev.rtf', `{\\rtf1{\\info{\\title ${title}}{\\author Astrid}}Hamnkontoret}`),
  )
  expect(drawn.facts).toEqual([
    { name: 'title', value: `${title.slice(0, 1_999)}…` },
    { name: 'author', value: 'Astrid' },
  ])
  await drawn.close()
})
