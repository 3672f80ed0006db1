import type { EntryRole, FileEntry, FileRole } from '../contract/files.ts'
import { needed, type ArchiveClient } from '../dialects/dialect.ts'
import { formats } from '../packaging/formats.ts'
import { givingWay } from './giving-way.ts'

/** A longer description is not read each time that somebody opens a folder. */
const mostBytes = 32 * 1024 ** 2

/** Parts of a description up to so many bytes: one that is longer ends in the middle, and says nothing. */
async function* shortened(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const part of givingWay(body)) {
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
const inside = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)
const below = (folder: string, path: string) => (folder === '' ? path : path.slice(folder.length + 1))

/**
 * What the descriptions that a package brought with it say of the entries of a folder: the outermost above
 * it, and that of a representation of it. A file that none of them names is `unnamed`.
 * @returns nothing where no description stands above the folder, or one cannot be read to its end
 * @throws Failed what the archive says where it cannot be asked
 */
export const rolesIn = async (
  archive: ArchiveClient,
  { package: id, path: folder }: { package: string; path: string },
): Promise<EntryRole[]> => {
  const files = needed(archive.dialect.files)
  const found = new Map<string, FileRole | null>()
  const descriptions = new Set<string>()
  const listed = new Map<string, FileEntry[]>()
  const entriesOf = async (of: string): Promise<FileEntry[]> => {
    const entries = listed.get(of) ?? (await files.list(archive, id, of))
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
      const source = inside(above, entry.name)
      descriptions.add(source)
      const { body } = await archive.bytes(files.pathOf(id, source))
      const roles = await description.rolesIn(shortened(body), below(above, folder))
      if (!roles) return []
      for (const [name, role] of roles) found.set(name, role)
    }
  }
  if (outermost === undefined) return []
  const entries = await entriesOf(folder)
  return entries.flatMap(({ name, isFolder }): EntryRole[] => {
    if (descriptions.has(inside(folder, name))) return [{ name, role: 'description' }]
    const role = found.get(name.normalize())
    if (role === undefined) return isFolder ? [] : [{ name, role: 'unnamed' }]
    return role === null ? [] : [{ name, role }]
  })
}
