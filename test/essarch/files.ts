import { deflateSync } from 'node:zlib'
import type { Body } from '../../electron/local-archive/database.ts'
import { contentTypeOf } from '../../electron/local-archive/files/content-headers.ts'
import { metsOf } from './mets.ts'

const crcs = Array.from(
  { length: 256 },
  (_, n) =>
    Array.from({ length: 8 }).reduce<number>((c) => (c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1), n) >>> 0,
)
const crc = (bytes: Buffer) =>
  (bytes.reduce((c, byte) => (crcs[(c ^ byte) & 255] ?? 0) ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0
const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc(body), body.length + 4)
  return whole
}

/** A drawing of 160 × 120 points: a grid on paper. */
const png = () => {
  const header = Buffer.from([0, 0, 0, 160, 0, 0, 0, 120, 8, 0, 0, 0, 0])
  const rows = Array.from({ length: 120 }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: 160 }, (_, x) => (x % 20 === 0 || y % 20 === 0 ? 90 : 235))]),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** One page with one line of text. */
const pdf = (text: string) => {
  const stream = `BT /F1 24 Tf 72 720 Td (${text.replace(/[^\x20-\x7e]|[()\\]/g, '?')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 ' +
      '5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${body}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R ` +
      `>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><circle cx="40" cy="30" r="20" ' +
  'fill="#356"/></svg>'

/** Ten groups, each of which uses the one before it ten times. */
const nestedGroups = Array.from(
  { length: 10 },
  (_, index) => `<g id="g${index + 1}">${`<use href="#g${index}"/>`.repeat(10)}</g>`,
)
export const drawingWithoutEnd =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><g id="g0"><rect width="9" ' +
  `height="9"/></g>${nestedGroups.join('')}</svg>`

/** Two hundred elements that take minutes to paint. */
const heavyDrawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><filter id="f"><feTurbulence ' +
  `baseFrequency="0.9"/>${'<feMorphology operator="dilate" radius="200"/>'.repeat(200)}</filter><rect ` +
  'width="1600" height="1600" filter="url(#f)"/></svg>'

const contentsOf = (record: Body): Record<string, () => Buffer> => ({
  'content/brev.txt': () =>
    Buffer.from(
      `${String(record['label'])}\n${String(record['object_identifier_value'])}\nEtt brev med å, ä och ö.\n`,
    ),
  'content/plan.png': png,
  'content/inventory.pdf': () => pdf(`Inventory of ${String(record['object_identifier_value'])}`),
  'content/ritningar/plan.svg': () => Buffer.from(drawing),
  'content/ritningar/utan-slut.svg': () => Buffer.from(drawingWithoutEnd),
  'content/ritningar/tung.svg': () => Buffer.from(heavyDrawing),
  'content/bilder/negativ.tif': () => Buffer.alloc(3_000_000, String(record['id'])),
})

/**
 * What lies in a package here: the sample holdings are descriptions, so the double makes a few files for
 * each, always the same.
 */
export const filesOf = (record: Body): Record<string, () => Buffer> => {
  const contents = contentsOf(record)
  return {
    'mets.xml': () =>
      Buffer.from(
        metsOf(
          String(record['object_identifier_value']),
          Object.entries(contents).map(([path, content]) => ({ path, content: content() })),
        ),
      ),
    ...contents,
  }
}

export interface Entry {
  name: string
  type: 'dir' | 'file'
  size: number
  modified: unknown
}

/** The folder or the file at a path; undefined where there is neither. */
export const lookInside = (record: Body, path: string): Entry[] | Buffer | undefined => {
  const files = filesOf(record)
  const at = path.replace(/^\/+|\/+$/g, '')
  const file = Object.hasOwn(files, at) ? files[at] : undefined
  if (file) return file()
  const below = Object.keys(files).filter((name) => at === '' || name.startsWith(`${at}/`))
  if (below.length === 0) return undefined
  const names = [
    ...new Set(below.map((name) => name.slice(at === '' ? 0 : at.length + 1).split('/')[0] ?? '')),
  ]
  return names.map((name) => {
    const whole = at === '' ? name : `${at}/${name}`
    const content = files[whole]
    return {
      name,
      type: content ? 'file' : 'dir',
      size: content ? content().length : 0,
      modified: record['create_date'],
    }
  })
}

/** As recorded: a text is always said to be UTF-8. */
export const typeOf = (name: string): string => {
  const type = contentTypeOf(name)
  return /^text\/|\/xml$/.test(type) ? `${type}; charset=utf-8` : type
}
