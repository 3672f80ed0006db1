/** A segment of a JPEG (ITU-T T.81): its marker, its length, and what is in it. */
const segment = (marker: number, ...content: number[]) => [
  0xff,
  marker,
  (content.length + 2) >> 8,
  (content.length + 2) & 255,
  ...content,
]

/**
 * A JPEG in shades of grey of any size, light above and dark below, in which nearly every block of 64 pixels
 * takes two bits: two hundred million pixels are less than a megabyte.
 */
export const hugeJpeg = (width: number, height: number): Buffer => {
  const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)]
  const head = [
    0xff,
    0xd8,
    ...segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    ...segment(0xc0, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0),
    // Differences of no bit, of ten and of eleven, as 0, 10 and 110; behind them nothing but the end, as 0.
    ...segment(0xc4, 0x00, 1, 1, 1, ...Array.from({ length: 13 }, () => 0), 0, 10, 11),
    ...segment(0xc4, 0x10, 1, ...Array.from({ length: 15 }, () => 0), 0),
    ...segment(0xda, 1, 1, 0, 0, 63, 0),
  ]
  const middle = across * (down >> 1)
  const light = `10${(800).toString(2).padStart(10, '0')}0`
  // What is negative is written as one less (T.81, F.1.2.1).
  const darker = `110${(2 ** 11 - 1 - 1_600).toString(2).padStart(11, '0')}0`
  const length = light.length + darker.length + 2 * (across * down - 2)
  const bytes = Buffer.alloc(Math.ceil(length / 8))
  const write = (bits: string, at: number) => {
    for (const [index, bit] of [...bits].entries())
      if (bit === '1')
        bytes[(at + index) >> 3] = (bytes[(at + index) >> 3] ?? 0) | (128 >> ((at + index) & 7))
  }
  write(light, 0)
  write(darker, light.length + 2 * (middle - 1))
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from([0xff, 0xd9])])
}
