import { Parser } from 'htmlparser2'
import type { PreservedFile } from '../models.ts'

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** A path below the package, as a METS writes it: "file:///content/a%20b.pdf", or plainly. */
const pathOf = (href: string): string => {
  const plain = href.replace(/^file:\/{0,3}/, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/**
 * The files that a METS names, with their sizes and digests as it says them (METS 1.12, fileSec).
 * @param see is shown each file as it comes; nothing else is kept
 */
export const readFileSection = async (
  body: AsyncIterable<Buffer>,
  see: (file: PreservedFile) => void,
): Promise<void> => {
  let file: Omit<PreservedFile, 'path'> | undefined
  const attribute = (attributes: Record<string, string>, wanted: string) =>
    Object.entries(attributes).find(([name]) => local(name) === wanted)?.[1] ?? ''
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (local(name) === 'file')
          file = {
            bytes: Number(attribute(attributes, 'SIZE') || Number.NaN),
            digest: attribute(attributes, 'CHECKSUM').toLowerCase(),
            algorithm: attribute(attributes, 'CHECKSUMTYPE'),
          }
        else if (local(name) === 'FLocat' && file)
          see({ ...file, path: pathOf(attribute(attributes, 'href')) })
      },
      onclosetag: (name) => {
        if (local(name) === 'file') file = undefined
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for await (const part of body) parser.write(decoder.decode(part, { stream: true }))
  parser.end(decoder.decode())
}
