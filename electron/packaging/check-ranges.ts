import { parentPort } from 'node:worker_threads'
import type { CountedFindings, Finding } from '../contract/findings.ts'
import type { CheckWorkerMessage } from './check-workers.ts'
import { packageFiles, type PackageFiles, type PackagePlace } from './entries/package-files.ts'
import { openCrcThread } from './entries/crc-thread.ts'
import { mostListed } from './findings.ts'
import { linesBetween, openLines, type Lines } from './line-ranges.ts'
import { threadControl, type Shared, type ThreadControl } from './pack/control.ts'

/** Lines about files of a package, cut into ranges that end with a line, for threads that take them. */
export interface RangesToCheck {
  shared: Shared
  place: PackagePlace
  lines: Lines
  /** Where each range begins, and where the last one ends. */
  ranges: Float64Array<SharedArrayBuffer>
}

/** What a thread works with while it checks one range after another. */
export interface RangeContext {
  files: PackageFiles
  control: ThreadControl
}

/**
 * Checks one range of lines after another, as long as there is one that nobody took.
 * @param crcScript of a thread that reads and computes the CRC of what is hashed, for one that checks alone
 * @param checkRange gives how many of its lines it checked
 */
export const checkRanges = async (
  { shared, place, lines, ranges }: RangesToCheck,
  crcScript: string | undefined,
  checkRange: (lines: string[], from: number, context: RangeContext) => Promise<number>,
): Promise<void> => {
  const control = threadControl(shared)
  const opened = openLines(lines)
  const crcThread = crcScript === undefined ? undefined : openCrcThread(new URL(crcScript))
  const files = packageFiles(place, crcThread)
  try {
    while (control.gate()) {
      const index = control.takeSmall()
      const from = ranges[index]
      const to = ranges[index + 1]
      if (from === undefined || to === undefined) break
      const checked = await checkRange(linesBetween(opened, from, to), from, { files, control })
      control.done(checked, 0, 0)
    }
  } finally {
    await crcThread?.close()
    files.close()
    opened.close()
  }
}

type Kind = Pick<Finding, 'level' | 'code'>

/** What was found in one range. */
export interface FoundInRange<Found extends Kind> {
  findings: Found[]
  /** Findings that are not listed, because this thread listed so many of their code before. */
  more: CountedFindings[]
}

/** Lists what a thread finds, range by range: the first thousand of each code, of the others their number. */
export const listRanges = <Found extends Kind>() => {
  const listed = { error: new Map<string, number>(), warning: new Map<string, number>() }
  return (): FoundInRange<Found> & { add: (finding: Found) => void } => {
    const findings: Found[] = []
    const more: CountedFindings[] = []
    return {
      findings,
      more,
      add: (finding) => {
        const { level, code } = finding
        const before = listed[level].get(code) ?? 0
        if (before < mostListed) {
          listed[level].set(code, before + 1)
          findings.push(finding)
          return
        }
        const counted = more.find((kind) => kind.code === code && kind.level === level)
        if (counted) counted.count += 1
        else more.push({ level, code, count: 1 })
      },
    }
  }
}

/** Runs a thread that checks ranges: tells what it finds, and its last word. */
export const answerRanges = async <Found>(check: (take: (found: Found) => void) => Promise<void>) => {
  const say = (message: CheckWorkerMessage<Found>) => parentPort?.postMessage(message)
  await check((found) => say({ found }))
  say('over')
}
