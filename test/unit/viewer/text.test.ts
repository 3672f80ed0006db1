import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn, type Source } from '../../viewer/frames.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const chosenEncoding = (drawn: Drawn) =>
  drawn.standing.choices?.find(({ name }) => name === 'encoding')?.chosen

/** "Hamnkontoret i Åhus, mötet den 3 är över" in the encodings of five decades. */
const letters: [encoding: string, bytes: Buffer][] = [
  ['UTF-8', Buffer.from('Hamnkontoret i Åhus, mötet den 3 är över')],
  ['windows-1252', Buffer.from('Hamnkontoret i Åhus, mötet den 3 är över', 'latin1')],
  ['UTF-16LE', Buffer.from('\ufeffHamnkontoret i Åhus, mötet den 3 är över', 'utf16le')],
  ['macintosh', Buffer.from('Hamnkontoret i \x81hus, m\x9atet den 3 \x8ar \x9aver', 'latin1')],
  ['IBM850', Buffer.from('Hamnkontoret i \x8fhus, m\x94tet den 3 \x84r \x94ver', 'latin1')],
]

test.each(letters)('a text in %s is read as it was written', async (encoding, bytes) => {
  const drawn = await frames.show(inMemory('brev.txt', bytes))
  expect([drawn.kind, drawn.trouble, drawn.requests, chosenEncoding(drawn)]).toEqual([
    'text',
    undefined,
    [],
    encoding,
  ])
  expect(await drawn.text()).toBe('Hamnkontoret i Åhus, mötet den 3 är över')
  await drawn.close()
})

test('a page in HTML that names no encoding is read as it was written', async () => {
  const drawn = await frames.show(inMemory('gammal.html', Buffer.from('<h1>Hamnen på Ön</h1>', 'latin1')))
  expect([drawn.kind, await drawn.text()]).toEqual(['webPage', 'Hamnen på Ön'])
  await drawn.close()
})

test.each(['tom.txt', 'tom.pdf', 'tom.csv', 'tom.svg', 'tom.md', 'tom.html'])(
  'of %s without a byte it is said that it is empty',
  async (name) => {
    const drawn = await frames.show(inMemory(name, ''))
    expect([drawn.kind, drawn.trouble, drawn.notes]).toEqual([
      'text',
      undefined,
      ['The file is empty: it has no bytes.'],
    ])
    await drawn.close()
  },
)

test('the encoding of a text can be changed', async () => {
  const drawn = await frames.show(inMemory('brev.txt', 'Hamnkontoret i ]hus'))
  await drawn.ask({ ask: 'act', act: 'choose', name: 'encoding', value: 'SEN 85 02 00' })
  await drawn.frame.getByText('Hamnkontoret i Åhus').waitFor()
  expect(chosenEncoding(drawn)).toBe('SEN 85 02 00')
  await drawn.close()
})

test('words are found in a text, over the edges of lines too', async () => {
  const drawn = await frames.show(inMemory('brev.txt', 'Hamn och\nhamn, och HAMN OCH hav'))
  await drawn.ask({ ask: 'act', act: 'find', text: 'hamn och', isBackwards: false })
  await drawn.until(({ standing }) => standing.found?.number === 1 && standing.found.of === 2)
  await drawn.ask({ ask: 'act', act: 'find', text: 'hamn och', isBackwards: true })
  await drawn.until(({ standing }) => standing.found?.number === 2)
  await drawn.close()
})

const lineBytes = 64
/** A log of lines of 64 bytes, which are made when they are read. */
const log = (count: number): Source => ({
  name: 'server.log',
  bytes: count * lineBytes,
  read: ({ first, last }) => {
    const [from, to] = [Math.floor(first / lineBytes), Math.floor(last / lineBytes)]
    const lines = Array.from({ length: to - from + 1 }, (_, index) => {
      const line = from + index + 1
      return `${line === 30_000 ? 'ALARM' : 'entry'} ${line} of the log`.padEnd(lineBytes - 1)
    })
    const start = from * lineBytes
    return Promise.resolve(Buffer.from(`${lines.join('\n')}\n`).subarray(first - start, last + 1 - start))
  },
})

test('of a log of two gigabytes the beginning, the end and any share are seen at once', async () => {
  const drawn = await frames.show(log(32 * 1024 * 1024))
  await drawn.frame.getByText('entry 1 of the log').waitFor()
  // It is turned as pages are, of which the first is one.
  expect(drawn.standing.page).toEqual({ number: 1, of: 100 })
  await drawn.frame.getByRole('document', { name: 'server.log' }).focus()
  const { keyboard, mouse } = drawn.frame.page()
  await keyboard.press('End')
  await drawn.frame.getByText(`entry ${32 * 1024 * 1024} of the log`).waitFor()
  await keyboard.press('ArrowUp')
  await drawn.frame.getByText(`entry ${32 * 1024 * 1024} of the log`).waitFor({ state: 'detached' })
  await drawn.ask({ ask: 'act', act: 'page', number: 51 })
  await drawn.frame.getByText(`entry ${16 * 1024 * 1024 + 1} of the log`).waitFor()
  await drawn.until(({ standing }) => standing.page?.number === 51)
  await mouse.move(300, 300)
  await mouse.wheel(0, -200)
  await drawn.frame.getByText(`entry ${16 * 1024 * 1024 - 9} of the log`).waitFor()
  expect(drawn.read).toBeLessThan(8 * 1024 * 1024)
  await drawn.close()
})

test('a word far down in a long text is found and gone to', async () => {
  const drawn = await frames.show(log(60_000))
  await drawn.ask({ ask: 'act', act: 'find', text: 'alarm', isBackwards: false })
  await drawn.frame.getByText('ALARM 30000 of the log').waitFor()
  await drawn.until(({ standing }) => standing.found?.number === 1 && standing.found.of === 1)
  await drawn.close()
})

test.each([
  ['CR, as on old Macintoshes', '\r'],
  ['CR LF', '\r\n'],
  ['LF', '\n'],
])('lines that end in %s stand below one another, and are copied so', async (_name, end) => {
  const drawn = await frames.show(inMemory('brev.txt', ['Hamn', 'kaj', '', 'hav', ''].join(end)))
  expect(await drawn.frame.locator('pre').evaluate((pre) => pre.textContent)).toBe('Hamn\nkaj\n\nhav\n')
  expect(await drawn.text()).toBe('Hamn\nkaj\n\nhav\n')
  await drawn.close()
})

const repeated = (end: string, encoding: BufferEncoding) =>
  Buffer.from(
    // In UTF-16 a byte order mark says that it is text.
    (encoding === 'utf16le' ? '\ufeff' : '') +
      Array.from({ length: 60_000 }, (_, index) => `${index === 30_000 ? 'ALARM' : 'entry'} number ${index}`)
        .map((line) => `${line.padEnd(63)}${end}`)
        .join(''),
    encoding,
  )

test.each<[string, string, BufferEncoding]>([
  ['CR', '\r', 'latin1'],
  ['CR LF', '\r\n', 'latin1'],
  ['CR in UTF-16', '\r', 'utf16le'],
])('of a long text whose lines end in %s each line is one, to its end', async (_name, end, encoding) => {
  const drawn = await frames.show(inMemory('mac.txt', repeated(end, encoding)))
  const pre = drawn.frame.locator('pre')
  const lines = async () =>
    (await pre.evaluate((shown) => shown.textContent)).split('\n').map((line) => line.trim())
  await drawn.frame.getByText('entry number 0').first().waitFor()
  expect((await lines()).slice(0, 3)).toEqual(['entry number 0', 'entry number 1', 'entry number 2'])
  await drawn.frame.getByRole('document', { name: 'mac.txt' }).focus()
  const { keyboard } = drawn.frame.page()
  await keyboard.press('ArrowDown')
  await expect.poll(async () => (await lines())[0]).toBe('entry number 1')
  await keyboard.press('ArrowUp')
  await expect.poll(async () => (await lines())[0]).toBe('entry number 0')
  await drawn.ask({ ask: 'act', act: 'find', text: 'alarm number', isBackwards: false })
  await expect.poll(async () => (await lines())[0]).toBe('ALARM number 30000')
  await keyboard.press('End')
  await expect.poll(async () => (await lines()).filter(Boolean).at(-1)).toBe('entry number 59999')
  await drawn.close()
})
