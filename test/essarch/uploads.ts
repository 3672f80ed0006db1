import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { chunksOf } from '../../electron/common/chunks.ts'
import type { Entry } from './files.ts'

/** A path below a folder; undefined where it leads out of it. */
const below = (folder: string, inside: string) => {
  const file = path.resolve(folder, inside.replace(/^\/+/, ''))
  return file === folder || file.startsWith(folder + path.sep) ? file : undefined
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** In the order of their numbers, as a natural sort has it. */
const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

/**
 * The folders of packages that are being made. A chunk lies beside its file as "name_number", and merging
 * takes everything that begins with "name_": also waiting chunks of another file, "name_1", as was recorded.
 */
export const openUploads = (root: string) => {
  const folderOf = (identifier: string) => path.join(root, identifier)
  const place = (identifier: string, inside: string) => below(folderOf(identifier), inside)

  const walk = async (folder: string, from = ''): Promise<{ path: string; size: number }[]> => {
    const entries = await readdir(path.join(folder, from), { withFileTypes: true })
    const found = await Promise.all(
      entries.map(async (entry) => {
        const inside = path.posix.join(from, entry.name)
        if (entry.isDirectory()) return walk(folder, inside)
        return [{ path: inside, size: (await stat(path.join(folder, inside))).size }]
      }),
    )
    return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  return {
    folderOf,
    /** Whether a package was made over REST: its files are what was uploaded. */
    has: (identifier: string) => existsSync(folderOf(identifier)),
    /** Whatever a package has when it was prepared. */
    lay: async (identifier: string) => {
      await mkdir(path.join(folderOf(identifier), 'content'), { recursive: true })
      await mkdir(path.join(folderOf(identifier), 'metadata'), { recursive: true })
    },
    write: async (identifier: string, inside: string, content: string | Buffer) => {
      const file = place(identifier, inside)
      if (!file) return
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    },
    read: async (identifier: string, inside: string): Promise<Buffer> =>
      readFile(path.join(folderOf(identifier), inside)),
    makeFolder: async (identifier: string, inside: string) => {
      const folder = place(identifier, inside)
      if (folder) await mkdir(folder, { recursive: true })
      return folder
    },
    remove: async (identifier: string, inside: string) => {
      const file = place(identifier, inside)
      if (file) await rm(file, { recursive: true, force: true })
    },
    move: async (identifier: string, from: string, to: string) => {
      const target = path.join(folderOf(identifier), to)
      await mkdir(path.dirname(target), { recursive: true })
      await rename(path.join(folderOf(identifier), from), target)
    },
    keepChunk: async (identifier: string, inside: string, chunk: number, bytes: Buffer) => {
      const file = place(identifier, inside)
      if (!file) return false
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(`${file}_${chunk}`, bytes)
      return true
    },
    /** How long a chunk is that is there. */
    sizeOfChunk: async (identifier: string, inside: string, chunk: number): Promise<number | undefined> => {
      const file = place(identifier, inside)
      if (!file) return undefined
      try {
        return (await stat(`${file}_${chunk}`)).size
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    /** @returns whether there were any chunks */
    merge: async (identifier: string, inside: string): Promise<boolean> => {
      const file = place(identifier, inside)
      if (!file) return false
      const folder = path.dirname(file)
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
      const chunks = names.filter((name) => name.startsWith(`${path.basename(file)}_`)).sort(byNumber)
      if (chunks.length === 0) return false
      const whole = async function* () {
        for (const name of chunks) yield* chunksOf(createReadStream(path.join(folder, name)))
      }
      await pipeline(whole(), createWriteStream(file))
      for (const name of chunks) await rm(path.join(folder, name))
      return true
    },
    /** The folder or the file at a path; undefined where there is neither. */
    look: async (identifier: string, inside: string): Promise<Entry[] | Buffer | undefined> => {
      const file = place(identifier, inside)
      if (!file) return undefined
      try {
        if (!(await stat(file)).isDirectory()) return await readFile(file)
        const names = (await readdir(file)).sort()
        return await Promise.all(
          names.map(async (name): Promise<Entry> => {
            const found = await stat(path.join(file, name))
            const isFolder = found.isDirectory()
            return {
              name,
              type: isFolder ? 'dir' : 'file',
              size: isFolder ? 0 : found.size,
              modified: found.mtime.toISOString(),
            }
          }),
        )
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    /** Every file of a package below a folder, with paths from there. */
    files: (identifier: string, inside = ''): Promise<{ path: string; size: number }[]> =>
      walk(path.join(folderOf(identifier), inside)),
  }
}

export type Uploads = ReturnType<typeof openUploads>
