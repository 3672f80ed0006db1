// A message of Outlook: a compound file ([MS-CFB]) with the properties of [MS-OXMSG] as streams.

interface Entry {
  name: string
  /** 1 a storage, 2 a stream, 5 the root. */
  type: 1 | 2 | 5
  content: Buffer
  children: Entry[]
}

const sector = 512
const endOfChain = 0xfffffffe
const free = 0xffffffff
const none = 0xffffffff
const fatSector = 0xfffffffd
/** Streams that are shorter lie in the stream of the root, in pieces of 64 bytes. */
const miniLimit = 4096
const mini = 64

const stream = (name: string, content: Buffer): Entry => ({ name, type: 2, content, children: [] })
const storage = (name: string, children: Entry[]): Entry => ({
  name,
  type: 1,
  content: Buffer.alloc(0),
  children,
})

const padded = (content: Buffer, to: number) =>
  Buffer.concat([content, Buffer.alloc((to - (content.length % to)) % to)])

/** By length and then by letters, as the format sorts siblings. */
const bySibling = (a: Entry, b: Entry) =>
  a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1)

/** A list as a search tree of the directory: the middle one, and what is left and right of it. */
const middleOf = (
  entries: Entry[],
  numbers: Map<Entry, number>,
  links: Map<Entry, [number, number]>,
): number => {
  const at = Math.floor(entries.length / 2)
  const entry = entries[at]
  if (!entry) return none
  links.set(entry, [
    middleOf(entries.slice(0, at), numbers, links),
    middleOf(entries.slice(at + 1), numbers, links),
  ])
  return numbers.get(entry) ?? none
}

const chain = (table: number[], from: number, length: number) => {
  for (let index = 0; index < length; index += 1)
    table[from + index] = index === length - 1 ? endOfChain : from + index + 1
}

const tableOf = (numbers: number[], to: number, fill: number) => {
  const bytes = Buffer.alloc(Math.ceil(numbers.length / (to / 4)) * to)
  for (let at = 0; at < bytes.length / 4; at += 1) bytes.writeUInt32LE(numbers[at] ?? fill, at * 4)
  return bytes
}

const directoryEntry = (
  { name, type, content }: Entry,
  [left, right]: [number, number],
  child: number,
  start: number,
): Buffer => {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes.writeUInt8(type, 66)
  bytes.writeUInt8(1, 67)
  bytes.writeUInt32LE(left, 68)
  bytes.writeUInt32LE(right, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(content.length, 120)
  return bytes
}

/** Puts the short streams into pieces, and tells where each begins. */
const packShort = (streams: Entry[]) => {
  const starts = new Map<Entry, number>()
  const table: number[] = []
  const parts: Buffer[] = []
  for (const entry of streams) {
    if (entry.content.length === 0) starts.set(entry, endOfChain)
    if (entry.content.length === 0) continue
    const bytes = padded(entry.content, mini)
    starts.set(entry, table.length)
    chain(table, table.length, bytes.length / mini)
    parts.push(bytes)
  }
  return { starts, table, content: Buffer.concat(parts) }
}

/** A compound file of version 3 with short streams only: header, directory, small table, pieces, table. */
const compoundFile = (children: Entry[]): Buffer => {
  const root: Entry = { name: 'Root Entry', type: 5, content: Buffer.alloc(0), children }
  const all: Entry[] = []
  const collect = (entry: Entry) => {
    all.push(entry)
    entry.children.forEach(collect)
  }
  collect(root)
  const streams = all.filter(({ type }) => type === 2)
  if (streams.some(({ content }) => content.length >= miniLimit)) throw new Error('A stream is too long.')
  const numbers = new Map(all.map((entry, index) => [entry, index]))
  const links = new Map<Entry, [number, number]>()
  const childOf = new Map(
    all.map((entry) => [entry, middleOf(entry.children.toSorted(bySibling), numbers, links)]),
  )
  const short = packShort(streams)
  root.content = short.content
  const directorySectors = Math.ceil(all.length / 4)
  const miniTable = tableOf(short.table, sector, free)
  const pieces = padded(short.content, sector)
  const miniStart = directorySectors
  const piecesStart = miniStart + miniTable.length / sector
  const fatStart = piecesStart + pieces.length / sector
  short.starts.set(root, piecesStart)
  const fat: number[] = []
  chain(fat, 0, directorySectors)
  chain(fat, miniStart, miniTable.length / sector)
  chain(fat, piecesStart, pieces.length / sector)
  fat[fatStart] = fatSector
  if (fat.length > sector / 4) throw new Error('The message needs a second sector of its table.')
  const directory = Buffer.concat(
    all.map((entry) =>
      directoryEntry(
        entry,
        links.get(entry) ?? [none, none],
        childOf.get(entry) ?? none,
        short.starts.get(entry) ?? 0,
      ),
    ),
  )
  return Buffer.concat([
    compoundHeader(fatStart, miniStart, miniTable.length / sector),
    padded(directory, sector),
    miniTable,
    pieces,
    tableOf(fat, sector, free),
  ])
}

const compoundHeader = (fatStart: number, miniStart: number, miniSectors: number): Buffer => {
  const header = Buffer.alloc(sector, 0)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(0, 48)
  header.writeUInt32LE(miniLimit, 56)
  header.writeUInt32LE(miniStart, 60)
  header.writeUInt32LE(miniSectors, 64)
  header.writeUInt32LE(endOfChain, 68)
  header.writeUInt32LE(fatStart, 76)
  for (let at = 80; at < sector; at += 4) header.writeUInt32LE(free, at)
  return header
}

/** Properties of a storage: each of fixed length in one stream, each text or bytes in a stream of its own. */
const propertiesOf = (
  head: Buffer,
  texts: Record<number, string>,
  numbers: Record<number, number>,
  more: { times?: Record<number, Date>; bytes?: Record<number, Buffer> } = {},
): Entry[] => {
  const rows: Buffer[] = []
  const row = (id: number, type: number, write: (bytes: Buffer) => void) => {
    const bytes = Buffer.alloc(16)
    bytes.writeUInt16LE(type, 0)
    bytes.writeUInt16LE(id, 2)
    bytes.writeUInt32LE(6, 4)
    write(bytes)
    rows.push(bytes)
  }
  const nameOf = (id: number, type: string) =>
    `__substg1.0_${id.toString(16).toUpperCase().padStart(4, '0')}${type}`
  const streams = [
    ...Object.entries(texts).map(([id, text]) => {
      const content = Buffer.from(text, 'utf16le')
      row(Number(id), 0x1f, (bytes) => bytes.writeUInt32LE(content.length + 2, 8))
      return stream(nameOf(Number(id), '001F'), content)
    }),
    ...Object.entries(more.bytes ?? {}).map(([id, content]) => {
      row(Number(id), 0x102, (bytes) => bytes.writeUInt32LE(content.length, 8))
      return stream(nameOf(Number(id), '0102'), content)
    }),
  ]
  for (const [id, number] of Object.entries(numbers))
    row(Number(id), 3, (bytes) => bytes.writeUInt32LE(number, 8))
  for (const [id, time] of Object.entries(more.times ?? {}))
    row(Number(id), 0x40, (bytes) =>
      bytes.writeBigUInt64LE((BigInt(time.getTime()) + 11_644_473_600_000n) * 10_000n, 8),
    )
  return [stream('__properties_version1.0', Buffer.concat([head, ...rows])), ...streams]
}

const sent = new Date('2014-01-15T08:30:00Z')
const body =
  'Dear all,\r\n\r\nthe northern quay is closed on Friday, 31 January 2014. Please empty your lockers in ' +
  'warehouse 2 and hand the keys to the guard.\r\n\r\nThe records of the office go to the City ' +
  'Archive.\r\n\r\n' +
  'Jenny Lindqvist\r\nHarbour master\r\n'

/** The last message of the harbour office, with a list attached. */
export const outlookMessage = (): Buffer => {
  const list = Buffer.from('locker;name\r\n1;K. Åberg\r\n2;J. Lindqvist\r\n3;tomt\r\n')
  const head = Buffer.alloc(32)
  head.writeUInt32LE(1, 8)
  head.writeUInt32LE(1, 12)
  head.writeUInt32LE(1, 16)
  head.writeUInt32LE(1, 20)
  return compoundFile([
    ...propertiesOf(
      head,
      {
        0x001a: 'IPM.Note',
        0x0037: 'Closing of the northern quay',
        0x0c1a: 'Jenny Lindqvist',
        0x0c1e: 'SMTP',
        0x0c1f: 'jenny.lindqvist@harbour.example',
        0x0e04: 'Harbour Office',
        0x1000: body,
        0x5d01: 'jenny.lindqvist@harbour.example',
      },
      { 0x0e07: 0x11, 0x340d: 0x40000, 0x3fde: 65001 },
      { times: { 0x0039: sent, 0x0e06: sent } },
    ),
    storage('__nameid_version1.0', [
      stream('__substg1.0_00020102', Buffer.alloc(0)),
      stream('__substg1.0_00030102', Buffer.alloc(0)),
      stream('__substg1.0_00040102', Buffer.alloc(0)),
    ]),
    storage(
      '__recip_version1.0_#00000000',
      propertiesOf(
        Buffer.alloc(8),
        {
          0x3001: 'Harbour Office',
          0x3002: 'SMTP',
          0x3003: 'office@harbour.example',
          0x39fe: 'office@harbour.example',
        },
        { 0x0c15: 1, 0x3000: 0 },
      ),
    ),
    storage(
      '__attach_version1.0_#00000000',
      propertiesOf(
        Buffer.alloc(8),
        {
          0x3001: 'lockers.csv',
          0x3703: '.csv',
          0x3704: 'lockers.csv',
          0x3707: 'lockers.csv',
          0x370e: 'text/csv',
        },
        { 0x3705: 1, 0x0e21: 0 },
        { bytes: { 0x3701: list } },
      ),
    ),
  ])
}
