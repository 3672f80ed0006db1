import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { digestBytes, type WritableAlgorithm } from '../bagit/algorithms.ts'
import { manifestLine } from '../bagit/manifest.ts'
import { bagInfo, declaration, type Tag } from '../bagit/tag-files.ts'
import type { Container, Placed } from './containers.ts'
import { inTarget, writeFully } from './copy.ts'
import { recordsOf, type Journal } from './journal.ts'
import { doneFiles } from './layout.ts'
import type { Plan } from './plan.ts'

const buffered = 1024 * 1024

interface Written {
  name: string
  digests: string[]
}

/** Where tag files go: beside the payload, or behind it in a container. Each is read back and compared. */
interface TagPlace {
  write: (name: string, text: Iterable<string>) => Written
}

/** Writes a text in parts of a megabyte, then reads it back; gives its digests, bytes and CRC-32. */
const stream = (
  handle: number,
  at: number,
  text: Iterable<string>,
  algorithms: WritableAlgorithm[],
  file: string,
) => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  let bytes = 0
  let crc = 0
  let pending = ''
  const flush = () => {
    const part = Buffer.from(pending)
    writeFully(handle, part, at + bytes)
    hashes.forEach((hash) => hash.update(part))
    crc = crc32(part, crc)
    bytes += part.length
    pending = ''
  }
  for (const line of text) {
    pending += line
    if (pending.length > buffered) flush()
  }
  flush()
  const again = algorithms.map((algorithm) => createHash(algorithm))
  const block = Buffer.allocUnsafe(buffered)
  for (let position = 0; position < bytes;) {
    const read = readSync(handle, block, 0, Math.min(block.length, bytes - position), at + position)
    if (read === 0) break
    again.forEach((hash) => hash.update(block.subarray(0, read)))
    position += read
  }
  const digests = hashes.map((hash) => hash.digest('hex'))
  if (again.some((hash, index) => hash.digest('hex') !== digests[index]))
    throw new Error(`${file} is not what was written.`)
  return { digests, bytes, crc }
}

/** Tag files as files of a folder. */
export const tagsInFolder = (bag: string, algorithms: WritableAlgorithm[]): TagPlace => ({
  write: (name, text) => {
    const file = path.join(bag, ...name.split('/'))
    return inTarget(file, () => {
      mkdirSync(path.dirname(file), { recursive: true })
      const handle = openSync(file, 'w+')
      try {
        const { digests } = stream(handle, 0, text, algorithms, file)
        fsyncSync(handle)
        return { name, digests }
      } finally {
        closeSync(handle)
      }
    })
  },
})

/** Tag files in a tar or zip, from `at` on; `end` writes what the container ends with, after everything that was placed before. */
export const tagsInContainer = (
  file: string,
  container: Container,
  {
    top,
    modifiedMs,
    at: begin,
    algorithms,
  }: { top: string; modifiedMs: number; at: number; algorithms: WritableAlgorithm[] },
) => {
  const placed: Placed[] = []
  let at = begin
  const opened = <T>(work: (handle: number) => T): T =>
    inTarget(file, () => {
      const handle = openSync(file, 'r+')
      try {
        return work(handle)
      } finally {
        closeSync(handle)
      }
    })
  return {
    write: (tag: string, text: Iterable<string>): Written =>
      opened((handle) => {
        const name = `${top}/${tag}`
        // No tag file is so large that its header would depend on its length.
        const from = at + container.headerLength(name, 0, modifiedMs)
        const { digests, bytes, crc } = stream(handle, from, text, algorithms, file)
        const entry = { name, bytes, modifiedMs, crc }
        writeFully(handle, container.header(entry), at)
        writeFully(handle, Buffer.alloc(container.padding(bytes)), from + bytes)
        placed.push({ ...entry, at, isFolder: false })
        at = from + bytes + container.padding(bytes)
        return { name: tag, digests }
      }),
    end: (before: Iterable<Placed>) =>
      opened((handle) => {
        const all = function* () {
          yield* before
          yield* placed
        }
        let position = at
        let pending: Buffer[] = []
        const flush = () => {
          const bytes = Buffer.concat(pending)
          writeFully(handle, bytes, position)
          position += bytes.length
          pending = []
        }
        container.ending(all(), at, (bytes) => {
          pending.push(bytes)
          if (pending.length >= 4_096) flush()
        })
        flush()
        // What an earlier run left behind the end must not follow it.
        ftruncateSync(handle, position)
        fsyncSync(handle)
      }),
  }
}

const manifestOf = function* (work: string, { order }: Plan, journal: Journal, files: number, which: number) {
  const from = order.algorithms.slice(0, which).reduce((sum, algorithm) => sum + digestBytes[algorithm], 0)
  const to = from + digestBytes[order.algorithms[which] ?? 'sha256']
  for (const { name, done } of doneFiles(work, order, journal, files))
    yield manifestLine(done.digests.toString('hex', from, to), name)
}

/**
 * Writes the tag files of a bag (RFC 8493 2.1.1, 2.1.3, 2.2): declaration, bag-info, others, one manifest and one tag manifest an
 * algorithm. Every tag file but the tag manifests stands in these.
 * @param others tag files beside those of the specification
 * @returns the digest of the first manifest, which stands for all that the bag holds
 */
export const writeTags = (
  place: TagPlace,
  work: string,
  plan: Plan,
  journal: Journal,
  info: Tag[],
  others: { name: string; text: Iterable<string> }[],
): string => {
  const { files, bytes } = plan.counts
  const { algorithms } = plan.order
  const written = [
    place.write('bagit.txt', [declaration]),
    place.write('bag-info.txt', [bagInfo([...info, ['Payload-Oxum', `${bytes}.${files}`]])]),
    ...others.map(({ name, text }) => place.write(name, text)),
    ...algorithms.map((algorithm, which) =>
      place.write(`manifest-${algorithm}.txt`, manifestOf(work, plan, journal, files, which)),
    ),
  ]
  for (const [which, algorithm] of algorithms.entries()) {
    place.write(
      `tagmanifest-${algorithm}.txt`,
      written.map(({ name, digests }) => manifestLine(digests[which] ?? '', name)),
    )
  }
  return written.find(({ name }) => name === `manifest-${algorithms[0] ?? ''}.txt`)?.digests[0] ?? ''
}

/** One number for what files hold, whatever their names and order: the sum of their first digests. Two bags of the same content have the same. */
export const contentOf = (journal: Journal, { order, counts }: Plan): string => {
  const words = digestBytes[order.algorithms[0] ?? 'sha256'] / 4
  const sum = new Uint32Array(words)
  for (const record of recordsOf(journal, counts.files)) {
    let carry = 0
    for (let word = words - 1; record && word >= 0; word -= 1) {
      const added = (sum[word] ?? 0) + record.digests.readUInt32BE(word * 4) + carry
      sum[word] = added
      carry = added > 0xffffffff ? 1 : 0
    }
  }
  return Array.from(sum, (word) => word.toString(16).padStart(8, '0')).join('')
}
