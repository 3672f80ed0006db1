/** The bytes of a file, by parts; also of one in another file (a member of a zip, an attachment). */
export interface Content {
  name: string
  bytes: number
  /** The bytes from `from` up to, not including, `to`; fewer at the end. @throws Unreachable */
  read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Where Chromium’s own players read it by parts; undefined for what lies in another file. */
  address?: string | undefined
}

/** The archive does not give the bytes that were asked for. */
export class Unreachable extends Error {}
/** A file is longer than what may be held in memory. */
export class TooLarge extends Error {}

/** Parts are asked for and kept in blocks of this length. */
const blockBytes = 256 * 1024
/** So many blocks are kept; the ones that were used longest ago are let go of. */
const mostBlocks = 96
/** What is read at once at most, from the archive. */
const mostAtOnce = 4 * 1024 * 1024

/** What is read whole at most, where a kind does not say. */
const mostWholeBytes = 256 * 1024 * 1024

interface Reading {
  address: string
  name: string
  bytes: number
  /** Told how many different bytes were read so far. */
  progressed: (bytes: number) => void
  signal: AbortSignal
}

/** The frame has no network: this leads to main, and to the files that are open alone. */
const fetchPart = async (address: string, first: number, last: number, signal: AbortSignal) => {
  const headers = { Range: `bytes=${first}-${last}` }
  // eslint-disable-next-line no-restricted-globals -- the one way to the bytes; the policy allows no other
  const response = await fetch(address, { headers, signal }).catch(unreachable)
  if (response.status !== 206) throw new Unreachable(String(response.status))
  const part = new Uint8Array(await response.arrayBuffer().catch(unreachable))
  const missing = last - first + 1 - part.length
  if (missing > 0) throw new Unreachable(`${missing} bytes were not given.`)
  return part
}
const unreachable = (error: unknown): never => {
  throw new Unreachable(String(error))
}

/** A file of a package, which main gives by parts. Blocks that were read of late are kept. */
export const openContent = ({ address, name, bytes, progressed, signal }: Reading): Content => {
  const blocks = new Map<number, Promise<Uint8Array<ArrayBuffer>>>()
  const seen = new Set<number>()
  const count = (block: number) => {
    if (seen.has(block)) return
    seen.add(block)
    progressed(Math.min(bytes, seen.size * blockBytes))
  }
  const fetchBlocks = (from: number, to: number) => {
    const first = from * blockBytes
    const part = fetchPart(address, first, Math.min(bytes, to * blockBytes) - 1, signal)
    for (let block = from; block < to; block += 1) {
      const start = block * blockBytes - first
      const one = part.then((all) => all.subarray(start, start + blockBytes))
      one.then(
        () => count(block),
        () => blocks.delete(block),
      )
      blocks.set(block, one)
    }
  }
  const trim = () => {
    for (const block of blocks.keys()) {
      if (blocks.size <= mostBlocks) return
      blocks.delete(block)
    }
  }
  const blockOf = async (block: number) => {
    const found = blocks.get(block)
    if (!found) throw new Unreachable('A block was let go of too early.')
    // The ones that are used go to the end of the line.
    blocks.delete(block)
    blocks.set(block, found)
    return found
  }
  const perFetch = mostAtOnce / blockBytes
  const readSome = async (from: number, to: number, result: Uint8Array<ArrayBuffer>, at: number) => {
    const [firstBlock, endBlock] = [Math.floor(from / blockBytes), Math.ceil(to / blockBytes)]
    for (let block = firstBlock; block < endBlock; block += 1) {
      if (blocks.has(block)) continue
      let end = block + 1
      while (end < endBlock && !blocks.has(end)) end += 1
      fetchBlocks(block, end)
    }
    const wanted = await Promise.all(
      Array.from({ length: endBlock - firstBlock }, (_, index) => blockOf(firstBlock + index)),
    )
    for (const [index, part] of wanted.entries()) {
      const start = (firstBlock + index) * blockBytes
      const piece = part.subarray(Math.max(0, from - start), Math.min(part.length, to - start))
      result.set(piece, at + Math.max(start, from) - from)
    }
    trim()
  }
  return {
    name,
    bytes,
    address,
    read: async (from, to) => {
      const end = Math.min(to, bytes)
      const result = new Uint8Array(Math.max(0, end - from))
      for (let start = from; start < end;) {
        const stop = Math.min(end, (Math.floor(start / blockBytes) + perFetch) * blockBytes)
        await readSome(start, stop, result, start - from)
        start = stop
      }
      return result
    },
  }
}

/** What lies in memory. */
export const contentOf = (name: string, content: Uint8Array<ArrayBuffer>): Content => ({
  name,
  bytes: content.length,
  read: (from, to) => Promise.resolve(content.subarray(from, to)),
})

/** A part of a file as a file of its own: a member of a tar, or of a zip that is not compressed. */
export const sliceOf = (whole: Content, name: string, from: number, to: number): Content => ({
  name,
  bytes: to - from,
  read: (start, end) => whole.read(from + start, Math.min(from + end, to)),
})

/**
 * All bytes of a file.
 * @param most so many at most
 * @throws TooLarge where there are more, Unreachable
 */
export const readWhole = (content: Content, most = mostWholeBytes): Promise<Uint8Array<ArrayBuffer>> => {
  if (content.bytes > most) throw new TooLarge(content.name)
  return content.read(0, content.bytes)
}

/**
 * All bytes of a file, one part after the other; the first is short, since it is there already where the
 * file was looked at. @throws Unreachable
 */
export async function* partsOf(
  content: Content,
  from = 0,
  partBytes = 1024 * 1024,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let at = from
  for (let length = Math.min(blockBytes, partBytes); at < content.bytes; length = partBytes) {
    yield await content.read(at, at + length)
    at += length
  }
}
