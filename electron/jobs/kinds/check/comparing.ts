import type { Check, DigestComparison } from '../../../contract/checks.ts'
import type { Package } from '../../../contract/packages.ts'
import { isAlgorithm, normalized } from '../../../packaging/digests.ts'

/** A digest that the archive keeps of a package. */
type KeptDigest = Pick<DigestComparison, 'of' | 'algorithm' | 'expected'>

/** Every digest that the archive keeps of a package, METS files included. */
const keptDigests = (whole: Package): KeptDigest[] => {
  const kept: KeptDigest[] = [{ of: 'package', algorithm: whole.algorithm, expected: whole.digest }]
  const mets = [
    ['content-mets', whole.contentMets],
    ['package-mets', whole.packageMets],
  ] as const
  for (const [of, file] of mets) if (file) kept.push({ of, algorithm: file.algorithm, expected: file.digest })
  return kept.filter(({ expected, algorithm }) => expected !== '' && isAlgorithm(normalized(algorithm)))
}

/** By what a file is digested: by every algorithm that the archive used, and by SHA-256 in any case. */
export const algorithmsFor = (whole: Package | undefined): string[] => [
  ...new Set(['sha256', ...(whole ? keptDigests(whole) : []).map(({ algorithm }) => normalized(algorithm))]),
]

/** What the archive keeps of a package beside what was found of a file. */
export const compare = (whole: Package, digests: Check['digests']): DigestComparison[] =>
  keptDigests(whole).flatMap(({ of, algorithm, expected }) => {
    const found = digests.find((digest) => digest.algorithm === normalized(algorithm))?.digest
    return found === undefined
      ? []
      : [{ of, algorithm, expected, found, isMatch: found === expected.toLowerCase() }]
  })
