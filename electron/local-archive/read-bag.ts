import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** One payload file as the bag's manifest names it; `name` uses '/', whatever the system. */
export interface Payload {
  name: string
  sha256: string
  bytes: number
}

/** What a valid bag says of itself. */
export interface Bag {
  payload: Payload[]
  info: Map<string, string>
  bytes: number
}

/** Why a bag is not valid: one sentence, with the line or file at fault. */
export class InvalidBag extends Error {}

const algorithms = ['sha512', 'sha256', 'sha1', 'md5'] as const

/** RFC 8493 2.1.3: only CR, LF and the percent sign are encoded in the names of a manifest. */
const decoded = (name: string) =>
  name.replace(/%(0a|0d|25)/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)))

const isSafe = (name: string) =>
  name !== '' &&
  !name.startsWith('/') &&
  !name.startsWith('~') &&
  !name.includes('\0') &&
  !name.split('/').some((part) => part === '..' || part === '.' || part === '')

const filesBelow = async (folder: string, inside = ''): Promise<string[]> => {
  const entries = await readdir(path.join(folder, inside), { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory()) return filesBelow(folder, name)
      if (entry.isFile()) return [name]
      throw new InvalidBag(
        `“${name}” is neither a file nor a folder (a link, for instance); such a bag is not accepted.`,
      )
    }),
  )
  return found.flat()
}

const hashOf = async (file: string, ...names: string[]) => {
  const hashes = names.map((name) => createHash(name))
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hashes.forEach((hash) => hash.update(part as Buffer))
  return hashes.map((hash) => hash.digest('hex'))
}

const readLines = async (bag: string, file: string) => {
  const text = await readFile(path.join(bag, file), 'utf8')
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
}

/** Reads "checksum name" lines; names are decoded and checked to stay inside the bag. */
const readManifest = async (bag: string, file: string) => {
  const entries = new Map<string, string>()
  for (const [index, line] of (await readLines(bag, file)).entries()) {
    if (line === '') continue
    const [, checksum, written] = /^([0-9a-fA-F]+)[ \t]+\*?(.+)$/.exec(line) ?? []
    if (checksum === undefined || written === undefined)
      throw new InvalidBag(`${file}, line ${index + 1}: not a checksum and a name.`)
    const name = decoded(written.replace(/^\.\//, ''))
    if (!isSafe(name)) throw new InvalidBag(`${file}, line ${index + 1}: “${name}” points outside the bag.`)
    if (entries.has(name)) throw new InvalidBag(`${file}, line ${index + 1}: “${name}” is listed twice.`)
    entries.set(name, checksum.toLowerCase())
  }
  return entries
}

/** Reads the tags of bag-info.txt (RFC 8493 2.2.2); a line that begins with white space goes on with the one above. */
const readInfo = async (bag: string) => {
  const info = new Map<string, string>()
  const lines = await readLines(bag, 'bag-info.txt').catch(() => [])
  const joined = lines.reduce<string[]>((done, line) => {
    if (/^[ \t]/.test(line) && done.length > 0) done.push(`${done.pop()} ${line.trim()}`)
    else if (line !== '') done.push(line)
    return done
  }, [])
  for (const line of joined) {
    const [, label, value] = /^([^:]+?)\s*:\s*(.*)$/.exec(line) ?? []
    if (label === undefined || value === undefined)
      throw new InvalidBag(`bag-info.txt: “${line}” is not a label and a value.`)
    info.set(label.toLowerCase(), value)
  }
  return info
}

const compare = async (
  bag: string,
  manifest: string,
  algorithm: string,
  present: Set<string>,
  visit?: (file: Payload) => void,
) => {
  const listed = await readManifest(bag, manifest)
  const extra = [...present].find((name) => !listed.has(name))
  if (extra !== undefined) throw new InvalidBag(`“${extra}” is in the bag, but ${manifest} does not list it.`)
  for (const [name, checksum] of listed) {
    if (!present.has(name))
      throw new InvalidBag(`“${name}” is listed in ${manifest}, but it is not in the bag.`)
    const [found = '', sha256 = ''] = await hashOf(path.join(bag, name), algorithm, 'sha256')
    if (found !== checksum)
      throw new InvalidBag(`“${name}” does not match ${manifest}: expected ${checksum}, found ${found}.`)
    visit?.({ name, sha256, bytes: (await lstat(path.join(bag, name))).size })
  }
}

/**
 * Reads a bag in a folder and checks that it is complete and valid (RFC 8493 section 3).
 * @throws InvalidBag with a sentence that names the file or line at fault
 */
export const readBag = async (bag: string): Promise<Bag> => {
  const top = await readdir(bag)
  if (!top.includes('bagit.txt')) throw new InvalidBag('There is no bagit.txt, so this is not a bag.')
  const declaration = (await readLines(bag, 'bagit.txt')).join('\n')
  if (!/^BagIt-Version: \d+\.\d+\nTag-File-Character-Encoding: UTF-8\n*$/.test(declaration))
    throw new InvalidBag('bagit.txt does not declare a version and the encoding UTF-8.')
  if (
    !(await lstat(path.join(bag, 'data')).then(
      (it) => it.isDirectory(),
      () => false,
    ))
  )
    throw new InvalidBag('There is no folder “data”.')
  if (top.includes('fetch.txt'))
    throw new InvalidBag(
      'The bag has a fetch.txt: some of its files are elsewhere, and this archive does not fetch.',
    )

  const present = await filesBelow(bag)
  const inData = new Set(present.filter((name) => name.startsWith('data/')))
  const manifests = algorithms.filter((algorithm) => top.includes(`manifest-${algorithm}.txt`))
  if (manifests.length === 0)
    throw new InvalidBag('There is no payload manifest (manifest-sha256.txt, for instance).')
  const payload = new Map<string, Payload>()
  for (const algorithm of manifests) {
    await compare(bag, `manifest-${algorithm}.txt`, algorithm, inData, (file) => payload.set(file.name, file))
  }
  const tags = new Set(
    present.filter((name) => !name.startsWith('data/') && !name.startsWith('tagmanifest-')),
  )
  for (const algorithm of algorithms)
    if (top.includes(`tagmanifest-${algorithm}.txt`))
      await compare(bag, `tagmanifest-${algorithm}.txt`, algorithm, tags)

  const info = await readInfo(bag)
  const files = [...payload.values()]
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const oxum = info.get('payload-oxum')
  if (oxum !== undefined && oxum !== `${bytes}.${files.length}`)
    throw new InvalidBag(
      `Payload-Oxum in bag-info.txt says ${oxum}, but the payload is ${bytes}.${files.length}.`,
    )
  return { payload: files, info, bytes }
}
