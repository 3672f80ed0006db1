import * as v from 'valibot'
import type { FileEntry } from '../contract/files.ts'
import type { Reach } from './http.ts'
import * as wire from './wire.ts'

const Entry = v.looseObject({
  name: v.pipe(v.string(), v.minLength(1)),
  type: wire.text,
  size: wire.maybeNumber,
  modified: wire.maybeText,
})

const addressOf = (packageId: string, path: string) =>
  `information-packages/${encodeURIComponent(packageId)}/files/?${new URLSearchParams({ path }).toString()}`

/** What lies in a folder of a package (ESSArch: /api/information-packages/{id}/files/), folders first. What has no name is left out. */
export const listFiles = async (
  { list }: Pick<Reach, 'list'>,
  packageId: string,
  path: string,
): Promise<FileEntry[]> => {
  const found = await list(addressOf(packageId, path))
  const entries = found.flatMap((it): FileEntry[] => {
    const read = v.safeParse(Entry, it)
    if (!read.success) return []
    const { name, type, size, modified } = read.output
    return [{ name, isFolder: type === 'dir', bytes: type === 'dir' && size === 0 ? null : size, modified }]
  })
  const collator = new Intl.Collator('sv', { numeric: true })
  return entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || collator.compare(a.name, b.name))
}

/**
 * The bytes of a file.
 * @param part what is there already, and the mark by which the archive knows the same content again; an archive that cannot go on sends all
 */
export const openFile = (
  { bytes }: Pick<Reach, 'bytes'>,
  packageId: string,
  path: string,
  part?: { from: number; mark: string },
  stop?: AbortSignal,
) => bytes(addressOf(packageId, path), part, stop)
