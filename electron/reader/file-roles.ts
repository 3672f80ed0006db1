import { pathBelow } from '../contract/file-paths.ts'
import type { EntryRole, FileEntry, FileRole } from '../contract/files.ts'
import { needed, type ArchiveClient } from '../dialects/dialect.ts'
import type { NamedFile } from '../packaging/format.ts'
import { formats } from '../packaging/formats.ts'
import { yieldingChunks } from './yielding-chunks.ts'

/** A longer description is not read for what it says of files. */
const mostBytes = 32 * 1024 ** 2
/** What so many files are is kept, of the descriptions that were read last. */
const mostNamed = 200_000

/** Parts of a description up to so many bytes: one that is longer ends in the middle, and says nothing. */
async function* shortened(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of yieldingChunks(body)) {
    bytes += part.length
    if (bytes > mostBytes) return
    yield part
  }
}

/** The folders from the package itself down to one. */
const foldersTo = (folder: string) => {
  const parts = folder === '' ? [] : folder.split('/')
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))]
}
const below = (folder: string, path: string) => (folder === '' ? path : path.slice(folder.length + 1))

type Named = readonly NamedFile[] | undefined

/** Keeps what descriptions say: each is read once, while somebody goes through the folders below it. */
const openDescriptions = () => {
  const kept = new Map<string, { named: Promise<Named>; files: number }>()
  const forgetOldest = () => {
    let files = 0
    for (const [key, one] of [...kept].toReversed()) {
      files += one.files
      if (files > mostNamed) kept.delete(key)
    }
  }
  return async (key: string, read: () => Promise<Named>): Promise<Named> => {
    const one = kept.get(key) ?? { named: read(), files: 0 }
    kept.delete(key)
    kept.set(key, one)
    try {
      const named = await one.named
      one.files = 1 + (named?.length ?? 0)
      forgetOldest()
      return named
    } catch (error) {
      kept.delete(key)
      throw error
    }
  }
}

/** A description that was changed is another one. */
const keyOf = (archive: string, of: string, source: string, { bytes, modified }: FileEntry) =>
  JSON.stringify([archive, of, source, bytes, modified])

interface Asked {
  archive: string
  client: ArchiveClient
  package: string
  path: string
}

export type FileRoles = ReturnType<typeof openFileRoles>

/** What descriptions that packages brought with them say of the files in them. */
export const openFileRoles = () => {
  const described = openDescriptions()
  return {
    /**
     * What the descriptions that a package brought with it say of the entries of a folder: the outermost
     * above it, and that of a representation of it. A file that none of them names is `unnamed`.
     * @returns nothing where no description stands above the folder, or one cannot be read to its end
     * @throws Failed what the archive says where it cannot be asked
     */
    inFolder: async ({ archive, client, package: id, path: folder }: Asked): Promise<EntryRole[]> => {
      const files = needed(client.dialect.files)
      const found = new Map<string, FileRole | null>()
      const descriptions = new Set<string>()
      const listed = new Map<string, FileEntry[]>()
      const entriesOf = async (of: string): Promise<FileEntry[]> => {
        const entries = listed.get(of) ?? (await files.list(client, id, of))
        listed.set(of, entries)
        return entries
      }
      let outermost: string | undefined
      for (const above of foldersTo(folder)) {
        // What lies deeper than a representation is content, whatever it says of itself.
        if (outermost !== undefined && !/^representations\/[^/]+$/.test(below(outermost, above))) continue
        const entries = await entriesOf(above)
        for (const { description } of formats) {
          const entry = entries.find(({ name }) => name === description?.file)
          if (!description || !entry) continue
          outermost ??= above
          const source = pathBelow(above, entry.name)
          descriptions.add(source)
          const named = await described(keyOf(archive, id, source, entry), async () => {
            const { body } = await client.bytes(files.pathOf(id, source))
            return description.namedIn(shortened(body))
          })
          if (!named) return []
          for (const [name, role] of description.rolesOf(named, below(above, folder))) found.set(name, role)
        }
      }
      if (outermost === undefined) return []
      const entries = await entriesOf(folder)
      return entries.flatMap(({ name, isFolder }): EntryRole[] => {
        if (descriptions.has(pathBelow(folder, name))) return [{ name, role: 'description' }]
        const role = found.get(name.normalize())
        if (role === undefined) return isFolder ? [] : [{ name, role: 'unnamed' }]
        return role === null ? [] : [{ name, role }]
      })
    },
  }
}
