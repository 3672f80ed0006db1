import type { Finding } from '../../../contract/findings.ts'
import { checkRanges, listRanges, type FoundInRange, type RangesToCheck } from '../../check-ranges.ts'
import { checkLine, type LineFinding, type Manifest } from './lines.ts'
import { nameTable, type NameTable } from '../../entries/name-table.ts'

/** What a check of lines is given: the manifest as plain lines of UTF-8. */
export interface LinesToCheck extends RangesToCheck {
  manifest: Manifest
  /** Names that fetch.txt promises. */
  promised: NameTable
}

/**
 * A finding with where its line begins, in bytes of `lines`: its number is counted only where somebody reads
 * it.
 */
export type PlacedFinding = Omit<Finding, 'line'> & { position: number }

/** What was found in one range. */
export interface FoundInLines extends FoundInRange<PlacedFinding> {
  /** Names of files that are spelled otherwise in the manifest. */
  located: string[]
  /** Lines whose file is not there, or is none. */
  absent: number
}

const absentCodes = new Set(['missing', 'to-fetch', 'link', 'unreadable'])

/**
 * Checks the lines of one range after another, as long as there is one that nobody took.
 * @param crcScript as of `checkRanges`
 */
export const checkLines = (
  data: LinesToCheck,
  take: (found: FoundInLines) => void,
  crcScript?: string,
): Promise<void> => {
  const { manifest } = data
  const promised = nameTable(data.promised)
  const listRange = listRanges<PlacedFinding>()
  const emptyLine: LineFinding = { level: 'warning', code: 'unusual-line', file: manifest.name, detail: '' }
  return checkRanges(data, crcScript, async (lines, from, { files, control }) => {
    const took = (bytes: number) => control.done(0, 0, bytes)
    const context = { files, manifest, promised, gate: control.gate, took }
    const { findings, more, add } = listRange()
    const located: string[] = []
    let absent = 0
    const addFound = ({ level, code, file, detail, located: name }: LineFinding, position: number) => {
      if (name !== undefined) located.push(name)
      if (absentCodes.has(code)) absent += 1
      add({ level, code, file, detail, position })
    }
    let position = from
    let checked = 0
    for (const line of lines) {
      const begin = position
      position += Buffer.byteLength(line) + 1
      if (line === '' || line.trim() === '') {
        addFound(emptyLine, begin)
        continue
      }
      if (!control.gate()) break
      control.reading(line.slice(line.indexOf(' ') + 1))
      const found = await checkLine(line, context)
      if (!found) break
      for (const finding of found) addFound(finding, begin)
      checked += 1
    }
    if (findings.length + more.length + located.length > 0) take({ findings, more, located, absent })
    return checked
  })
}
