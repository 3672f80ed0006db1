import { isAlgorithm, checksumBytes, type Algorithm } from '../../digests.ts'
import { decodeName, readManifestLine } from '../manifest.ts'
import { escapeOf } from '../../names.ts'
import type { Finding, FindingCode } from '../../../contract/findings.ts'
import { checksumOf } from '../../entries/checksum-of.ts'
import type { OpenFile, PackageFiles } from '../../entries/package-files.ts'
import { unreadableFile } from '../../entries/container-error.ts'
import { tooLong, undecodable } from './line-marks.ts'

/** A manifest under way: its name in the bag, its algorithm, whether it is of the payload or of tags. */
export interface Manifest {
  name: string
  algorithm: Algorithm
  of: 'payload' | 'tags'
  /** Whether it is of a version that encodes the percent sign (1.0). */
  isEncoded: boolean
}

/** What a file of a bag is named there, though its manifest spells it otherwise. */
export interface Located {
  name: string
  file: OpenFile
  isOther: boolean
}

export const manifestOf = (name: string, version: string): Manifest | undefined => {
  const [, tag, algorithm] = /^(tag)?manifest-([a-z0-9]+)\.txt$/i.exec(name) ?? []
  const known = algorithm?.toLowerCase()
  if (known === undefined || !isAlgorithm(known)) return undefined
  return { name, algorithm: known, of: tag === undefined ? 'payload' : 'tags', isEncoded: version === '1.0' }
}

/**
 * Names that a line may mean, the likeliest first: as its version has it, then as other tools write it – "./"
 * before it, a percent sign that is encoded or not, '\\' for '/', the other form of accents.
 */
const spellings = (written: string, isEncoded: boolean): string[] => {
  const plain = written.startsWith('./') ? written.slice(2) : written
  const [first, second] = isEncoded ? [decodeName(plain), plain] : [plain, decodeName(plain)]
  const names = [first, second, first.replaceAll('\\', '/')]
  return [
    ...new Set([
      ...names,
      ...names.map((name) => name.normalize('NFC')),
      ...names.map((name) => name.normalize('NFD')),
    ]),
  ]
}

/** Finds the file that a line means. */
const locate = (
  files: PackageFiles,
  written: string,
  isEncoded: boolean,
): Located | undefined | 'folder' | 'link' => {
  const first = isEncoded ? decodeName(written) : written
  const found = files.open(first)
  if (found === 'folder' || found === 'link') return found
  if (found) return { name: first, file: found, isOther: false }
  for (const name of spellings(written, isEncoded).filter(
    (form) => form !== first && escapeOf(form) === undefined,
  )) {
    const other = files.open(name)
    if (other !== undefined && typeof other !== 'string') return { name, file: other, isOther: true }
  }
  return undefined
}

/** The name that a line means by its own words, without "./". */
export const literalName = (written: string, isEncoded: boolean) => {
  const plain = written.replace(/^\.\//, '')
  return isEncoded ? decodeName(plain) : plain
}

/**
 * A line as our own and most other tools write it, so that what differs in nothing that counts is at least
 * told.
 */
const isUsual = (line: string) => /^[0-9a-f]+ {2}[^ \t*]/.test(line)

/** What a line brought; `located` is the name of its file where that is spelled otherwise. */
export type LineFinding = Omit<Finding, 'line'> & { located?: string }

interface Context {
  files: PackageFiles
  manifest: Manifest
  /** Names that fetch.txt promises. */
  promised: { has: (name: string) => boolean }
  gate: () => boolean
  took: (bytes: number) => void
}

/** Why a manifest may not list a name at all; undefined where it may. */
const refusalOf = (name: string, { of }: Manifest): FindingCode | undefined => {
  if (escapeOf(name) !== undefined) return 'escapes'
  if (of === 'payload' && !name.startsWith('data/') && !name.startsWith('data\\')) return 'not-payload'
  return of === 'tags' && name.startsWith('data/') ? 'is-payload' : undefined
}

/**
 * Checks one line of a manifest: that it is one, that it stays in the bag, that its file is there and has
 * that digest. Undefined when stopped.
 */
export const checkLine = async (
  line: string,
  { files, manifest, promised, gate, took }: Context,
): Promise<LineFinding[] | undefined> => {
  const say = (level: Finding['level'], code: FindingCode, detail: string) => ({
    level,
    code,
    file: manifest.name,
    detail,
  })
  if (line === undecodable) return [say('error', 'tag-encoding', 'UTF-8')]
  const parsed = readManifestLine(line)
  if (parsed?.checksum.length !== checksumBytes[manifest.algorithm] * 2)
    return [say('error', 'bad-line', line.replace(tooLong, '').slice(0, 300))]
  const { checksum, written } = parsed
  const name = literalName(written, manifest.isEncoded)
  const findings: LineFinding[] = isUsual(line) ? [] : [say('warning', 'unusual-line', line.slice(0, 300))]
  const refusal = refusalOf(name, manifest)
  if (refusal) return [say('error', refusal, name)]
  // Drafts before 1.0 did not forbid it (RFC 8493 2.2.1).
  if (manifest.of === 'tags' && manifestOf(name, '1.0')?.of === 'tags')
    findings.push(say(manifest.isEncoded ? 'error' : 'warning', 'lists-tag-manifest', name))
  let located: ReturnType<typeof locate>
  try {
    located = locate(files, written, manifest.isEncoded)
  } catch (error) {
    const { code, detail } = unreadableFile(name, error)
    return [say('error', code, detail)]
  }
  if (located === 'folder') return [say('error', 'lists-folder', name)]
  if (located === 'link') return [say('error', 'link', name)]
  if (!located) return [say('error', promised.has(name) ? 'to-fetch' : 'missing', name)]
  if (located.isOther)
    findings.push({ ...say('warning', 'other-spelling', `${name} → ${located.name}`), located: located.name })
  try {
    const found = await checksumOf(located.file, manifest.algorithm, gate, took)
    if (found === undefined) return undefined
    if (found !== checksum) findings.push(say('error', 'mismatch', `${name}: ${checksum} ≠ ${found}`))
  } catch (error) {
    const { code, detail } = unreadableFile(name, error)
    findings.push(say('error', code, detail))
  } finally {
    located.file.close()
  }
  return findings
}
