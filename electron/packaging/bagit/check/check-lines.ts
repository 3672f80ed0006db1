import { closeSync, openSync } from 'node:fs'
import type { CountedFindings, Finding } from '../../../contract/findings.ts'
import { threadControl, type Shared } from '../../pack/control.ts'
import { packageFiles, type PackagePlace } from '../../entries/package-files.ts'
import { mostListed } from '../../findings.ts'
import { checkLine, type LineFinding, type Manifest } from './lines.ts'
import { linesBetween } from '../../line-ranges.ts'
import { nameTable, type NameTable } from '../../entries/name-table.ts'

/**
 * What a check of lines is given: the manifest as plain lines of UTF-8, cut into ranges that end
 * with a line.
 */
export interface LinesToCheck {
  shared: Shared
  place: PackagePlace
  manifest: Manifest
  lines: string
  /** Where each range begins, and where the last one ends. */
  ranges: Float64Array<SharedArrayBuffer>
  /** Names that fetch.txt promises. */
  promised: NameTable
}

/**
 * A finding with where its line begins, in bytes of `lines`: its number is counted only where somebody reads
 * it.
 */
export type PlacedFinding = Omit<Finding, 'line'> & { position: number }

/** What was found in one range. */
export interface FoundInRange {
  findings: PlacedFinding[]
  /** Findings that are not listed, because this thread listed so many of their code before. */
  more: CountedFindings[]
  /** Names of files that are spelled otherwise in the manifest. */
  located: string[]
  /** Lines whose file is not there, or is none. */
  absent: number
}

const absentCodes = new Set(['missing', 'to-fetch', 'link', 'unreadable'])

const gatherRanges = () => {
  /** How many findings of each code have been listed. */
  const listed = { error: new Map<string, number>(), warning: new Map<string, number>() }
  return () => {
    const found: FoundInRange = { findings: [], more: [], located: [], absent: 0 }
    return {
      found,
      add: ({ level, code, file, detail, located }: LineFinding, position: number) => {
        if (located !== undefined) found.located.push(located)
        if (absentCodes.has(code)) found.absent += 1
        const before = listed[level].get(code) ?? 0
        if (before < mostListed) {
          listed[level].set(code, before + 1)
          found.findings.push({ level, code, file, detail, position })
          return
        }
        const counted = found.more.find((kind) => kind.code === code && kind.level === level)
        if (counted) counted.count += 1
        else found.more.push({ level, code, count: 1 })
      },
    }
  }
}

/** Checks the lines of one range after another, as long as there is one that nobody took. */
export const checkLines = async (
  { shared, place, manifest, lines, ranges, promised }: LinesToCheck,
  take: (found: FoundInRange) => void,
): Promise<void> => {
  const control = threadControl(shared)
  const handle = openSync(lines, 'r')
  const files = packageFiles(place)
  const context = {
    files,
    manifest,
    promised: nameTable(promised),
    gate: control.gate,
    took: (bytes: number) => control.done(0, 0, bytes),
  }
  const gatherRange = gatherRanges()
  const emptyLine: LineFinding = { level: 'warning', code: 'unusual-line', file: manifest.name, detail: '' }

  const checkRange = async (from: number, to: number) => {
    let position = from
    let checked = 0
    const { found, add } = gatherRange()
    for (const line of linesBetween(handle, from, to)) {
      const begin = position
      position += Buffer.byteLength(line) + 1
      if (line === '' || line.trim() === '') {
        add(emptyLine, begin)
        continue
      }
      if (!control.gate()) break
      control.reading(line.slice(line.indexOf(' ') + 1))
      const findings = await checkLine(line, context)
      if (!findings) break
      for (const finding of findings) add(finding, begin)
      checked += 1
    }
    control.done(checked, 0, 0)
    if (found.findings.length + found.more.length + found.located.length > 0) take(found)
  }

  try {
    while (control.gate()) {
      const index = control.takeSmall()
      const from = ranges[index]
      const to = ranges[index + 1]
      if (from === undefined || to === undefined) break
      await checkRange(from, to)
    }
  } finally {
    files.close()
    closeSync(handle)
  }
}
