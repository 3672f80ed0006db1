import { buffer } from 'node:stream/consumers'
import yazl from 'yazl'
import type { Source } from './frames.ts'

const table = (name: string, folder: string, rows: number, columns: string, keys: string) => `
  <table><name>${name}</name><folder>${folder}</folder><description>Register över ${name}</description>
  <columns>${columns}</columns>${keys}<rows>${rows}</rows></table>`
const column = (name: string, type: string, more = '') =>
  `<column><name>${name}</name><type>${type}</type>${more}<nullable>true</nullable></column>`

const premiseColumns = column('id', 'INTEGER') + column('namn', 'VARCHAR(80)')
const primaryKey = '<primaryKey><name>pk</name><column>id</column></primaryKey>'

/** The header of a SIARD file with two tables, one of which leads to the other. */
export const siardHeader = (version: string, rows: number) => `<?xml version="1.0" encoding="utf-8"?>
<siardArchive xmlns="http://www.bar.admin.ch/xmlns/siard/2/metadata.xsd" version="${version}">
<dbname>Bygglov</dbname><description>Bygglov i hamnen</description><dataOwner>Hamnkontoret</dataOwner>
<dataOriginTimespan>1938–1951</dataOriginTimespan><archivalDate>2019-05-12</archivalDate>
<producerApplication>DBPTK 2.9</producerApplication>
<schemas><schema><name>lov</name><folder>schema0</folder><tables>
${table('fastighet', 'table0', 3, premiseColumns, primaryKey)}
${table(
  'bygglov',
  'table1',
  rows,
  column('nummer', 'VARCHAR(20)') +
    column('fastighet', 'INTEGER') +
    column('ritning', 'BINARY LARGE OBJECT', '<lobFolder>lob3</lobFolder>'),
  `<foreignKeys><foreignKey><name>fk</name><referencedSchema>lov</referencedSchema>
  <referencedTable>fastighet</referencedTable>
  <reference><column>fastighet</column><referenced>id</referenced></reference></foreignKey></foreignKeys>`,
)}
</tables></schema></schemas></siardArchive>`

const rowsOf = (rows: string[], folder: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<table xmlns="x" version="2.1" xsi:schemaLocation="${folder}">\n` +
  `${rows.join('\n')}\n</table>`

/** A SIARD file of so many permits. */
export const siardFile = async (
  version: string,
  count: number,
  compress: boolean,
  /** What the header says there are. */
  said = count,
): Promise<Buffer> => {
  const zip = new yazl.ZipFile()
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name, { compress })
  const premises = ['Oxen 4', 'Kajen &amp; 2\\u0009', 'Valen 9'].map(
    (name, index) => `<row><c1>${index + 1}</c1><c2>${name}</c2></row>`,
  )
  const permits = Array.from({ length: count }, (_, number) => {
    const file = number === 1 ? '<c3 file="record1.txt" length="11" digest="x"/>' : ''
    return `<row><c1>1951-${number}</c1><c2>${(number % 3) + 1}</c2>${file}</row>`
  })
  add('header/metadata.xml', siardHeader(version, said))
  add('content/schema0/table0/table0.xml', rowsOf(premises, 'table0'))
  add('content/schema0/table1/table1.xml', rowsOf(permits, 'table1'))
  add('content/schema0/table1/lob3/record1.txt', 'En ritning.')
  zip.end()
  return buffer(zip.outputStream)
}

const rowBytes = 1000
const rowAt = (number: number) =>
  `<row><c1>1951-${number}</c1><c2>1</c2>`.padEnd(rowBytes - 6, ' ').concat('</row>')

const localHeader = (name: string) => {
  const made = Buffer.alloc(30 + name.length)
  made.writeUInt32LE(0x04034b50, 0)
  made.writeUInt16LE(45, 4)
  made.writeUInt16LE(name.length, 26)
  made.write(name, 30)
  return made
}
/** With sizes and place in Zip64. */
const directoryEntry = (name: string, bytes: number, place: number) => {
  const made = Buffer.alloc(46 + name.length + 28)
  made.writeUInt32LE(0x02014b50, 0)
  made.writeUInt16LE(45, 4)
  made.writeUInt16LE(45, 6)
  made.writeUInt32LE(0xffffffff, 20)
  made.writeUInt32LE(0xffffffff, 24)
  made.writeUInt16LE(name.length, 28)
  made.writeUInt16LE(28, 30)
  made.writeUInt32LE(0xffffffff, 42)
  made.write(name, 46)
  made.writeUInt16LE(1, 46 + name.length)
  made.writeUInt16LE(24, 48 + name.length)
  made.writeBigUInt64LE(BigInt(bytes), 50 + name.length)
  made.writeBigUInt64LE(BigInt(bytes), 58 + name.length)
  made.writeBigUInt64LE(BigInt(place), 66 + name.length)
  return made
}
const directoryEnd = (count: number, bytes: number, place: number) => {
  const made = Buffer.alloc(56 + 20 + 22)
  made.writeUInt32LE(0x06064b50, 0)
  made.writeBigUInt64LE(44n, 4)
  made.writeUInt16LE(45, 12)
  made.writeUInt16LE(45, 14)
  made.writeBigUInt64LE(BigInt(count), 24)
  made.writeBigUInt64LE(BigInt(count), 32)
  made.writeBigUInt64LE(BigInt(bytes), 40)
  made.writeBigUInt64LE(BigInt(place), 48)
  made.writeUInt32LE(0x07064b50, 56)
  made.writeBigUInt64LE(BigInt(place + bytes), 64)
  made.writeUInt32LE(1, 72)
  made.writeUInt32LE(0x06054b50, 76)
  made.writeUInt16LE(0xffff, 84)
  made.writeUInt16LE(0xffff, 86)
  made.writeUInt32LE(0xffffffff, 88)
  made.writeUInt32LE(0xffffffff, 92)
  return made
}

/** A SIARD file of so many permits of a kilobyte each, of which only what is asked for is ever made. */
export const hugeSiard = (count: number): Source => {
  const names = ['header/metadata.xml', 'content/schema0/table1/table1.xml'] as const
  const header = Buffer.from(siardHeader('2.1', count))
  const first = Buffer.concat([localHeader(names[0]), header])
  const before = Buffer.concat([first, localHeader(names[1])])
  const end = before.length + count * rowBytes
  const entries = Buffer.concat([
    directoryEntry(names[0], header.length, 0),
    directoryEntry(names[1], count * rowBytes, first.length),
  ])
  const after = Buffer.concat([entries, directoryEnd(2, entries.length, end)])
  return {
    name: 'stor.siard',
    bytes: end + after.length,
    read: ({ first: from, last }) => {
      const pieces: Buffer[] = []
      for (let place = from; place <= last;) {
        const number = Math.floor((place - before.length) / rowBytes)
        const [start, piece] =
          place < before.length
            ? [0, before]
            : place >= end
              ? [end, after]
              : [before.length + number * rowBytes, Buffer.from(rowAt(number))]
        const part = piece.subarray(place - start, last + 1 - start)
        pieces.push(part)
        place += part.length
      }
      return Promise.resolve(Buffer.concat(pieces))
    },
  }
}
