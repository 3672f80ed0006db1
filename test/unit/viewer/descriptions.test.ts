import { afterAll, beforeAll, expect, test } from 'vitest'
import { inMemory, buildFrames, type Drawn, type Source } from '../../viewer/frames.ts'
import { dublinCore, eac, ead, json, mets, mods, premis, xml } from '../../viewer/specimens.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const factsOf = ({ facts }: Drawn) => Object.fromEntries(facts.map(({ name, value }) => [name, value]))
const detail = (drawn: Drawn) => drawn.frame.getByRole('region', { name: /Details|Uppgifter/ }).innerText()

test.each([
  ['mets.xml', mets, 'mets', ['content/plan 1.tif  41 MB  image/tiff', 'Ritningar', 'kv. Oxen 4']],
  ['premis.xml', premis, 'premis', ['plan 1.tif', 'ingestion  success', 'Lectern']],
  [
    'ead.xml',
    ead,
    'ead',
    ['Byggnadsnämnden i Göteborg  SE/1480/BN  Fonds  1874–1970', '    Protokoll 1875  A1:2'],
  ],
  [
    'register.xml',
    xml,
    'xml',
    ['register  år="1951"', 'titel  Bygglov & rivning', '      b  text', 'följer'],
  ],
  ['diarium.json', json, 'json', ['ärende  Rivning "huset"', 'öppen  false', 'sidor  null']],
  ['dc.xml', dublinCore, 'record', ['Källarplan, kv. Oxen 4', 'Creator', 'Stadsarkitektkontoret']],
  ['mods.xml', mods, 'record', ['Hamnen i bilder', 'Åkesson, Astrid', 'Issued']],
  ['eac.xml', eac, 'record', ['Hamnkontoret', 'From', '1873', 'Hamnkontoret förvaltade hamnen.']],
])('%s is a page to read', async (name, content, kind, lines) => {
  const drawn = await frames.show(inMemory(name, content))
  expect([drawn.kind, drawn.trouble, drawn.notes, drawn.requests]).toEqual([kind, undefined, [], []])
  const text = await drawn.text()
  for (const line of lines) expect(text).toContain(line)
  await drawn.close()
})

test('a unit of a finding aid is described in the words of the reader', async () => {
  const drawn = await frames.show(inMemory('ead.xml', ead), { language: 'sv' })
  expect(factsOf(drawn)).toEqual({ units: '5' })
  const text = await detail(drawn)
  for (const line of [
    'Referenskod',
    'SE/1480/BN',
    'Omfång',
    '412 hyllmeter',
    'Arkivbildare',
    'Byggnadsnämnden',
  ])
    expect(text).toContain(line)
  expect(text).toContain('Den prövade bygglov.')
  await drawn.frame.getByText('Ritningar', { exact: true }).click()
  await expect.poll(() => detail(drawn)).toContain('Tillgänglighet')
  await drawn.close()
})

test.each([
  ['mets.xml', mets, 'Aktör (skapare)'],
  ['premis.xml', premis, 'inläsning  lyckades'],
  ['mods.xml', mods, 'Roll\nskapare'],
  ['mods.xml', mods, 'Namn (person)'],
  ['eac.xml', eac, 'Typ av aktör\norganisation'],
  // What no list has says itself, whatever it is called.
  ['mods.xml', mods.replace('>creator<', '>constructor<'), 'Roll\nconstructor'],
  [
    'mods.xml',
    mods.replace(/<abstract>.*<\/abstract>/, '<constructor type="hamn">Kaj</constructor>'),
    'constructor (hamn)\nKaj',
  ],
])('of %s the codes of its standard are in the words of the reader', async (name, content, line) => {
  const drawn = await frames.show(inMemory(name, content), { language: 'sv' })
  const said = `${await drawn.text()}\n${await drawn.frame.locator('#stage').innerText()}`
  expect(said.replaceAll(/\s*\n\s*/g, '\n')).toContain(line)
  await drawn.close()
})

test('who wrote a METS is its program where it is one, and no organisation', async () => {
  const program =
    '<mets:agent ROLE="CREATOR" TYPE="OTHER" OTHERTYPE="SOFTWARE"><mets:name>Lectern</mets:name>'
  const written = mets.replace('</mets:metsHdr>', `${program}</mets:agent></mets:metsHdr>`)
  for (const [content, said] of [
    [mets, undefined],
    [written, 'Lectern'],
  ] as const) {
    const drawn = await frames.show(inMemory('mets.xml', content))
    expect(factsOf(drawn)['program']).toBe(said)
    await drawn.close()
  }
})

test('a file of a package is shown with its path and its digest', async () => {
  const drawn = await frames.show(inMemory('mets.xml', mets))
  await drawn.ask({ ask: 'act', act: 'find', text: 'plan 1', isBackwards: false })
  await expect.poll(() => detail(drawn)).toMatch(/content\/plan 1\.tif[^]*SHA-256\s+9c417be0/)
  await drawn.close()
})

test.each([
  ['cut.xml', xml.slice(0, 120), 'xml'],
  ['cut.json', json.slice(0, 60), 'json'],
  ['mets.xml', mets.slice(0, 900), 'mets'],
])('of %s that ends too early the beginning is shown, and that is said', async (name, content, kind) => {
  const drawn = await frames.show(inMemory(name, content))
  expect([drawn.kind, drawn.trouble]).toEqual([kind, undefined])
  expect(drawn.notes).toEqual(['The file is damaged or ends too early. What comes before that is shown.'])
  await drawn.close()
})

test('what is no JSON, or too deep, is not drawn', async () => {
  const broken = await frames.show(inMemory('x.json', '{]'))
  expect(broken.notes).toEqual(['The file is damaged or ends too early. What comes before that is shown.'])
  await broken.close()
  const deep = await frames.show(inMemory('x.json', '['.repeat(100_000)))
  expect([deep.kind, deep.trouble]).toEqual(['json', 'too complex'])
  await deep.close()
  const deepXml = await frames.show(inMemory('x.xml', `<?xml version="1.0"?>${'<a>'.repeat(100_000)}`))
  expect([deepXml.kind, deepXml.trouble]).toEqual(['xml', 'too complex'])
  await deepXml.close()
})

/** A document of 500 MB, each element of it a line of the same length. */
const huge = (): Source => {
  const head = '<?xml version="1.0"?>\n<rader>'
  const line = (number: number) => `<rad nr="${String(number).padStart(9, '0')}"><ord>hamn</ord></rad>\n`
  const each = line(0).length
  const count = Math.floor(500_000_000 / each)
  return {
    name: 'stor.xml',
    bytes: head.length + count * each,
    read: ({ first, last }) => {
      const start = Math.max(0, Math.floor((first - head.length) / each))
      let text = first < head.length ? head.slice(first) : ''
      const skipped = first < head.length ? 0 : (first - head.length) % each
      for (let at = start; text.length - skipped <= last - first && at < count; at += 1) text += line(at)
      return Promise.resolve(Buffer.from(text.slice(skipped, skipped + last - first + 1)))
    },
  }
}

test('of 500 MB the beginning is read, and more when it is asked for', async () => {
  const drawn = await frames.show(huge())
  expect([drawn.kind, drawn.trouble]).toEqual(['xml', undefined])
  expect(drawn.read).toBeLessThan(2_000_000)
  const before = (await drawn.text()).split('\n').length
  await drawn.frame.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(async () => (await drawn.text()).split('\n').length).toBeGreaterThan(before + 4_000)
  await drawn.close()
})

test('any file is shown byte by byte to its end, and gone through by what is in it', async () => {
  const tenGigabytes = 10_000_000_000
  const drawn = await frames.show({
    name: 'x.7z',
    bytes: tenGigabytes,
    read: ({ first, last }) => {
      const part = Buffer.alloc(last - first + 1)
      if (first === 0) part.write('7z\xbc\xaf\x27\x1c', 'latin1')
      if (first <= 700_000 && last >= 700_000) part.write('Hamnkontoret', 700_000 - first)
      return Promise.resolve(part)
    },
  })
  expect(factsOf(drawn)).toEqual({ format: '7-Zip', pronom: 'fmt/484', bytes: '10,000,000,000' })
  expect(drawn.read).toBeLessThan(1_000_000)
  await drawn.frame.getByText('00000000  37 7a bc af').waitFor()
  await drawn.ask({ ask: 'act', act: 'find', text: 'hamnkontoret'.replace('h', 'H'), isBackwards: false })
  await drawn.frame.locator('[data-chosen]', { hasText: '000aae60' }).waitFor()
  await drawn.frame.getByRole('region', { name: 'The file, byte by byte' }).press('End')
  await drawn.frame.getByText('2540be3f0').waitFor()
  await drawn.close()
})

test.each([
  ['mets.xml', mets, 'plan 1', 'content/plan 1.tif'],
  ['premis.xml', premis, 'plan 1.tif', 'plan 1.tif'],
  [
    'ead.xml',
    `<ead><archdesc level="fonds"><did><unittitle>Nämnden</unittitle></did><dsc><c01 level="file">
       <did><unittitle>Plan</unittitle><dao href="ritningar/plan%201.tif"/><dao href="https://x.example/y"/></did>
     </c01></dsc></archdesc></ead>`,
    'Plan',
    'ritningar/plan 1.tif',
  ],
])('%s leads to the files that it names, and to nothing on the web', async (name, content, words, path) => {
  const drawn = await frames.show(inMemory(name, content))
  await drawn.ask({ ask: 'act', act: 'find', text: words, isBackwards: false })
  const link = drawn.frame.getByRole('button', { name: 'Open plan 1.tif' })
  await link.click()
  await drawn.until(({ named }) => named.length > 0)
  expect(drawn.named).toEqual([path])
  await expect(drawn.frame.getByRole('button', { name: /^Open/ }).count()).resolves.toBe(1)
  expect(drawn.requests).toEqual([])
  await drawn.close()
})

test('what can be read in a file of no known kind stands below its bytes', async () => {
  const wide = Buffer.from('Hamnkontoret', 'utf16le')
  const parts = [
    Buffer.alloc(40, 1),
    Buffer.from('Åhléns varuhus'),
    Buffer.alloc(8),
    wide,
    Buffer.from([0, 1, 0x61]),
  ]
  const drawn = await frames.show(inMemory('okänd.dat', Buffer.concat(parts)))
  expect(drawn.kind).toBe('other')
  const strings = drawn.frame.getByRole('region', { name: 'What can be read in its beginning' })
  await expect(strings.getByRole('button').allInnerTexts()).resolves.toEqual([
    expect.stringMatching(/^00000028\s+Åhléns varuhus$/),
    expect.stringMatching(/^\w+\s+Hamnkontoret$/),
  ])
  await strings.getByRole('button').first().click()
  await drawn.frame.locator('.byte-line[data-chosen]').waitFor()
  await drawn.close()
  const nothing = await frames.show(inMemory('okänd.dat', Buffer.alloc(400, 1)))
  expect(await nothing.frame.getByText('What can be read').count()).toBe(0)
  await nothing.close()
})

test.each([
  ['skannad.tif', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251)), 'other'],
  ['brev.pdf', Buffer.from('Inte alls en PDF.'), 'text'],
])('%s with other content is said not to be what its name says', async (name, bytes, kind) => {
  const drawn = await frames.show(inMemory(name, bytes))
  expect(drawn.kind).toBe(kind)
  const ending = name.slice(name.lastIndexOf('.') + 1)
  expect(drawn.notes[0]).toBe(
    `Its content is not what its name says (.${ending}): the file is of another kind, or damaged.`,
  )
  await drawn.close()
})

test('the two ends of a time in EAD 3 stay apart, and the time of a METS is written for a reader', async () => {
  const did = `<did><unittitle>Protokoll</unittitle><unitdatestructured><daterange><fromdate>1875</fromdate>
<todate>1970</todate></daterange></unitdatestructured></did>`
  const found = await frames.show(
    inMemory('ead.xml', `<ead xmlns="http://ead3.archivists.org/schema/"><archdesc>${did}</archdesc></ead>`),
  )
  await found.frame.getByText('1875–1970', { exact: true }).waitFor()
  await found.close()
  const made = await frames.show(inMemory('mets.xml', mets))
  expect(made.facts.find(({ name }) => name === 'made')?.value).toMatch(/^12 May 2019, /)
  await made.close()
})
