import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG (ISO/IEC 15948, 5.3). */
const chunk = (type: string, content: Buffer): Buffer => {
  const made = Buffer.alloc(12 + content.length)
  made.writeUInt32BE(content.length)
  made.write(type, 4, 'latin1')
  content.copy(made, 8)
  made.writeUInt32BE(crc32(made.subarray(4, 8 + content.length)), 8 + content.length)
  return made
}

const channelsOf = { 0: 1, 2: 3, 3: 1, 6: 4 }

/** The passes of Adam7 (8.2): where each begins, and how far its pixels are apart. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** A PNG in shades of grey that is interlaced, white above and black below. */
export const interlacedPng = (width: number, height: number): Buffer => {
  const rows = passes.flatMap(([left, top, across, down]) => {
    const row = Buffer.alloc(Math.ceil((width - left) / across) + 1)
    const white = Buffer.from(row).fill(255, 1)
    const count = Math.ceil((height - top) / down)
    return Array.from({ length: count }, (_, index) => (top + index * down < height / 2 ? white : row))
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[12] = 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * A PNG of any size, white above and black below: hundreds of megapixels are less than two megabytes. Every
 * row but two says that it is as the one above.
 * @param colour 0 grey, 2 RGB, 3 palette, 6 RGB with alpha
 */
export const hugePng = (width: number, height: number, colour: 0 | 2 | 3 | 6, depth: 1 | 8 | 16): Buffer => {
  const rowBytes = Math.ceil((width * channelsOf[colour] * depth) / 8)
  const [white, black, same] = [
    Buffer.alloc(rowBytes + 1, 255),
    Buffer.alloc(rowBytes + 1),
    Buffer.alloc(rowBytes + 1),
  ]
  white[0] = 0
  same[0] = 2
  // The palette has white as its second colour; alpha is that of white, everywhere.
  if (colour === 3) white.fill(1, 1)
  const pixel = (channelsOf[colour] * depth) / 8
  if (colour === 6)
    for (let at = 1 + (pixel * 3) / 4; at < black.length; at += pixel) black.fill(255, at, at + pixel / 4)
  const rows = Array.from({ length: height }, (_, y) => (y === 0 ? white : y === height / 2 ? black : same))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = depth
  header[9] = colour
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(colour === 3 ? [chunk('PLTE', Buffer.from([0, 0, 0, 255, 255, 255]))] : []),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
