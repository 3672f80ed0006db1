import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Under what a file is written before it takes its place: another name for every writing, and as short
 * whatever the file's is.
 */
const temporaryName = (file: string) =>
  path.join(path.dirname(file), `.lectern-${randomUUID().slice(0, 8)}.new`)

/**
 * Brings the names in a folder to the disk: what is renamed is there after a power cut once that is done. Not
 * every system can do that with a folder; then nothing is done.
 */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close().catch(() => undefined)
}

const syncFolderNow = (folder: string) => {
  try {
    const handle = openSync(folder, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // As above.
  }
}

const blockLength = 65_536

/** Many short parts cost as many writes; they are put into blocks. */
async function* inBlocks(parts: Iterable<string> | AsyncIterable<string>) {
  let block = ''
  for await (const part of parts) {
    block += part
    if (block.length < blockLength) continue
    yield block
    block = ''
  }
  yield block
}

/**
 * Writes a file whole: under another name beside it, to the disk, and then in its place. Whatever goes wrong
 * leaves the file as it was and nothing beside it; the last of two writings at the same time stands. The
 * folder must be there: where a drive was pulled out, none is made in its place.
 * @param content also in parts, as they come
 * @throws the system's error, and that of the content
 */
export const replaceFile = async (
  file: string,
  content: string | Uint8Array | Iterable<string> | AsyncIterable<string>,
  mode = 0o666,
) => {
  const temporary = temporaryName(file)
  const handle = await open(temporary, 'wx', mode)
  try {
    try {
      await handle.writeFile(
        typeof content === 'string' || content instanceof Uint8Array ? content : inBlocks(content),
      )
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    // A disk that is gone takes nothing away either; what went wrong first is what is told.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(path.dirname(file))
}

/** The same at once, for a thread that has nothing else to do and for a program that ends. */
export const replaceFileSync = (file: string, content: string) => {
  const temporary = temporaryName(file)
  try {
    writeFileSync(temporary, content, { flag: 'wx', flush: true })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolderNow(path.dirname(file))
}

/** Does one thing after the other, whatever becomes of those before. */
export const oneByOne = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
