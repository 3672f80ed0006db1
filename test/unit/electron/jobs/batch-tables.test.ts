import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readCells } from '../../../../electron/jobs/kinds/batch/table-cells.ts'
import { checkedWorkbook } from '../../../../electron/jobs/kinds/batch/workbook.ts'

const csv = (bytes: Uint8Array | string) =>
  readCells({ name: 'list.csv', bytes: typeof bytes === 'string' ? strToU8(bytes) : bytes })

describe('a CSV', () => {
  const table = { columns: ['source', 'name'], rows: [['mäpp', 'Ärende']] }
  test('as "Unicode text", in either order of bytes', async () => {
    const text = Buffer.from('\ufeffsource\tname\r\nmäpp\tÄrende\r\n', 'utf16le')
    expect(await csv(text)).toEqual(table)
    expect(await csv(Buffer.from(text).swap16())).toEqual(table)
  })
  test('with a first line that says what separates its cells', async () => {
    expect(await csv('sep=|\r\nsource|name\r\nmäpp|Ärende\r\n')).toEqual(table)
  })
  test('whose lines end in several ways: no row goes into another one', async () => {
    expect(await csv('source,name\r\na,b\nc,d\r\ne,f\rg,"h\ni"\n')).toMatchObject({
      rows: [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
        ['g', 'h\ni'],
      ],
    })
  })
  test('with a row that says more than there are headings: nothing of it is left out', async () => {
    expect(await csv('source,name\na,b,c\nd,e,,\nf\n')).toMatchObject({
      rows: [
        ['a', 'b', 'c'],
        ['d', 'e'],
        ['f', ''],
      ],
    })
  })
  test('that is no text, or holds more than is kept, says so', async () => {
    const wrong = (said: string) => ({ wrong: expect.stringContaining(said) as string })
    expect(await csv('PK\u0000')).toEqual(wrong('no text'))
    expect(await csv(`a\n${'b\n'.repeat(100_000)}`)).toMatchObject({ columns: ['a'] })
    expect(await csv(`a\n${'b\n'.repeat(3_000_000)}`)).toEqual(wrong('more than 100000 rows'))
    expect(await csv(`${'a,'.repeat(41)}\n${'b\n'.repeat(100_000)}`)).toEqual(wrong('cells are read'))
  })
})

describe('a workbook', () => {
  const sheetOf = (rows: string) => zipSync({ 'xl/worksheets/sheet1.xml': strToU8(`<x>${rows}</x>`) })
  test('is read as it was looked at, and no further than its bound', () => {
    const zip = zipSync({ 'a.xml': new Uint8Array(1_000), 'b.png': new Uint8Array(9_000) })
    expect(unzipSync(checkedWorkbook(zip, 1_000))).toEqual({ 'a.xml': new Uint8Array(1_000) })
    expect(() => checkedWorkbook(zip, 999)).toThrow('more than 999 bytes')
    // One that says of a part that it is shorter has no more of it read.
    const said = Buffer.from(zip)
    const entry = said.indexOf(Buffer.from('PK\u0001\u0002'))
    said.writeUInt32LE(10, entry + 24)
    expect(unzipSync(checkedWorkbook(said, 999))).toEqual({ 'a.xml': new Uint8Array(10) })
  })
  test.each([
    '<row r="999999999"/>',
    '<x:row  spans="1:2" x:r = \'1048577\'/>',
    '<row r="&#57;99999999"/>',
    '<row r="1e9"/>',
    '<row><c r="AAAA1"/></row>',
    '<row><c s="1"r="A999999999"/></row>',
  ])('with a place that is in no sheet is not read: %s', (row) => {
    expect(() => checkedWorkbook(sheetOf(row), 1_000)).toThrow('no sheet has the place')
  })
  test('that names one long text in each of many cells is not spread out', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const cellOf = (place: string) => `<c r="${place}" t="s"><v>0</v></c>`
    const rowOf = (row: number) => `<row r="${row}">${cellOf(`A${row}`)}${cellOf(`B${row}`)}</row>`
    const rows = Array.from({ length: 1_200 }, (_, index) => rowOf(index + 1))
    const parts = {
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1"
        r:id="r1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${relations}/worksheet"
        Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${'a'.repeat(32_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.join('')}
        </sheetData></worksheet>`,
    }
    const bytes = zipSync(
      Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
    )
    expect(await readCells({ name: 'list.xlsx', bytes })).toEqual({
      wrong: expect.stringContaining('characters in its cells') as string,
    })
  })
  test('says what it likes in its texts', () => {
    const row = '<row r="1048576"><c r="XFD1048576"><v>&lt;row r="A"</v></c><c><v>r="-1"</v></c></row>'
    expect(() => checkedWorkbook(sheetOf(row), 1_000)).not.toThrow()
  })
})
