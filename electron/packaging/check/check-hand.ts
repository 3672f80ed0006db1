import { parentPort, workerData } from 'node:worker_threads'
import { openControl, type Shared } from '../pack/control.ts'
import { readLines } from '../pack/plan.ts'
import { bagFiles, type BagPlace } from './bag-files.ts'
import { checkLine, type LineFinding, type Manifest } from './lines.ts'

/** What a thread that checks lines is given: the manifest as plain lines of UTF-8, cut into ranges that end with a line. */
export interface CheckHandData {
  shared: Shared
  place: BagPlace
  manifest: Manifest
  lines: string
  /** Where each range begins, and where the last one ends. */
  ranges: Float64Array<SharedArrayBuffer>
  promised: ReadonlySet<string>
}

/** A finding with where its line begins, in bytes of `lines`: its number is counted only where somebody reads it. */
export type PlacedFinding = LineFinding & { at: number }
export interface CheckHandMessage {
  findings: PlacedFinding[]
}

const { shared, place, manifest, lines, ranges, promised } = workerData as CheckHandData
const control = openControl(shared)
const files = bagFiles(place)
const context = {
  files,
  manifest,
  promised,
  gate: control.gate,
  took: (bytes: number) => control.done(0, 0, bytes),
}

const checkRange = async (from: number, to: number) => {
  let at = from
  let checked = 0
  const found: PlacedFinding[] = []
  for (const line of readLines(lines, from, to - from)) {
    if (!control.gate()) break
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    const begin = at
    at += Buffer.byteLength(line) + 1
    if (text.trim() === '') {
      found.push({ level: 'warning', code: 'unusual-line', file: manifest.name, detail: '', at: begin })
      continue
    }
    control.reading(text.slice(text.indexOf(' ') + 1))
    const findings = await checkLine(text, context)
    if (!findings) break
    for (const it of findings) found.push({ ...it, at: begin })
    checked += 1
  }
  control.done(checked, 0, 0)
  if (found.length > 0) parentPort?.postMessage({ findings: found } satisfies CheckHandMessage)
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
}
