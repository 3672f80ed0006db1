import type { Archive } from '../archives/archive.ts'
import { needed } from '../dialects/dialect.ts'
import type { Fulfils } from '../contract/define.ts'
import type { files as promised, Preview } from '../contract/files.ts'
import type { Downloads } from '../jobs/kinds/download/downloads.ts'
import { asFileName } from '../packaging/disk.ts'

interface Parts {
  downloads: Downloads
  chooseTarget: (what: 'file', name: string) => Promise<string | undefined>
}

const mostBytes = 32 * 1024 * 1024
const mostTextBytes = 2 * 1024 * 1024
const images = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/i

/** What can be drawn of some content: by its name, and by its own first bytes where the name says nothing. */
const kindOf = (name: string, content: Buffer): Preview['kind'] => {
  if (content.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf'
  if (images.test(name)) return 'image'
  const isText =
    !content.includes(0) &&
    (content.length > 4 ? !content.subarray(0, -4).toString('utf8').includes('\uFFFD') : true)
  return isText ? 'text' : 'other'
}

/** Looking into packages: their files are asked for when somebody looks, and never kept. */
export const files = ({ downloads, chooseTarget }: Parts): Fulfils<typeof promised, [Archive]> => ({
  list: (archive, { package: id, path }) => needed(archive.dialect().files).list(archive.client(), id, path),
  preview: async (archive, { package: id, path }) => {
    const stop = new AbortController()
    const { total, body } = await archive
      .client()
      .bytes(needed(archive.dialect().files).pathOf(id, path), undefined, stop.signal)
    const parts: Buffer[] = []
    let bytes = 0
    if ((total ?? 0) <= mostBytes)
      for await (const part of body) {
        parts.push(part)
        bytes += part.length
        if (bytes > mostBytes) break
      }
    if ((total ?? bytes) > mostBytes) {
      stop.abort()
      return { kind: 'too large', bytes: total ?? bytes, content: '', isCut: false }
    }
    const content = Buffer.concat(parts)
    const kind = kindOf(path, content)
    const isCut = kind === 'text' && bytes > mostTextBytes
    const drawn = kind === 'other' ? Buffer.alloc(0) : isCut ? content.subarray(0, mostTextBytes) : content
    return { kind, bytes, content: drawn.toString('base64'), isCut }
  },
  download: async (archive, { package: id, path }) => {
    const target = await chooseTarget('file', asFileName(path.split('/').at(-1) ?? path))
    return target === undefined ? null : downloads.begin(archive.id, { package: id, path, target })
  },
  downloads: (archive, { package: id }) => downloads.list(archive.id, id),
  open: (archive) => downloads.open(archive.id),
  resume: (_archive, { id }) => downloads.resume(id),
  stop: (_archive, { id }) => void downloads.stop(id),
  forget: (_archive, { id }) => downloads.forget(id),
})
