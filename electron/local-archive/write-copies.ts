import { createHash, type Hash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { pack, type Pack } from 'tar-stream'
import type { Payload } from './payload.ts'
import { readParts } from './read-parts.ts'
import { chunksOf } from '../common/chunks.ts'

/** Where one copy is to lie; `file` is the full path of its final name. */
export interface Copy {
  medium: string
  file: string
}

/** What is written at once, at least, where there is so much. */
const blockBytes = 256 * 1024

const partialOf = (file: string) => path.join(path.dirname(file), `.${path.basename(file)}.partial`)

/** Removes what an interrupted writing left, under its temporary or its final name. */
export const removeCopies = async (copies: Copy[]) => {
  for (const { file } of copies) {
    await rm(partialOf(file), { force: true })
    await rm(file, { force: true })
  }
}

const syncFolder = async (folder: string) => {
  const handle = await open(folder, 'r')
  // Some file systems refuse to sync a folder; the file itself was synced.
  await handle.sync().catch(() => undefined)
  await handle.close()
}

const digestOf = async (file: string, bytes: number) => {
  const hash = createHash('sha256')
  for await (const part of chunksOf(readParts(file, bytes))) hash.update(part)
  return hash.digest('hex')
}

const addEntry = async (
  tar: Pack,
  header: Parameters<Pack['entry']>[0],
  source?: { file: string; bytes: number; hash?: Hash },
) => {
  await new Promise<void>((done, failed) => {
    const entry = tar.entry(header, (error) => (error ? failed(error) : done()))
    if (!source) {
      entry.end(undefined)
      return
    }
    const reading = readParts(source.file, source.bytes)
    reading.on('error', failed)
    entry.on('error', failed)
    if (source.hash) reading.on('data', (part) => source.hash?.update(part))
    reading.pipe(entry)
  })
}

const addFolder = async (
  tar: Pack,
  folder: string,
  name: string,
  expected: Map<string, string>,
  top: string,
) => {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  await addEntry(tar, { name: `${name}/`, type: 'directory', mtime: new Date((await stat(folder)).mtimeMs) })
  for (const entry of entries) {
    const file = path.join(folder, entry.name)
    const inTar = `${name}/${entry.name}`
    if (entry.isDirectory()) {
      await addFolder(tar, file, inTar, expected, top)
      continue
    }
    const { size, mtimeMs } = await stat(file)
    const hash = createHash('sha256')
    await addEntry(tar, { name: inTar, size, mtime: new Date(mtimeMs) }, { file, bytes: size, hash })
    const wanted = expected.get(inTar.slice(top.length + 1))
    if (wanted !== undefined && wanted !== hash.digest('hex'))
      throw new Error(`“${inTar}” changed after it was validated.`)
  }
}

/** The tar in blocks: a header or a small file is not worth a write to every copy. */
async function* blocksOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const part of parts) {
    waiting.push(part)
    bytes += part.length
    if (bytes < blockBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

const writeAll = async (handle: FileHandle, part: Buffer) => {
  for (let done = 0; done < part.length;) done += (await handle.write(part, done)).bytesWritten
}

/**
 * Writes a package as one tar to every copy's place at once, reads each back and compares it, and only then
 * gives the copies their names. Payload files are hashed again on their way in.
 * @returns size in bytes and sha256 of the tar, the same for every copy
 * @throws where a disk is full, a copy reads back differently or the package changed; nothing is left under a
 * final name
 */
export const writeCopies = async (
  received: { folder: string; payload: Payload[] },
  name: string,
  copies: Copy[],
  extra: { name: string; text: string }[] = [],
) => {
  const handles: FileHandle[] = []
  try {
    for (const { file } of copies) {
      await mkdir(path.dirname(file), { recursive: true })
      handles.push(await open(partialOf(file), 'w'))
    }
    const tar = pack()
    const filling = (async () => {
      for (const { name: inTar, text } of extra) tar.entry({ name: `${name}/${inTar}` }, text)
      await addFolder(
        tar,
        received.folder,
        `${name}/content`,
        new Map(received.payload.map((file) => [file.name, file.sha256])),
        `${name}/content`,
      )
      tar.finalize()
    })()
    filling.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))))
    const hash = createHash('sha256')
    let bytes = 0
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- tar-stream gives buffers
    for await (const block of blocksOf(tar as AsyncIterable<Buffer>)) {
      hash.update(block)
      bytes += block.length
      await Promise.all(handles.map((handle) => writeAll(handle, block)))
    }
    await filling
    await Promise.all(handles.map((handle) => handle.sync()))
    await Promise.all(handles.splice(0).map((handle) => handle.close()))
    const sha256 = hash.digest('hex')
    for (const { medium, file } of copies) {
      const found = await digestOf(partialOf(file), bytes)
      if (found !== sha256)
        throw new Error(`The copy on ${medium} reads back differently: wrote ${sha256}, read ${found}.`)
    }
    for (const { file } of copies) {
      await rename(partialOf(file), file)
      await syncFolder(path.dirname(file))
    }
    return { bytes, sha256 }
  } catch (error) {
    await Promise.all(handles.map((handle) => handle.close().catch(() => undefined)))
    await removeCopies(copies)
    throw error
  }
}
