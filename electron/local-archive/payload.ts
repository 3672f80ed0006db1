import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { chunksOf } from '../common/chunks.ts'
import type { PackageFormat, PackageRecord, Provenance } from '../packaging/format.ts'
import { readParts } from './read-parts.ts'

/** One payload file of a package; `name` is that in the package and uses '/', whatever the system. */
export interface Payload {
  name: string
  sha256: string
  bytes: number
}

/** What a valid package holds, and what it says of itself. */
export interface ReceivedPackage {
  payload: Payload[]
  record: PackageRecord
  provenance: Provenance
  bytes: number
}

/** Why a package is not valid: one sentence, with the line or file at fault. */
export class InvalidPackage extends Error {}

const filesBelow = async (folder: string, inside: string): Promise<string[]> => {
  const found: string[] = []
  for (const entry of await readdir(path.join(folder, inside), { withFileTypes: true })) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) for (const file of await filesBelow(folder, name)) found.push(file)
    else if (entry.isFile()) found.push(name)
    else throw new Error(`“${name}” became something else than a file after it was checked.`)
  }
  return found
}

/**
 * Reads the payload of a package that was found valid: the name, size in bytes and sha256 digest of each
 * file, in the order of names. It judges nothing; the check did.
 * @throws Error where there is something else than files and folders: somebody changed the package after the
 * check
 */
export const readPayload = async (
  received: string,
  { isPayload }: Pick<PackageFormat, 'isPayload'>,
): Promise<Payload[]> => {
  const names = (await filesBelow(received, '')).filter(isPayload).sort()
  const payload: Payload[] = []
  for (const name of names) {
    const file = path.join(received, name)
    const hash = createHash('sha256')
    const { size } = await lstat(file)
    let bytes = 0
    for await (const part of chunksOf(readParts(file, size))) {
      hash.update(part)
      bytes += part.length
    }
    payload.push({ name, sha256: hash.digest('hex'), bytes })
  }
  return payload
}
