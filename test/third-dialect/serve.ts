import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const perPage = 3

const family = (key: string, title: string, editions: number) => [
  {
    key,
    title,
    signature: `SIG/${key}`,
    sort: 'family',
    family: null,
    edition: null,
    isNewest: false,
    condition: 'safe',
    octets: 0,
    keptSince: '2024-01-01T00:00:00Z',
    rule: 'two',
  },
  ...Array.from({ length: editions }, (_, index) => ({
    key: `${key}-${index + 1}`,
    title: `${title}, edition ${index + 1}`,
    signature: `SIG/${key}`,
    sort: 'edition',
    family: key,
    edition: index + 1,
    isNewest: index === editions - 1,
    condition: 'safe',
    octets: 1000 * (index + 1),
    keptSince: `2024-0${index + 2}-01T00:00:00Z`,
    rule: 'two',
  })),
]

const parcels = [...family('maps', 'Maps of the harbour', 3), ...family('ledgers', 'Ledgers of the mill', 2)]
const held: Record<string, unknown[]> = {
  parcels,
  slots: parcels
    .filter(({ sort }) => sort === 'edition')
    .flatMap(({ key }) =>
      ['C1', 'C2'].map((cartridge) => ({
        key: `${key}@${cartridge}`,
        parcel: key,
        cartridge,
        shelf: `/${cartridge}/${key}`,
        on: '2024-06-01T00:00:00Z',
      })),
    ),
  cartridges: [
    { key: 'C1', phase: 'open', room: 'Vault', octets: 900, bay: 'B1' },
    { key: 'C2', phase: 'full', room: 'Annex', octets: 1000, bay: 'B1' },
  ],
  bays: [{ key: 'B1', isOn: true, octets: 1000 }],
  rules: [{ key: 'two', title: 'Kept twice', bays: ['B1', 'B2'] }],
  persons: ['Ada', 'Bo', 'Cy', 'Dag'].map((called, index) => ({
    key: `p${index}`,
    called,
    years: `19${index}0–`,
  })),
}

/**
 * An archive that speaks the made-up dialect: Basic authentication (RFC 7617), pages of three behind a
 * cursor.
 */
export const startShelf = async () => {
  const asked: string[] = []
  /** Where one learns who one is: by that an archive is known to speak the dialect. */
  let account = 'whoami'
  /** What lists wait for before they answer. */
  let released = Promise.resolve()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://shelf')
    asked.push(`${request.method} ${url.pathname}${url.search}`)
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const name = /^\/v2\/([a-z]+)$/.exec(url.pathname)?.[1]
    if (name === undefined) return answer(404, { why: 'no such thing' })
    const expected = `Basic ${Buffer.from('ada:secret').toString('base64')}`
    if (request.headers.authorization !== expected) return answer(401, { why: 'who are you' })
    if (name === account) return answer(200, { login: 'ada', called: 'Ada Arkivarie' })
    if (name === 'news') return answer(200, { edition: 1 })
    const rows = held[name]
    if (!rows) return answer(404, { why: 'no such list' })
    const cursor = url.searchParams.get('cursor')
    const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
    const to = from + perPage
    const next =
      to < rows.length ? `/v2/${name}?cursor=${Buffer.from(String(to)).toString('base64url')}` : null
    return void released.then(() => answer(200, { results: rows.slice(from, to), next }))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    /**
     * Speaks the dialect that came after, and answers for no list before it is told to.
     * @returns what tells it to
     */
    moveOn: (): (() => void) => {
      account = 'whois'
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return resolve
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
