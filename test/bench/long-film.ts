import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { LargeFile } from './large-files.ts'

/** A box of ISO/IEC 14496-12: its four letters, and what is in it. */
const box = (type: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, part) => sum + part.length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

/** Boxes that lie one after the other, by their letters. */
const boxesIn = (bytes: Buffer): Map<string, Buffer[]> => {
  const found = new Map<string, Buffer[]>()
  for (let at = 0; at + 8 <= bytes.length;) {
    const end = at + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    found.set(type, [...(found.get(type) ?? []), bytes.subarray(at + 8, end)])
    at = end
  }
  return found
}
const first = (boxes: Map<string, Buffer[]>, type: string): Buffer => {
  const [found] = boxes.get(type) ?? []
  if (!found) throw new Error(`The film has no box "${type}".`)
  return found
}

/** The same box, with a number that was multiplied: a duration. */
const longer = (content: Buffer, at: number, times: number): Buffer => {
  const made = Buffer.from(content)
  made.writeUInt32BE(content.readUInt32BE(at) * times, at)
  return made
}

const u32 = (...values: number[]) => {
  const made = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) made.writeUInt32BE(value, index * 4)
  return made
}
/** What is 32 bits in each entry of a table, behind its version and its count. */
const tableIn = (content: Buffer, columns: number, from = 8): number[][] =>
  Array.from({ length: content.readUInt32BE(from - 4) }, (_, row) =>
    Array.from({ length: columns }, (__, column) =>
      content.readUInt32BE(from + (row * columns + column) * 4),
    ),
  )
const repeated = (rows: number[][], times: number) => {
  const once = u32(...rows.flat())
  return Buffer.concat([u32(0, rows.length * times), ...Array.from({ length: times }, () => once)])
}

/** The pictures of a short film in the order in which they are decoded, each as it lies in the file. */
const samplesOf = (film: Buffer, table: Map<string, Buffer[]>): Buffer[] => {
  const sizes = tableIn(first(table, 'stsz'), 1, 12).flat()
  const runs = tableIn(first(table, 'stsc'), 3)
  const samples: Buffer[] = []
  for (const [index, [offset = 0]] of tableIn(first(table, 'stco'), 1).entries()) {
    const [, perChunk = 0] = runs.findLast(([chunk = 0]) => chunk <= index + 1) ?? []
    let at = offset
    for (let left = perChunk; left > 0; left -= 1) {
      const size = sizes[samples.length] ?? 0
      samples.push(film.subarray(at, at + size))
      at += size
    }
  }
  return samples
}

/**
 * A film of so many bytes (MP4, H.264): a short one again and again, each time further on in the file, with
 * nothing between, and with its index at the end, as a camera leaves it.
 */
export const longFilm = (name: string, bytes: number, times: number): LargeFile => {
  const film = readFileSync(path.resolve(import.meta.dirname, '../viewer/files/film.mp4'))
  const outer = boxesIn(film)
  const movie = boxesIn(first(outer, 'moov'))
  const track = boxesIn(first(movie, 'trak'))
  const media = boxesIn(first(track, 'mdia'))
  const information = boxesIn(first(media, 'minf'))
  const table = boxesIn(first(information, 'stbl'))
  const pictures = samplesOf(film, table)
  const head = box('ftyp', first(outer, 'ftyp'))
  const wide = Buffer.alloc(16)
  wide.writeUInt32BE(1)
  wide.write('mdat', 4, 'latin1')
  const begin = head.length + wide.length
  const stride = Math.floor((bytes - begin - 16_000_000) / times)
  const end = begin + stride * times
  wide.writeBigUInt64BE(BigInt(end - head.length), 8)
  const places = Buffer.alloc(times * 8)
  for (let round = 0; round < times; round += 1)
    places.writeBigUInt64BE(BigInt(begin + round * stride), round * 8)
  const keys = Array.from({ length: times }, (_, round) => round * pictures.length + 1)
  const sizes = Buffer.concat([
    u32(0, 0, pictures.length * times),
    ...Array.from({ length: times }, () => u32(...pictures.map((picture) => picture.length))),
  ])
  const samples = box(
    'stbl',
    box('stsd', first(table, 'stsd')),
    box('stts', repeated(tableIn(first(table, 'stts'), 2), times)),
    box('stss', u32(0, times, ...keys)),
    box('ctts', repeated(tableIn(first(table, 'ctts'), 2), times)),
    box('stsc', u32(0, 1, 1, pictures.length, 1)),
    box('stsz', sizes),
    box('co64', Buffer.concat([u32(0, times), places])),
  )
  const index = box(
    'moov',
    box('mvhd', longer(first(movie, 'mvhd'), 16, times)),
    box(
      'trak',
      box('tkhd', longer(first(track, 'tkhd'), 20, times)),
      box('edts', box('elst', longer(first(boxesIn(first(track, 'edts')), 'elst'), 8, times))),
      box(
        'mdia',
        box('mdhd', longer(first(media, 'mdhd'), 16, times)),
        box('hdlr', first(media, 'hdlr')),
        box(
          'minf',
          box('vmhd', first(information, 'vmhd')),
          box('dinf', first(information, 'dinf')),
          samples,
        ),
      ),
    ),
  )
  const once = Buffer.concat(pictures)
  return {
    name,
    bytes: end + index.length,
    pieces: function* () {
      yield { at: 0, content: Buffer.concat([head, wide]) }
      for (let round = 0; round < times; round += 1) yield { at: begin + round * stride, content: once }
      yield { at: end, content: index }
    },
  }
}
