import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { zipOf as zipOfEntries } from '../../packages/crafted-containers.ts'
import { buildFrames, type Source } from '../../viewer/frames.ts'
import { endlessPdf, inflatingPdf } from '../../viewer/make-pdf.ts'
import { warc, zipOf } from '../../viewer/specimens.ts'
import { openTarget } from '../../viewer/target.ts'

let frames: Awaited<ReturnType<typeof buildFrames>>
beforeAll(async () => {
  frames = await buildFrames()
})
afterAll(() => frames.close())

const far = 'https://evil.invalid'
const paper = { name: 'brev.txt', bytes: Buffer.from('Ett brev.') }

/** Does something in a frame whenever it is given a file, as a drawing that got through would. */
const plant = (drawn: Awaited<ReturnType<typeof openTarget>>['drawn'], what: 'request' | 'script' | 'loop') =>
  drawn.frame.evaluate((planted) => {
    addEventListener('message', () => {
      if (planted === 'request') {
        const image = document.createElement('img')
        image.src = 'https://evil.invalid/planted.png'
        document.body.append(image)
      } else if (planted === 'script') {
        const script = document.createElement('script')
        script.textContent = 'window.ran = 1'
        document.body.append(script)
      } else for (const end = Date.now() + 3_000; Date.now() < end;);
    })
  }, what)

describe('what must not happen is seen when it does', () => {
  test('a request', async () => {
    const { drawn, show } = await openTarget(frames, paper, { isGuarded: false })
    await plant(drawn, 'request')
    await expect.poll(() => show(paper.bytes)).toContain(`${far}/planted.png`)
    await drawn.close()
  })

  test('a script', async () => {
    const { drawn, show } = await openTarget(frames, paper, { isGuarded: false })
    await plant(drawn, 'script')
    expect(await show(paper.bytes)).toEqual(['a script ran'])
    await drawn.close()
  })

  test('a loop', async () => {
    const { drawn, show } = await openTarget(frames, paper, { patienceMs: 500 })
    await plant(drawn, 'loop')
    expect(await show(paper.bytes)).toEqual(['hung'])
    await drawn.close()
  })

  test.each(['request', 'script'] as const)(
    'and the policy of the frame lets no %s through',
    async (what) => {
      const { drawn, show } = await openTarget(frames, paper)
      const refused = drawn.frame.evaluate(
        () =>
          new Promise<string>((said) =>
            addEventListener('securitypolicyviolation', ({ effectiveDirective }) => said(effectiveDirective)),
          ),
      )
      await plant(drawn, what)
      expect(await show(paper.bytes)).toEqual([])
      expect(await refused).toBe(what === 'request' ? 'img-src' : 'script-src-elem')
      expect(await show(paper.bytes)).toEqual([])
      await drawn.close()
    },
  )
})

/** What pages and letters hurt with, by its name. */
const inPages: Record<string, string> = {
  'a javascript: link': '<a href="javascript:window.ran=1">Läs</a>',
  'a javascript: link in disguise': '<a href=" jAva&#9;script:window.ran=1">Läs</a>',
  'a form': `<form action="${far}/form"><input name="a" autofocus><button>Skicka</button></form>`,
  'a meta refresh': `<meta http-equiv="refresh" content="0;url=${far}/refresh">`,
  'a remote font': `<style>@font-face{font-family:x;src:url(${far}/x.woff2)}p{font-family:x}</style>`,
  'a remote style': `<link rel="stylesheet" href="${far}/a.css"><style>@import "${far}/b.css";</style>`,
  'an object': `<object data="${far}/o.swf"><p>Läs</p></object>`,
  'an embed': `<embed src="${far}/e.swf">`,
  'a frame': `<iframe src="${far}/i"></iframe><iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  'a tracking picture': `<img src="${far}/pixel.gif" width="1" height="1"><p background="${far}/b.gif">x</p>`,
  'a drawing with a script': '<svg><script>window.ran=1</script><animate onbegin="window.ran=1"/></svg>',
  'HTML in a drawing':
    '<svg><foreignObject><body onload="window.ran=1"><iframe src="x"></iframe></body></foreignObject></svg>',
  'a service worker':
    '<script>navigator.serviceWorker.register("/sw.js")</script><link rel="serviceworker" href="/sw.js">',
}
/** What nothing that is drawn may have in it. */
const harmful =
  /<script|<form[^>]+action|<object|<embed|<iframe|<link|="refresh"|javascript:|on(load|begin)=|@import|url\(|evil/i

/** The pages that a frame shows in frames of their own. */
const pagesIn = ({ drawn }: Awaited<ReturnType<typeof openTarget>>) =>
  drawn.frame.evaluate(() => [...document.querySelectorAll('iframe')].map(({ srcdoc }) => srcdoc))

describe.each(Object.entries(inPages))('%s', (_title, html) => {
  const page = `<!doctype html><html><head><title>Sida</title></head><body><h1>Kajen</h1>${html}</body>`
  const letter =
    'From: a@hamnen.example\r\nSubject: Kajen\r\nDate: Tue, 12 May 2009 14:45:17 +0200\r\n' +
    `MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${page}`

  test.each([
    ['page', 'sida.html', page],
    ['letter', 'brev.eml', letter],
  ])('does nothing in a %s', async (_what, name, text) => {
    const bytes = Buffer.from(text)
    const target = await openTarget(frames, { name, bytes })
    const shown = await pagesIn(target)
    expect(shown).toEqual([expect.stringContaining('Kajen')])
    expect(shown.join('')).not.toMatch(harmful)
    expect(await target.show(bytes)).toEqual([])
    await target.drawn.close()
  })

  test('does nothing in a page that was captured', async () => {
    const bytes = warc([{ address: 'https://hamnen.example/', type: 'text/html', body: page }])
    const target = await openTarget(frames, { name: 'webb.warc', bytes })
    await target.drawn.frame.getByText('https://hamnen.example/').click()
    await target.drawn.frame.waitForSelector('iframe.page')
    expect((await pagesIn(target)).join('')).not.toMatch(harmful)
    expect(await target.show(bytes)).toEqual([])
    await target.drawn.close()
  })
})

const deep = `${'<div>'.repeat(200_000)}Kajen`

/** Files that would take all time or memory before anything of them is seen. */
const endless: [title: string, trouble: string, name: string, make: () => Promise<Buffer> | Buffer][] = [
  ['a page whose elements never end', 'too complex', 'sida.html', () => Buffer.from(deep)],
  [
    'lists in lists',
    'too complex',
    'lista.md',
    () => Buffer.from(Array.from({ length: 2_000 }, (_, depth) => `${'  '.repeat(depth)}- Kajen`).join('\n')),
  ],
  ['quotations of quotations', 'too complex', 'citat.md', () => Buffer.from('>'.repeat(200_000))],
  ['marks that never end', 'too complex', 'märken.md', () => Buffer.from('a**b'.repeat(200_000))],
  ['a word that never ends', 'too complex', 'ord.md', () => Buffer.from('['.repeat(200_000))],
  [
    'tables in tables',
    'too complex',
    'tabell.docx',
    () => wordFile(`${'<w:tbl><w:tr><w:tc>'.repeat(3_000)}${'</w:tc></w:tr></w:tbl>'.repeat(3_000)}`),
  ],
  ['a document without end', 'too large', 'lang.docx', () => wordFile(paragraph('Kajen').repeat(40_000))],
]

describe('what would be drawn for ever is not begun:', () => {
  test.each(endless)('%s: %s', async (_title, trouble, name, make) => {
    const { drawn } = await openTarget(frames, { name, bytes: await make() })
    expect(drawn.trouble).toBe(trouble)
    await drawn.close()
  })

  test('the text of a letter whose elements never end is shown', async () => {
    const head = 'From: a@hamnen.example\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n'
    const { drawn } = await openTarget(frames, { name: 'brev.eml', bytes: Buffer.from(`${head}${deep}`) })
    expect([drawn.kind, drawn.trouble]).toEqual(['letter', undefined])
    expect(await drawn.text()).toContain('Kajen')
    await drawn.frame.getByText('The layout of this letter is too large to be drawn.').waitFor()
    await drawn.close()
  })

  test('a text of 500 MB between two elements', async () => {
    const bytes = 500_000_000
    const read: Source['read'] = ({ first, last }) => {
      const part = Buffer.alloc(last - first + 1, 'kaj ')
      if (first === 0) part.write('<a><b>')
      return Promise.resolve(part)
    }
    const drawn = await frames.show({ name: 'text.xml', bytes, read })
    expect(drawn.notes).toEqual([expect.stringMatching(/^What follows is too large or too complex/)])
    expect(drawn.read).toBeLessThan(80_000_000)
    await drawn.close()
  })

  test('a table in one line of 500 MB', async () => {
    const bytes = 500_000_000
    const read: Source['read'] = ({ first, last }) => Promise.resolve(Buffer.alloc(last - first + 1, 'kaj,'))
    const drawn = await frames.show({ name: 'rad.csv', bytes, read })
    expect(drawn.trouble).toBe('too large')
    expect(drawn.read).toBeLessThan(32_000_000)
    await drawn.close()
  })
})

const entity =
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY f SYSTEM "https://evil.invalid/f">]>'
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const wordBody = (body: string) =>
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
  `<w:body>${body}</w:body></w:document>`
const relationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" ` +
  `Type="${relationship}/${type}" Target="${target}"/></Relationships>`
const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ' +
  'ContentType="application/xml"/><Default Extension="rels" ' +
  'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>'
/** A document of Word. */
const wordFile = (body: string, declared = '') =>
  zipOf({
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relations('officeDocument', 'word/document.xml'),
    'word/document.xml': `<?xml version="1.0"?>${declared}${wordBody(body)}`,
  })
const workbook =
  `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relationship}">` +
  '<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>'
const cells =
  '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Kajen &e;&f;</t></is></c></row></sheetData>'
const sheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const openDocument = 'urn:oasis:names:tc:opendocument:xmlns'

/** Documents in XML, and such as are made of it, that name a file of this computer and one elsewhere. */
const withEntities: Record<string, () => Promise<Buffer> | Buffer> = {
  'utdrag.xml': () => Buffer.from(`<?xml version="1.0"?>${entity}<a>Kajen &e;&f;</a>`),
  'ritning.svg': () =>
    Buffer.from(
      `<?xml version="1.0"?>${entity}<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">` +
        '<text y="20">&e;&f;</text></svg>',
    ),
  'mets.xml': () =>
    Buffer.from(
      `<?xml version="1.0"?>${entity}<mets xmlns="http://www.loc.gov/METS/" OBJID="Kajen"><metsHdr>&e;&f;</metsHdr></mets>`,
    ),
  'brev.docx': () => wordFile(paragraph('Kajen &e;&f;'), entity),
  'bok.xlsx': () =>
    zipOf({
      '[Content_Types].xml': contentTypes,
      '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
      'xl/workbook.xml': `${entity}${workbook}`,
      'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
      'xl/worksheets/sheet1.xml': `${entity}<worksheet xmlns="${sheet}">${cells}</worksheet>`,
    }),
  'brev.odt': () =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        `<?xml version="1.0"?>${entity}<office:document-content xmlns:office="${openDocument}:office:1.0" ` +
        `xmlns:text="${openDocument}:text:1.0"><office:body><office:text><text:p>Kajen &e;&f;</text:p>` +
        '</office:text></office:body></office:document-content>',
    }),
}

describe('an external entity', () => {
  test.each(Object.entries(withEntities))('in %s is not followed', async (name, make) => {
    const bytes = await make()
    const { drawn, show } = await openTarget(frames, { name, bytes })
    const seen = (await drawn.frame.locator('body').innerText()) + (await drawn.text())
    expect(seen).not.toContain('root:')
    expect(await show(bytes)).toEqual([])
    await drawn.close()
  })
})

/** More than anything is inflated to. */
const zeros = Buffer.alloc(300 * 1024 * 1024)

describe('a bomb', () => {
  test.each([
    ['that says how large it is', zeros.length, /too large to be unpacked/],
    ['that says it is small', 1_000, /“bomb.txt”/],
  ])('in zip %s is not unpacked', async (_title, said, note) => {
    const raw = deflateRawSync(zeros, { level: 1 })
    const fields = { bytes: said, crc: 0 }
    const bytes = zipOfEntries([{ name: 'bomb.txt', raw, method: 8, local: fields, central: fields }])
    const { drawn } = await openTarget(frames, { name: 'bomb.zip', bytes })
    await drawn.frame.getByText('bomb.txt').click()
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual([expect.stringMatching(note)])
    await drawn.close()
  })

  test('in a part of a workbook is not unpacked', async () => {
    const raw = deflateRawSync(zeros, { level: 1 })
    const bytes = zipOfEntries([{ name: 'xl/workbook.xml', raw, method: 8, local: { bytes: zeros.length } }])
    const { drawn } = await openTarget(frames, { name: 'bok.xlsx', bytes })
    expect(drawn.trouble).toMatch(/too large|broken/)
    await drawn.close()
  })

  test.each([
    ['is inflated', inflatingPdf(600 * 1024 * 1024)],
    ['draws itself', endlessPdf(12)],
  ])('in a PDF whose page %s without end is drawn so far, and that is said', async (_title, bytes) => {
    const { drawn, show } = await openTarget(frames, { name: 'bomb.pdf', bytes })
    await drawn.until(({ notes }) => notes.length > 0)
    expect(drawn.notes).toEqual([
      'A page of this document draws more than can be shown here: it is shown in part. ' +
        'Save a copy to see the whole page in another program.',
    ])
    // It still answers, and draws what it is given next.
    expect(await show(bytes)).toEqual([])
    await drawn.close()
  })

  test('in gzip is unpacked so far, and that is said', async () => {
    const bytes = gzipSync(zeros, { level: 1 })
    const { drawn, show } = await openTarget(frames, { name: 'bomb.gz', bytes })
    expect(drawn.notes).toEqual(['This unpacks to more than 64 MB. Only the first 64 MB are shown.'])
    expect(await show(bytes)).toEqual([])
    await drawn.close()
  })
})
