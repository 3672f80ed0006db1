import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { chunksOf } from '../../../common/chunks.ts'
import { Failed } from '../../../contract/failure.ts'
import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'

/**
 * Large enough that a request costs little beside its bytes, small enough that a chunk that breaks off is
 * soon sent again (measured: 33 MB/s with 8 MiB, 40 with 64).
 */
export const chunkBytes = 8 * 1024 * 1024

interface Upload {
  archive: ArchiveClient
  submission: SubmissionPart
  /** The package's id in the archive. */
  id: string
  /** The file on this computer. */
  file: string
  /** Where it lies in the package: below `content/`. */
  path: string
  signal: AbortSignal
  onProgress: (progress: WorkProgress) => void
}

/**
 * Brings a file into a package that is being made, a chunk at a time: what is there of it is asked for and
 * not sent again, so that an upload goes on after days. One chunk is in memory.
 * @throws Failed server-broke unexpected where the archive holds something else in the end; what the client
 * throws
 */
export const uploadFile = async (upload: Upload): Promise<void> => {
  const { archive, submission, id, file, path, signal, onProgress } = upload
  const { size } = await stat(file)
  if ((await submission.bytesOf(archive, id, path)) === size) return
  const handle = await open(file, 'r')
  try {
    // What follows the first chunk that is missing was never sent.
    let isResuming = true
    for (let from = 0, number = 1; from < size || number === 1; from += chunkBytes, number += 1) {
      signal.throwIfAborted()
      const bytes = Math.min(chunkBytes, size - from)
      isResuming &&= await submission.hasChunk(archive, id, path, { number, bytes })
      if (!isResuming) {
        const chunk = Buffer.alloc(bytes)
        const { bytesRead } = await handle.read(chunk, 0, bytes, from)
        if (bytesRead !== bytes) throw new Failed({ kind: 'source', trouble: 'changed', path: file })
        await submission.sendChunk(archive, id, path, { number, bytes: chunk }, signal)
      }
      onProgress({ phase: 'packing', files: 0, bytes: from + bytes, file: path })
    }
  } finally {
    await handle.close()
  }
  await submission.merge(archive, id, path)
  const merged = await submission.bytesOf(archive, id, path)
  if (merged !== size)
    throw new Failed({
      kind: 'server-broke',
      address: archive.url,
      status: 200,
      detail: 'unexpected',
      excerpt: `${path}: ${merged} / ${size}`,
    })
}

const nodeNames: Record<string, string> = {
  MD5: 'md5',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
}

/** The digest of a file by an algorithm as METS names it; undefined where it is none that is known here. */
export const digestOf = async (file: string, algorithm: string): Promise<string | undefined> => {
  const name = nodeNames[algorithm]
  if (name === undefined) return undefined
  const hash = createHash(name)
  for await (const chunk of chunksOf(createReadStream(file, { highWaterMark: 1024 * 1024 })))
    hash.update(chunk)
  return hash.digest('hex')
}
