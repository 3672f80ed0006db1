import path from 'node:path'
import { decodePercent } from '../common/percent.ts'
import type { checks as promised } from '../contract/checks.ts'
import type { Fulfils } from '../contract/define.ts'
import type { PackageReport } from '../contract/findings.ts'
import type { Checks } from '../jobs/kinds/check/checks.ts'
import { countedSentence, findingSentence } from '../language/findings.ts'
import { csvLine } from '../packaging/csv.ts'
import { onDisk } from '../packaging/disk.ts'
import { replaceFile } from '../replace-file.ts'

interface Parts {
  checks: Checks
  language: () => 'en' | 'sv'
  choose: (what: 'check-folder' | 'check-files') => Promise<string[]>
  /** Asks for the file to save to; undefined when the person cancelled. */
  chooseTarget: (what: 'findings', name: string) => Promise<string | undefined>
  /** Something was dropped, and the window is to go to its check. */
  dropped: (id: string) => void
}

/** The findings of a check as lines of a table. */
function* findingLines(report: PackageReport, language: 'en' | 'sv') {
  yield csvLine(['level', 'code', 'file', 'line', 'detail', 'sentence'])
  for (const finding of report.findings)
    yield csvLine([
      finding.level,
      finding.code,
      finding.file,
      finding.line ?? '',
      finding.detail,
      findingSentence(finding, language),
    ])
  for (const counted of report.more)
    yield csvLine([counted.level, counted.code, '', '', counted.count, countedSentence(counted, language)])
  yield csvLine([
    'summary',
    report.state,
    report.path,
    '',
    `${report.format} ${report.version}, ${report.counts.files} files, ${report.counts.bytes} bytes`,
    `${report.errors} errors, ${report.warnings} warnings`,
  ])
}

/** The package that is open at an address of the window: beside a list, narrowed or not, or in the reader. */
const packageAt = (address: string): string | undefined => {
  const id = /^#?\/?(?:packages|reader)\/([^/?]+)(?:\?|$)/.exec(address)?.[1]
  return id === undefined ? undefined : decodePercent(id)
}

/** Checking what is dropped on the window, or chosen. */
export const checks = ({ checks: jobs, language, choose, chooseTarget, dropped }: Parts) => {
  const calls: Fulfils<typeof promised> = {
    list: () => jobs.list(),
    choose: async ({ what }) =>
      (await choose(what === 'folder' ? 'check-folder' : 'check-files')).map((file) => jobs.begin(file)),
    stop: ({ id }) => jobs.stop(id),
    close: ({ id }) => jobs.close(id),
    save: async ({ id }) => {
      const { report, path: checked } = jobs.need(id)
      const target = await chooseTarget('findings', `${path.basename(checked)}.csv`)
      if (target === undefined || !report) return false
      await onDisk(target, () => replaceFile(target, findingLines(report, language())))
      return true
    },
  }
  return {
    calls,
    /** What the window passes on when something is dropped on it; `address` is where it is then. */
    drop: (paths: string[], address: string, archive: string) => {
      const id = packageAt(address)
      const open = id === undefined || archive === '' ? undefined : { archive, id }
      const [first] = paths.map((file) => jobs.begin(file, open))
      if (first) dropped(first.id)
    },
  }
}
