import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { readFullyMeanwhile } from '../../../common/read-meanwhile.ts'
import { Failed } from '../../../contract/failure.ts'
import type { ArchiveClient, SubmissionPart } from '../../../dialects/dialect.ts'
import type { UploadPlace } from '../../../dialects/models.ts'
import { onDisk } from '../../../packaging/disk.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'

/**
 * Large enough that a request costs little beside its bytes, small enough that a chunk that breaks off is
 * soon sent again (measured: 33 MB/s with 8 MiB, 40 with 64).
 */
const chunkBytes = 8 * 1024 * 1024

/** A file as it is uploaded: where it lies on this computer, and in the package (with slashes). */
export interface UploadedFile {
  file: string
  path: string
  bytes: number
}

/**
 * The files below a folder as they are uploaded each by itself, a name before those that begin with it.
 * @param into where they lie in the package
 */
export const filesBelow = async (folder: string, into: string): Promise<UploadedFile[]> => {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found: UploadedFile[] = []
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    const inside = `${into}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesBelow(file, inside)))
    // Nothing else was packed; a link may lead anywhere.
    else if (!entry.isFile()) throw new Failed({ kind: 'source', trouble: 'changed', path: file })
    else found.push({ file, path: inside, bytes: (await stat(file)).size })
  }
  return found
}

interface Upload {
  archive: ArchiveClient
  submission: SubmissionPart
  place: UploadPlace
  files: UploadedFile[]
  signal: AbortSignal
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  onProgress: (progress: WorkProgress) => void
}

/** What an archive says though it cannot be so. @param excerpt what it said */
export const unexpected = ({ url }: ArchiveClient, excerpt: string) =>
  new Failed({ kind: 'server-broke', address: url, status: 200, detail: 'unexpected', excerpt })

/** Sends the chunks of a file that are not there yet. One chunk is in memory. */
const sendChunks = async (
  { file, path: inside, bytes: size }: UploadedFile,
  { archive, submission, place, signal }: Upload,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  const handle = await onDisk(file, () => open(file, 'r'))
  try {
    // What follows the first chunk that is missing was never sent.
    let isResuming = size > chunkBytes
    for (let from = 0, number = 1; from < size || number === 1; from += chunkBytes, number += 1) {
      signal.throwIfAborted()
      const bytes = Math.min(chunkBytes, size - from)
      isResuming &&= await submission.hasChunk(archive, place, inside, { number, bytes })
      if (!isResuming) {
        const chunk = Buffer.alloc(bytes)
        const length = await onDisk(file, () => readFullyMeanwhile(handle.fd, chunk, from))
        if (length < bytes) throw new Failed({ kind: 'source', trouble: 'changed', path: file })
        await submission.sendChunk(archive, place, inside, { number, bytes: chunk }, signal)
      }
      onBytes(bytes)
    }
  } finally {
    await handle.close()
  }
}

/** Merges the chunks of a file. An archive that does not see them yet sees them at another attempt. */
const mergeChunks = async (
  { archive, submission, place }: Upload,
  { path: file, bytes }: UploadedFile,
): Promise<void> => {
  try {
    await submission.merge(archive, place, file, bytes)
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
    throw unexpected(archive, file)
  }
}

const byFolder = (files: UploadedFile[]): Map<string, UploadedFile[]> => {
  const folders = new Map<string, UploadedFile[]>()
  for (const file of files) {
    const folder = path.posix.dirname(file.path)
    const known = folders.get(folder)
    if (known) known.push(file)
    else folders.set(folder, [file])
  }
  return folders
}

const betweenLooksMs = 5_000

/**
 * The files that lie in a folder, with their sizes, once none of them grows any more: the archive may still
 * merge one of which an earlier attempt did not see the end.
 */
const sizesAfterMerging = async (upload: Upload, folder: string): Promise<Map<string, number>> => {
  const { archive, submission, place, files, signal, wait } = upload
  const whole = new Map(files.map(({ path: inside, bytes }) => [inside, bytes]))
  for (let last = await submission.sizesIn(archive, place, folder); ;) {
    const isPartial = ([name, size]: [string, number]) => size < (whole.get(`${folder}/${name}`) ?? 0)
    if (![...last].some(isPartial)) return last
    await wait(betweenLooksMs, signal)
    const next = await submission.sizesIn(archive, place, folder)
    if ([...last].every(([name, size]) => next.get(name) === size)) return next
    last = next
  }
}

/**
 * Brings files into a package that is being made, folder by folder and a chunk at a time. What is there whole
 * is not sent again, nor are chunks of a large file, so that an upload goes on after days. While a file is
 * merged the next is sent, unless its name begins with that of the first: merging takes every waiting chunk
 * whose name begins so.
 * @throws Failed server-broke unexpected where the archive holds something else in the end; what the client
 * throws
 */
export const uploadFiles = async (upload: Upload): Promise<void> => {
  const { archive, submission, place, files, signal, onProgress } = upload
  const done = { files: 0, bytes: 0 }
  const tell = (file: string) => onProgress({ phase: 'packing', files: done.files, bytes: done.bytes, file })
  for (const [folder, inFolder] of byFolder(files)) {
    const held = await sizesAfterMerging(upload, folder)
    const isHeld = ({ path: inside, bytes }: UploadedFile) => held.get(path.posix.basename(inside)) === bytes
    let merged: { path: string; ended: Promise<unknown> } | undefined
    try {
      for (const file of inFolder) {
        signal.throwIfAborted()
        if (merged && file.path.startsWith(`${merged.path}_`)) await merged.ended
        if (isHeld(file)) done.bytes += file.bytes
        else {
          await sendChunks(file, upload, (bytes) => {
            done.bytes += bytes
            tell(file.path)
          })
          await merged?.ended
          merged = { path: file.path, ended: mergeChunks(upload, file) }
          // It is awaited below; until then Node would take its failure for an unhandled one.
          merged.ended.catch(() => undefined)
        }
        done.files += 1
        tell(file.path)
      }
    } finally {
      await merged?.ended
    }
    const there = await submission.sizesIn(archive, place, folder)
    for (const { path: inside, bytes } of inFolder) {
      const size = there.get(path.posix.basename(inside))
      if (size !== bytes) throw unexpected(archive, `${inside}: ${size ?? 'nothing'} / ${bytes}`)
    }
  }
}
