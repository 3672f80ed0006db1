import { closeSync, openSync } from 'node:fs'
import type { Finding, FindingCode } from '../../../contract/findings.ts'
import { checkRanges, listRanges, type FoundInRange, type RangesToCheck } from '../../check-ranges.ts'
import { isAlgorithm, isNonCryptographic, type ChecksumAlgorithm } from '../../digests.ts'
import { unreadableFile } from '../../entries/container-error.ts'
import { checksumOf } from '../../entries/checksum-of.ts'
import type { PackageFiles } from '../../entries/package-files.ts'
import { inTarget, writeFully } from '../../pack/copy.ts'

/** What a METS claims of a file: its checksum, and where it says so. */
interface Claim {
  algorithm: ChecksumAlgorithm
  checksum: string
  /** Which METS, by its place among those that were read. */
  mets: number
  line: number
  name: string
}

const flushCharacters = 64 * 1024

/**
 * Writes claims to a file of our own, a line each.
 * @throws Failed disk where it finds no space
 */
export const claimWriter = (file: string) => {
  const handle = inTarget(file, () => openSync(file, 'w'))
  let waiting = ''
  const flush = () => {
    inTarget(file, () => writeFully(handle, Buffer.from(waiting), null))
    waiting = ''
  }
  return {
    put: ({ algorithm, checksum, mets, line, name }: Claim) => {
      waiting += `${algorithm} ${checksum} ${mets} ${line} ${encodeURI(name.toWellFormed())}\n`
      if (waiting.length > flushCharacters) flush()
    },
    close: () => {
      flush()
      closeSync(handle)
    },
  }
}

const readClaim = (line: string): Claim | undefined => {
  const [algorithm = '', checksum = '', mets, number, name] = line.split(' ')
  if (!(isAlgorithm(algorithm) || isNonCryptographic(algorithm)) || name === undefined) return undefined
  return { algorithm, checksum, mets: Number(mets), line: Number(number), name: decodeURI(name) }
}

/** What a check of claims is given: a line each. */
export interface ClaimsToCheck extends RangesToCheck {
  /** Names of the METS that were read. */
  mets: string[]
}

interface Sought {
  files: PackageFiles
  gate: () => boolean
  took: (bytes: number) => void
}

/** Compares one file with what is claimed of it; undefined when stopped. */
const checkClaim = async (
  { algorithm, checksum, name }: Claim,
  { files, gate, took }: Sought,
): Promise<{ code: FindingCode; detail: string } | 'good' | undefined> => {
  try {
    const file = files.open(name)
    if (file === undefined) return { code: 'vanished', detail: name }
    if (file === 'folder') return { code: 'lists-folder', detail: name }
    if (file === 'link') return { code: 'link', detail: name }
    try {
      const found = await checksumOf(file, algorithm, gate, took)
      if (found === undefined) return undefined
      return found === checksum ? 'good' : { code: 'mismatch', detail: `${name}: ${checksum} ≠ ${found}` }
    } finally {
      file.close()
    }
  } catch (error) {
    return unreadableFile(name, error)
  }
}

/**
 * Checks the claims of one range after another, as long as there is one that nobody took.
 * @param crcScript as of `checkRanges`
 */
export const checkClaims = (
  data: ClaimsToCheck,
  take: (found: FoundInRange<Finding>) => void,
  crcScript?: string,
): Promise<void> => {
  const listRange = listRanges<Finding>()
  return checkRanges(data, crcScript, async (lines, _from, { files, control }) => {
    const sought = { files, gate: control.gate, took: (bytes: number) => control.done(0, 0, bytes) }
    const { findings, more, add } = listRange()
    let checked = 0
    for (const line of lines) {
      const claim = readClaim(line)
      if (!claim || !control.gate()) continue
      control.reading(claim.name)
      const result = await checkClaim(claim, sought)
      if (result === undefined) break
      const file = data.mets[claim.mets] ?? ''
      if (result !== 'good') add({ level: 'error', ...result, file, line: claim.line })
      checked += 1
    }
    if (findings.length + more.length > 0) take({ findings, more })
    return checked
  })
}
