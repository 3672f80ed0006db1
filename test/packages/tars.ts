import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'

/** A header of a tar (POSIX ustar), written without any of our own code. */
const header = (name: string, bytes: number, type: '0' | '5') => {
  const block = Buffer.alloc(512)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(name, 0)
  block.write(octal(type === '5' ? 0o755 : 0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  if (bytes < 8 ** 11) block.write(octal(bytes, 11), 124)
  else {
    // What eleven octal digits cannot say stands in bits, after a first byte that says so.
    block[124] = 0x80
    block.writeBigUInt64BE(BigInt(bytes), 128)
  }
  block.write(octal(1_700_000_000, 11), 136)
  block.fill(' ', 148, 156)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((whole, byte) => whole + byte, 0)
  block.write(`${octal(sum, 6)} `, 148)
  return block
}

interface Member {
  name: string
  /** What begins the file; the rest of it is a hole. */
  content: Buffer
  bytes?: number
}

/**
 * Writes a tar, whose names have at most 100 bytes; what is not given of a member's content is a hole.
 * @returns how long it is
 */
export const writeTar = (file: string, members: Iterable<Member>): number => {
  const handle = openSync(file, 'w')
  let position = 0
  let waiting: Buffer[] = []
  let length = 0
  const flush = () => {
    writeSync(handle, Buffer.concat(waiting), 0, length, position)
    position += length
    waiting = []
    length = 0
  }
  for (const { name, content, bytes = content.length } of members) {
    const isFolder = name.endsWith('/')
    waiting.push(header(name, bytes, isFolder ? '5' : '0'), content)
    length += 512 + content.length
    const rest = Math.ceil(bytes / 512) * 512 - content.length
    if (rest > 512) {
      flush()
      position += rest
    } else {
      waiting.push(Buffer.alloc(rest))
      length += rest
    }
    if (length > 1_000_000) flush()
  }
  flush()
  ftruncateSync(handle, position + 1024)
  closeSync(handle)
  return position + 1024
}
