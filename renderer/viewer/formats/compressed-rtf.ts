/** What a text may refer to from its first byte on (MS-OXRTFCP 2.1.2.1). */
const known =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
  '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
  '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx'
const windowBytes = 4096
const headerBytes = 16
/** Ways to compress it, by their letters: LZFu, and not at all. */
const [compressed, plain] = [0x75465a4c, 0x414c454d]
const mostBytes = 32 * 1024 * 1024

/**
 * Rich Text as Outlook keeps it in a letter (MS-OXRTFCP), a character a byte. What is cut gives what there
 * is.
 * @throws Error where it is compressed in a way that nobody knows
 */
export const readCompressedRtf = (bytes: Uint8Array): string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const way = bytes.length < headerBytes ? 0 : view.getUint32(8, true)
  if (way === plain) return new TextDecoder('latin1').decode(bytes.subarray(headerBytes))
  if (way !== compressed) throw new Error('compressed RTF')
  const seen = new Uint8Array(windowBytes)
  seen.set(new TextEncoder().encode(known))
  let end = known.length
  const signs: string[] = []
  const add = (byte: number) => {
    signs.push(String.fromCharCode(byte))
    seen[end] = byte
    end = (end + 1) % windowBytes
  }
  for (let at = headerBytes; at < bytes.length && signs.length < mostBytes;) {
    const flags = bytes[at] ?? 0
    at += 1
    for (let bit = 0; bit < 8 && at < bytes.length; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        add(bytes[at] ?? 0)
        at += 1
        continue
      }
      const reference = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
      at += 2
      const from = reference >> 4
      if (from === end) return signs.join('')
      for (let count = 0; count < (reference & 15) + 2; count += 1)
        add(seen[(from + count) % windowBytes] ?? 0)
    }
  }
  return signs.join('')
}
