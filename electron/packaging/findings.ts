import { readingCodes, type PackageReport, type Finding, type FindingCode } from '../contract/findings.ts'

/** Findings of one code that are listed; what follows is counted. */
export const mostListed = 1_000
const longestDetail = 4_096
/** Characters of all that is listed, so that long names do not fill the memory either. */
const mostText = 4_000_000

const shortened = (text: string) => (text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text)

/** Tells of a finding: of which file, what of it, and in which line. */
export type Found = (
  level: Finding['level'],
  code: FindingCode,
  file: string,
  detail?: string,
  line?: number | null,
) => void

/** Tells on what is found, and says whether any of it is that something could not be read. */
export const notingUnread = (found: Found): { found: Found; hasUnread: () => boolean } => {
  let hasUnread = false
  return {
    found: (level, code, ...where) => {
      hasUnread ||= readingCodes.has(code)
      found(level, code, ...where)
    },
    hasUnread: () => hasUnread,
  }
}

type Kind = Pick<Finding, 'level' | 'code'>
interface Counter extends Kind {
  listed: number
  more: number
}

/** Gathers findings: the first thousand of each code are listed, of the others there is a number. */
export const gatherFindings = () => {
  const findings: Finding[] = []
  const counters = { error: new Map<FindingCode, Counter>(), warning: new Map<FindingCode, Counter>() }
  const totals = { error: 0, warning: 0 }
  let text = 0
  const counterOf = ({ level, code }: Kind): Counter => {
    const known = counters[level].get(code)
    if (known) return known
    const fresh = { level, code, listed: 0, more: 0 }
    counters[level].set(code, fresh)
    return fresh
  }
  return {
    add: (finding: Finding) => {
      const counter = counterOf(finding)
      totals[finding.level] += 1
      if (counter.listed >= mostListed || text > mostText) {
        counter.more += 1
        return
      }
      const file = shortened(finding.file)
      const detail = shortened(finding.detail)
      text += file.length + detail.length
      counter.listed += 1
      findings.push({ level: finding.level, code: finding.code, file, line: finding.line, detail })
    },
    /** Findings of a code that are known by their number alone. */
    count: (kind: Kind, times: number) => {
      if (times === 0) return
      totals[kind.level] += times
      counterOf(kind).more += times
    },
    errors: () => totals.error,
    /** Whether something could not be read: what was not seen there speaks for and against nothing. */
    hasUnread: () => [...readingCodes].some((code) => counters.error.has(code)),
    state: (): Extract<PackageReport['state'], 'valid' | 'invalid' | 'unreadable'> => {
      if (totals.error === 0) return 'valid'
      return [...counters.error.keys()].every((code) => readingCodes.has(code)) ? 'unreadable' : 'invalid'
    },
    result: (): Pick<PackageReport, 'errors' | 'warnings' | 'findings' | 'more'> => ({
      errors: totals.error,
      warnings: totals.warning,
      findings,
      more: [...counters.error.values(), ...counters.warning.values()]
        .filter(({ more }) => more > 0)
        .map(({ level, code, more }) => ({ level, code, count: more })),
    }),
  }
}
