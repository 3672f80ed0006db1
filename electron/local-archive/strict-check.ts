import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import { readingCodes } from '../contract/findings.ts'
import { findingSentence } from '../language/findings.ts'
import { pooledThreads } from '../packaging/check-threads.ts'
import type { PackageFormat, PackageRecord, Provenance } from '../packaging/format.ts'
import { checkPackage, formatNamed, troubleOfFormat } from '../packaging/formats.ts'
import type { CheckScripts } from '../packaging/scripts.ts'
import { InvalidPackage } from './payload.ts'
import { NoSpace } from './system-error.ts'

type Report = Awaited<ReturnType<typeof checkPackage>>

/** What is found in the first place, with the file and line that it is about, and how much more there is. */
const inWords = (
  { errors, path: received }: Report,
  { file, line, code, detail }: Report['findings'][number],
) => {
  const where = file === path.basename(received) ? '' : line === null ? file : `${file}, line ${line}`
  const more = errors > 1 ? ` (the first of ${errors} errors)` : ''
  return `${where === '' ? '' : `${where}: `}${findingSentence({ code, detail }, 'en')}${more}`
}

/** The check keeps files of its own, on another disk than the archive's, perhaps. */
const ownTrouble = (error: unknown): unknown => {
  if (!(error instanceof Failed) || error.failure.kind !== 'disk') return error
  const { trouble, path: folder } = error.failure
  return trouble === 'full'
    ? new NoSpace(`There is no room in ${folder} to check it.`)
    : new Error(`What the check keeps in ${folder} cannot be written (${trouble}).`, { cause: error })
}

/** What the check says of a valid package: how much payload it has, and what the package says of itself. */
export interface CheckedPackage {
  files: number
  bytes: number
  format: PackageFormat
  record: PackageRecord
  provenance: Provenance
}

/** Checks a package in a folder, tar or zip. */
export type StrictCheck = (received: string) => Promise<CheckedPackage>

/**
 * Checks what was received as strictly as Lectern checks packages before they are sent: what programs would
 * read differently, and what is not complete and valid (RFC 8493 3), is refused. It is done in threads;
 * nothing is unpacked or changed. No other part of this archive judges a package, so that what the checker
 * calls valid is taken in.
 * @returns a check of a folder, tar or zip, which throws InvalidPackage with the first error in a sentence,
 * and what went wrong where that says nothing of the package
 */
export const strictCheck = (scripts: CheckScripts): StrictCheck => {
  const checkThreads = pooledThreads()
  return async (received) => {
    const { signal } = new AbortController()
    const report = await checkPackage(received, { scripts, signal, checkThreads }).catch((error: unknown) => {
      throw ownTrouble(error)
    })
    const trouble = troubleOfFormat(report)
    if (trouble) throw new InvalidPackage(inWords({ ...report, errors: 1 }, trouble))
    if (report.state === 'valid') {
      const format = formatNamed(report.format)
      const { files, bytes } = report.counts
      const [record, provenance] = [format.describe(report.info), format.provenanceOf(report)]
      return { files, bytes, format, record, provenance }
    }
    const errors = report.findings.filter(({ level }) => level === 'error')
    // What needs more memory than a check is given would need it the next time too.
    const verdict = errors.find(({ code }) => code === 'memory' || !readingCodes.has(code))
    if (verdict) throw new InvalidPackage(inWords(report, verdict))
    const [first] = errors
    if (first) throw new Error(inWords(report, first))
    throw new InvalidPackage('It is not a valid package.')
  }
}
