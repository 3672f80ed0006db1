import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../../renderer/viewer/kinds.ts'
import { buildFrames } from '../../viewer/frames.ts'
import { outlookMailbox } from '../../viewer/outlook.ts'
import { kept, made, sampled, warc, zipOf, type Specimen } from '../../viewer/specimens.ts'
import { openTarget } from '../../viewer/target.ts'

/** So many mutants in all: a thousand each time, more by the environment (`RUNS=20000`). */
const runs = Number(process.env['RUNS'] ?? 1_000)
let frames: Awaited<ReturnType<typeof buildFrames>>
let specimens: Specimen[]
beforeAll(async () => {
  frames = await buildFrames()
  specimens = [
    ...(await made()),
    ...kept(),
    ...sampled(),
    { name: 'arkiv.pst', bytes: outlookMailbox() },
    ...attacks.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) })),
  ]
})
afterAll(() => frames.close())

const payloads = [
  '<script>window.ran=1</script>',
  '"><img src=x onerror="window.ran=1">',
  '<img src="https://evil.invalid/a.png">',
  '<svg onload="window.ran=1"><use href="https://evil.invalid/a.svg#a"/></svg>',
  '<a href="javascript:window.ran=1" autofocus onfocus="window.ran=1">x</a>',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '<form action="https://evil.invalid/"><input autofocus onfocus="window.ran=1"></form>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<style>@import "https://evil.invalid/a.css";*{background:url(https://evil.invalid/b.png)}</style>',
  '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  '</style></title></textarea><script>window.ran=1</script>',
  '../../../../etc/passwd',
  '\u0000\u0000\u0000\u0000',
]

/** One change to a file; `share` says where, from its beginning to its end. */
const change = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  way: fc.constantFrom('set', 'set', 'number', 'insert', 'cut', 'repeat', 'drop'),
  byte: fc.nat(255),
  number: fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff),
  payload: fc.constantFrom(...payloads),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const apply = (bytes: Buffer, { share, way, byte, number, payload }: Change): Buffer => {
  const at = Math.floor(share * bytes.length)
  const rest = bytes.subarray(at)
  if (way === 'cut') return bytes.subarray(0, Math.max(1, at))
  if (way === 'insert') return Buffer.concat([bytes.subarray(0, at), Buffer.from(payload), rest])
  if (way === 'repeat') return Buffer.concat([bytes, rest.subarray(0, 4_096)])
  if (way === 'drop') return Buffer.concat([bytes.subarray(0, at), rest.subarray(byte)])
  const changed = Buffer.from(bytes)
  if (way === 'set' && at < changed.length) changed[at] = byte
  if (way === 'number' && at + 4 <= changed.length) changed.writeUInt32LE(number, at)
  return changed
}

const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY lol${at + 1} "${`&lol${at || ''};`.repeat(10)}">`,
).join('')}]><lolz>&lol9;</lolz>`

const page = `<!doctype html><html><head><base href="https://evil.invalid/">${payloads.join('\n')}
<link rel="stylesheet" href="https://evil.invalid/a.css">
<link rel="preload" href="https://evil.invalid/p.js" as="script">
<style>@font-face{font-family:x;src:url(https://evil.invalid/x.woff2)}body{font-family:x;cursor:url(https://evil.invalid/c)}</style>
</head><body background="https://evil.invalid/b.png" onload="window.ran=1"
 style="background:url(https://evil.invalid/s)">
<object data="https://evil.invalid/o"></object><embed src="https://evil.invalid/e">
<video src="https://evil.invalid/v" autoplay>
</video><math><mtext><table><mglyph><style><img src=x onerror=window.ran=1></style></mglyph></table>
</mtext></math>
<details open ontoggle="window.ran=1"><summary>x</summary></details>
<marquee onstart="window.ran=1">x</marquee></body></html>`

const letter = `From: a@evil.invalid\r\nSubject: ${payloads[1]}\r\nDate: Tue, 12 May 2009 14:45:17
 +0200\r\nMIME-Version: 1.0\r
Content-Type: text/html; charset=utf-8\r\n\r\n${page}`

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="9" height="9"
onload="window.ran=1"><script>window.ran=1</script><foreignObject width="9" height="9">
<body xmlns="http://www.w3.org/1999/xhtml"
onload="window.ran=1"><iframe src="https://evil.invalid/"/></body></foreignObject>
<image href="https://evil.invalid/a.png"
width="9" height="9"/><use xlink:href="https://evil.invalid/a.svg#a"/></svg>`

const useBomb = `<svg xmlns="http://www.w3.org/2000/svg">${Array.from(
  { length: 12 },
  (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
).join('')}<path id="a0" d="M0 0h9"/></svg>`

const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1);window.ran=1)>>
/AA<</WC<</S/Launch/F(cmd.exe)>>>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O<</S/URI/URI(https://evil.invalid/)>>>>
/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/A<</S/URI/URI(javascript:window.ran=1)>>>>]>>endobj
trailer<</Root 1 0 R>>`

/** What is known to have hurt other programs, each by its name. */
const attacks: { title: string; name: string; bytes: string | Buffer }[] = [
  { title: 'a page with all that pages can do', name: 'sida.html', bytes: page },
  { title: 'a letter with all that pages can do', name: 'brev.eml', bytes: letter },
  { title: 'a drawing with scripts and HTML', name: 'ritning.svg', bytes: drawing },
  { title: 'a drawing that uses itself without end', name: 'bomb.svg', bytes: useBomb },
  { title: 'a PDF that runs and launches', name: 'blankett.pdf', bytes: pdf },
  { title: 'a billion laughs', name: 'skratt.xml', bytes: laughs },
  {
    title: 'an external entity',
    name: 'ut.xml',
    bytes: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "https://evil.invalid/x">
<!ENTITY % y SYSTEM "https://evil.invalid/y.dtd">%y;]><a>&x;</a>`,
  },
  {
    title: 'a description with markup for values',
    name: 'dc.xml',
    bytes: `<dc xmlns="http://purl.org/dc/elements/1.1/"><title>${payloads
      .map((payload) => payload.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
      .join('')}</title></dc>`,
  },
  {
    title: 'values that are markup',
    name: 'x.json',
    bytes: JSON.stringify({ [payloads[0] ?? '']: payloads }),
  },
  { title: 'a bomb in gzip', name: 'bomb.gz', bytes: gzipSync(Buffer.alloc(100_000_000), { level: 1 }) },
]

describe('by name', () => {
  test.each(attacks)('$title does nothing', async ({ name, bytes }) => {
    const { drawn, show } = await openTarget(frames, { name, bytes: Buffer.from(bytes) })
    expect(await show(Buffer.from(bytes))).toEqual([])
    await drawn.close()
  })

  test('entities are left as they are written, and that is said', async () => {
    const { drawn } = await openTarget(frames, { name: 'skratt.xml', bytes: Buffer.from(laughs) })
    expect(drawn.notes).toEqual([
      'The file defines abbreviations (entities). They are left as they are written.',
    ])
    expect(await drawn.text()).toBe('lolz  &lol9;')
    await drawn.close()
  })

  test('a bomb in gzip is unpacked so far, and that is said', async () => {
    const bytes = Buffer.from(attacks.find(({ name }) => name === 'bomb.gz')?.bytes ?? '')
    const { drawn } = await openTarget(frames, { name: 'bomb.gz', bytes })
    expect(drawn.notes).toEqual(['This unpacks to more than 64 MB. Only the first 64 MB are shown.'])
    await drawn.close()
  })

  test('a captured page does nothing', async () => {
    const bytes = warc([{ address: 'https://evil.invalid/', type: 'text/html', body: page }])
    const { drawn, show } = await openTarget(frames, { name: 'webb.warc', bytes })
    await drawn.frame.getByText('https://evil.invalid/').click()
    await drawn.frame.waitForSelector('iframe.page')
    expect(await drawn.frame.evaluate(() => document.querySelector('iframe')?.srcdoc)).not.toMatch(
      /<script|evil\.invalid\/[a-z]|onload|onerror/,
    )
    expect(await show(bytes)).toEqual([])
    await drawn.close()
  })

  test('names of files stay names', async () => {
    const files = Object.fromEntries(
      payloads.slice(0, 9).map((payload) => [payload.replaceAll('/', '∕'), 'x']),
    )
    const { drawn, show } = await openTarget(frames, { name: 'namn.zip', bytes: await zipOf(files) })
    expect(await show(await zipOf(files))).toEqual([])
    await drawn.close()
  })
})

test(
  `nothing runs, asks or hangs in ${runs} mutants of files of every kind`,
  { timeout: 600_000 + runs * 500 },
  async () => {
    const drawnKinds = new Set<string>()
    const found: string[] = []
    const small = specimens.filter(({ bytes }) => bytes.length < 200_000)
    for (const specimen of small) {
      const { drawn, show } = await openTarget(frames, specimen)
      drawnKinds.add(drawn.kind)
      const checked = await fc.check(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
          const mutant = changes.reduce(apply, specimen.bytes)
          expect(await show(mutant), specimen.name).toEqual([])
        }),
        { numRuns: Math.ceil(runs / small.length), endOnFailure: true },
      )
      if (checked.failed) found.push((await fc.asyncDefaultReportMessage(checked)) ?? specimen.name)
      await drawn.close()
    }
    expect(found).toEqual([])
    expect([...drawnKinds].sort()).toEqual(kinds.map(({ name }) => name as string).sort())
  },
)
