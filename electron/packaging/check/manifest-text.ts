import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { linesOf, tagText } from '../bagit/tag-files.ts'
import { readManifestLine } from '../bagit/manifest.ts'
import { foldedCase } from '../bagit/names.ts'
import { readFully, writeFully } from '../pack/copy.ts'
import { readLines } from '../pack/plan.ts'
import type { OpenFile } from './bag-files.ts'
import { meant, partsOf, type Manifest } from './lines.ts'
import { nameHash, numberList, repeatedIn } from '../name-hash.ts'
import { nameTable, newNameTable } from './name-table.ts'

const rangeBytes = 64 * 1024
/** Texts in other encodings than UTF-8 are read whole: they come from old tools and small bags. */
const longestOther = 512 * 1024 * 1024

/** Whole text of a file in another encoding; undefined where it is none, or too long for one. */
const otherText = async (from: OpenFile, encoding: string): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of partsOf(from)) {
    bytes += part.length
    if (bytes > longestOther) return undefined
    parts.push(Buffer.from(part))
  }
  return tagText(Buffer.concat(parts), encoding)
}

/** What is odd about a text and changes nothing: told, because a byte of it is not as it was written. */
const oddities = { mark: 'BOM', returns: 'CR', end: 'EOF' } as const

/**
 * Brings a manifest to plain lines of UTF-8 in a file of our own: without a byte-order mark, with LF at the end of every line.
 * @returns undefined where its bytes are no text of that encoding
 */
export const toPlainLines = async (
  from: OpenFile,
  to: string,
  encoding: string,
): Promise<{ oddities: string[] } | undefined> => {
  const handle = openSync(to, 'w')
  const found = new Set<string>()
  let last = ''
  const write = (text: string) => {
    if (text === '') return
    writeFully(handle, Buffer.from(text), null)
    last = text.at(-1) ?? last
  }
  try {
    if (!/^utf-?8$/i.test(encoding)) {
      const text = await otherText(from, encoding)
      if (text === undefined) return undefined
      write(linesOf(text).join('\n'))
      return { oddities: [] }
    }
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    let isAfterReturn = false
    let isFirst = true
    const take = (decoded: string) => {
      const text = isFirst && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded
      if (text !== decoded) found.add(oddities.mark)
      isFirst = false
      if (!text.includes('\r') && !isAfterReturn) {
        write(text)
        return
      }
      found.add(oddities.returns)
      // CRLF may be cut between two parts.
      const whole = isAfterReturn && text.startsWith('\n') ? text.slice(1) : text
      isAfterReturn = text.endsWith('\r')
      write(whole.replace(/\r\n?/g, '\n'))
    }
    try {
      for await (const part of partsOf(from)) take(decoder.decode(part, { stream: true }))
      take(decoder.decode())
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
    if (last !== '\n' && last !== '') found.add(oddities.end)
    return { oddities: [...found] }
  } finally {
    closeSync(handle)
  }
}

/** Cuts a file of lines into ranges that end with one. */
export const rangesOf = (file: string): Float64Array<SharedArrayBuffer> => {
  const handle = openSync(file, 'r')
  const starts = [0]
  try {
    const { size } = fstatSync(handle)
    const window = Buffer.alloc(4_096)
    for (let at = rangeBytes; at < size; at += rangeBytes) {
      for (let position = at; position < size; position += window.length) {
        const read = readFully(handle, window, position)
        const end = window.subarray(0, read).indexOf(10)
        if (end < 0) continue
        at = position + end + 1
        if (at < size) starts.push(at)
        break
      }
    }
    starts.push(size)
  } finally {
    closeSync(handle)
  }
  const ranges = new Float64Array(new SharedArrayBuffer(starts.length * 8))
  ranges.set(starts)
  return ranges
}

/** A line of a manifest has at least the digits of the shortest digest, a blank and a letter. */
const shortestLine = 32 + 3

/**
 * What the lines of a manifest say of each other: the names that it lists, which stand twice, which differ in case or accents alone.
 * @throws TooManyNames
 */
export const compareNames = (file: string, { isEncoded }: Manifest) => {
  // Twice the lines: each may be found under a second spelling.
  const listed = nameTable(newNameTable(Math.ceil(statSync(file).size / shortestLine) * 2))
  const folded = numberList()
  const twice = new Set<number>()
  for (const line of readLines(file)) {
    const parsed = readManifestLine(line)
    if (!parsed) continue
    const name = meant(parsed.written, isEncoded)
    const before = listed.size()
    const place = listed.put(name)
    if (place < before) twice.add(place)
    folded.push(nameHash(foldedCase(name)))
  }
  // Sorted where they are: a copy of a million numbers is not for nothing.
  const twins = repeatedIn(folded.all().sort())
  const seen = new Set<string>()
  const listedTwice: { name: string; at: number; isSame: boolean }[] = []
  if (twice.size > 0 || twins.size > 0) {
    const groups = new Map<string, string>()
    let at = 0
    for (const line of readLines(file)) {
      const parsed = readManifestLine(line)
      const begin = at
      at += Buffer.byteLength(line) + 1
      if (!parsed) continue
      const name = meant(parsed.written, isEncoded)
      if (twice.size > 0 && twice.has(listed.find(name))) {
        if (seen.has(name)) listedTwice.push({ name, at: begin, isSame: true })
        seen.add(name)
      }
      const key = foldedCase(name)
      if (!twins.has(nameHash(key))) continue
      const other = groups.get(key)
      if (other !== undefined && other !== name) listedTwice.push({ name, at: begin, isSame: false })
      groups.set(key, other ?? name)
    }
  }
  return { listed, listedTwice }
}

/** Number of the line that begins at each of these places, from 1 on. */
export const lineNumbers = (file: string, places: number[]): Map<number, number> => {
  const wanted = [...new Set(places)].sort((a, b) => a - b)
  const numbers = new Map<number, number>()
  const last = wanted.at(-1)
  if (last === undefined) return numbers
  const handle = openSync(file, 'r')
  const block = Buffer.allocUnsafe(1024 * 1024)
  try {
    let line = 1
    let next = 0
    for (let position = 0; position <= last;) {
      const read = readSync(handle, block, 0, block.length, position)
      for (let index = 0; index < read && next < wanted.length; index += 1) {
        if (position + index === wanted[next]) {
          numbers.set(wanted[next] ?? 0, line)
          next += 1
        }
        if (block[index] === 10) line += 1
      }
      if (read === 0 || next >= wanted.length) break
      position += read
    }
  } finally {
    closeSync(handle)
  }
  return numbers
}
