import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

// Tars and zips, byte by byte, sound and unsound.

/** RFC 8493 2.1.3 */
const encodeName = (name: string) =>
  name.replaceAll('%', '%25').replaceAll('\n', '%0A').replaceAll('\r', '%0D')

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

/** Files of a small bag, by their names in its folder. */
export const bagContents = (payload: Record<string, Buffer | string> = { 'data/a.txt': 'a' }) => ({
  'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
  'manifest-sha256.txt': Object.entries(payload)
    .map(([name, content]) => `${digest(content)}  ${encodeName(name)}\n`)
    .join(''),
  ...payload,
})

const u16 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
  return bytes
}
const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4))
  return bytes
}
const u64 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => bytes.writeBigUInt64LE(BigInt(value), index * 8))
  return bytes
}
/** A field of an extra field (APPNOTE.TXT 4.5). */
export const field = (id: number, content: Buffer) => Buffer.concat([u16(id, content.length), content])
export const wide = (...values: number[]) => field(1, u64(...values))
export const unicodePath = (raw: Buffer, name: string, crc = crc32(raw)) =>
  field(0x7075, Buffer.concat([Buffer.from([1]), u32(crc), Buffer.from(name)]))

/** What both headers of an entry of a zip say. */
export interface ZipFields {
  needed: number
  flags: number
  method: number
  crc: number
  stored: number
  bytes: number
  name: Buffer | string
  extra: Buffer
}
export interface ZipEntry {
  name: Buffer | string
  content?: Buffer | string
  /** What lies there, where it is not the content or what it is compressed to. */
  raw?: Buffer
  method?: number
  flags?: number
  local?: Partial<ZipFields>
  central?: Partial<
    ZipFields & { host: number; attributes: number; disk: number; at: number; comment: string }
  >
  /** Bytes between the content and the next entry. */
  behind?: Buffer
  /** Only in the directory; its content is that of the entry with this number. */
  sameAs?: number
}
export interface ZipShape {
  before?: Buffer
  beforeDirectory?: Buffer
  behindDirectory?: Buffer
  comment?: Buffer
  after?: Buffer
  /** Numbers of the last record, by their offsets in it. */
  end?: Record<number, number>
  /** Order of the entries in the directory. */
  order?: number[]
  zip64?: { at?: number; entries?: number; disks?: number; length?: number } | true
}

const utf8 = 0x0800
const localHeader = (fields: ZipFields) =>
  Buffer.concat([
    u32(0x04034b50),
    u16(fields.needed, fields.flags, fields.method, 0, 0x21),
    u32(fields.crc, fields.stored, fields.bytes),
    u16(Buffer.byteLength(fields.name), fields.extra.length),
    Buffer.from(fields.name),
    fields.extra,
  ])

/** A zip of these entries, which is sound unless something is said otherwise. */
export const zipOf = (entries: ZipEntry[], shape: ZipShape = {}): Buffer => {
  const parts: Buffer[] = [shape.before ?? Buffer.alloc(0)]
  let at = parts[0]?.length ?? 0
  const placed: { fields: ZipFields; at: number; entry: ZipEntry }[] = []
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '')
    const method = entry.method ?? 0
    const raw = entry.raw ?? (method === 8 ? deflateRawSync(content) : content)
    const fields: ZipFields = {
      needed: 20,
      flags: entry.flags ?? utf8,
      method,
      crc: crc32(content),
      stored: raw.length,
      bytes: content.length,
      name: entry.name,
      extra: Buffer.alloc(0),
    }
    if (entry.sameAs !== undefined) {
      placed.push({ fields, at: placed[entry.sameAs]?.at ?? 0, entry })
      continue
    }
    const piece = Buffer.concat([
      localHeader({ ...fields, ...entry.local }),
      raw,
      entry.behind ?? Buffer.alloc(0),
    ])
    placed.push({ fields, at, entry })
    parts.push(piece)
    at += piece.length
  }
  parts.push(shape.beforeDirectory ?? Buffer.alloc(0))
  const directoryAt = at + (shape.beforeDirectory?.length ?? 0)
  const order = shape.order ?? placed.map((_, index) => index)
  const directory = Buffer.concat(
    order.flatMap((index) => {
      const place = placed[index]
      if (!place) return []
      const central = {
        host: 3,
        attributes: 0o100644 * 65_536,
        disk: 0,
        at: place.at,
        comment: '',
        ...place.fields,
        ...place.entry.central,
      }
      return [
        u32(0x02014b50),
        u16((central.host << 8) | 20, central.needed, central.flags, central.method, 0, 0x21),
        u32(central.crc, central.stored, central.bytes),
        u16(Buffer.byteLength(central.name), central.extra.length, central.comment.length, central.disk, 0),
        u32(central.attributes, central.at),
        Buffer.from(central.name),
        central.extra,
        Buffer.from(central.comment),
      ]
    }),
  )
  parts.push(directory, shape.behindDirectory ?? Buffer.alloc(0))
  const endAt = directoryAt + directory.length
  if (shape.zip64) {
    const said = shape.zip64 === true ? {} : shape.zip64
    const count = said.entries ?? order.length
    parts.push(
      u32(0x06064b50),
      u64(44),
      u16(45, 45),
      u32(0, 0),
      u64(count, count, said.length ?? directory.length, said.at ?? directoryAt),
      u32(0x07064b50, 0),
      u64(endAt),
      u32(said.disks ?? 1),
    )
  }
  const comment = shape.comment ?? Buffer.alloc(0)
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, order.length, order.length),
    u32(directory.length, directoryAt),
    u16(comment.length),
  ])
  for (const [offset, value] of Object.entries(shape.end ?? {}))
    if (Number(offset) < 12 || Number(offset) === 20) end.writeUInt16LE(value, Number(offset))
    else end.writeUInt32LE(value, Number(offset))
  parts.push(end, comment, shape.after ?? Buffer.alloc(0))
  return Buffer.concat(parts)
}

/** Entries of a small bag in its folder. */
export const zipEntriesOf = (contents: Record<string, Buffer | string>, top = 'bag/'): ZipEntry[] =>
  Object.entries(contents).map(([name, content]) => ({ name: `${top}${name}`, content, method: 8 }))

export interface TarEntry {
  name: Buffer | string
  content?: Buffer | string
  type?: string
  prefix?: string
  magic?: string
  linkname?: string
  /** The field of twelve bytes, where it does not say the length of the content. */
  size?: Buffer | string
  /** Bytes at offsets of the header, before it is summed. */
  bytes?: Record<number, Buffer | string>
  sum?: string
  padding?: number
}

const padded = (content: Buffer, fill = 0) =>
  Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512, fill)])

/** A header of a tar and its content. */
export const tarEntry = (entry: TarEntry): Buffer => {
  const content = Buffer.from(entry.content ?? '')
  const header = Buffer.alloc(512)
  Buffer.from(entry.name).copy(header, 0, 0, 100)
  header.write('0000644\x000000000\x000000000\0', 100, 'latin1')
  Buffer.from(entry.size ?? `${content.length.toString(8).padStart(11, '0')}\0`).copy(header, 124)
  header.write('00000000000\0        ', 136, 'latin1')
  header.write(entry.type ?? '0', 156, 'latin1')
  header.write(entry.linkname ?? '', 157, 'latin1')
  header.write(entry.magic ?? 'ustar\x0000', 257, 'latin1')
  header.write(entry.prefix ?? '', 345, 'latin1')
  for (const [offset, bytes] of Object.entries(entry.bytes ?? {}))
    Buffer.from(bytes).copy(header, Number(offset))
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(entry.sum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, padded(content, entry.padding)])
}
export const tarEnd = (blocks = 20) => Buffer.alloc(512 * blocks)

/** A record of an extended header (POSIX pax). */
export const paxRecord = (key: string, value: Buffer | string) => {
  const rest = Buffer.byteLength(` ${key}=\n`) + Buffer.byteLength(value)
  let length = rest + String(rest).length
  length = rest + String(length).length
  return Buffer.concat([Buffer.from(`${length} ${key}=`), Buffer.from(value), Buffer.from('\n')])
}
export const paxHeader = (records: [string, Buffer | string][], type = 'x') =>
  tarEntry({
    name: 'PaxHeaders/x',
    type,
    content: Buffer.concat(records.map(([key, value]) => paxRecord(key, value))),
  })
export const longName = (name: Buffer | string, type = 'L') =>
  tarEntry({
    name: '././@LongLink',
    type,
    magic: 'ustar  \0',
    content: Buffer.concat([Buffer.from(name), Buffer.alloc(1)]),
  })

export const tarOf = (parts: (Buffer | TarEntry)[], end = tarEnd()): Buffer =>
  Buffer.concat([...parts.map((part) => (Buffer.isBuffer(part) ? part : tarEntry(part))), end])
export const tarEntriesOf = (contents: Record<string, Buffer | string>, top = 'bag/'): TarEntry[] =>
  Object.entries(contents).map(([name, content]) => ({ name: `${top}${name}`, content }))
