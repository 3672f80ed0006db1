import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { writeMets } from '../mets.ts'
import { readPayload, type Payload } from '../payload.ts'
import { ensureSpace } from '../disk-space.ts'
import { copyWriter, removeCopies, type Copy } from '../write-copies.ts'
import { fingerprintOf } from './fingerprint.ts'

/** What a copy holds of a file beside its content: its name in the tar and in the METS. */
const perFileBytes = 2048

/** A valid package, and where its copies go. */
export interface PackageToCopy {
  /** The folder that holds it. */
  folder: string
  /** Taken before it was checked. */
  fingerprint: string
  payloadPaths: RegExp
  /** How many files of payload the check counted, and their bytes. */
  counted: { files: number; bytes: number }
  /** The folder in the tar that it will lie in. */
  name: string
  copies: Copy[]
  about: { identifier: string; label: string; made: Date; by: string }
}

/** Sizes in bytes, digests in sha256. */
interface Sum {
  bytes: number
  sha256: string
}

/** What the copies of a package are, and what is in them. */
export interface CopiedPackage {
  payload: Payload[]
  mets: Sum
  tar: Sum
}

/** Opens what makes copies of packages, with the METS that goes before each. */
export const packageCopier = () => {
  const write = copyWriter()

  /**
   * Writes the copies of a package; what an interrupted writing left there is removed, and space is looked
   * for.
   * @throws NoSpace before anything is written; the error of the disk; Error where the package changed, or a
   * copy reads back differently
   */
  return async ({
    folder,
    fingerprint,
    payloadPaths,
    counted,
    name,
    copies,
    about,
  }: PackageToCopy): Promise<CopiedPackage> => {
    removeCopies(copies)
    // Media lie in the folders of their targets.
    const targets = copies.map(({ file }) => path.dirname(path.dirname(file)))
    for (const target of targets) mkdirSync(target, { recursive: true })
    const bytes = counted.bytes + counted.files * perFileBytes
    ensureSpace(
      targets.map((target) => ({ folder: target, bytes })),
      'for the copies',
    )
    const payload = await readPayload(folder, payloadPaths, counted)
    const mets = Buffer.from(await writeMets({ ...about, files: payload }))
    const tar = await write({ folder, payload }, name, copies, [
      { name: 'mets.xml', text: mets, modifiedMs: about.made.getTime() },
    ])
    // What was copied is what was found valid, or nothing: digests alone tell of changes while it is copied.
    if (fingerprintOf(folder) !== fingerprint) {
      removeCopies(copies)
      throw new Error('It was changed after it was checked.')
    }
    const sha256 = createHash('sha256').update(mets).digest('hex')
    return { payload, mets: { bytes: mets.length, sha256 }, tar }
  }
}
