/** The sizes of a PNG (ISO 15948): they stand in its first chunk. */
export const sizeOfPng = (png) => {
  if (png.subarray(1, 4).toString('latin1') !== 'PNG') throw new Error('This is no PNG.')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/** One file of icons for Windows, which holds a PNG of each size; 256 is written as 0. */
export const icoOf = (pngs) => {
  const header = Buffer.alloc(6 + 16 * pngs.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pngs.length, 4)
  let at = header.length
  for (const [index, png] of pngs.entries()) {
    const { width, height } = sizeOfPng(png)
    const entry = 6 + 16 * index
    header.writeUInt8(width % 256, entry)
    header.writeUInt8(height % 256, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(png.length, entry + 8)
    header.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([header, ...pngs])
}

/** What macOS calls a PNG of each size, on an ordinary display and on one of twice as many points. */
export const icnsTypes = [
  ['icp4', 16],
  ['icp5', 32],
  ['icp6', 64],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
]

/**
 * One file of icons for macOS.
 * @param pngOf the PNG of a size
 */
export const icnsOf = (pngOf) => {
  const parts = icnsTypes.map(([type, size]) => {
    const png = pngOf(size)
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32BE(png.length + 8, 4)
    return Buffer.concat([head, png])
  })
  const head = Buffer.alloc(8)
  head.write('icns', 'latin1')
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 4)
  return Buffer.concat([head, ...parts])
}
