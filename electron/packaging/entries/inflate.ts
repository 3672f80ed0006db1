import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { readFully } from '../pack/copy.ts'
import { ContainerError } from './container-error.ts'
import { codeOf } from '../../common/errors.ts'
import { chunksOf } from '../../common/chunks.ts'

/** Content that is compressed more than this is taken for a bomb; deflate itself ends at about a thousand. */
const mostRatio = 1_100
const spareBytes = 1_024

/** Where compressed content lies, and what is said of it. */
export interface Compressed {
  name: string
  from: number
  stored: number
  bytes: number
}

/** Content of up to this length is unpacked at once. */
export const mostAtOnce = 1024 * 1024

/** @throws ContainerError where more is announced than can be in there */
export const ensurePossible = ({ name, stored, bytes }: Compressed) => {
  if (bytes > stored * mostRatio + spareBytes) throw new ContainerError('bomb', name)
}

/** What the library says of bytes that it cannot unpack; errors of the system stay what they are. */
const asContainerError = (error: unknown, name: string): unknown => {
  if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return new ContainerError('bomb', name)
  return codeOf(error).startsWith('Z_') ? new ContainerError('entry-damaged', name) : error
}

/** Unpacks short content (RFC 1951), which must be as long as announced and use all of its bytes. */
export const inflateAtOnce = (handle: number, { name, from, stored, bytes }: Compressed): Buffer => {
  const compressed = Buffer.allocUnsafe(stored)
  if (readFully(handle, compressed, from) < stored) throw new ContainerError('archive-cut', from + stored)
  let unpacked: Buffer
  let used: number
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the types of Node lack what `info` gives
    const { buffer, engine } = inflateRawSync(compressed, {
      maxOutputLength: Math.max(1, bytes),
      chunkSize: Math.max(64, bytes + 1),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    unpacked = buffer
    used = engine.bytesWritten
  } catch (error) {
    throw asContainerError(error, name)
  }
  if (unpacked.length !== bytes || used !== stored) throw new ContainerError('entry-damaged', name)
  return unpacked
}

/** Unpacks long content part after part, and never more than was announced. */
export async function* inflated(
  file: string,
  { name, from, stored, bytes }: Compressed,
): AsyncGenerator<Buffer> {
  let given = 0
  const inflate = createInflateRaw()
  const reading = pipeline(
    createReadStream(file, { start: from, end: from + stored - 1, highWaterMark: 256 * 1024 }),
    inflate,
  )
  // What stops the inflating also stops the reading; the first reason is the one that counts.
  reading.catch(() => undefined)
  try {
    for await (const part of chunksOf(inflate)) {
      given += part.length
      if (given > bytes) throw new ContainerError('bomb', name)
      yield part
    }
  } catch (error) {
    throw error instanceof ContainerError ? error : asContainerError(error, name)
  }
  if (given !== bytes || inflate.bytesWritten !== stored) throw new ContainerError('entry-damaged', name)
}
