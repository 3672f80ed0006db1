/** A small mailbox as Outlook keeps it (MS-PST, in Unicode, without encoding), for tests. */

/** A heap of values on a node: what is in it, and by which number it is found. */
const heap = (client: number, userRoot: number, values: Buffer[]) => {
  const start = 12
  const map = Buffer.alloc(4 + (values.length + 1) * 2)
  map.writeUInt16LE(values.length, 0)
  let place = start
  for (const [index, value] of values.entries()) {
    map.writeUInt16LE(place, 4 + index * 2)
    place += value.length
  }
  map.writeUInt16LE(place, 4 + values.length * 2)
  const head = Buffer.alloc(start)
  head.writeUInt16LE(place, 0)
  head[2] = 0xec
  head[3] = client
  head.writeUInt32LE(userRoot, 4)
  return Buffer.concat([head, ...values, map])
}
const heapId = (number: number) => number << 5

const treeHeader = (keyBytes: number, valueBytes: number, root: number) => {
  const made = Buffer.from([0xb5, keyBytes, valueBytes, 0, 0, 0, 0, 0])
  made.writeUInt32LE(root, 4)
  return made
}

type Property = [id: number, value: string | number | bigint | Buffer]

/** The properties of a thing. */
const properties = (...list: Property[]) => {
  const records = Buffer.alloc(list.length * 8)
  const values: Buffer[] = []
  for (const [index, [id, value]] of list.entries()) {
    const [type, bytes] =
      typeof value === 'string'
        ? [0x1f, Buffer.from(value, 'utf16le')]
        : typeof value === 'bigint'
          ? [0x40, Buffer.from(new BigUint64Array([value]).buffer)]
          : typeof value === 'number'
            ? [0x03, undefined]
            : [0x102, value]
    records.writeUInt16LE(id, index * 8)
    records.writeUInt16LE(type, index * 8 + 2)
    if (bytes) values.push(bytes)
    records.writeUInt32LE(bytes ? heapId(values.length + 2) : Number(value), index * 8 + 4)
  }
  return heap(0xbc, heapId(1), [treeHeader(2, 6, heapId(2)), records, ...values])
}

/** A table of what lies in a folder, by the numbers of its nodes. */
const tableOf = (...nodes: number[]) => {
  const rowBytes = 9
  const index = Buffer.alloc(nodes.length * 8)
  const rows = Buffer.alloc(nodes.length * rowBytes)
  for (const [row, node] of nodes.entries()) {
    index.writeUInt32LE(node, row * 8)
    index.writeUInt32LE(row, row * 8 + 4)
    rows.writeUInt32LE(node, row * rowBytes)
    rows[row * rowBytes + 8] = 0xc0
  }
  const info = Buffer.alloc(22 + 16)
  info[0] = 0x7c
  info[1] = 2
  for (const [number, end] of [8, 8, 8, rowBytes].entries()) info.writeUInt16LE(end, 2 + number * 2)
  info.writeUInt32LE(heapId(1), 10)
  info.writeUInt32LE(nodes.length === 0 ? 0 : heapId(4), 14)
  for (const [number, id] of [0x67f2, 0x67f3].entries()) {
    info.writeUInt16LE(3, 22 + number * 8)
    info.writeUInt16LE(id, 24 + number * 8)
    info.writeUInt16LE(number * 4, 26 + number * 8)
    info[28 + number * 8] = 4
    info[29 + number * 8] = number
  }
  const root = nodes.length === 0 ? 0 : heapId(2)
  return heap(0x7c, heapId(3), [treeHeader(4, 4, root), index, info, rows])
}

const page = (type: number, entryBytes: number, entries: Buffer[]) => {
  const made = Buffer.alloc(512)
  made.set(Buffer.concat(entries))
  made[488] = entries.length
  made[489] = entries.length
  made[490] = entryBytes
  made[496] = type
  made[497] = type
  return made
}

const numbers = (bytes: number, ...values: number[]) => {
  const made = Buffer.alloc(bytes)
  for (const [index, value] of values.entries()) made.writeUInt32LE(value, index * 8)
  return made
}

/** 100-nanosecond steps since 1601. */
const fileTime = (iso: string) => (BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n

const letter = (number: number) =>
  properties(
    [0x001a, 'IPM.Note'],
    [0x0037, `Kajskjul ${number}`],
    [0x0039, fileTime(`2004-03-0${number}T08:00:00Z`)],
    [0x0c1a, 'Nils Ek'],
    [0x0c1f, 'nils@hamnen.example'],
    [0x0e04, 'Hamnkontoret'],
    [0x1000, `Brev nummer ${number} om kajen.`],
  )

/** A mailbox with a folder of three letters, and one without any. */
export const outlookMailbox = (): Buffer => {
  const letters = [1, 2, 3].map((number) => [0x200000 + number * 32 + 4, letter(number)] as const)
  const nodes: (readonly [number, Buffer])[] = [
    [0x21, properties([0x3001, 'Arkiv'])],
    [0x61, properties([2, Buffer.alloc(16)], [3, Buffer.alloc(8)], [4, Buffer.alloc(4)])],
    [0x122, properties([0x3001, 'Rot'], [0x3602, 0])],
    [0x122 + 11, tableOf(0x8022, 0x8042)],
    [0x8022, properties([0x3001, 'Inkorg'], [0x3602, 3])],
    [0x8022 + 11, tableOf()],
    [0x8022 + 12, tableOf(...letters.map(([node]) => node))],
    [0x8042, properties([0x3001, 'Utkast'], [0x3602, 0])],
    [0x8042 + 11, tableOf()],
    ...letters,
  ]
  const header = Buffer.alloc(1024)
  const place = { nodes: 1024, blocks: 1536, data: 2048 }
  const data: Buffer[] = []
  let end = place.data
  const blockEntries = nodes.map(([, block], index) => {
    const made = numbers(24, (index + 1) * 4, end, block.length)
    const padded = Buffer.alloc(Math.ceil(block.length / 64) * 64)
    padded.set(block)
    data.push(padded)
    end += padded.length
    return made
  })
  const nodeEntries = nodes.map(([node], index) => numbers(32, node, (index + 1) * 4))
  header.write('!BDN')
  header.write('SM', 8)
  header.writeUInt16LE(23, 10)
  header.writeUInt32LE(place.nodes, 224)
  header.writeUInt32LE(place.blocks, 240)
  return Buffer.concat([header, page(0x81, 32, nodeEntries), page(0x80, 24, blockEntries), ...data])
}
