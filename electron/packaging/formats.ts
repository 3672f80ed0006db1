import path from 'node:path'
import { Failed } from '../contract/failure.ts'
import type { Finding, PackageReport } from '../contract/findings.ts'
import { bagIt } from './bagit/bagit.ts'
import { eArk } from './e-ark/e-ark.ts'
import type { CheckOptions, PackageFormat } from './format.ts'

/** Every format that packages may have. New packages are of the first one where nothing else is said. */
export const formats: readonly [PackageFormat, ...PackageFormat[]] = [bagIt, eArk]

/**
 * The format of that name.
 * @param name undefined for the first; so packages of earlier versions, which do not say, are BagIt bags
 * @throws Failed unknown-format where only another version of this program knows it
 */
export const formatNamed = (name?: string): PackageFormat => {
  const found = name === undefined ? formats[0] : formats.find((format) => format.name === name)
  if (!found) throw new Failed({ kind: 'unknown-format', format: name ?? '' })
  return found
}

/**
 * What packages are made as where their archive says this of them: no format with representations where it
 * makes these itself, else the one whose profile is named; undefined where it wants none in particular.
 */
export const formatWanted = ({
  makesRepresentations,
  texts,
}: {
  makesRepresentations: boolean
  texts: readonly string[]
}): { format: string; version?: string } | undefined => {
  if (makesRepresentations) {
    const plain = formats.find((format) => !format.hasRepresentations)
    return plain && { format: plain.name }
  }
  for (const { name, versionAt } of formats)
    for (const text of texts) {
      const version = versionAt?.(text.trim())
      if (version !== undefined) return { format: name, version }
    }
  return undefined
}

/** Whether packages of a format are taken in and sent; others are only checked. */
export const isAccepted = (format: string): boolean => formats.some(({ name }) => name === format)

/**
 * Why a package that was found valid is not taken in or sent all the same: it is of a format that is only
 * checked; undefined where it may be.
 */
export const troubleOfFormat = ({ state, format, path: file }: PackageReport): Finding | undefined =>
  state !== 'valid' || isAccepted(format)
    ? undefined
    : { level: 'error', code: 'only-checked', file: path.basename(file), line: null, detail: format }

/**
 * Checks a package of any format: the first format that recognizes it decides. E-ARK recognizes whatever is
 * described by METS, and says of what format that is.
 * @throws as the `check` of a format
 */
export const checkPackage = async (file: string, options: CheckOptions): Promise<PackageReport> => {
  const [first, ...others] = formats
  let report = await first.check(file, options)
  for (const format of others) {
    if (report.state !== 'not-a-package') break
    report = await format.check(file, options)
  }
  return report
}
