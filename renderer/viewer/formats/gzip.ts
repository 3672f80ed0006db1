import { Gunzip } from 'fflate'
import { Undrawable } from '../kind.ts'
import { partsOf, type Content } from '../content.ts'

/** A little of it may be a thousand times as long when it is inflated: so much is taken at once. */
const inputBytes = 16 * 1024

/** A piece of what was compressed, and where in the file the member begins of which it is. */
export interface Inflated {
  bytes: Uint8Array
  member: number
}

/**
 * What a file in GZIP holds (RFC 1952), member after member, from where one of them begins.
 * @throws Undrawable where it is none, or is cut; Unreachable
 */
export async function* inflate(content: Content, from = 0): AsyncGenerator<Inflated> {
  let pieces: Inflated[] = []
  let member = from
  const gunzip = new Gunzip((bytes) => {
    if (bytes.length > 0) pieces.push({ bytes, member })
  })
  gunzip.onmember = (offset) => {
    member = from + offset
  }
  const push = (part: Uint8Array, isLast: boolean) => {
    try {
      gunzip.push(part, isLast)
    } catch (error) {
      throw new Undrawable('broken', String(error))
    }
  }
  for await (const part of partsOf(content, from, 256 * 1024))
    for (let start = 0; start < part.length; start += inputBytes) {
      push(part.subarray(start, start + inputBytes), false)
      yield* pieces
      pieces = []
    }
  push(new Uint8Array(0), true)
  yield* pieces
}

/**
 * The beginning of what a file in GZIP holds.
 * @returns at most `most` bytes, and whether there are more
 * @throws Undrawable, Unreachable
 */
export const inflateBeginning = async (content: Content, most: number, signal: AbortSignal) => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for await (const { bytes } of inflate(content)) {
    signal.throwIfAborted()
    parts.push(new Uint8Array(bytes.subarray(0, most - length)))
    length += bytes.length
    if (length > most) break
  }
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isCut: length > most }
}
