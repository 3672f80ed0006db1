const isAt = (bytes: Uint8Array, at: number, ...expected: number[]) =>
  expected.every((byte, index) => bytes[at + index] === byte)

/** Whether the last bytes, but for some that were added behind, are these. */
const endsWith = (bytes: Uint8Array, ...expected: number[]) => {
  const lowest = Math.max(0, bytes.length - 64 * 1024)
  for (let at = bytes.length - expected.length; at >= lowest; at -= 1)
    if (isAt(bytes, at, ...expected)) return true
  return false
}

/** Whether a JPEG, PNG, GIF, WebP or BMP is shorter than it says: Chromium draws what there is of it. */
export const endsEarly = (bytes: Uint8Array<ArrayBuffer>): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isAt(bytes, 0, 0xff, 0xd8)) return !endsWith(bytes, 0xff, 0xd9)
  if (isAt(bytes, 0, 0x89, 0x50)) return !endsWith(bytes, 0x49, 0x45, 0x4e, 0x44)
  if (isAt(bytes, 0, 0x47, 0x49)) return !endsWith(bytes, 0x3b)
  if (isAt(bytes, 0, 0x52, 0x49)) return view.getUint32(4, true) + 8 > bytes.length
  if (isAt(bytes, 0, 0x42, 0x4d)) return view.getUint32(2, true) > bytes.length
  return false
}
