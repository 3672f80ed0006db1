import type { IncomingMessage } from 'node:http'
import { notAllowed, plain, type Answer } from '../http/answer.ts'
import type { Body, Database } from '../database.ts'
import { pageOf } from '../http/lists.ts'
import { preconditionOf, rangeOf } from './conditions.ts'
import type { IndexedEntry } from './container-index.ts'
import { contentTypeOf, dispositionOf } from './content-headers.ts'
import { NoContainer, NoCopy, type PackageFiles, type Place, type UnreadCopy } from './package-files.ts'
import { isBelow } from './paths.ts'
import { contentOf } from './read-copies.ts'

const methods = 'GET, HEAD, OPTIONS'
const notFound = plain(404, 'Not found.')
const perChunk = 64 * 1024

interface Question {
  request: IncomingMessage
  url: URL
  /** What the asker may see. */
  database: Database
  files: PackageFiles
  now: Date
}

/** The path that is asked for, '' for the package itself; undefined for one that leads out of it. */
const pathIn = (url: URL): string | undefined => {
  const [, below = ''] = /^\/+api\/+information-packages\/+[^/]+\/+files(\/.*)?$/.exec(url.pathname) ?? []
  let asked = url.searchParams.get('path')
  try {
    asked ??= decodeURIComponent(below.slice(1))
  } catch {
    return undefined
  }
  const inside = asked.endsWith('/') ? asked.slice(0, -1) : asked
  return inside === '' ? (asked === '' ? '' : undefined) : isBelow(inside) ? inside : undefined
}

const said = { gone: 'not there', damaged: 'damaged', busy: 'cannot be read at the moment' }
const whereOf = ({ copy: { medium, location }, trouble }: UnreadCopy) =>
  `${medium}${location === '' ? '' : ` in ${location}`} (${said[trouble]})`

/** Where the copies are: a trouble of the computer passes, and is not said to be a missing file. */
const noCopy = (copies: UnreadCopy[]): Answer => {
  const places = copies.map(whereOf).join(', ')
  if (copies.some(({ trouble }) => trouble === 'busy'))
    return {
      ...plain(503, `The archive cannot read a copy of this package at the moment: ${places}.`),
      headers: { 'Retry-After': '30' },
    }
  return plain(
    404,
    copies.length === 0
      ? 'This package has no copies, so none of its files can be read.'
      : `No copy of this package can be read here, and so none of its files. Copies: ${places}.`,
  )
}

const showEntry = ({ name, isFolder, bytes, modifiedMs }: IndexedEntry) => ({
  name,
  type: isFolder ? 'dir' : 'file',
  // What a folder holds is not summed up.
  ...(isFolder ? {} : { size: bytes }),
  ...(modifiedMs === null ? {} : { modified: new Date(modifiedMs).toISOString() }),
})

/** Entries as a JSON array, as they come. */
async function* arrayOf(entries: AsyncIterable<IndexedEntry>): AsyncGenerator<Buffer> {
  let text = '['
  let isFirst = true
  for await (const entry of entries) {
    text += `${isFirst ? '' : ','}${JSON.stringify(showEntry(entry))}`
    isFirst = false
    if (text.length < perChunk) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(`${text}]`)
}

const folderAnswer = async (
  { container, path }: Extract<Place, { kind: 'folder' }>,
  { url, request, files }: Question,
): Promise<Answer> => {
  const count = await files.count(container, path)
  const { from, length, headers } = pageOf(count, url, request.headers.host ?? '127.0.0.1')
  return {
    status: 200,
    headers,
    stream: { bytes: undefined, chunks: arrayOf(files.list(container, path, from, Math.min(length, count))) },
  }
}

const nameOf = (entry: string) => entry.slice(entry.lastIndexOf('/') + 1)

/** A file, or the part of it that is asked for (RFC 9110 13 and 14). */
const fileAnswer = (
  { entry, copies, mark }: Extract<Place, { kind: 'file' }>,
  aip: Body,
  { url, request, files, now }: Question,
): Answer => {
  const changed = Math.min(entry.modifiedMs ?? Date.parse(String(aip['create_date'])), now.getTime())
  const validators = { etag: `"${mark}"`, modifiedMs: Math.floor(changed / 1_000) * 1_000 }
  const known = {
    ETag: validators.etag,
    'Last-Modified': new Date(validators.modifiedMs).toUTCString(),
    'Cache-Control': 'private, no-cache',
  }
  const status = preconditionOf(request.headers, validators)
  if (status === 412) return { ...plain(412, 'The file is another one.'), headers: known }
  if (status === 304) return { status, headers: known }
  const name = nameOf(entry.name)
  const headers = {
    ...known,
    'Accept-Ranges': 'bytes',
    'Content-Type': contentTypeOf(name),
    'Content-Disposition': dispositionOf(name, url.searchParams.get('download') === 'true'),
    // A page or a drawing from a package that is opened in a browser must not act for who is signed in there.
    'Content-Security-Policy': 'sandbox',
  }
  const range = request.method === 'GET' ? rangeOf(request.headers, entry.bytes, validators) : 'whole'
  if (range === 'unsatisfiable')
    return {
      ...plain(416, 'The file has no such bytes.'),
      headers: { ...known, 'Content-Range': `bytes */${entry.bytes}` },
    }
  const { first, last } = range === 'whole' ? { first: 0, last: entry.bytes - 1 } : range
  return {
    status: range === 'whole' ? 200 : 206,
    headers:
      range === 'whole' ? headers : { ...headers, 'Content-Range': `bytes ${first}-${last}/${entry.bytes}` },
    stream: { bytes: last - first + 1, chunks: contentOf(copies, entry, { first, last }, files.damaged) },
  }
}

const answerOf = async (aip: Body, inside: string, question: Question): Promise<Answer> => {
  const { files, url, database } = question
  const found = await files.lookIn(aip, database, inside)
  if (!found) return notFound
  if (url.searchParams.get('expand_container') === 'true') {
    const container = found.kind === 'file' ? found.container : undefined
    if (!container) return plain(404, 'This is no tar or zip that can be looked into.')
    // That it can be read is found out before anything is sent.
    await files.count(container, '')
    return { status: 200, stream: { bytes: undefined, chunks: arrayOf(files.members(container)) } }
  }
  return found.kind === 'folder' ? folderAnswer(found, question) : fileAnswer(found, aip, question)
}

/**
 * The files inside a package (as ESSArch gives them): what lies in a folder, the bytes of a file, or what a
 * tar or zip among them holds. Who may see a package may see its files. An AIC has none: each of its
 * generations has.
 * @param id of the package
 */
export const filesAnswer = async (id: string, question: Question): Promise<Answer> => {
  const { request, url, database } = question
  if (request.method === 'OPTIONS')
    return {
      status: 200,
      headers: { Allow: methods },
      body: { name: 'files', renders: ['application/json', '*/*'], parses: [] },
    }
  if (request.method !== 'GET' && request.method !== 'HEAD') return notAllowed(request, methods)
  const aip = database.one('information package', id)
  const inside = pathIn(url)
  if (!aip || aip['package_type'] === 1 || inside === undefined) return notFound
  try {
    return await answerOf(aip, inside, question)
  } catch (error) {
    if (error instanceof NoCopy) return noCopy(error.copies)
    if (error instanceof NoContainer)
      return plain(404, `This cannot be looked into, since it cannot be read: ${error.message}`)
    throw error
  }
}
