import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import type { PreservedFile } from '../../../dialects/models.ts'
import { Failed } from '../../../contract/failure.ts'
import type { PackageReport } from '../../../contract/findings.ts'
import { isAlgorithm, normalized } from '../../../packaging/digests.ts'
import { onDisk } from '../../../packaging/disk.ts'
import { digestsOf } from '../../../packaging/file-digests.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import { needValid } from '../../../packaging/packages.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import { filesBelow, unexpected, type UploadedFile } from './upload.ts'

/** What is sent of a transfer, and whether the archive holds it. */

interface Comparing {
  archive: ArchiveClient
  submission: SubmissionPart
  transfer: KeptTransfer
  scripts: PackagingScripts
  signal: AbortSignal
  noteExtension: (extension: string, isAccepted: boolean) => void
}

/** Contents of what is submitted lie here. */
export const contentFolder = 'content'

/**
 * What of a prepared transfer is uploaded: its package as one file, or each file of the package's payload.
 * @throws Failed not-ready where it is not packed
 */
export const uploadedFilesOf = async ({ id, sip, packing, form }: KeptTransfer): Promise<UploadedFile[]> => {
  if (sip === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  // In a new generation files of the same names may lie already.
  const into = form.generationOf ? `${contentFolder}/${id}` : contentFolder
  if (sip.form === 'folder') {
    const payload = path.join(sip.path, formatNamed(packing.format).payloadFolder)
    return onDisk(payload, () => filesBelow(payload, into))
  }
  const { size } = await onDisk(sip.path, () => stat(sip.path))
  return [{ file: sip.path, path: `${contentFolder}/${id}${suffixOf(sip.form)}`, bytes: size }]
}

/**
 * The package on the disk, as it was packed.
 * @returns what was found of it
 * @throws Failed bad-package, disk
 */
export const needWhole = async ({
  transfer: { sip },
  scripts,
  signal,
}: Comparing): Promise<PackageReport> => {
  if (sip === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  const report = await needValid(sip.path, { scripts: scripts.check, signal })
  const { counts } = report
  if (counts.files !== sip.counts.files || counts.bytes !== sip.counts.bytes)
    throw new Failed({ kind: 'source', trouble: 'changed', path: sip.path })
  return report
}

/** The digest of a file by an algorithm as METS names it; undefined where it is none that is known here. */
export const digestOf = async (
  file: string,
  named: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const algorithm = normalized(named)
  if (!isAlgorithm(algorithm)) return undefined
  const [found] = await onDisk(file, () => digestsOf(file, [algorithm], signal, () => undefined))
  return found?.digest
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * A path as it was sent: METS writes it plainly, or as a URI in which some characters are encoded, and below
 * a folder of what was submitted where there is one.
 */
const nameIn = (sent: ReadonlySet<string>, path: string, submitted: string): string => {
  const below = (name: string) => (name.startsWith(submitted) ? name.slice(submitted.length) : name)
  const names = [path, below(path), decoded(path), below(decoded(path))]
  return names.find((name) => sent.has(name)) ?? below(path)
}

/**
 * Compares what the archive says that it holds with what was sent.
 * @returns the algorithm by which both are the same
 * @throws Failed not-as-sent where the file is missing, longer, shorter or another
 */
export const compare = async (work: Comparing, id: string): Promise<string> => {
  const { archive, submission, transfer, signal, noteExtension } = work
  await needWhole(work)
  const files = await uploadedFilesOf(transfer)
  const wanted = new Set(files.map((file) => file.path))
  // What was submitted lies whole below a folder of its own.
  const submitted = `${contentFolder}/${transfer.form.identifier}/`
  const held = new Map<string, PreservedFile>()
  let more: string | undefined
  const note = (file: PreservedFile) => {
    const inside = nameIn(wanted, file.path, submitted)
    if (wanted.has(inside)) held.set(inside, file)
    else if (!transfer.form.generationOf && inside.startsWith(`${contentFolder}/`)) more ??= inside
  }
  await submission.contents(archive, id, note, signal)
  if (more !== undefined) throw new Failed({ kind: 'not-as-sent', path: more, trouble: 'not sent' })
  const algorithms = new Set<string>()
  for (const { file, path: inside, bytes } of files) {
    signal.throwIfAborted()
    const notAsSent = (trouble: 'missing' | 'size' | 'digest' | 'no digest') =>
      new Failed({ kind: 'not-as-sent', path: inside, trouble })
    const said = held.get(inside)
    if (!said) throw notAsSent('missing')
    if (!Number.isNaN(said.bytes) && said.bytes !== bytes) throw notAsSent('size')
    const digest = said.digest === '' ? undefined : await digestOf(file, said.algorithm, signal)
    if (digest === undefined) throw notAsSent('no digest')
    if (digest !== said.digest) throw notAsSent('digest')
    algorithms.add(said.algorithm)
  }
  if (transfer.sip?.form === 'folder')
    for (const extension of new Set(files.map((file) => path.posix.extname(file.path).toLowerCase())))
      noteExtension(extension, true)
  return [...algorithms].join(', ')
}

/**
 * What is wrong with a file of the former generation as the new one has it; null where it is the same. Of
 * digests by different algorithms nothing can be said: then the size decides.
 */
const troubleIn = (before: PreservedFile, now: PreservedFile): 'changed' | 'no digest' | null => {
  const isAlike = now.digest !== '' && now.algorithm.toUpperCase() === before.algorithm.toUpperCase()
  if (isAlike) return now.digest === before.digest ? null : 'changed'
  if (Number.isNaN(before.bytes) || Number.isNaN(now.bytes)) return 'no digest'
  return now.bytes === before.bytes ? null : 'changed'
}

/**
 * Compares a new generation with the one before it: nothing of its contents may be gone.
 * @throws Failed not-as-sent where a file is missing or another
 */
export const compareWithFormer = async (
  { archive, submission, signal }: Comparing,
  former: string,
  id: string,
): Promise<void> => {
  const unseen = new Map<string, PreservedFile>()
  const noteFormer = (file: PreservedFile) => {
    const { path: inside, digest } = file
    if (!inside.startsWith(`${contentFolder}/`)) return
    if (digest === '') throw new Failed({ kind: 'not-as-sent', path: inside, trouble: 'no digest' })
    unseen.set(inside, file)
  }
  await submission.contents(archive, former, noteFormer, signal)
  // A package without contents is none; its description cannot be read as it is written.
  if (unseen.size === 0) throw unexpected(archive, 'mets.xml')
  const note = (file: PreservedFile) => {
    const before = unseen.get(file.path)
    const trouble = before ? troubleIn(before, file) : null
    if (trouble) throw new Failed({ kind: 'not-as-sent', path: file.path, trouble })
    unseen.delete(file.path)
  }
  await submission.contents(archive, id, note, signal)
  const [gone] = unseen.keys()
  if (gone !== undefined) throw new Failed({ kind: 'not-as-sent', path: gone, trouble: 'missing' })
}
