import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Body } from '../../../../electron/local-archive/database.ts'
import { resources } from '../../../../electron/local-archive/resources/index.ts'
import {
  indexDocuments,
  indexTag,
  listFiles,
} from '../../../../electron/local-archive/search/index-records.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'

const place = scratch()
let archive: RunningArchive
/**
 * Ids of everything that speaks of a package that readers may not see: what must never be in what they get.
 */
let secrets: Record<string, string>
let open: string

const roles = ['reader', 'archivist', 'administrator'] as const
const as = (username: string, address: string, init: RequestInit = {}) => {
  const password =
    [archive, ...archive.others].find((account) => account.username === username)?.password ?? ''
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const { headers } = init
  return fetch(`${archive.url}/api/${address}`, {
    ...init,
    headers: { authorization, ...(headers as Record<string, string> | undefined) },
  })
}

beforeAll(async () => {
  await (await startArchive(place.folder, '--sample')).stop()
  const database = openDatabase(place.folder)
  const users = database.sqlite.prepare('select id, username, body from account').all() as {
    id: number
    username: string
    body: string
  }[]
  const userOf = (username: string) => {
    const found = users.find((user) => user.username === username)
    return { id: found?.id, ...(JSON.parse(found?.body ?? '{}') as Body) }
  }
  const packages = database.list('information package')
  const aic = String(database.list('restriction')[0]?.['id'])
  const hidden = packages.filter((ip) => ip['aic'] === aic)
  const aip = hidden[0] ?? {}
  open = String(packages.find((ip) => ip['package_type'] === 2 && ip['aic'] !== aic)?.['id'])
  const copy = { ...database.list('storage object')[0], id: 'hidden-copy', ip: aip['id'] }
  const event = { ...database.list('event')[0], id: 987_654_321, information_package: aip['id'] }
  const type = database.list('tag version type')[0]?.['id']
  const tag = (id: string, of: unknown) => ({
    id,
    name: id,
    reference_code: id,
    description: '',
    start_date: null,
    end_date: null,
    type,
    parent: null,
    structure: null,
    structure_unit: null,
    agent: null,
    information_package: of,
  })
  database.transaction(() => {
    listFiles(database, String(aip['id']), [{ name: 'data/hemlig-fil.txt', bytes: 1 }])
    database.put('storage object', copy)
    database.put('event', event)
    for (const tagged of [tag('hidden-tag', aip['id']), tag('hidden-tag-of-aic', aic), tag('open-tag', open)])
      indexTag(database.put('tag', tagged), database)
    for (const username of roles) {
      const responsible = userOf(username)
      const order = {
        name: `order of ${username}`,
        responsible,
        information_packages: [aip['id'], aic, open],
      }
      database.put('order', { id: `order-${username}`, ...order })
      database.put('notification', {
        id: 1000 + Number(responsible.id),
        user: responsible,
        level: 'success',
        seen: false,
        message: `for ${username}`,
        time_created: '2026-01-01T00:00:00Z',
      })
      const search = { id: 1000 + Number(responsible.id), name: `search of ${username}`, query: {} }
      database.put('stored search', { ...search, sender: responsible.id })
    }
    indexDocuments(aip, [], database)
    // Given to an AIC that is hidden already.
    database.put('information package', { ...aip, id: 'hidden-generation', generation: 99 })
  })
  const { id: document } = database.sqlite
    .prepare(`select id from indexed where body like '%hemlig-fil%'`)
    .get() as { id: string }
  database.close()
  secrets = {
    aic,
    aip: String(aip['id']),
    generation: 'hidden-generation',
    copy: 'hidden-copy',
    document,
    event: '987654321',
    tag: 'hidden-tag',
    'tag of the AIC': 'hidden-tag-of-aic',
  }
  archive = await startArchive(place.folder)
})
afterAll(async () => {
  await archive.stop()
  place[Symbol.dispose]()
})

const seenIn = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ''))

describe.each(Object.keys(resources))('%s', (address) => {
  const lists = [`${address}/`, `${address}/?page=1&page_size=100000`, `${address}/?pager=none`]
  test('is counted as it is listed, whoever asks', async () => {
    for (const who of roles)
      for (const list of lists) {
        const answer = await as(who, list)
        const rows = (await answer.json()) as unknown[]
        expect([list, who, answer.headers.get('count')]).toEqual([list, who, String(rows.length)])
        const head = await as(who, list, { method: 'HEAD' })
        expect(head.headers.get('count')).toBe(String(rows.length))
        const last = await as(who, `${address}/?page=${rows.length}&page_size=1`)
        expect(await last.json()).toEqual(rows.slice(-1))
      }
  })
  test('a reader is told nothing of what is hidden, whatever is asked for', async () => {
    for (const asked of [...lists, ...Object.values(secrets).map((id) => `${address}/${id}/`)])
      expect([asked, seenIn(await (await as('reader', asked)).text())]).toEqual([asked, []])
    expect(seenIn(await (await as('reader', `${address}/`, { method: 'OPTIONS' })).text())).toEqual([])
  })
})

test('what is hidden from readers is there for the others', async () => {
  const paths = ['information-packages', 'storage-objects', 'events', 'tags', 'search']
  for (const who of ['archivist', 'administrator']) {
    const texts = await Promise.all(
      paths.map(async (address) => (await as(who, `${address}/?pager=none`)).text()),
    )
    expect(seenIn(texts.join('\n'))).toEqual(Object.keys(secrets))
  }
})

test('each secret has an address that answers others and is not found by readers', async () => {
  const addresses: Record<string, string> = {
    aic: 'information-packages',
    aip: 'information-packages',
    generation: 'information-packages',
    copy: 'storage-objects',
    event: 'events',
    document: 'search',
    tag: 'tags',
    'tag of the AIC': 'tags',
  }
  for (const [name, id] of Object.entries(secrets)) {
    const status = async (who: string) => (await as(who, `${addresses[name] ?? ''}/${id}/`)).status
    expect([name, await status('reader'), await status('archivist')]).toEqual([name, 404, 200])
    if (name.startsWith('tag')) expect((await as('reader', `search/${id}/`)).status).toBe(404)
  }
})

test('the search counts, sorts and shows nothing of it', async () => {
  for (const asked of [
    '?pager=none',
    '?q=hemlig',
    '?q=hidden-tag',
    '?ordering=name&pager=none',
    'type=document',
  ]) {
    const text = await (await as('reader', `search/${asked}`)).text()
    expect([asked, seenIn(text), /hemlig-fil|hidden-tag/.test(text)]).toEqual([asked, [], false])
  }
  expect(await (await as('reader', '/search/?q=hemlig')).json()).toMatchObject({
    hits: [],
    aggregations: { _filter_type: { type: { buckets: [] } } },
  })
  expect(await (await as('archivist', 'search/?q=hemlig')).text()).toContain('hemlig-fil')
})

test('of one’s own order what is hidden is left out, and it cannot be ordered: to a reader it does not exist', async () => {
  const order = async (who: string) =>
    ((await (await as(who, `orders/order-${who}/`)).json()) as Body)['information_packages']
  expect(await order('reader')).toEqual([open])
  expect(await order('archivist')).toEqual([secrets['aip'], secrets['aic'], open])
  const post = (who: string) =>
    as(who, 'orders/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x', information_packages: [secrets['aip']] }),
    })
  expect(await (await post('reader')).json()).toEqual({
    information_packages: [`Invalid pk "${secrets['aip'] ?? ''}" - object does not exist.`],
  })
  expect((await post('archivist')).status).toBe(201)
})

test('notifications, orders and searches are one’s own, in lists and by their addresses', async () => {
  const ids = { reader: '', archivist: '', administrator: '' }
  for (const who of roles)
    ids[who] = String(((await (await as(who, 'me/')).json()) as { id: number }).id + 1000)
  for (const owner of roles)
    for (const who of roles) {
      const isOwn = who === owner ? 200 : 404
      expect((await as(who, `notifications/${ids[owner]}/`)).status).toBe(isOwn)
      expect((await as(who, `me/searches/${ids[owner]}/`)).status).toBe(isOwn)
      expect((await as(who, `orders/order-${owner}/`)).status).toBe(who === 'administrator' ? 200 : isOwn)
    }
})
