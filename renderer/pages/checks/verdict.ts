import type { Check } from '../../../electron/contract/checks.ts'

/** What a check comes to, in one word. */
export const verdictOf = ({ state, report, digests, comparisons }: Check) => {
  if (state !== 'done') return state
  if (report) return report.state
  if (comparisons.length > 0)
    return comparisons.some(({ isMatch }) => isMatch) ? ('match' as const) : ('mismatch' as const)
  return digests.length > 0 ? ('file' as const) : ('failed' as const)
}

const bad = new Set<string>(['invalid', 'mismatch', 'failed', 'not-a-package', 'unreadable'])

export const toneOf = (check: Check) => {
  const verdict = verdictOf(check)
  if (bad.has(verdict)) return 'bad'
  return verdict === 'valid' || verdict === 'match' ? 'good' : 'plain'
}
