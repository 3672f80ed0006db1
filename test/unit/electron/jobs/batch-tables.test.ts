import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readCells } from '../../../../electron/jobs/kinds/batch/table-cells.ts'
import { workbookRows } from '../../../../electron/jobs/kinds/batch/workbook.ts'
import { spreadsheetOf } from '../../../../electron/packaging/spreadsheet.ts'

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
  test('of lines that end in CR alone, with other separators in its cells', async () => {
    expect(await csv('source;name\rmäpp;Ärende, 1, 2, 3\r')).toEqual({
      columns: ['source', 'name'],
      rows: [['mäpp', 'Ärende, 1, 2, 3']],
    })
  })
  test('with headings in quotes that hold other separators, or a line break', async () => {
    expect(await csv('"a;b;c;d",source\n1,mäpp\n')).toMatchObject({ columns: ['a;b;c;d', 'source'] })
    expect(await csv('"so\nurce";"a,b"\nmäpp;1\n')).toMatchObject({ columns: ['so\nurce', 'a,b'] })
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
    expect(await csv('PK\u0000')).toEqual(wrong('no text'))
    expect(await csv(`a\n${'b\n'.repeat(100_000)}`)).toMatchObject({ columns: ['a'] })
    expect(await csv(`a\n${'b\n'.repeat(3_000_000)}`)).toEqual(wrong('more than 100000 rows'))
    expect(await csv(`${'a,'.repeat(41)}\n${'b\n'.repeat(100_000)}`)).toEqual(wrong('are read'))
  })
})

/** A workbook with these rows in its only sheet, and whatever other parts it is given. */
const workbookOf = (rows: string, others: Record<string, string> = {}) => {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts: Record<string, string> = {
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${types}/officeDocument"
      Target="/xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${types}/worksheet"
      Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...others,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))
}
const xlsx = (bytes: Uint8Array) => readCells({ name: 'list.xlsx', bytes })
const heads = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
const wrong = (said: string) => ({ wrong: expect.stringContaining(said) as string })

describe('a workbook', () => {
  test('is read as a spreadsheet program shows it', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="00000"/><numFmt numFmtId="171"
      formatCode="[$-41D]d mmmm yyyy;@"/><numFmt numFmtId="172"
      formatCode="0.00&quot; dagar&quot;"/><numFmt numFmtId="173" formatCode="[h]:mm"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf
      numFmtId="171"/><xf numFmtId="14"/><xf numFmtId="172"/><xf numFmtId="46"/><xf
      numFmtId="173"/></cellXfs></styleSheet>`
    const spoken = '<rPh><t>tal</t></rPh>'
    const texts = `<sst><si><t>hel</t></si><si><r><t>i </t></r><r><t>delar</t></r>${spoken}</si></sst>`
    const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t>${spoken}</is></c>`
    const cells = [
      '<c t="s"><v>0</v></c><c t="s"><v>1</v></c>',
      `${inline('här')}${inline('<![CDATA[<a>]]>')}`,
      '<c s="1"><v>123</v></c><c><v>0.30000000000000004</v></c><c s="4"><v>7</v></c>',
      '<c s="2"><v>45414</v></c><c s="3"><v>1.5</v></c><c s="2"><v>-1</v></c>',
      '<c s="5"><v>1.5</v></c><c s="6"><v>0.25</v></c>',
      '<c s="3"><v>2958465.5</v></c><c s="3"><v>2958466</v></c>',
      '<c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c>',
      '<c><f>A1+1</f></c><c t="str"><f>A1</f><v>räknad</v></c>',
    ]
    const rows = cells.map((row) => `<row>${row}</row>`).join('')
    const parts = { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': texts }
    expect(await xlsx(workbookOf(`${heads}${rows}<row r="900"><c r="B900" s="1"/></row>`, parts))).toEqual({
      columns: ['name'],
      rows: [
        ['hel', 'i delar'],
        ['här', '<a>'],
        ['00123', '0.3', '7'],
        ['2024-05-02', '1900-01-01T12:00:00', '-1'],
        ['36:00:00', '06:00:00'],
        ['9999-12-31T12:00:00', '2958466'],
        ['#N/A', 'true'],
        ['=A1+1', 'räknad'],
      ],
    })
  })
  test('as this program writes one', async () => {
    const bytes = await spreadsheetOf(
      'Lista',
      ['Namn', 'Antal'],
      [
        ['Ärende', 7],
        ['=1+1', 0.5],
      ],
    )
    expect(await xlsx(bytes)).toEqual({
      columns: ['Namn', 'Antal'],
      rows: [
        ['Ärende', '7'],
        ['=1+1', '0.5'],
      ],
    })
  })
  test('that counts days from 1904 has a day 0, and ends as early as time does', async () => {
    const cell = (days: number) => `<c s="0"><v>${days}</v></c>`
    const row = `<row>${[0, 0.5, 1, 2_957_003, 2_957_004].map(cell).join('')}</row>`
    const bytes = workbookOf(`${heads}${row}`, {
      'xl/workbook.xml': '<workbook><workbookPr date1904="1"/><sheets><sheet r:id="r1"/></sheets></workbook>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    })
    expect(await xlsx(bytes)).toMatchObject({
      rows: [['1904-01-01', '12:00:00', '1904-01-02', '9999-12-31', '2957004']],
    })
  })
  test('of which the first sheet that is shown and has cells is read', async () => {
    const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const sheet = (text: string) => `<worksheet><row><c t="str"><v>${text}</v></c></row></worksheet>`
    const bytes = workbookOf('', {
      'xl/workbook.xml': `<workbook><workbookPr date1904="1"/><sheets><sheet r:id="chart"/><sheet
        state="hidden" r:id="hidden"/><sheet r:id="shown"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="chart" Type="${types}/chartsheet"
        Target="c.xml"/><Relationship Id="hidden" Type="${types}/worksheet" Target="h.xml"/><Relationship
        Id="shown" Type="${types}/worksheet" Target="s.xml"/></Relationships>`,
      'xl/h.xml': sheet('dold'),
      'xl/s.xml': sheet('visad'),
    })
    expect(await xlsx(bytes)).toEqual({ columns: ['visad'], rows: [] })
  })
  test.each([
    '<row r="999999999"/>',
    '<row r="1048577"/>',
    '<row r="&#57;99999999"/>',
    '<row r="1e9"/>',
    '<row><c r="AAAA1"/></row>',
    '<row><c s="1" r="A999999999"/></row>',
    '<row><c r="XFE1"/></row>',
    '<row r="0"/>',
  ])('with a place that is in no sheet is not read: %s', async (row) => {
    expect(await xlsx(workbookOf(heads + row))).toEqual(wrong('no sheet has the place'))
  })
  test('that is no workbook, or holds more than is read, says so', async () => {
    expect(await xlsx(strToU8('no zip'))).toEqual(wrong('zip'))
    expect(await xlsx(zipSync({ 'a.txt': strToU8('a') }))).toEqual(wrong('no workbook'))
    expect(await xlsx(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).toEqual(wrong('password'))
    expect(await xlsx(workbookOf('<row'))).toEqual(wrong('tag name'))
    expect(await xlsx(workbookOf('<row><c t="s"><v>7</v></c></row>'))).toEqual(
      wrong('no text has the place 7'),
    )
    const last = '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'
    expect(await xlsx(workbookOf(heads + last))).toEqual(wrong('more than 100000 rows'))
    const wide = Array.from({ length: 250 }, () => '<row><c/><c r="XFD1"><v>1</v></c></row>')
    const inRows = wide.map((row, index) => row.replace('XFD1', `XFD${index + 2}`)).join('')
    expect(await xlsx(workbookOf(heads + inRows))).toEqual(wrong('cells'))
    const zip = Buffer.from(workbookOf(heads))
    // What says of itself that it is shorter has no more of it read.
    zip.writeUInt32LE(10, zip.lastIndexOf('PK\u0001\u0002') + 24)
    expect(await xlsx(zip)).toHaveProperty('wrong')
    const bounds = { bytes: 500, rows: 10, cells: 10 }
    expect(() => workbookRows(workbookOf(heads), bounds)).toThrow('more than 500 bytes when it is unpacked')
  })
  test('that names one long text in each of many cells is not spread out', async () => {
    const rows = '<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>'.repeat(1_200)
    const texts = `<sst><si><t>${'a'.repeat(32_000)}</t></si></sst>`
    expect(await xlsx(workbookOf(rows, { 'xl/sharedStrings.xml': texts }))).toEqual(
      wrong('characters in its cells'),
    )
  })
})
