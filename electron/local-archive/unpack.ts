import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import yauzl from 'yauzl'
import { InvalidBag } from './read-bag.ts'

/** Where an entry goes, or a refusal when its name would lead out of the folder. */
const inside = (folder: string, name: string) => {
  const parts = name.replace(/\/$/, '').split('/')
  if (name.startsWith('/') || name.includes('\\') || parts.some((part) => part === '..' || part === '~'))
    throw new InvalidBag(`The entry “${name}” points outside the bag.`)
  return path.join(folder, ...parts.filter((part) => part !== '' && part !== '.'))
}

const keep = async (source: Readable, target: string) => {
  await mkdir(path.dirname(target), { recursive: true })
  await pipeline(source, createWriteStream(target, { flags: 'wx' }))
}

const unpackTar = async (file: string, folder: string) => {
  const entries = extract()
  const reading = pipeline(createReadStream(file), entries)
  // Whatever stops the unpacking also stops the reading; the first reason is the one that counts.
  reading.catch(() => undefined)
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      const target = inside(folder, name)
      if (type === 'directory') {
        await mkdir(target, { recursive: true })
        entry.resume()
      } else if (type === 'file' || type === 'contiguous-file') await keep(Readable.from(entry), target)
      else throw new InvalidBag(`The entry “${name}” is a ${type}; only files and folders are accepted.`)
    }
    await reading
  } catch (error) {
    throw error instanceof InvalidBag
      ? error
      : new InvalidBag(`The tar cannot be read: ${(error as Error).message}`)
  }
}

const unpackZip = async (file: string, folder: string) => {
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, strictFileNames: true, validateEntrySizes: true })
    .catch((error: unknown) => {
      throw new InvalidBag(`The zip cannot be read: ${(error as Error).message}`)
    })
  try {
    for await (const entry of zip.eachEntry()) {
      const target = inside(folder, entry.fileName)
      const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000
      if (isLink)
        throw new InvalidBag(`The entry “${entry.fileName}” is a link; only files and folders are accepted.`)
      if (entry.fileName.endsWith('/')) await mkdir(target, { recursive: true })
      else await keep(await zip.openReadStreamPromise(entry), target)
    }
  } catch (error) {
    throw error instanceof InvalidBag
      ? error
      : new InvalidBag(`The zip cannot be read: ${(error as Error).message}`)
  } finally {
    zip.close()
  }
}

/**
 * Gives the folder that holds the bag: the one received, or what a tar or zip unpacks to in `scratch`.
 * @throws InvalidBag where the file is neither, is damaged, or would write outside its folder
 */
export const openReceived = async (received: string, scratch: string): Promise<string> => {
  if ((await stat(received)).isDirectory()) return received
  await mkdir(scratch, { recursive: true })
  if (/\.tar$/i.test(received)) await unpackTar(received, scratch)
  else if (/\.zip$/i.test(received)) await unpackZip(received, scratch)
  else throw new InvalidBag('This is neither a folder nor a file that ends in .tar or .zip.')
  const top = await readdir(scratch)
  const [only] = top
  if (top.includes('bagit.txt') || top.length !== 1 || only === undefined) return scratch
  return path.join(scratch, only)
}
