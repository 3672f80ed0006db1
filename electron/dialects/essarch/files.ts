import * as v from 'valibot'
import type { FileEntry } from '../../contract/files.ts'
import type { Client } from '../../archive-client/http.ts'
import * as wire from '../wire.ts'

const Entry = v.looseObject({
  name: v.pipe(v.string(), v.minLength(1)),
  type: wire.text,
  size: wire.maybeNumber,
  modified: wire.maybeText,
})

/** Where the bytes of a file are, or what lies in a folder. */
export const pathOf = (packageId: string, path: string) =>
  `information-packages/${encodeURIComponent(packageId)}/files/?${new URLSearchParams({ path }).toString()}`

/**
 * What lies in a folder of a package (ESSArch: /api/information-packages/{id}/files/), folders first. What
 * has no name is left out.
 */
export const listFiles = async (
  { list }: Pick<Client, 'list'>,
  packageId: string,
  path: string,
): Promise<FileEntry[]> => {
  const found = await list(pathOf(packageId, path))
  const entries = found.flatMap((entry): FileEntry[] => {
    const read = v.safeParse(Entry, entry)
    if (!read.success) return []
    const { name, type, size, modified } = read.output
    return [{ name, isFolder: type === 'dir', bytes: type === 'dir' && size === 0 ? null : size, modified }]
  })
  const collator = new Intl.Collator('sv', { numeric: true })
  return entries.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || collator.compare(a.name, b.name))
}
