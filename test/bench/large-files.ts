import { open } from 'node:fs/promises'
import { mailboxOf } from '../viewer/letters.ts'
import type { Source } from '../viewer/frames.ts'
import { writeTar } from '../packages/tars.ts'

/** A file whose bytes are written where they are given; between them nothing lies. */
export interface LargeFile {
  name: string
  bytes: number
  pieces: () => Iterable<Piece> | AsyncIterable<Piece>
}
interface Piece {
  at: number
  content: Buffer
}

const stepBytes = 4 * 1024 * 1024

/** A file that is made when it is read, up to a place; behind that it is a hole. */
export const fileOf = (source: Source, name: string, written = source.bytes): LargeFile => ({
  name,
  bytes: source.bytes,
  pieces: async function* () {
    for (let at = 0; at < written; at += stepBytes)
      yield { at, content: await source.read({ first: at, last: Math.min(at + stepBytes, written) - 1 }) }
  },
})

/** Letters with a file in each, ten kilobytes and more long, one after the other. */
export const mailboxFile = (name: string, letters: number): LargeFile => {
  const perPiece = 500
  const pieces: Buffer[] = []
  for (let from = 0; from < letters; from += perPiece) pieces.push(mailboxOf(from, perPiece))
  return {
    name,
    bytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
    pieces: function* () {
      let at = 0
      for (const content of pieces) {
        yield { at, content }
        at += content.length
      }
    },
  }
}

const blockBytes = 512

/** Writes a tar of large files, in which each takes no more of the disk than what is written of it. */
export const writeLargeTar = async (
  file: string,
  small: { name: string; content: Buffer }[],
  large: { name: string; file: LargeFile }[],
): Promise<number> => {
  const none = Buffer.alloc(0)
  const whole = writeTar(file, [
    ...large.map(({ name, file: { bytes } }) => ({ name, content: none, bytes })),
    ...small,
  ])
  const handle = await open(file, 'r+')
  let begin = blockBytes
  for (const {
    file: { bytes, pieces },
  } of large) {
    for await (const { at, content } of pieces()) await handle.write(content, 0, content.length, begin + at)
    begin += Math.ceil(bytes / blockBytes) * blockBytes + blockBytes
  }
  await handle.close()
  return whole
}
