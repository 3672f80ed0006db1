import { setImmediate as afterOthers } from 'node:timers/promises'
import type { PreservedFile } from '../models.ts'

/** No tag of a METS is longer, with all that it names of a file. */
const longestTag = 1024 * 1024
/** Nor are its tags deeper in one another (METS 1.12: groups of files may nest). */
const deepest = 200

const local = (name: string) => name.slice(name.indexOf(':') + 1)

const decoded = (reference: string): string => {
  try {
    return decodeURI(reference)
  } catch {
    return reference
  }
}

/**
 * A path below the package: as a METS writes it after "file:///", recorded plainly, also with å; else a
 * reference.
 */
const pathOf = (href: string): string =>
  (href.startsWith('file:') ? href.replace(/^file:\/{0,3}/, '') : decoded(href)).replace(/^(\.\/)+/, '')

/**
 * The files that a METS names, with their sizes and digests as it says them (METS 1.12, fileSec).
 * @param see is shown each file as it comes; nothing else is kept
 * @returns whether it is a METS that came to its end: else files may be missing that it would name. One with
 * a tag of more than 1 MiB is read no further.
 */
export const readFileSection = async (
  body: AsyncIterable<Buffer>,
  see: (file: PreservedFile) => void,
): Promise<boolean> => {
  // Every thread knows this dialect; hardly any reads a METS.
  const { Parser } = await import('htmlparser2')
  let isWhole = false
  let file: Omit<PreservedFile, 'path'> | undefined
  const attribute = (attributes: Record<string, string>, wanted: string) =>
    Object.entries(attributes).find(([name]) => local(name) === wanted)?.[1] ?? ''
  let sinceTag = 0
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        sinceTag = 0
        depth += 1
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
        sinceTag = 0
        depth -= 1
        if (local(name) === 'file') file = undefined
        if (local(name) === 'mets' && depth === 0) isWhole = true
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decoder = new TextDecoder()
  for await (const part of body) {
    parser.write(decoder.decode(part, { stream: true }))
    sinceTag += part.length
    // What a tag says is held until the tag ends.
    if (sinceTag > longestTag || depth > deepest) return false
    // Parts that have all come would else be read in one go.
    await afterOthers()
  }
  parser.write(decoder.decode())
  // What is open when the text ends is closed by its end, and was cut off.
  const wasWhole = isWhole
  parser.end()
  return wasWhole
}
