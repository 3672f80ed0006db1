/** What separates the values of a row; of all of them, the one that cuts the first rows alike. */
const delimiters = [',', ';', '\t', '|']
const quote = '"'

/** A value longer than this is cut: nobody reads it in a cell. */
const mostSigns = 32_000
const mostValues = 2_000

/**
 * Rows of a text with separated values (RFC 4180): a value in quotes may hold the delimiter, line breaks, and
 * quotes that are doubled. A quote elsewhere in a value is one of its signs.
 * @param mostRows so many rows at most
 */
export const readRows = (text: string, delimiter: string, mostRows = Infinity): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let position = 0
  const add = (value: string) => {
    if (row.length < mostValues) row.push(value.slice(0, mostSigns))
  }
  const endOfPlain = () => {
    for (let end = position; end < text.length; end += 1) {
      const sign = text[end]
      if (sign === delimiter || sign === '\n' || sign === '\r') return end
    }
    return text.length
  }
  const readQuoted = () => {
    let value = ''
    position += 1
    for (;;) {
      const end = text.indexOf(quote, position)
      value += text.slice(position, end < 0 ? text.length : end)
      position = end < 0 ? text.length : end + 1
      if (text[position] !== quote) return value
      value += quote
      position += 1
    }
  }
  while (position < text.length && rows.length < mostRows) {
    let value = text[position] === quote ? readQuoted() : ''
    const end = endOfPlain()
    value += text.slice(position, end)
    add(value)
    position = end
    if (text[position] === delimiter) {
      position += 1
      if (position < text.length) continue
      add('')
    }
    if (text[position] === '\r') position += 1
    if (text[position] === '\n') position += 1
    rows.push(row)
    row = []
  }
  return rows
}

/** A first line that says what separates the values, as spreadsheet programs write and read it. */
const saidLine = /^sep=([\t!-~])(?:\r?\n|\r|$)/i

/**
 * What separates the values of a text by its first line, which is then none of its rows; undefined where that
 * says nothing of it.
 * @returns the delimiter, and the signs of that line
 */
export const saidDelimiter = (text: string): { delimiter: string; signs: number } | undefined => {
  const [line, delimiter = ''] = saidLine.exec(text) ?? []
  return line === undefined || delimiter === quote ? undefined : { delimiter, signs: line.length }
}

/** Rows by which the delimiter is guessed. */
const guessedRows = 40

/** What separates the values of a text, most likely; a comma where nothing does. */
export const guessDelimiter = (text: string) => {
  const scored = delimiters.map((delimiter) => {
    // The last row may be cut.
    const rows = readRows(text, delimiter, guessedRows + 1).slice(0, guessedRows)
    const counts = rows.map(({ length }) => length)
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 1
    const alike = counts.filter((count) => count === usual).length / (counts.length || 1)
    return { delimiter, score: usual < 2 ? 0 : alike * alike * Math.log2(usual + 1) }
  })
  const best = scored.reduce((better, one) => (one.score > better.score ? one : better))
  return best.score === 0 ? ',' : best.delimiter
}

const isNumeric = (value: string) => /^\s*[-+]?[\d\s.,]*\d%?\s*$/.test(value)

/** Whether the first of some rows names the columns: words in all of it, no two alike. */
export const hasHead = ([first, ...rest]: string[][]) =>
  first !== undefined &&
  rest.length > 0 &&
  first.every((value) => value.trim() !== '' && !isNumeric(value)) &&
  new Set(first).size === first.length

/** Columns in which every value of these rows is a number, or nothing. */
export const numericColumns = (rows: readonly (readonly string[])[], count: number) =>
  Array.from({ length: count }, (_, column) => {
    const values = rows.map((row) => row[column] ?? '').filter((value) => value !== '')
    return values.length > 0 && values.every(isNumeric)
  })

interface Signs {
  delimiter: string
  /** Bytes of a sign: two in UTF-16. */
  unit: 1 | 2
  isBigEndian: boolean
  /** What ends a line: a line feed, or, on old Macintoshes, a carriage return alone. */
  lineEnd: 10 | 13
}

/** A quote that is not closed within so many bytes was none. */
const mostQuoted = 1024 * 1024
const quoteCode = 34

/**
 * Finds where rows begin, in parts of a file that follow one another. Of bytes alone: a line break and a
 * quote are the same in all encodings that archives have (but UTF-16, of which two are read at a time).
 */
export const rowScanner = ({ delimiter, unit, isBigEndian, lineEnd }: Signs) => {
  const delimiterCode = delimiter.charCodeAt(0)
  let isQuoted = false
  let isAtStart = true
  let quotedFrom = 0

  const scanPlain = (bytes: Uint8Array, from: number, found: (offset: number) => void) => {
    for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, end + 1))
      found(from + end + 1)
    const last = bytes.at(-1)
    isAtStart = last === lineEnd || last === delimiterCode
  }
  const scanSigns = (bytes: Uint8Array, from: number, found: (offset: number) => void) => {
    const [low, high] = isBigEndian ? [1, 0] : [0, 1]
    for (let index = 0; index + unit <= bytes.length; index += unit) {
      const code = unit === 1 ? bytes[index] : (bytes[index + low] ?? 0) + 256 * (bytes[index + high] ?? 0)
      if (isQuoted) {
        // A doubled quote closes and opens again.
        if (code === quoteCode || from + index - quotedFrom > mostQuoted) {
          isQuoted = false
          isAtStart = code === quoteCode
        }
      } else if (code === quoteCode && isAtStart) {
        isQuoted = true
        quotedFrom = from + index
      } else {
        isAtStart = code === delimiterCode || code === lineEnd
        if (code === lineEnd) found(from + index + unit)
      }
    }
  }
  /**
   * @param from where in the file these bytes are
   * @param found told where each next row begins
   */
  return (bytes: Uint8Array, from: number, found: (offset: number) => void) => {
    if (unit === 1 && !isQuoted && !bytes.includes(quoteCode)) scanPlain(bytes, from, found)
    else scanSigns(bytes, from, found)
  }
}
