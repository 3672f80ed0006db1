import { closeSync, openSync } from 'node:fs'
import type { CountedFindings, Finding, FindingCode } from '../../../contract/findings.ts'
import { isReadable, isSum, type Algorithm, type Sum } from '../../digests.ts'
import { Broken, reasonOf } from '../../entries/broken.ts'
import { digestOf } from '../../entries/digest-of.ts'
import { packageFiles, type PackageFiles, type PackagePlace } from '../../entries/package-files.ts'
import { mostListed } from '../../findings.ts'
import { linesBetween } from '../../line-ranges.ts'
import { inTarget, writeFully } from '../../pack/copy.ts'
import { threadControl, type Shared } from '../../pack/control.ts'

/** What a METS claims of a file: its digest, and where it says so. */
interface Claim {
  algorithm: Algorithm | Sum
  checksum: string
  /** Which METS, by its place among those that were read. */
  mets: number
  line: number
  name: string
}

const flushCharacters = 64 * 1024

/**
 * Writes claims to a file of our own, a line each.
 * @throws Failed disk where it finds no room
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
  if (!(isReadable(algorithm) || isSum(algorithm)) || name === undefined) return undefined
  return { algorithm, checksum, mets: Number(mets), line: Number(number), name: decodeURI(name) }
}

/** What a check of claims is given; ranges of lines as `rangesOf` cuts them. */
export interface ClaimsToCheck {
  shared: Shared
  place: PackagePlace
  /** Names of the METS that were read. */
  mets: string[]
  claims: string
  ranges: Float64Array<SharedArrayBuffer>
}

/** What was found in one range. */
export interface FoundClaims {
  findings: Finding[]
  /** Findings that are not listed, because this thread listed so many of their code before. */
  more: CountedFindings[]
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
      const digest = await digestOf(file, algorithm, gate, took)
      if (digest === undefined) return undefined
      return digest === checksum ? 'good' : { code: 'mismatch', detail: `${name}: ${checksum} ≠ ${digest}` }
    } finally {
      file.close()
    }
  } catch (error) {
    return error instanceof Broken
      ? { code: error.code, detail: error.message }
      : { code: 'unreadable', detail: `${name}: ${reasonOf(error)}` }
  }
}

/** Checks the claims of one range after another, as long as there is one that nobody took. */
export const checkClaims = async (
  { shared, place, mets, claims, ranges }: ClaimsToCheck,
  take: (found: FoundClaims) => void,
): Promise<void> => {
  const control = threadControl(shared)
  const handle = openSync(claims, 'r')
  const files = packageFiles(place)
  const sought = { files, gate: control.gate, took: (bytes: number) => control.done(0, 0, bytes) }
  const listed = new Map<FindingCode, number>()
  const add = (found: FoundClaims, code: FindingCode, claim: Claim, detail: string) => {
    const before = listed.get(code) ?? 0
    listed.set(code, before + 1)
    const file = mets[claim.mets] ?? ''
    if (before < mostListed) found.findings.push({ level: 'error', code, file, line: claim.line, detail })
    else found.more.push({ level: 'error', code, count: 1 })
  }
  const checkRange = async (from: number, to: number) => {
    const found: FoundClaims = { findings: [], more: [] }
    let checked = 0
    for (const line of linesBetween(handle, from, to)) {
      const claim = readClaim(line)
      if (!claim || !control.gate()) continue
      control.reading(claim.name)
      const result = await checkClaim(claim, sought)
      if (result === undefined) break
      if (result !== 'good') add(found, result.code, claim, result.detail)
      checked += 1
    }
    control.done(checked, 0, 0)
    if (found.findings.length + found.more.length > 0) take(found)
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
