/** Why an answer is not the array it should be. */
export class SplitError extends Error {
  readonly trouble: 'not an array' | 'not-json' | 'cut-off' | 'too-long' | 'too deep' | 'too many'
  /** The beginning of what was found. */
  readonly excerpt: string

  constructor(trouble: SplitError['trouble'], found: Buffer) {
    super(trouble)
    this.trouble = trouble
    this.excerpt = found.subarray(0, 600).toString('utf8')
  }
}

const longestRecord = 16 * 1024 * 1024
/** No record is nested nearly as deep; what is would overflow the stack of whoever walks it. */
export const deepest = 200
/** No record has nearly as many values; each takes far more memory than the bytes that say it. */
const mostValues = 200_000
const longestSpace = 1024 * 1024
const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = Buffer.from('"\\,[]{}')
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const byteOrderMark = Buffer.from('\uFEFF')

/** What a byte outside of texts means; all that is not named means nothing. */
const [text, opening, closing, between] = [1, 2, 3, 4]
const meaning = new Uint8Array(256)
meaning[quote ?? 0] = text
for (const sign of [openArray, openObject]) meaning[sign ?? 0] = opening
for (const sign of [closeArray, closeObject]) meaning[sign ?? 0] = closing
meaning[comma ?? 0] = between

/** How far the end of an element was looked for; more of it may arrive. */
interface Scan {
  /** The next byte. */
  index: number
  /** How many brackets are open within the element. */
  depth: number
  /** How many brackets and commas it has had so far: each stands for a value. */
  values: number
  isInText: boolean
}

/**
 * Looks for the end of the element that begins at `from`; undefined where it has not arrived yet. It sees
 * every byte of a list, so it works on locals.
 */
const endOfElement = (bytes: Buffer, from: number, scan: Scan): number | undefined => {
  const length = bytes.length
  let { index, depth, values, isInText } = scan
  for (;;) {
    if (isInText) {
      while (index < length && bytes[index] !== quote && bytes[index] !== backslash) index += 1
      if (index >= length) break
      isInText = bytes[index] === backslash
      // What stands behind a backslash ends no text.
      index += isInText ? 2 : 1
    } else {
      while (index < length && meaning[bytes[index] ?? 0] === 0) index += 1
      if (index >= length) break
      const sign = meaning[bytes[index] ?? 0]
      if (sign === opening || sign === between) {
        values += 1
        if (values > mostValues) throw new SplitError('too many', bytes.subarray(from))
      }
      if (sign === opening) {
        depth += 1
        if (depth > deepest) throw new SplitError('too deep', bytes.subarray(from))
      } else if (sign === text) isInText = true
      else if (depth === 0) {
        if (bytes[index] === closeObject) throw new SplitError('not-json', bytes.subarray(from))
        return index
      } else if (sign === closing) depth -= 1
      index += 1
    }
  }
  scan.index = index
  scan.depth = depth
  scan.values = values
  scan.isInText = isInText
  return undefined
}

/** Another element is looked for. */
const beginAt = (index: number, scan: Scan) => {
  scan.index = index
  scan.depth = 0
  scan.values = 0
  scan.isInText = false
}

/** Puts parts behind what is left of those before, in one piece of memory that is used again and again. */
const openSlab = () => {
  let slab: Buffer = Buffer.alloc(0)
  return (bytes: Buffer, from: number, part: Buffer): Buffer => {
    const rest = bytes.length - from
    if (rest === 0) return part
    if (slab.length < rest + part.length) slab = Buffer.allocUnsafeSlow(2 * (rest + part.length))
    bytes.copy(slab, 0, from)
    part.copy(slab, rest)
    return slab.subarray(0, rest + part.length)
  }
}

/** Passes over the space around the array, which must not go on for ever. */
const openSpace = () => {
  let space = 0
  return (bytes: Buffer, isBefore: boolean): Buffer => {
    const hasMark = isBefore && space === 0 && bytes.subarray(0, 3).equals(byteOrderMark)
    const unmarked = hasMark ? bytes.subarray(3) : bytes
    const found = unmarked.findIndex((byte) => !isSpace(byte))
    space += found < 0 ? unmarked.length : found
    const rest = found < 0 ? unmarked.subarray(unmarked.length) : unmarked.subarray(found)
    if (space > longestSpace) throw new SplitError('too-long', rest)
    return rest
  }
}

/**
 * Cuts a JSON array into its elements as it arrives.
 * @param count how many elements of it others have read; what comes begins behind the last of them
 */
const splitter = (count = 0) => {
  /** What is not yet part of a finished element; the element that is looked through begins at `from`. */
  let bytes: Buffer = Buffer.alloc(0)
  let from = 0
  const scan: Scan = { index: 0, depth: 0, values: 0, isInText: false }
  const join = openSlab()
  const skipSpace = openSpace()
  let where: 'before' | 'inside' | 'after' = count === 0 ? 'before' : 'inside'

  const cut = (reader: ElementReader) => {
    while (where === 'inside') {
      while (scan.index === from && isSpace(bytes[from])) scan.index = from = from + 1
      const isBeginning = scan.index === from && from < bytes.length
      const recognized = isBeginning ? (reader.recognize?.(bytes.subarray(from)) ?? 0) : 0
      if (recognized < 0) return
      const after = bytes[from + recognized]
      const isRecognized = recognized > 0 && (after === comma || after === closeArray)
      const end = isRecognized ? from + recognized : endOfElement(bytes, from, scan)
      if (end === undefined) return
      const isLast = bytes[end] === closeArray
      let last = end
      while (from < last && isSpace(bytes[last - 1])) last -= 1
      // Only an array without any element has nothing before its bracket.
      if (from === last && (!isLast || count > 0)) throw new SplitError('not-json', bytes.subarray(from))
      const element = bytes.subarray(from, last)
      count += 1
      from = end + 1
      beginAt(from, scan)
      if (isLast) where = 'after'
      if (element.length > 0) reader.take(element)
    }
  }

  const checkRest = () => {
    if (where === 'after') {
      bytes = skipSpace(bytes.subarray(from), false)
      from = 0
      if (bytes.length > 0) throw new SplitError('not-json', bytes)
    }
    if (bytes.length - from > longestRecord) throw new SplitError('too-long', bytes.subarray(from))
  }

  return {
    /** How many elements were read, and what came behind the last; undefined outside of the array. */
    reached: () => (where === 'inside' && count > 0 ? { count, rest: bytes.subarray(from) } : undefined),
    /** Takes the next part of the body and gives the elements that it completes to the reader. */
    take: (part: Buffer, reader: ElementReader) => {
      bytes = join(bytes, from, part)
      // A backslash at the end of a part may have sent it past the end.
      scan.index -= from
      from = 0
      if (where === 'before') {
        bytes = skipSpace(bytes, true)
        if (bytes.length === 0) return
        if (bytes[0] !== openArray) throw new SplitError('not an array', bytes)
        where = 'inside'
        from = 1
        beginAt(from, scan)
      }
      cut(reader)
      checkRest()
    },
    end: (reader: ElementReader) => {
      // What was recognized may have been longer than what came.
      cut({ take: reader.take })
      checkRest()
      if (where !== 'after')
        throw new SplitError(
          where === 'before' && bytes.length === 0 ? 'not an array' : 'cut-off',
          bytes.subarray(from),
        )
    },
  }
}

/** Who reads the elements of an array. */
export interface ElementReader {
  /**
   * Is given each element as its own text, which was not looked at: it may be no JSON. Its memory is used
   * again afterwards.
   */
  take: (element: Buffer) => void
  /**
   * Knows an element before its end was looked for, which is what takes the time.
   * @returns the length of the element that these bytes begin with, where it is known; 0 where it is not; -1
   * where more bytes are needed
   */
  recognize?: (bytes: Buffer) => number
  /**
   * Goes on with a long body elsewhere.
   * @param rest what follows the elements that were taken, to the end of the body
   * @param count how many were taken
   * @returns undefined where that is not possible now
   */
  goOn?: (rest: AsyncIterable<Buffer>, count: number) => Promise<void> | undefined
}

/** A body is long from here on: it is worth a thread. */
const longBytes = 1024 * 1024

async function* following(first: Buffer, parts: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.from(first)
  for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value
}

/**
 * Reads the elements of a JSON array as they arrive, so that an array may be longer than memory or than any
 * text can be
 * (RFC 8259).
 * @throws SplitError where the body is no array, breaks off, or does not end
 */
export const readElements = async (body: AsyncIterable<Buffer>, reader: ElementReader): Promise<void> => {
  const { take, end, reached } = splitter()
  const parts = body[Symbol.asyncIterator]()
  let taken = 0
  try {
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) {
      take(next.value, reader)
      const before = taken
      taken += next.value.length
      const isLongNow = before < longBytes && taken >= longBytes
      const where = isLongNow && reader.goOn ? reached() : undefined
      const goneOn = where && reader.goOn?.(following(where.rest, parts), where.count)
      if (goneOn) return await goneOn
    }
  } finally {
    // Whoever leaves before the end lets go of the body.
    await parts.return?.()
  }
  end(reader)
}

/** Goes on with a body that others began to read. @param count of the elements that they read */
export const continueElements = (count: number, reader: ElementReader) => {
  const { take, end } = splitter(count)
  return {
    take: (part: Buffer) => take(part, reader),
    end: () => end(reader),
  }
}

/**
 * What an element says.
 * @throws SplitError where it is not JSON
 */
export const readElement = (element: string): unknown => {
  try {
    return JSON.parse(element)
  } catch {
    throw new SplitError('not-json', Buffer.from(element))
  }
}
