import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import path from 'node:path'
import { openSlices } from '../common/slices.ts'

/** One payload file of a package; `name` is that in the package and uses '/', whatever the system. */
export interface Payload {
  name: string
  sha256: string
  bytes: number
}

/** Why a package is not valid: one sentence, with the line or file at fault. */
export class InvalidPackage extends Error {}

/** Read into again and again: nobody else has a turn between a read and what is done with it. */
const block = Buffer.allocUnsafeSlow(1024 * 1024)

/** The sha256 digest and the length of a file; others have their turn between its blocks. */
export const digestOfFile = async (file: string) => {
  const slices = openSlices()
  const hash = createHash('sha256')
  const handle = openSync(file, 'r')
  let bytes = 0
  try {
    for (let read = readSync(handle, block); read > 0; read = readSync(handle, block)) {
      hash.update(block.subarray(0, read))
      bytes += read
      if (slices.isOver()) await slices.next()
    }
  } finally {
    closeSync(handle)
  }
  return { bytes, sha256: hash.digest('hex') }
}

const filesBelow = (folder: string, inside: string): string[] => {
  const found: string[] = []
  for (const entry of readdirSync(path.join(folder, inside), { withFileTypes: true })) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) for (const file of filesBelow(folder, name)) found.push(file)
    else if (entry.isFile()) found.push(name)
    else throw new Error(`“${name}” became something else than a file after it was checked.`)
  }
  return found
}

/**
 * Reads the payload of a package that was found valid: the name, size in bytes and sha256 digest of each
 * file, in the order of names. It judges nothing; the check did.
 * @param payloadPaths the paths that are of the payload
 * @param counted what the check counted
 * @throws Error where there is something else than files and folders, or more or less than was counted:
 * somebody changed the package after the check
 */
export const readPayload = async (
  received: string,
  payloadPaths: RegExp,
  counted: { files: number; bytes: number },
): Promise<Payload[]> => {
  const slices = openSlices()
  const payload: Payload[] = []
  let found = 0
  for (const name of filesBelow(received, '')
    .filter((name) => payloadPaths.test(name))
    .sort()) {
    const { bytes, sha256 } = await digestOfFile(path.join(received, name))
    payload.push({ name, sha256, bytes })
    found += bytes
    if (slices.isOver()) await slices.next()
  }
  if (payload.length !== counted.files || found !== counted.bytes)
    throw new Error(
      `It was changed after it was checked: ${counted.files} files of ${counted.bytes} bytes became ` +
        `${payload.length} of ${found}.`,
    )
  return payload
}
