import { crc32, deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpacksWithin } from '../../../electron/jobs/kinds/batch/unpacked-bytes.ts'

/** A zip of one deflated part, which says of its size what it likes (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
const zipOf = (content: Buffer, saidBytes: number, before = Buffer.alloc(0)) => {
  const packed = deflateRawSync(content)
  const name = Buffer.from('a.xml')
  const header = (length: number, signature: number, at: number) => {
    const bytes = Buffer.alloc(length)
    bytes.writeUInt32LE(signature, 0)
    bytes.writeUInt16LE(8, at)
    bytes.writeUInt32LE(crc32(content), at + 6)
    bytes.writeUInt32LE(packed.length, at + 10)
    bytes.writeUInt32LE(saidBytes, at + 14)
    bytes.writeUInt16LE(name.length, at + 18)
    return bytes
  }
  const entry = header(46, 0x02_01_4b_50, 10)
  entry.writeUInt32LE(before.length, 42)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06_05_4b_50, 0)
  end.writeUInt32LE(before.length + 30 + name.length + packed.length, 16)
  return Buffer.concat([before, header(30, 0x04_03_4b_50, 8), name, packed, entry, name, end])
}
const zeros = Buffer.alloc(1_000_000)

test('what a zip holds is counted as it is, whatever it says', () => {
  for (const said of [zeros.length, 0, 12, 0xff_ff_ff_ff])
    expect([
      unpacksWithin(zipOf(zeros, said), 999_999),
      unpacksWithin(zipOf(zeros, said), 1_000_000),
    ]).toEqual([false, true])
})

test('what its directory does not name counts as if it were deflated to the utmost', () => {
  const hidden = zipOf(Buffer.alloc(10), 10, deflateRawSync(zeros))
  expect([unpacksWithin(hidden, 1_000_000), unpacksWithin(hidden, 1_100_000)]).toEqual([false, true])
})

test('what is no zip, or a cut one, is up to whoever reads it', () => {
  expect(unpacksWithin(Buffer.from('no zip'), 1)).toBe(true)
  const whole = zipOf(Buffer.from('a'), 1)
  for (let length = 0; length < whole.length; length += 1)
    expect(unpacksWithin(whole.subarray(0, length), 100_000)).toBe(true)
})
