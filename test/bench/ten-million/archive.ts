import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { filledCopy, filledPackage } from '../filled-records.ts'

// An archive that has nothing until it is told, by the channel to its parent, which list it is to give: then
// it gives that one slowly, for as long as anybody reads: `node archive.ts ROWS`.

const rows = Number(process.argv[2])
const perStep = 100
const stepMs: Record<string, number> = { 'information-packages': 5, 'storage-objects': 20 }
let given = ''

/** Every fiftieth package is another than the one that is held. */
const changedPackage = (number: number) => {
  const record = filledPackage(number)
  return number % 50 === 0 ? { ...record, label: `${record.label}, omskriven` } : record
}
const recordOf: Record<string, (number: number) => unknown> = {
  'information-packages': changedPackage,
  'storage-objects': filledCopy,
}

const give = async (list: string, response: ServerResponse) => {
  const record = recordOf[list] ?? changedPackage
  response.write('[')
  for (let from = 0; from < rows && !response.destroyed; from += perStep) {
    const some = Array.from({ length: Math.min(perStep, rows - from) }, (_, nth) =>
      JSON.stringify(record(from + nth)),
    )
    if (!response.write(`${from === 0 ? '' : ','}${some.join(',')}`)) await once(response, 'drain')
    await new Promise((next) => setTimeout(next, stepMs[list]))
  }
  response.end(']')
}

const me = {
  id: 1,
  username: 'archivist',
  first_name: 'Reading',
  last_name: 'Room',
  email: '',
  permissions: [],
}

const server = createServer((request, response) => {
  const [, list = ''] = /^\/api\/([a-z-]+)\/$/.exec((request.url ?? '').replace(/\?.*/, '')) ?? []
  response.setHeader('content-type', 'application/json')
  if (request.url?.startsWith('/api/auth/token_login/') === true) response.end('{"token": "token"}')
  else if (list === 'me') response.end(JSON.stringify(me))
  else if (given !== '' && list === given) give(list, response).catch(() => response.destroy())
  else if (given !== '' && list in recordOf) response.writeHead(503).end('{}')
  else response.end('[]')
})
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('message', (list) => (given = String(list)))
process.once('disconnect', () => process.exit())
