import { createReadStream } from 'node:fs'
import { extract } from 'tar-stream'
import type { Entry } from './files.ts'

/** The container that a path leads into, and the path below it; undefined where it leads into none. */
export const containerOf = (path: string): { container: string; inside: string } | undefined => {
  const [, container, inside] = /^(.*?\.tar)(?:\/(.*))?$/i.exec(path) ?? []
  return container === undefined ? undefined : { container, inside: inside ?? '' }
}

/** The files in a tar, all of them whatever their folders, with their bytes where one is wanted. */
export const readContainer = async (
  file: string,
  wanted: string,
): Promise<{ entries: Entry[]; bytes: Buffer | undefined }> => {
  const entries: Entry[] = []
  let bytes: Buffer | undefined
  const members = extract()
  createReadStream(file)
    .on('error', (error) => members.destroy(error))
    .pipe(members)
  for await (const member of members) {
    const { name, size = 0, mtime, type } = member.header
    if (type === 'file')
      entries.push({ name, type: 'file', size, modified: (mtime ?? new Date(0)).toISOString() })
    const parts: Buffer[] = []
    for await (const part of member) if (name === wanted && Buffer.isBuffer(part)) parts.push(part)
    if (name === wanted) bytes = Buffer.concat(parts)
  }
  return { entries, bytes }
}
