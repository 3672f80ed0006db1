import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openCacheFile } from '../../electron/store/cache/cache.ts'
import { recordText } from '../../electron/store/cache/bundles.ts'
import { openElementThread, type ElementThread } from '../../electron/sync/element-thread.ts'
import { readLists } from '../../electron/sync/read-lists.ts'
import { builtFile } from '../support/built.ts'
import { openLocalCopy } from '../desks/local-copy.ts'

/** An archive that gives a text as its packages, in parts of so many bytes, and has nothing else. */
export const serveList = async (first: string, partBytes = 64 * 1024) => {
  let text = first
  let stopsAt: number | undefined
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (!request.url?.startsWith('/api/information-packages/')) return void response.end('[]')
    const bytes = Buffer.from(text).subarray(0, stopsAt)
    for (let from = 0; from < bytes.length; from += partBytes)
      response.write(bytes.subarray(from, from + partBytes))
    if (stopsAt === undefined) response.end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    give: (other: string) => {
      text = other
    },
    /** Gives so many bytes from now on, and then nothing more. */
    stopAt: (bytes: number | undefined) => {
      stopsAt = bytes
    },
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** How much a list may bring. */
export interface Bounds {
  rows: number
  bytes: number
}

/** Reads the packages of an archive into a local copy. */
export const readLongList = async (
  url: string,
  elementThread: ElementThread,
  file: string,
  bounds?: Bounds,
) => {
  const copy = openLocalCopy(file)
  let apart = 0
  const wanted = {
    access: { url, authorization: 'Token t', cookie: '' },
    routes: [{ kind: 'direct' as const }],
    language: 'en',
    subjects: ['packages' as const],
    hasViews: false,
    isAll: true,
  }
  const found = await readLists(copy.writer, wanted, {
    now: () => new Date('2026-11-26T08:00:00Z'),
    reportBug: String,
    ...(bounds ? { bounds: { ...bounds, freeSpace: () => ({ folder: '', bytes: Infinity }) } } : {}),
    elementThread: (writer, subject) => {
      const readInThread = elementThread(writer, subject)
      return (rest, reached, take) => {
        const reading = readInThread(rest, reached, take)
        if (reading) apart += 1
        return reading
      }
    },
  })
  copy.close()
  const database = openCacheFile(file)
  const rowsOf = (table: string, columns = '*') =>
    database.prepare(`select ${columns} from ${table} order by 1, 2, 3`).all()
  const held = {
    element: rowsOf('element'),
    // Where a text lies is nobody's concern.
    held: rowsOf(
      'held',
      `number, subject, id, element, nth, position, above, model, changed, looked, ${recordText}`,
    ),
    package: rowsOf('package'),
    unreadable: rowsOf('unreadable'),
    stale: rowsOf('stale'),
  }
  database.close()
  return { found, held, apart }
}

// In a process of its own, which can be killed: node long-list.ts URL FILE
const [script, url = '', file = ''] = process.argv.slice(1)
if (script === import.meta.filename)
  await readLongList(url, openElementThread(builtFile('element-worker.js'), String), file)
