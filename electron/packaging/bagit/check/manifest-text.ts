import { closeSync, openSync, statSync } from 'node:fs'
import { readManifestLine } from '../manifest.ts'
import { foldedCase } from '../../names.ts'
import { nameHash, numberList, repeatedIn } from '../../name-hash.ts'
import { linesBetween, openLines, rangeBytes, rangesOf, type Lines } from '../../line-ranges.ts'
import { inTarget, writeFully } from '../../pack/copy.ts'
import type { PackagePlace, OpenFile } from '../../entries/package-files.ts'
import { mostListed } from '../../findings.ts'
import { literalName, type Manifest } from './lines.ts'
import {
  mostNames,
  namesBeside,
  nameTable,
  newNameTable,
  type ListedNames,
} from '../../entries/name-table.ts'
import { plainLines, type TextOddity } from './plain-lines.ts'

/**
 * Brings a manifest to plain lines of UTF-8: few as they are, many in a file of our own.
 * @param fileFor makes the place for that file
 * @returns the lines, and what is odd about them
 * @throws NotText as `plainLines`; Failed disk where our own file finds no space
 */
export const toPlainLines = async (
  from: OpenFile,
  fileFor: () => Promise<string>,
  encoding: string,
): Promise<{ lines: Lines; oddities: TextOddity[] }> => {
  const oddities = new Set<TextOddity>()
  let few: Buffer = Buffer.alloc(0)
  let file: { name: string; handle: number } | undefined
  try {
    for await (const lines of plainLines(from, encoding, (oddity) => oddities.add(oddity))) {
      if (!file && few.length + lines.length <= rangeBytes) {
        few = Buffer.concat([few, lines])
        continue
      }
      const to = file?.name ?? (await fileFor())
      file ??= { name: to, handle: inTarget(to, () => openSync(to, 'w')) }
      const { handle } = file
      for (const part of [few, lines]) inTarget(to, () => writeFully(handle, part, null))
      few = Buffer.alloc(0)
    }
  } finally {
    if (file) closeSync(file.handle)
  }
  return { lines: file?.name ?? few, oddities: [...oddities] }
}

/** Goes through the lines that are none of those without anything in them, with where they begin. */
const eachWritten = (lines: Lines, take: (line: string, position: number) => void) => {
  const ranges = rangesOf(lines)
  const opened = openLines(lines)
  try {
    for (let index = 0; index + 1 < ranges.length; index += 1) {
      let position = ranges[index] ?? 0
      for (const line of linesBetween(opened, position, ranges[index + 1] ?? position)) {
        if (line !== '') take(line, position)
        position += line === '' ? 1 : Buffer.byteLength(line) + 1
      }
    }
  } finally {
    opened.close()
  }
}

const lengthOf = (lines: Lines) => (typeof lines === 'string' ? statSync(lines).size : lines.length)

/** A line of a manifest has at least the digits of the shortest digest, a blank and a letter. */
const shortestLine = 32 + 3

/**
 * A name that stands twice, or that differs from another only in case or accents, with where its line begins.
 */
export interface RepeatedName {
  name: string
  position: number
  isSame: boolean
}

/**
 * What the lines of a manifest say of each other: the names that it lists, which stand twice, which differ in
 * case or accents alone. Of those the first thousand are given with their lines, of the others there is a
 * number.
 * @throws TooManyNames
 */
export const compareNames = (
  lines: Lines,
  { isEncoded }: Manifest,
  { index, top }: Pick<PackagePlace, 'index' | 'top'>,
  secret: string,
) => {
  const lineCount = Math.ceil(lengthOf(lines) / shortestLine)
  // Twice the lines: each may be found under a second spelling.
  const table = nameTable(newNameTable(lineCount * 2, secret))
  const listed: ListedNames = index ? namesBeside(nameTable(index.names), top, table) : table
  const folded = numberList(Math.max(1, Math.min(mostNames, lineCount)))
  const twice = new Set<number>()
  let named = 0
  eachWritten(lines, (line) => {
    const parsed = readManifestLine(line)
    if (!parsed) return
    const name = literalName(parsed.written, isEncoded)
    const before = listed.size()
    const place = listed.put(name)
    named += 1
    if (listed.size() > before) folded.push(nameHash(foldedCase(name)))
    else if (twice.size < mostListed) twice.add(place)
  })
  // Sorted where they are: a copy of a million numbers is not for nothing.
  const numbers = folded.all().sort()
  const twins = repeatedIn(numbers, mostListed)
  const repeated =
    twice.size > 0 || twins.first.size > 0 ? findRepeated(lines, isEncoded, listed, twice, twins.first) : []
  const same = repeated.filter(({ isSame }) => isSame).length
  const more = {
    same: Math.max(0, named - listed.size() - same),
    twins: Math.max(0, twins.count - (repeated.length - same)),
  }
  return { listed, repeated, more }
}

/**
 * The lines of names that stand twice (by their places) or have twins (by the hashes of their folded forms).
 */
const findRepeated = (
  lines: Lines,
  isEncoded: boolean,
  listed: Pick<ListedNames, 'find'>,
  twice: Set<number>,
  twins: Set<number>,
): RepeatedName[] => {
  const places = new Set<number>()
  const groups = new Map<string, string>()
  const same: RepeatedName[] = []
  const others: RepeatedName[] = []
  eachWritten(lines, (line, position) => {
    const parsed = readManifestLine(line)
    if (!parsed) return
    const name = literalName(parsed.written, isEncoded)
    const place = twice.size > 0 ? listed.find(name) : -1
    if (twice.has(place)) {
      if (places.has(place) && same.length < mostListed) same.push({ name, position, isSame: true })
      places.add(place)
    }
    const key = foldedCase(name)
    if (twins.size === 0 || !twins.has(nameHash(key))) return
    const other = groups.get(key)
    if (other === undefined) groups.set(key, name)
    else if (other !== name && others.length < mostListed) others.push({ name, position, isSame: false })
  })
  return [...same, ...others]
}

/** Number of the line that begins at each of these places, from 1 on. */
export const lineNumbers = (lines: Lines, places: number[]): Map<number, number> => {
  const wanted = [...new Set(places)].sort((a, b) => a - b)
  const numbers = new Map<number, number>()
  const last = wanted.at(-1)
  if (last === undefined) return numbers
  const opened = openLines(lines)
  const block = Buffer.allocUnsafe(Math.min(opened.size, 1024 * 1024))
  try {
    let line = 1
    let next = 0
    for (let position = 0; position <= last;) {
      const read = opened.read(block, position)
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
    opened.close()
  }
  return numbers
}
