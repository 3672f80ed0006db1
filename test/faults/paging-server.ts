import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { seeded } from './mutate.ts'

/** How an archive cuts its lists. */
export interface Paging {
  /** Rows of a page where nobody asks for a number; null for one plain array. */
  usual: number | null
  /** Whether page_size is taken, passed over, or refused with a 400. */
  pageSize: 'taken' | 'ignored' | 'refused'
  /** Whether pager=none gives everything, is passed over, or refused. */
  pagerNone: 'taken' | 'ignored' | 'refused'
  link: boolean
  count: boolean
  /** What a page past the end is. */
  pastEnd: 'last page' | '404' | 'empty'
  /** Rows in another order for every answer, unless an order is asked for and taken. */
  shuffles?: 'always' | 'unless ordered'
  /** After so many pages the first row is gone. */
  vanishesAfter?: number
  /** Some rows stand on two pages. */
  repeats?: boolean
  /** So many rows of a page at most, whatever is asked for. */
  most?: number
  /** A page of more than so many rows is answered with this status. */
  tooMany?: { rows: number; status: number }
}

type Rows = { id: number }[]
interface Watching {
  /** Something happens to the rows before a request is answered, the first of which has the number 1. */
  before?: (asked: number, rows: Rows) => void
  /** An answer goes out once this resolves. */
  held?: (asked: URL) => Promise<void>
}

/** An archive with one list, /api/things/, with a given paging. `rows` may be changed while it answers. */
export const startPagingServer = async (paging: Paging, rows: Rows, { before, held }: Watching = {}) => {
  const random = seeded(7)
  const asked: URL[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    asked.push(url)
    if (paging.vanishesAfter === asked.length) rows.shift()
    before?.(asked.length, rows)
    const given = url.searchParams
    const refuse = (status: number) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"detail": "No."}')
    if (paging.tooMany && Number(given.get('page_size')) > paging.tooMany.rows)
      return refuse(paging.tooMany.status)
    if (given.has('page_size') && paging.pageSize === 'refused') return refuse(400)
    if (given.has('pager') && paging.pagerNone === 'refused') return refuse(404)
    const isOrdered = given.has('ordering') && paging.shuffles === 'unless ordered'
    const ordered =
      paging.shuffles === undefined || isOrdered
        ? rows
        : rows
            .map((row) => ({ row, at: random() }))
            .sort((a, b) => a.at - b.at)
            .map(({ row }) => row)
    const size =
      paging.usual === null || (given.get('pager') === 'none' && paging.pagerNone === 'taken')
        ? rows.length
        : paging.pageSize === 'taken' && given.has('page_size')
          ? Math.min(Number(given.get('page_size')), paging.most ?? Infinity)
          : paging.usual
    const last = Math.max(1, Math.ceil(rows.length / size))
    const wanted = paging.usual === null ? 1 : Number(given.get('page') ?? 1)
    if (wanted > last && paging.pastEnd === '404') return refuse(404)
    const page = wanted > last && paging.pastEnd === 'last page' ? last : wanted
    const from = (page - 1) * size
    const shown = [
      ...ordered.slice(from, from + size),
      ...(paging.repeats && from + size < rows.length ? ordered.slice(from, from + 1) : []),
    ]
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(paging.count ? { Count: String(rows.length) } : {}),
      ...(paging.link && page < last ? { Link: `<${next.href}>; rel="next"` } : {}),
    })
    const body = JSON.stringify(shown)
    return void (held?.(url) ?? Promise.resolve()).then(() => response.end(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => asked.length,
    /** How many rows each page was asked to have; zero where nothing was said. */
    sizes: () => asked.map(({ searchParams }) => Number(searchParams.get('page_size'))),
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((stopped) => server.close(() => stopped()))
    },
  }
}
