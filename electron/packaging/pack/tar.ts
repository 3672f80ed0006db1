import type { Container, Entry } from './containers.ts'

const block = 512
const padded = (bytes: number) => (block - (bytes % block)) % block
/** What an octal field of eleven digits holds (POSIX ustar). */
const largestOctal = 0o77777777777
const isPlain = (name: string) => name.length <= 100 && /^[\x20-\x7e]*$/.test(name)

const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

const headerBlock = (name: string, type: '0' | '5' | 'x', bytes: number, seconds: number) => {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100, 'latin1')
  header.write(octal(type === '5' ? 0o755 : 0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(bytes > largestOctal ? 0 : bytes, 11), 124)
  header.write(octal(Math.min(Math.max(0, seconds), largestOctal), 11), 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/**
 * A record of an extended header: its length in decimal digits counts itself (POSIX pax, 4.18 "Extended
 * Header").
 */
const record = (key: string, value: string) => {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

/** Times before 1970, and those that are too large, have no octal digits. */
const isPlainTime = (ms: number) => ms >= 0 && ms / 1000 <= largestOctal

const recordsOf = (name: string, bytes: number, modifiedMs: number) =>
  [
    isPlain(name) ? '' : record('path', name),
    bytes > largestOctal ? record('size', String(bytes)) : '',
    isPlainTime(modifiedMs) ? '' : record('mtime', (modifiedMs / 1000).toFixed(3)),
  ].join('')

/** A name of the old form beside the true one: what can be said of it in 100 plain letters. */
const plainForm = (name: string) => (isPlain(name) ? name : name.replace(/[^\x20-\x7e]/g, '_').slice(-100))

const entry = (name: string, type: '0' | '5', bytes: number, modifiedMs: number) => {
  const seconds = Math.floor(modifiedMs / 1000)
  const header = headerBlock(plainForm(name), type, bytes, seconds)
  const records = Buffer.from(recordsOf(name, bytes, modifiedMs))
  if (records.length === 0) return header
  return Buffer.concat([
    headerBlock('PaxHeaders/entry', 'x', records.length, seconds),
    records,
    Buffer.alloc(padded(records.length)),
    header,
  ])
}

/**
 * A tar as POSIX.1-2001 (pax) has it: plain headers where they suffice, extended ones for long or non-ASCII
 * names, for 8 GiB and more, and for times before 1970.
 */
export const tar: Container = {
  hasCrc: false,
  headerLength: (name, bytes, modifiedMs) => {
    if (isPlain(name) && bytes <= largestOctal && isPlainTime(modifiedMs)) return block
    const records = Buffer.byteLength(recordsOf(name, bytes, modifiedMs))
    return block + records + padded(records) + block
  },
  header: ({ name, bytes, modifiedMs }: Entry) => entry(name, '0', bytes, modifiedMs),
  padding: padded,
  folder: (name, modifiedMs) => entry(`${name}/`, '5', 0, modifiedMs),
  ending: (_entries, payloadEnd, write) => {
    // Two empty blocks end it; programs that read records of 20 blocks want the last one full.
    const end = payloadEnd + 2 * block
    write(Buffer.alloc(2 * block + ((20 * block - (end % (20 * block))) % (20 * block))))
  },
}
