import { closeSync, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { CountedFindings, Finding } from '../../contract/findings.ts'
import { openControl, type Shared } from '../pack/control.ts'
import { bagFiles, type BagPlace } from './bag-files.ts'
import { mostListed } from './findings.ts'
import { checkLine, type LineFinding, type Manifest } from './lines.ts'
import { linesBetween } from './manifest-text.ts'
import { nameTable, type NameTable } from './name-table.ts'

/** What a thread that checks lines is given: the manifest as plain lines of UTF-8, cut into ranges that end with a line. */
export interface CheckHandData {
  shared: Shared
  place: BagPlace
  manifest: Manifest
  lines: string
  /** Where each range begins, and where the last one ends. */
  ranges: Float64Array<SharedArrayBuffer>
  /** Names that fetch.txt promises. */
  promised: NameTable
}

/** A finding with where its line begins, in bytes of `lines`: its number is counted only where somebody reads it. */
export type PlacedFinding = Omit<Finding, 'line'> & { at: number }

/** What a thread found in one range. */
export interface CheckHandMessage {
  findings: PlacedFinding[]
  /** Findings that are not listed, because this thread listed so many of their code before. */
  more: CountedFindings[]
  /** Names of files that are spelled otherwise in the manifest. */
  located: string[]
  /** Lines whose file is not there, or is none. */
  absent: number
}

const { shared, place, manifest, lines, ranges, promised } = workerData as CheckHandData
const control = openControl(shared)
const handle = openSync(lines, 'r')
const files = bagFiles(place)
const context = {
  files,
  manifest,
  promised: nameTable(promised),
  gate: control.gate,
  took: (bytes: number) => control.done(0, 0, bytes),
}

/** How many findings of each code this thread has listed. */
const listed = { error: new Map<string, number>(), warning: new Map<string, number>() }
const absentCodes = new Set(['missing', 'to-fetch', 'link', 'unreadable'])

const gatherRange = () => {
  const message: CheckHandMessage = { findings: [], more: [], located: [], absent: 0 }
  return {
    message,
    add: ({ level, code, file, detail, located }: LineFinding, at: number) => {
      if (located !== undefined) message.located.push(located)
      if (absentCodes.has(code)) message.absent += 1
      const before = listed[level].get(code) ?? 0
      if (before < mostListed) {
        listed[level].set(code, before + 1)
        message.findings.push({ level, code, file, detail, at })
        return
      }
      const counted = message.more.find((it) => it.code === code && it.level === level)
      if (counted) counted.count += 1
      else message.more.push({ level, code, count: 1 })
    },
  }
}

const emptyLine: LineFinding = { level: 'warning', code: 'unusual-line', file: manifest.name, detail: '' }

const checkRange = async (from: number, to: number) => {
  let at = from
  let checked = 0
  const { message, add } = gatherRange()
  for (const line of linesBetween(handle, from, to)) {
    const begin = at
    at += Buffer.byteLength(line) + 1
    if (line === '' || line.trim() === '') {
      add(emptyLine, begin)
      continue
    }
    if (!control.gate()) break
    control.reading(line.slice(line.indexOf(' ') + 1))
    const findings = await checkLine(line, context)
    if (!findings) break
    for (const it of findings) add(it, begin)
    checked += 1
  }
  control.done(checked, 0, 0)
  if (message.findings.length + message.more.length + message.located.length > 0)
    parentPort?.postMessage(message)
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
