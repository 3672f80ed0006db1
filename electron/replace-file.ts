import { renameSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Under what a file is written before it takes its place. */
const making = (file: string) => `${file}.new`

/** What is renamed is there after a power cut once its folder is on disk; not every system can do that with a folder. */
const syncFolder = async (folder: string) => {
  const handle = await open(folder).catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/**
 * Writes a file whole: under another name beside it, to the disk, and then in its place. Whatever goes wrong leaves the file as it was.
 * Two of one file may not be under way at the same time.
 * @throws the system's error
 */
export const replaceFile = async (file: string, content: string | Uint8Array, mode = 0o666) => {
  await mkdir(path.dirname(file), { recursive: true })
  try {
    const handle = await open(making(file), 'w', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(making(file), file)
  } catch (error) {
    await rm(making(file), { force: true })
    throw error
  }
  await syncFolder(path.dirname(file))
}

/** The same at once, for a program that ends. */
export const replaceFileSync = (file: string, content: string) => {
  writeFileSync(making(file), content, { flush: true })
  renameSync(making(file), file)
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
