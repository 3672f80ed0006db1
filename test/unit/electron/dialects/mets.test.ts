import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { chunksOf } from '../../../../electron/common/chunks.ts'
import { readFileSection } from '../../../../electron/dialects/essarch/mets.ts'

const file =
  '<mets:file SIZE="7" CHECKSUM="AB" CHECKSUMTYPE="MD5"><mets:FLocat xlink:href="file:///content/å%20.txt"/>' +
  '</mets:file>'
const read = async (text: string) => {
  const paths: string[] = []
  const body = chunksOf(Readable.from([Buffer.from(text)]))
  return { isWhole: await readFileSection(body, (seen) => void paths.push(seen.path)), paths }
}

test('a tag that does not end is read no further than a file’s can be', async () => {
  let given = 0
  const endless = async function* () {
    yield Buffer.from('<mets:mets><mets:file OWNERID="')
    for (; given < 100; given += 1) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 'a'))
  }
  expect(await readFileSection(endless(), () => undefined)).toBe(false)
  expect(given).toBeLessThan(3)
})

test('tags in tags without end are read no further, and a METS in a METS does not end it', async () => {
  expect((await read('<a>'.repeat(100_000))).isWhole).toBe(false)
  const cut = `<mets:mets><mets:mets/><mets:fileSec>${file}`
  expect((await read(cut)).isWhole).toBe(false)
  const dotted = file.replace('content', './content')
  expect((await read(`<mets:mets>${dotted}</mets:mets>`)).paths).toEqual(['content/å%20.txt'])
})

test('a path that is told from the METS on is a reference (RFC 3986 4.2)', async () => {
  const relative = file.replace('file:///content/å%20.txt', 'data/%C3%A5%20100%25%23.txt')
  const broken = file.replace('file:///content/å%20.txt', 'data/100%.txt')
  expect((await read(`<mets:mets>${relative}${broken}</mets:mets>`)).paths).toEqual([
    'data/å 100%%23.txt',
    'data/100%.txt',
  ])
})

test('a METS that is cut off, or is none, is not whole; paths stay as they are written', async () => {
  const whole = `<mets:mets><mets:fileSec>${file}</mets:fileSec></mets:mets>`
  expect(await read(whole)).toEqual({ isWhole: true, paths: ['content/å%20.txt'] })
  expect(await read(whole.slice(0, -12))).toEqual({ isWhole: false, paths: ['content/å%20.txt'] })
  expect((await read('<html><p>Bad gateway</p></html>')).isWhole).toBe(false)
  expect((await read('')).isWhole).toBe(false)
})
