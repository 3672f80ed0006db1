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
  let length = 0
  const gunzip = new Gunzip((bytes) => {
    length += bytes.length
    if (bytes.length > 0) pieces.push({ bytes, member })
  })
  gunzip.onmember = (offset) => {
    member = from + offset
    length = 0
  }
  let isBroken = false
  /** What comes before something that is broken is taken all the same. */
  const push = (part: Uint8Array, isLast: boolean) => {
    pieces = []
    try {
      gunzip.push(part, isLast)
    } catch {
      isBroken = true
    }
    return pieces
  }
  for await (const part of partsOf(content, from, 256 * 1024))
    for (let start = 0; start < part.length && !isBroken; start += inputBytes)
      yield* push(part.subarray(start, start + inputBytes), false)
  if (!isBroken) yield* push(new Uint8Array(0), true)
  // A member ends with its length: a file that was cut ends with something else.
  const trailer = await content.read(content.bytes - 4, content.bytes)
  const told = new DataView(trailer.buffer, trailer.byteOffset).getUint32(0, true)
  if (isBroken || told !== length % 2 ** 32) throw new Undrawable('broken')
}

/**
 * The beginning of what a file in GZIP holds.
 * @returns at most `most` bytes, whether there are more, and whether the file is damaged after them
 * @throws Undrawable, Unreachable
 */
export const inflateBeginning = async (content: Content, most: number, signal: AbortSignal) => {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  let isBroken = false
  try {
    for await (const { bytes } of inflate(content)) {
      signal.throwIfAborted()
      parts.push(new Uint8Array(bytes.subarray(0, most - length)))
      length += bytes.length
      if (length > most) break
    }
  } catch (error) {
    if (!(error instanceof Undrawable) || length === 0) throw error
    isBroken = true
  }
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), isCut: length > most, isBroken }
}
