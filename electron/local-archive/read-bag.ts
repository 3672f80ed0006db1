import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
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

const longestLine = 1_000_000

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
  const entries = await readdir(path.join(folder, inside), { withFileTypes: true, encoding: 'buffer' })
  const found: string[] = []
  for (const entry of entries) {
    const own = entry.name.toString()
    const name = inside === '' ? own : `${inside}/${own}`
    if (!isUtf8(entry.name))
      throw new InvalidBag(`The name “${name}” is not UTF-8, so no manifest can list it.`)
    if (!entry.isDirectory() && !entry.isFile())
      throw new InvalidBag(
        `“${name}” is neither a file nor a folder (a link, for instance); such a bag is not accepted.`,
      )
    for (const file of entry.isDirectory() ? await filesBelow(folder, name) : [name]) found.push(file)
  }
  return found
}

const hashOf = async (file: string, ...names: string[]) => {
  const hashes = names.map((name) => createHash(name))
  for await (const part of createReadStream(file, { highWaterMark: 1024 * 1024 }))
    hashes.forEach((hash) => hash.update(part as Buffer))
  return hashes.map((hash) => hash.digest('hex'))
}

/** The lines of a text in UTF-8, which end with CR, LF or both; others have their turn between two parts of it. */
async function* readLines(bag: string, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of createReadStream(path.join(bag, file)) as AsyncIterable<Buffer>) {
    rest += decoder.decode(part, { stream: true })
    // A CR at the end may be half of a CR LF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length > longestLine)
      throw new InvalidBag(`${file} has a line of more than ${longestLine} characters.`)
    yield* lines
  }
  yield* `${rest}${decoder.decode()}`.split('\r')
}

/** Reads "checksum name" lines; names are decoded and checked to stay inside the bag. */
const readManifest = async (bag: string, file: string) => {
  const entries = new Map<string, string>()
  let number = 0
  for await (const line of readLines(bag, file)) {
    number += 1
    if (line === '') continue
    const [, checksum, written] = /^([0-9a-fA-F]+)[ \t]+\*?(.+)$/.exec(line) ?? []
    if (checksum === undefined || written === undefined)
      throw new InvalidBag(`${file}, line ${number}: not a checksum and a name.`)
    const name = decoded(written.replace(/^\.\//, ''))
    if (!isSafe(name)) throw new InvalidBag(`${file}, line ${number}: “${name}” points outside the bag.`)
    if (entries.has(name)) throw new InvalidBag(`${file}, line ${number}: “${name}” is listed twice.`)
    entries.set(name, checksum.toLowerCase())
  }
  return entries
}

/** Reads the tags of bag-info.txt (RFC 8493 2.2.2); a line that begins with white space goes on with the one above. */
const readInfo = async (bag: string) => {
  const info = new Map<string, string>()
  const joined: string[] = []
  for await (const line of readLines(bag, 'bag-info.txt'))
    if (/^[ \t]/.test(line) && joined.length > 0) joined.push(`${joined.pop()} ${line.trim()}`)
    else if (line !== '') joined.push(line)
  for (const line of joined) {
    const colon = line.indexOf(':')
    const label = line.slice(0, Math.max(colon, 0)).trim()
    if (label === '')
      throw new InvalidBag(`bag-info.txt: “${line.slice(0, 300)}” is not a label and a value.`)
    info.set(label.toLowerCase(), line.slice(colon + 1).trim())
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
  // Only files and folders from this point on: opening a pipe would wait for ever.
  const present = await filesBelow(bag)
  let declaration = ''
  for await (const line of readLines(bag, 'bagit.txt')) {
    declaration += `${line}\n`
    if (declaration.length > 1000) break
  }
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

  const info = top.includes('bag-info.txt') ? await readInfo(bag) : new Map<string, string>()
  const files = [...payload.values()]
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const oxum = info.get('payload-oxum')
  if (oxum !== undefined && oxum !== `${bytes}.${files.length}`)
    throw new InvalidBag(
      `Payload-Oxum in bag-info.txt says ${oxum}, but the payload is ${bytes}.${files.length}.`,
    )
  return { payload: files, info, bytes }
}
