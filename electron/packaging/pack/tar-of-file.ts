import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { chunksOf } from '../../common/chunks.ts'
import { Failed } from '../../contract/failure.ts'
import { onDisk } from '../disk.ts'
import { topModifiedMs } from './layout.ts'
import { tar } from './tar.ts'

/** A tar with one root folder and one file in it, as `copyIntoTar` writes it. */
export interface TarOfFile {
  source: string
  /** What comes before the content of the file, and what follows it. */
  head: Buffer
  tail: Buffer
  contentBytes: number
  /** Of all of the tar. */
  bytes: number
}

const readBytes = 8 * 1024 * 1024

/**
 * The tar that `copyIntoTar` writes, by what its source is now; nothing is written.
 * @throws Failed disk
 */
export const tarOfFile = async (
  source: string,
  { top, name }: { top: string; name: string },
): Promise<TarOfFile> => {
  const { size: contentBytes, mtimeMs: modifiedMs } = await onDisk(source, () => lstat(source))
  const inside = `${top}/${name}`
  const head = Buffer.concat([
    tar.folder(top, topModifiedMs),
    tar.header({ name: inside, bytes: contentBytes, modifiedMs, crc: 0 }),
  ])
  const padding = Buffer.alloc(tar.padding(contentBytes))
  const endings: Buffer[] = []
  const payloadEnd = head.length + contentBytes + padding.length
  tar.ending([], payloadEnd, (bytes) => void endings.push(bytes))
  const tail = Buffer.concat([padding, ...endings])
  return { source, head, tail, contentBytes, bytes: head.length + contentBytes + tail.length }
}

/**
 * The SHA-256 of such a tar in hexadecimal letters, read from its source.
 * @param onBytes how many bytes of the source were read so far
 * @throws Failed disk, source changed
 */
export const digestOfTar = (
  { source, head, tail, contentBytes }: TarOfFile,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (bytes: number) => void },
): Promise<string> =>
  onDisk(source, async () => {
    const hash = createHash('sha256').update(head)
    let read = 0
    for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: readBytes, signal }))) {
      hash.update(chunk)
      read += chunk.length
      onBytes(read)
    }
    if (read !== contentBytes) throw new Failed({ kind: 'source', trouble: 'changed', path: source })
    return hash.update(tail).digest('hex')
  })
