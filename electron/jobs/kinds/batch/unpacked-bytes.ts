import { inflateRawSync } from 'node:zlib'
import { codeOf } from '../../../common/errors.ts'

/** Signatures and places of a zip's records (APPNOTE 4.3.7, 4.3.12, 4.3.16), in bytes. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const endLength = 22
const entrySignature = 0x02_01_4b_50
const entryLength = 46
const localLength = 30
const deflated = 8
/** One byte that is deflated has at most so many (zlib.net, "Technical Details"). */
const mostByDeflating = 1_032

/** How many bytes it inflates to, above `most` where they are more; 0 where nobody can inflate it. */
const inflatedLength = (bytes: Buffer, most: number): number => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, most) }).length
  } catch (error) {
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? most + 1 : 0
  }
}

/**
 * Whether what is in a zip has at most `most` bytes unpacked, so that nobody unpacks more than fits into
 * memory. Each part is inflated for that, since what a zip says of its sizes may be wrong; what its directory
 * does not name counts as if it were deflated to the utmost. True where it is no zip, which whoever unpacks
 * it says.
 */
export const unpacksWithin = (zip: Buffer, most: number): boolean => {
  const end = zip.lastIndexOf(endSignature)
  if (end < 0 || end + endLength > zip.length) return true
  const directory = zip.readUInt32LE(end + 16)
  let sum = 0
  let named = 0
  for (let at = directory; at + entryLength <= zip.length && zip.readUInt32LE(at) === entrySignature;) {
    const packed = zip.readUInt32LE(at + 20)
    const nameLength = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    if (local + localLength <= zip.length) {
      const begin = local + localLength + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const part = zip.subarray(begin, begin + packed)
      sum += zip.readUInt16LE(at + 10) === deflated ? inflatedLength(part, most - sum) : part.length
    }
    named += localLength + nameLength + packed
    if (sum > most) return false
    at += entryLength + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return sum + Math.max(0, directory - named) * mostByDeflating <= most
}
