import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paged } from '../essarch/lists.ts'
import { packageAt } from './many-packages.ts'
import { cores, openTurns, requestMs, rowMs } from './recorded-pace.ts'

// Lists cut as the double of ESSArch cuts them, as slow as the recorded one, of rows that are made when they
// are asked for: `node paging-archive.ts FAMILIES SHARE`, where 0.01 takes a hundredth of its times. Its
// parent may say how many families there are now, and is told what was asked.

/** What the archive was asked since it was last told to count anew. */
export interface Tally {
  requests: string[]
  bytes: number
  /** How long its two cores would have worked at least, in milliseconds, with all of them busy. */
  leastMs: number
}

const [families = '0', share = '1'] = process.argv.slice(2)
let count = Number(families)
let tally: Tally = { requests: [], bytes: 0, leastMs: 0 }

const moment = (number: number) => new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString()
const inFamily = (number: number) => ({
  ...packageAt(number),
  aic: `family-${Math.floor(number / 2)}`,
  generation: (number % 2) + 1,
  first_generation: number % 2 === 0,
  last_generation: number % 2 === 1,
  create_date: moment(number),
})
const familyAt = (number: number) => ({
  id: `family-${number}`,
  label: `Volume ${number}`,
  object_identifier_value: `AIC-${number}`,
  package_type: 1,
  package_type_display: 'AIC',
  create_date: moment(number),
  information_packages: [inFamily(2 * number), inFamily(2 * number + 1)],
})
const copyAt = (number: number) => ({
  id: `copy-${number}`,
  ip: packageAt(Math.floor(number / 2)).id,
  medium_id: `LTO-${number % 40}`,
  storage_medium: `m${number % 40}`,
  target_name: `Tape ${number % 3}`,
  target_target: 'LTO',
  content_location_type: 300,
  content_location_value: `/ess/store/LTO-${number % 40}/${number}.tar`,
  last_changed_local: moment(number),
  container: true,
})
const eventAt = (number: number) => ({
  id: number + 1,
  eventIdentifierValue: `event-${number}`,
  eventType: 30300,
  eventDateTime: moment(number),
  eventDetail: 'Preserved AIP',
  eventVersion: '1',
  eventOutcome: 0,
  eventOutcomeDetailNote: '',
  linkingAgentIdentifierValue: 'archivist',
  linkingAgentRole: 'Archivist',
  information_package: packageAt(Math.floor(number / 3)).id,
  transfer: null,
  delivery: null,
})

interface List {
  length: number
  at: (number: number) => unknown
  rowMs: number
}
const listOf = (path: string, { searchParams }: URL): List => {
  const isFlat = searchParams.get('view_type') === 'flat'
  // Everything is preserved, and nothing else.
  const isOther = searchParams.has('state') || searchParams.has('package_type_name_exclude')
  if (path === 'information-packages' && isFlat)
    return { length: isOther ? 0 : 2 * count, at: inFamily, rowMs: rowMs.packages }
  if (path === 'information-packages') return { length: count, at: familyAt, rowMs: rowMs.families }
  if (path === 'storage-objects') return { length: 4 * count, at: copyAt, rowMs: rowMs.copies }
  if (path === 'events') return { length: 6 * count, at: eventAt, rowMs: rowMs.others }
  return { length: 0, at: () => undefined, rowMs: rowMs.others }
}

const turn = openTurns()

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const [, , path = ''] = url.pathname.split('/')
  const list = listOf(path, url)
  const isNewestFirst = url.searchParams.get('ordering')?.startsWith('-') === true
  const work = async () => {
    const over = await turn()
    const began = performance.now()
    const numbers = new Proxy([] as number[], {
      get: (_none, name) => {
        if (name === 'length') return list.length
        const place = (index: number) => (isNewestFirst ? list.length - 1 - index : index)
        const rows = (from: number, to: number) =>
          Array.from({ length: Math.max(0, Math.min(to, list.length) - from) }, (_, nth) => place(from + nth))
        if (name === 'slice') return rows
        return (show: (number: number) => unknown) => rows(0, list.length).map(show)
      },
    })
    const { headers, body } = paged(numbers, url, url.host, list.at)
    const text = JSON.stringify(body)
    const costMs = requestMs + (Array.isArray(body) ? body.length : 0) * list.rowMs
    const left = costMs * Number(share) - (performance.now() - began)
    await new Promise((later) => setTimeout(later, Math.max(0, left)))
    over()
    tally.requests.push(`${url.pathname}${url.search}`)
    tally.bytes += text.length
    tally.leastMs += costMs / cores
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text)
  }
  void work()
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.on('message', (said: { families?: number }) => {
  if (said.families !== undefined) count = said.families
  process.send?.(tally)
  tally = { requests: [], bytes: 0, leastMs: 0 }
})
process.once('disconnect', () => process.exit())
