/** Signatures and places of a zip's records (APPNOTE 4.3.12, 4.3.16), in bytes. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const endLength = 22
const entrySignature = 0x02_01_4b_50
const entryLength = 46

/**
 * How many bytes the files in a zip are said to have unpacked, so that nobody unpacks more than fits into
 * memory; 0 where it is no zip, which whoever unpacks it says.
 */
export const unpackedBytes = (zip: Buffer): number => {
  const end = zip.lastIndexOf(endSignature)
  if (end < 0 || end + endLength > zip.length) return 0
  let sum = 0
  let at = zip.readUInt32LE(end + 16)
  while (at + entryLength <= zip.length && zip.readUInt32LE(at) === entrySignature) {
    sum += zip.readUInt32LE(at + 24)
    at += entryLength + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return sum
}
