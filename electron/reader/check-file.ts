import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { setImmediate as afterOthers } from 'node:timers/promises'
import { Failed } from '../contract/failure.ts'
import type { Verdict } from '../contract/reader.ts'
import type { PreservedDigest } from './preserved-digest.ts'

/** What is said where nobody says which. */
const usual = 'sha256'
/** So much is digested before others have their turn: a millisecond of work. */
const blockBytes = 512 * 1024
/** "SHA-256", as people write it. */
const nameOf = (algorithm: string) => algorithm.toUpperCase().replace(/^SHA(?=\d)/, 'SHA-')

interface Reading {
  stream: AsyncIterable<Buffer>
  /** How long the file is. */
  bytes: number
  preserved: PreservedDigest | undefined
  progressed: (bytes: number) => void
}

/**
 * Reads a file whole, and compares its digest with what its package says. Each part is digested as it comes,
 * and others have their turn after it.
 * @throws Failed conflict where fewer or more bytes came than the file has: that says nothing of it
 */
export const judgeFile = async ({ stream, bytes, preserved, progressed }: Reading): Promise<Verdict> => {
  const algorithm = preserved?.algorithm ?? usual
  const hash = createHash(algorithm)
  let read = 0
  for await (const part of stream) {
    hash.update(part)
    read += part.length
    progressed(read)
    await afterOthers()
  }
  if (read !== bytes) throw new Failed({ kind: 'conflict', detail: `${read} of ${bytes} bytes came.` })
  const digest = hash.digest('hex')
  return {
    is: preserved === undefined ? 'unsaid' : preserved.digest === digest ? 'preserved' : 'changed',
    algorithm: nameOf(algorithm),
    digest,
    preserved: preserved?.digest ?? '',
    source: preserved?.source ?? '',
  }
}

interface SavedFile {
  /** Where it lies on this computer. */
  target: string
  bytes: number
  /** What its package says of it. */
  preserved: PreservedDigest | undefined
  signal: AbortSignal
}

/**
 * Compares a file that was saved from a package with what the package says of it.
 * @throws Failed conflict where it is shorter or longer now, the error of the disk, the reason of the signal
 */
export const judgeSavedFile = ({ target, bytes, preserved, signal }: SavedFile): Promise<Verdict> => {
  const stream = createReadStream(target, { highWaterMark: blockBytes, signal })
  return judgeFile({ stream, bytes, preserved, progressed: () => undefined })
}
