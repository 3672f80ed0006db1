import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Body, Database } from '../database.ts'
import { openSlices } from '../../common/slices.ts'
import { withTypeCache, showRecord, type RequestContext, type Resource } from '../resources/resource.ts'
import { LazyList, writeJson } from './write-json.ts'

const wholeNumber = (text: string | null, otherwise: number) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : otherwise

/** The part of a list that is asked for. */
interface Page {
  from: number
  length: number
  headers: Record<string, string>
}

/** The neighbours of a page (RFC 8288); nothing where it is the only one. */
export const linksFrom = (page: number, last: number, url: URL, host: string): { Link?: string } => {
  const link = (number: number, rel: string) => {
    const address = new URL(`${url.pathname}${url.search}`, `http://${host}`)
    address.searchParams.set('page', String(number))
    return `<${address.href}>; rel="${rel}"`
  }
  const links = [
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
  ]
  return links.length > 0 ? { Link: links.join(', ') } : {}
}

/**
 * The whole list; or a page of it where one is asked for, with its neighbours in Link (RFC 8288). Count says
 * how many there are.
 */
export const pageOf = (count: number, url: URL, host: string): Page => {
  const headers: Record<string, string> = { Count: String(count) }
  if (
    (!url.searchParams.has('page') && !url.searchParams.has('page_size')) ||
    url.searchParams.get('pager') === 'none'
  )
    return { from: 0, length: Infinity, headers }
  const length = wholeNumber(url.searchParams.get('page_size'), 10)
  const last = Math.max(1, Math.ceil(count / length))
  const page = Math.min(last, wholeNumber(url.searchParams.get('page'), 1))
  return { from: (page - 1) * length, length, headers: { ...headers, ...linksFrom(page, last, url, host) } }
}

/** A list or a record that is ready to be sent: its headers, and its bytes when they are wanted. */
export interface Listing {
  headers: Record<string, string>
  bytes: Iterable<Buffer>
}

export const listingOf = (
  resource: Resource,
  database: Database,
  asking: RequestContext,
  url: URL,
  host: string,
): Listing => {
  const source = resource.source?.(database, asking)
  if (source) {
    const { from, length, headers } = pageOf(source.count(), url, host)
    return { headers, bytes: array(source.pieces(from, length)) }
  }
  const { kind, top, newestFirst } = resource
  const { from, length, headers } = pageOf(database.count(kind, top), url, host)
  return {
    ...recordsOf(resource, () => database.walk(kind, newestFirst, from, top).take(length), database, asking),
    headers,
  }
}

/** These records as a list. */
export const recordsOf = (
  resource: Resource,
  records: () => Iterable<Body>,
  database: Database,
  asking: RequestContext,
): Listing => {
  const remembering = withTypeCache(database)
  return {
    headers: {},
    bytes: writeJson(
      new LazyList(() =>
        Iterator.from(records()).map((body) => showRecord(resource, body, remembering, asking)),
      ),
    ),
  }
}

/** One record. */
export const recordOf = (
  resource: Resource,
  body: Body,
  database: Database,
  asking: RequestContext,
): Listing => ({
  headers: {},
  bytes: writeJson(showRecord(resource, body, withTypeCache(database), asking)),
})

function* array(pieces: Iterable<Buffer>) {
  yield Buffer.from('[')
  let isFirst = true
  for (const bytes of pieces) {
    if (!isFirst) yield Buffer.from(',')
    isFirst = false
    yield bytes
  }
  yield Buffer.from(']')
}

/** So many bytes are made before they are taken: whoever takes them does not wait for the next ones. */
const mostWaiting = 512 * 1024

/** Sends a list or a record as it is made, no faster than it is taken. A reader who leaves ends it. */
export const sendListing = async (response: ServerResponse, { bytes }: Listing) => {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const slices = openSlices()
  for (const piece of bytes) {
    if (gone.signal.aborted) return
    response.write(piece)
    if (response.writableLength > mostWaiting) await once(response, 'drain', { signal: gone.signal })
    // A client that takes as fast as is sent would leave no turn to others.
    if (slices.isOver()) await slices.next()
  }
  response.end()
}
