import type { Finding, FindingCode } from '../../../contract/findings.ts'
import {
  checksumBytes,
  isAlgorithm,
  isNonCryptographic,
  normalized,
  type ChecksumAlgorithm,
} from '../../digests.ts'
import { nameHash } from '../../name-hash.ts'
import type { PackageFiles } from '../../entries/package-files.ts'
import type { claimWriter } from './claims.ts'
import { unreadableFile } from '../../entries/container-error.ts'
import { isPointer, type Reference } from './mets-context.ts'
import type { PackageContents } from './package-contents.ts'
import { targetOf } from './references.ts'

/** A METS of the package: its name in it, the folder that it lies in, and its place among all. */
export interface MetsDocument {
  name: string
  /** Empty for the root folder. */
  folder: string
  number: number
}

type Found = (level: Finding['level'], code: FindingCode, detail: string) => void

/** Why there is no file of a name in a package; undefined where it lies in what could not be read. */
const whyNoFile = (
  { isWhole }: PackageContents,
  files: PackageFiles,
  path: string,
): { code: FindingCode; detail: string } | undefined => {
  try {
    const opened = files.open(path)
    if (typeof opened === 'object') opened.close()
    if (typeof opened === 'object' && !isWhole) return undefined
    return {
      code: opened === 'folder' ? 'lists-folder' : opened === 'link' ? 'link' : 'missing',
      detail: path,
    }
  } catch (error) {
    return unreadableFile(path, error)
  }
}

/** What METS say of the files of a package; a few bytes are kept of each file. */
export const describedFiles = (
  contents: PackageContents,
  files: PackageFiles,
  claims: ReturnType<typeof claimWriter>,
) => {
  const { find, bytesOf, size } = contents
  const isDescribed = new Uint8Array(size)
  /** The METS that named a file last, by its number plus one. */
  const lastMets = new Uint16Array(size)
  /** What was claimed of a file, as a number: it is read again only where somebody claims something else. */
  const claimed = new Float64Array(size)
  const algorithms = new Set<ChecksumAlgorithm>()

  const locate = (href: string, folder: string, found: Found): { file: number; name: string } | undefined => {
    const target = targetOf(href, folder)
    if ('refused' in target) {
      found('error', target.refused, href)
      return undefined
    }
    const { path, spellings } = target
    const file = find(path)
    if (file >= 0) return { file, name: path }
    const other = spellings.find((name) => find(name) >= 0)
    if (other !== undefined) {
      found('warning', 'other-spelling', `${href} → ${other}`)
      return { file: find(other), name: other }
    }
    const why = whyNoFile(contents, files, path)
    if (why) found('error', why.code, why.detail)
    return undefined
  }
  const claim = (
    { checksum: said, checksumType }: Reference,
    { file, name }: { file: number; name: string },
    { number }: MetsDocument,
    line: number,
    found: Found,
  ) => {
    const algorithm = normalized(checksumType)
    if (!isAlgorithm(algorithm) && !isNonCryptographic(algorithm)) {
      if (checksumType !== '') found('warning', 'unknown-algorithm', `${checksumType}: ${name}`)
      return
    }
    // CRC-32 and Adler-32 are numbers, which some programs write without the zeros before it.
    const checksum = isNonCryptographic(algorithm) ? said.padStart(checksumBytes[algorithm] * 2, '0') : said
    // What is no digest is said by the rules of a METS that has rules.
    if (checksum.length !== checksumBytes[algorithm] * 2 || !/^[0-9a-f]+$/.test(checksum)) {
      found('error', 'mismatch', `${name}: ${checksum}`)
      return
    }
    algorithms.add(algorithm)
    const value = nameHash(`${algorithm}${checksum}`)
    if (claimed[file] === value) return
    claimed[file] = value
    claims.put({ algorithm, checksum, mets: number, line, name })
  }
  return {
    algorithms: () => [...algorithms],
    isDescribed: (name: string) => isDescribed[find(name)] === 1,
    /**
     * Takes what a METS says of a file.
     * @returns the name of the file in the package; undefined where there is none
     */
    take: (reference: Reference, mets: MetsDocument, line: number, found: Found): string | undefined => {
      if (reference.href.trim() === '') return undefined
      const located = locate(reference.href, mets.folder, found)
      if (!located) return undefined
      const { file, name } = located
      isDescribed[file] = 1
      if (isPointer(reference)) return name
      if (lastMets[file] === mets.number + 1) found('warning', 'listed-twice', name)
      lastMets[file] = mets.number + 1
      const bytes = bytesOf(file)
      if (/^\+?\d+$/.test(reference.size) && Number(reference.size) !== bytes)
        found('error', 'size', `${name}: ${reference.size} ≠ ${bytes}`)
      claim(reference, located, mets, line, found)
      return name
    },
  }
}
