/** Why an answer is not the array it should be. */
export class SplitError extends Error {
  readonly trouble: 'not an array' | 'not-json' | 'cut-off' | 'too-long'
  /** The beginning of what was found. */
  readonly excerpt: string

  constructor(trouble: SplitError['trouble'], found: Buffer) {
    super(trouble)
    this.trouble = trouble
    this.excerpt = found.subarray(0, 600).toString('utf8')
  }
}

const longestRecord = 32 * 1024 * 1024
const longestSpace = 1024 * 1024
const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = Buffer.from('"\\,[]{}')
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const byteOrderMark = Buffer.from('\uFEFF')

/** Whether the quote at a place is part of the string: an odd number of backslashes stands before it. */
const isEscaped = (bytes: Buffer, at: number) => {
  let before = at
  while (bytes[before - 1] === backslash) before -= 1
  return (at - before) % 2 === 1
}

/** Cuts a JSON array into its elements as it arrives. */
const splitter = () => {
  /** What is not yet part of a finished element; `at` is how far it was looked through. */
  let bytes: Buffer = Buffer.alloc(0)
  let at = 0
  let where: 'before' | 'inside' | 'after' = 'before'
  /** How many brackets are open within the element. */
  let depth = 0
  let isInString = false
  let count = 0
  let space = 0

  /** Looks for the end of the element that begins the bytes; undefined where it has not arrived yet. */
  const endOfElement = (): number | undefined => {
    for (; at < bytes.length; at += 1) {
      if (isInString) {
        const end = bytes.indexOf('"', at)
        at = end < 0 ? bytes.length : end
        if (end < 0) return undefined
        isInString = isEscaped(bytes, end)
        continue
      }
      const byte = bytes[at]
      if (byte === quote) isInString = true
      else if (byte === openArray || byte === openObject) depth += 1
      else if (depth === 0 && (byte === comma || byte === closeArray)) return at
      else if (byte === closeArray || byte === closeObject) {
        if (depth === 0) throw new SplitError('not-json', bytes)
        depth -= 1
      }
    }
    return undefined
  }

  const element = (end: number): unknown => {
    try {
      return JSON.parse(bytes.toString('utf8', 0, end))
    } catch {
      throw new SplitError('not-json', bytes)
    }
  }

  /** Passes over the space around the array, which must not go on for ever. */
  const skipSpace = () => {
    if (where === 'before' && space === 0 && bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3)
    const from = bytes.findIndex((byte) => !isSpace(byte))
    space += from < 0 ? bytes.length : from
    bytes = from < 0 ? Buffer.alloc(0) : bytes.subarray(from)
    if (space > longestSpace) throw new SplitError('too-long', bytes)
  }

  return {
    /** Takes the next part of the body and gives the elements that it completes. */
    take: (part: Buffer): unknown[] => {
      bytes = bytes.length > 0 ? Buffer.concat([bytes, part]) : part
      const found: unknown[] = []
      if (where === 'before') {
        skipSpace()
        if (bytes.length > 0 && bytes[0] !== openArray) throw new SplitError('not an array', bytes)
        if (bytes.length === 0) return found
        where = 'inside'
        bytes = bytes.subarray(1)
      }
      while (where === 'inside') {
        const end = endOfElement()
        if (end === undefined) break
        const isLast = bytes[end] === closeArray
        const isNothing = bytes.subarray(0, end).every(isSpace)
        // Only an array without any element has nothing before its bracket.
        if (!isNothing) found.push(element(end))
        else if (!isLast || count > 0) throw new SplitError('not-json', bytes)
        count += 1
        bytes = bytes.subarray(end + 1)
        at = 0
        if (isLast) where = 'after'
      }
      if (where === 'after') {
        skipSpace()
        if (bytes.length > 0) throw new SplitError('not-json', bytes)
      }
      if (bytes.length > longestRecord) throw new SplitError('too-long', bytes)
      return found
    },
    end: () => {
      if (where !== 'after') throw new SplitError(where === 'before' && bytes.length === 0 ? 'not an array' : 'cut-off', bytes)
    },
  }
}

/**
 * Reads the elements of a JSON array as they arrive, so that an array may be longer than memory or than any text can be
 * (RFC 8259). Gives those that each part of the body completes.
 * @throws SplitError where the body is no array, breaks off, holds something that is not JSON, or does not end
 */
export async function* elementsOf(body: AsyncIterable<Buffer>): AsyncGenerator<unknown[]> {
  const { take, end } = splitter()
  for await (const part of body) {
    const found = take(part)
    if (found.length > 0) yield found
  }
  end()
}
