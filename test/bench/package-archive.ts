import { fork, type ChildProcess } from 'node:child_process'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'

/**
 * An archive that gives this file as its packages and has nothing else; anybody may sign in.
 * @param began called when the first bytes of the packages are sent
 * @returns its address
 */
const servePackages = async (file: string, began: () => void = () => undefined) => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '')
    response.setHeader('content-type', 'application/json')
    if (path === '/api/information-packages/') {
      response.setHeader('content-length', statSync(file).size)
      createReadStream(file, { highWaterMark: 256 * 1024 })
        .once('data', began)
        .pipe(response)
    } else if (path === '/api/auth/token_login/') response.end('{"token": "token"}')
    else if (path === '/api/me/')
      response.end(
        '{"id": 1, "username": "archivist", "first_name": "Reading", "last_name": "Room", "email": ' +
          '"", "permissions": []}',
      )
    else response.end('[]')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Serves a file of packages from a process of its own.
 * @param givesWay whether it works behind the desk: an archive has a computer of its own
 */
export const serveApart = async (
  file: string,
  givesWay = false,
): Promise<{ url: string; process: ChildProcess }> => {
  const how = givesWay ? ['giving way'] : []
  const child = fork(import.meta.filename, [file, ...how])
  return {
    url: await new Promise<string>((ready) => child.once('message', (url) => ready(url as string))),
    process: child,
  }
}

// As a process of its own, so that what it takes is not counted: `node package-archive.ts FILE`, and
// `'giving way'` behind that where it works at a lower priority than the desk (nice 10).
const [, script, served, priority] = process.argv
if (script === import.meta.filename && served !== undefined) {
  if (priority === 'giving way') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
  process.send?.(await servePackages(served, () => process.send?.({ firstByteAt: Date.now() })))
  process.once('disconnect', () => process.exit())
}
