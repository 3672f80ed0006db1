import { createHash, type Hash } from 'node:crypto'
import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs'
import path from 'node:path'
import { codeOf, messageOf } from '../../common/errors.ts'

/** What changes while somebody still writes to an entry; or that it is gone; or why it cannot be taken. */
export type Inspection = { fingerprint: string } | { untakable: string } | 'gone'

const separator = Buffer.from(path.sep)

/** Says something of the process, and nothing of what it looked at. */
const isExhausted = (error: unknown) => /^(EMFILE|ENFILE|ENOMEM)$/.test(codeOf(error))

/**
 * Adds sizes and times of an entry and everything in it; nothing is opened and no link is followed. Names in
 * it need not be text: whoever checks the package says which are not.
 */
const addTo = (hash: Hash, entry: Buffer, found = lstatSync(entry)): void => {
  hash.update(`${found.size} ${found.mtimeMs} `)
  if (found.isDirectory())
    for (const name of readdirSync(entry, { encoding: 'buffer' }))
      addTo(hash, Buffer.concat([entry, separator, name]))
  else if (found.isFile()) accessSync(entry, constants.R_OK)
}

/**
 * What changes with an entry or anything in it.
 * @param found the entry, where somebody looked at it already
 * @throws the system's error where it cannot be known
 */
export const fingerprintOf = (entry: string, found?: Stats): string => {
  const hash = createHash('sha256')
  addTo(hash, Buffer.from(path.toNamespacedPath(entry)), found)
  return hash.digest('hex')
}

/**
 * Looks at an entry of the ingest folder.
 * @throws the system's error where it says nothing of the entry
 */
export const inspect = (entry: string): Inspection => {
  try {
    const found = lstatSync(entry)
    if (!found.isFile() && !found.isDirectory())
      return { untakable: 'it is neither a file nor a folder (a link, a pipe or a device)' }
    return { fingerprint: fingerprintOf(entry, found) }
  } catch (error) {
    if (isExhausted(error)) throw error
    return codeOf(error) === 'ENOENT' ? 'gone' : { untakable: `it cannot be read (${messageOf(error)})` }
  }
}
