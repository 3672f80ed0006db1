import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'

// Tars and zips byte by byte, sound and unsound, and what other programs say of them.

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
const localHeader = (it: ZipFields) =>
  Buffer.concat([
    u32(0x04034b50),
    u16(it.needed, it.flags, it.method, 0, 0x21),
    u32(it.crc, it.stored, it.bytes),
    u16(Buffer.byteLength(it.name), it.extra.length),
    Buffer.from(it.name),
    it.extra,
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
      const it = placed[index]
      if (!it) return []
      const central = {
        host: 3,
        attributes: 0o100644 * 65_536,
        disk: 0,
        at: it.at,
        comment: '',
        ...it.fields,
        ...it.entry.central,
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
export const tarEntry = (it: TarEntry): Buffer => {
  const content = Buffer.from(it.content ?? '')
  const header = Buffer.alloc(512)
  Buffer.from(it.name).copy(header, 0, 0, 100)
  header.write('0000644\x000000000\x000000000\0', 100, 'latin1')
  Buffer.from(it.size ?? `${content.length.toString(8).padStart(11, '0')}\0`).copy(header, 124)
  header.write('00000000000\0        ', 136, 'latin1')
  header.write(it.type ?? '0', 156, 'latin1')
  header.write(it.linkname ?? '', 157, 'latin1')
  header.write(it.magic ?? 'ustar\x0000', 257, 'latin1')
  header.write(it.prefix ?? '', 345, 'latin1')
  for (const [offset, bytes] of Object.entries(it.bytes ?? {}))
    Buffer.from(bytes).copy(header, Number(offset))
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(it.sum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, padded(content, it.padding)])
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
  Buffer.concat([...parts.map((it) => (Buffer.isBuffer(it) ? it : tarEntry(it))), end])
export const tarEntriesOf = (contents: Record<string, Buffer | string>, top = 'bag/'): TarEntry[] =>
  Object.entries(contents).map(([name, content]) => ({ name: `${top}${name}`, content }))

/** Commands that say of archives whether they are sound; `$1` is the archive. */
const tests = {
  zip: { unzip: 'unzip -tqq "$1"', '7z': '7z t -y -pno "$1"', 'zip -T': 'zip -T "$1"' },
  tar: { tar: 'tar -tf "$1"', bsdtar: 'bsdtar -tf "$1"' },
}
/** Commands that unpack `$1` into `$2`. */
const extractors = {
  zip: {
    unzip: 'unzip -qq -o -Pno "$1" -d "$2"',
    '7z': '7z x -y -aoa -pno -o"$2" "$1"',
    // It brings names into the encoding of the system.
    bsdtar: 'env LC_ALL=C.UTF-8 bsdtar -C "$2" -xf "$1"',
  },
  tar: { tar: 'tar -C "$2" -xf "$1"', bsdtar: 'bsdtar -C "$2" -xf "$1"' },
}
const pythonScript = `
import sys, os, tarfile, zipfile
for line in sys.stdin.read().splitlines():
    file, folder = line.split('\\t')
    try:
        if file.endswith('.zip'):
            with zipfile.ZipFile(file) as it:
                bad = it.testzip()
                it.extractall(folder)
        else:
            bad = None
            with tarfile.open(file, errorlevel=2) as it:
                it.extractall(folder)
        print('refused' if bad else 'ok')
    except BaseException as error:
        print('refused', type(error).__name__, str(error).replace('\\n', ' ')[:100])
`

/** Names of the programs whose word counts in these tests, and that are missing. */
export const missingPrograms = (): string[] =>
  ['unzip', '7z', 'zip', 'tar', 'bsdtar', 'python3'].filter((program) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })

/** Everything below a folder, with digests of its files. */
const treeOf = (folder: Buffer, below = Buffer.alloc(0)): string[] =>
  readdirSync(Buffer.concat([folder, below]), { withFileTypes: true, encoding: 'buffer' }).flatMap((it) => {
    const name = Buffer.concat([below, Buffer.from('/'), it.name])
    if (it.isDirectory()) return [`${name.toString('latin1')}/`, ...treeOf(folder, name)]
    const content = it.isFile() ? digest(readFileSync(Buffer.concat([folder, name]))) : 'no file'
    return [`${name.toString('latin1')} ${content}`]
  })

/** What other programs make of an archive. */
export interface Referees {
  /** Programs that refuse it, or unpack nothing. */
  refusedBy: string[]
  /** Programs by what they unpack: one group where all do the same. */
  trees: Map<string, string[]>
}

/**
 * Asks other programs about archives, all in one folder that has room for what they unpack.
 * @param without programs that are not to unpack them
 * @returns by the file's name
 */
export const askReferees = (
  folder: string,
  form: 'zip' | 'tar',
  without: string[] = [],
): Map<string, Referees> => {
  const asked = Object.entries<string>(extractors[form]).filter(([program]) => !without.includes(program))
  const files = readdirSync(folder).filter((name) => name.endsWith(`.${form}`))
  const unpacked = path.join(folder, 'unpacked')
  const place = (program: string, file: string) => path.join(unpacked, program, file)
  const answers = new Map<string, Referees>(files.map((name) => [name, { refusedBy: [], trees: new Map() }]))
  const unpackers = [...asked.map(([program]) => program), 'python']
  for (const program of unpackers)
    for (const file of files) mkdirSync(place(program, file), { recursive: true })
  const runAll = (command: string, program: string) => {
    // What an entry announces may be as large as a disk; no file here is of more than 50 MB.
    const script =
      `ulimit -f 100000; while IFS='\t' read -r a b; do run() { timeout 5 ${command}; }; run "$a" "$b" ` +
      '>/dev/null 2>&1 </dev/null; echo $?; done'
    const input = files.map((file) => `${path.join(folder, file)}\t${place(program, file)}\n`).join('')
    const said = execFileSync('sh', ['-c', script], { input, encoding: 'utf8' }).trim().split('\n')
    files.forEach((file, index) => said[index] !== '0' && answers.get(file)?.refusedBy.push(program))
  }
  for (const [program, command] of Object.entries(tests[form])) runAll(command, program)
  for (const [program, command] of asked) runAll(command, program)
  const input = files.map((file) => `${path.join(folder, file)}\t${place('python', file)}`).join('\n')
  const said = execFileSync('python3', ['-c', pythonScript], {
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
    .trim()
    .split('\n')
  files.forEach((file, index) => said[index] !== 'ok' && answers.get(file)?.refusedBy.push('python'))
  for (const program of unpackers)
    for (const file of files) {
      const trees = answers.get(file)?.trees
      const tree = treeOf(Buffer.from(place(program, file)))
        .sort()
        .join('\n')
      trees?.set(tree, [...(trees.get(tree) ?? []), program])
    }
  rmSync(unpacked, { recursive: true, force: true })
  return answers
}
