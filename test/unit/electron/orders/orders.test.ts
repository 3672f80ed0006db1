import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrderItem } from '../../../../electron/contract/orders.ts'
import { planRetrieval, type RetrievableCopy } from '../../../../electron/orders/retrieval-plan.ts'
import { heldFilters, nothing } from '../../../../electron/contract/search-filters.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { scratch } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { openLocalCopy } from '../../../desks/local-copy.ts'
import { openWindowless } from '../../../desks/windowless.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openBooked } from '../../../../electron/orders/booked.ts'
import { openOrderBook } from '../../../../electron/orders/order-book.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  proxy = await startFaultyServer(archive.url)
})
beforeEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

let desks = 0
const open = async () => {
  const folder = path.join(place.folder, `desk-${(desks += 1)}`)
  const target = path.join(folder, 'saved')
  const printed: string[] = []
  const told: string[] = []
  /** Somebody opens another page while the dialog is open. */
  let onScreen = 'slips'
  const chooseTarget = () => {
    onScreen = 'another page'
    return Promise.resolve(target)
  }
  const desk = openWindowless(folder, {
    notice: ({ title, body, place: leads }) =>
      Promise.resolve(told.push(`${title} – ${body} – ${leads}`) > 0),
    choose: () => Promise.resolve([target]),
    chooseTarget,
    printPdf: (size) => Promise.resolve(Buffer.from(`PDF of ${onScreen} on ${size}`)),
    printPaper: (size) => Promise.resolve(printed.push(size) > 0),
  })
  await desk.features.session.signIn({
    url: proxy.url,
    username: archive.username,
    password: archive.password,
  })
  await desk.features.connection.refresh(undefined)
  await desk.features.orders.list(undefined)
  await until(async () => ((await desk.features.orders.list(undefined)).rows.length > 0 ? true : undefined))
  const { rows } = await desk.features.packages.list({
    view: 'flat',
    sort: 'label',
    descending: false,
    filter: '',
    open: [],
    offset: 0,
    limit: 200,
  })
  return { desk, target, printed, told, rows, ...desk.features, [Symbol.asyncDispose]: desk.stop }
}

/** Waits until every list that a search looks through was read, and all its words are in the index. */
const allRead = ({ find, description }: Awaited<ReturnType<typeof open>>) =>
  until(async () => {
    for (const list of [
      'orders',
      'me/searches',
      'agents',
      'structures',
      'structure-units',
      'tags',
      'locations',
    ] as const) {
      const which = { list, within: null, filter: '', open: [], offset: 0, limit: 1 }
      if ((await description.list(which)).asOf === null) return undefined
    }
    const { waiting } = await find.ask({
      typed: 'ritningar',
      filters: heldFilters(nothing),
      most: 1,
      group: null,
    })
    return waiting === 0 ? true : undefined
  })

const item = (id: string): OrderItem => ({
  id,
  label: id,
  identifier: id,
  generation: null,
  bytes: null,
  isKnown: true,
  path: '',
  others: 0,
  state: 'asked',
  since: null,
  alsoIn: [],
})
const copyOn = (room: string, medium: string, path = '', isOnDisk = false): RetrievableCopy => ({
  room,
  path,
  isOnDisk,
  medium: { id: medium, name: medium, target: '', status: '' },
})

test('one walk takes the media from which the most is fetched, room by room in their order', () => {
  const copies: Record<string, RetrievableCopy[]> = {
    a: [copyOn('Rum 10', 'T3', 'z'), copyOn('Rum 2', 'T1', 'b')],
    b: [copyOn('Rum 10', 'T3', 'y'), copyOn('Rum 2', 'T1', 'a')],
    c: [copyOn('Rum 10', 'T4'), copyOn('Rum 1', 'T0'), copyOn('Rum 2', 'T1', 'c')],
    d: [copyOn('Rum 10', 'T3'), copyOn('Rum 2', 'T10')],
    e: [],
  }
  const { rooms, nowhere } = planRetrieval(Object.keys(copies).map(item), (id) => copies[id] ?? [])
  expect(
    rooms.map(({ room, media }) => [
      room,
      media.map(({ name, items }) => [name, items.map(({ id, path, others }) => `${id} ${path} ${others}`)]),
    ]),
  ).toEqual([
    [
      'Rum 2',
      [
        ['T1', ['b a 1', 'a b 1', 'c c 2']],
        ['T10', ['d  1']],
      ],
    ],
  ])
  expect(nowhere.map(({ id }) => id)).toEqual(['e'])
})

test('nobody walks to a tape for what lies on a disk too, unless they are at that tape anyway', () => {
  const copies: Record<string, RetrievableCopy[]> = {
    a: [copyOn('Bergrummet', 'T1'), copyOn('Serverhallen', 'DISK', '', true)],
    b: [copyOn('Bergrummet', 'T2')],
    c: [copyOn('Bergrummet', 'T2'), copyOn('Serverhallen', 'DISK-B', '', true)],
  }
  const { rooms } = planRetrieval(Object.keys(copies).map(item), (id) => copies[id] ?? [])
  expect(
    rooms.map(({ room, media }) => [room, media.map(({ name, items }) => [name, items.map(({ id }) => id)])]),
  ).toEqual([
    ['Bergrummet', [['T2', ['b', 'c']]]],
    ['Serverhallen', [['DISK', ['a']]]],
  ])
})

test('an order is put together from pages and pasted lines, each looked up, and duplicates are said', async () => {
  await using desk = await open()
  const { orders, rows } = desk
  const [first, second] = rows.filter(({ state, isLast }) => state === 'Preserved' && isLast)
  const asked = (await orders.list(undefined)).rows.find(({ kind }) => kind === 'archive')
  const inArchive = await orders.one({ id: asked?.id ?? '' })
  const taken = inArchive.rooms.flatMap(({ media }) => media.flatMap(({ items }) => items))[0]
  const begun = await orders.add({
    id: null,
    packages: [first?.id ?? '', taken?.id ?? '', 'no such package'],
  })
  expect(begun).toMatchObject({ added: 2, already: [{ label: taken?.label, order: inArchive.name }] })
  expect(await orders.add({ id: null, packages: [first?.id ?? ''] })).toMatchObject({
    id: begun.id,
    added: 0,
    label: first?.label,
  })
  const aic = rows.find(({ aic: of }) => of !== null)?.aic ?? ''
  const lines = await orders.paste({
    id: begun.id,
    text: `${second?.identifier}\r\n\n ${first?.id} \nSE/STA/nothing\n${aic}\n${second?.identifier}`,
  })
  expect(lines.map(({ text, outcome }) => [text, outcome])).toEqual([
    [second?.identifier, 'added'],
    [first?.id, 'there already'],
    ['SE/STA/nothing', 'not found'],
    [aic, expect.stringMatching(/added|there already|elsewhere/)],
  ])
  // As it comes from a letter or a table: in another case, with commas, and with other cells beside it.
  const [known, other] = [first?.identifier.toLowerCase() ?? '', second?.identifier ?? '']
  const loose = await orders.paste({
    id: begun.id,
    text: `${known}, ${other}; SE/STA/none\nReader 4\t${other}\tReading room\nNo\tsuch, thing`,
  })
  expect(loose.map(({ text, outcome }) => [text, outcome])).toEqual([
    [known, 'there already'],
    [other, 'there already'],
    ['SE/STA/none', 'not found'],
    [other, 'there already'],
    ['No\tsuch, thing', 'not found'],
  ])
  const page = await orders.one({ id: begun.id })
  expect(page.kind).toBe('draft')
  const items = [
    ...page.nowhere,
    ...page.rooms.flatMap(({ media }) => media.flatMap((medium) => medium.items)),
  ]
  expect(items.find(({ id }) => id === taken?.id)?.alsoIn).toEqual([
    { id: inArchive.id, name: inArchive.name },
  ])
  // How much is asked for is known as long as all of it is held.
  const rowOf = async () => (await orders.list(undefined)).rows.find(({ id }) => id === begun.id)
  const amounts = rows.filter(({ id }) => items.some((item) => item.id === id))
  expect(amounts).toHaveLength(items.length)
  expect(await rowOf()).toMatchObject({
    bytes: amounts.reduce((sum, { bytes }) => sum + bytes, 0),
    copies: Math.min(...amounts.map(({ copies }) => copies)),
  })
  await orders.takeOut({ id: begun.id, package: taken?.id ?? '' })
  expect((await orders.one({ id: begun.id })).packages).toBe(page.packages - 1)
})

test('an order is placed exactly once; where its things are is kept here, and follows it into the archive', async () => {
  await using desk = await open()
  const { orders, printing, rows, activity } = desk
  const ids = rows.slice(0, 3).map(({ id }) => id)
  const { id } = await orders.add({ id: null, packages: ids })
  await expect(async () => orders.place({ id })).rejects.toMatchObject({
    failure: { kind: 'not-ready', missing: ['name'] },
  })
  const empty = await orders.begin(undefined)
  await expect(async () => orders.place({ id: empty.id })).rejects.toMatchObject({
    failure: { kind: 'not-ready', missing: ['name', 'packages'] },
  })
  await orders.remove({ id: empty.id })
  await orders.save({ id, name: 'Torsdag', content: 'Bord 4' })
  proxy.misbehave('drops the answer', /^POST .*orders/)
  const placed = await orders.place({ id })
  expect(placed.id).not.toBe('')
  // What is said of it while it is on its way is said of it in the archive.
  await orders.setState({ id: placed.id, package: ids[1] ?? '', state: 'fetching' })
  proxy.misbehave('none')
  await until(async () => {
    await desk.outbox.list(undefined)
    for (const { id: own, state } of (await desk.outbox.list(undefined)).items)
      if (state !== 'delivered') await desk.outbox.sendNow({ id: own })
    return (await orders.one({ id: placed.id })).kind === 'archive' ? true : undefined
  })
  const named = (
    (await archive.get('orders/')) as {
      name: string
      information_packages: string[]
      order_content: string
    }[]
  ).filter(({ name }) => name === 'Torsdag')
  expect(named).toMatchObject([{ information_packages: ids, order_content: 'Bord 4' }])
  const there = await orders.one({ id: placed.id })
  expect(there.id).not.toBe(placed.id)
  expect((await orders.list(undefined)).rows.find((row) => row.id === there.id)).toMatchObject({
    states: { asked: 2, fetching: 1 },
  })
  await orders.setState({ id: there.id, package: null, state: 'desk' })
  await orders.setState({ id: there.id, package: ids[0] ?? '', state: 'returned' })
  expect((await orders.list(undefined)).rows.find((order) => order.id === there.id)).toMatchObject({
    isOpen: true,
    states: { asked: 0, fetching: 0, desk: 2, returned: 1 },
  })
  await orders.setState({ id: there.id, package: null, state: 'returned' })
  expect((await orders.list(undefined)).rows.find((order) => order.id === there.id)?.isOpen).toBe(false)
  const slips = { name: 'Slips Torsdag', place: `orders/${there.id}` }
  expect(await printing.print({ ...slips, size: 'A5', on: 'pdf' })).toBe(true)
  expect(readFileSync(desk.target, 'utf8')).toBe('PDF of slips on A5')
  expect(await printing.print({ ...slips, size: 'label', on: 'paper' })).toBe(true)
  expect(desk.printed).toEqual(['label'])
  const { rows: lines } = await activity.list({
    filters: { source: ['desk'] },
    filter: 'torsdag',
    from: '',
    to: '',
    offset: 0,
    limit: 50,
  })
  expect(lines.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'sheet.printed',
      'order.returned',
      'order.desk',
      'creation.delivered',
      'creation.waiting',
    ]),
  )
  expect(await activity.check(undefined)).toMatchObject({ brokenAt: null })
})

test('stored searches are run against what is held, and say what is new; an archive that refuses leaves them here', async () => {
  await using desk = await open()
  const { searches } = desk
  expect(await searches.store({ name: 'Ritningar', address: 'q=ritningar', isTold: false })).toEqual({
    refusal: null,
  })
  const one = async (name: string) => (await searches.list(undefined)).find((search) => search.name === name)
  const stored = await until(async () => {
    const found = await one('Ritningar')
    return found?.keptIn === 'archive' ? found : undefined
  })
  // What is watched from the moment it is stored is watched on, once the archive has it.
  await searches.store({ name: 'Watched', address: 'q=nothing-like-it', isTold: true })
  expect(await one('Watched')).toMatchObject({ isTold: true, news: 0 })
  await until(async () => ((await one('Watched'))?.keptIn === 'archive' ? true : undefined))
  expect(await one('Watched')).toMatchObject({ isTold: true, news: 0 })
  await allRead(desk)
  // As many as the list that it opens has: a package is one, however many generations of it were found.
  const filters = heldFilters(nothing)
  const { total } = await desk.find.list({ typed: 'ritningar', filters, most: 1 })
  expect(await one('Ritningar')).toMatchObject({ address: 'q=ritningar', total, news: null, since: null })
  await searches.see({ id: stored.id })
  expect(await one('Ritningar')).toMatchObject({ news: 0 })
  // Somebody else makes a record that the search finds: it is new, and told once.
  await searches.notify({ id: stored.id, isTold: true })
  const headers = { authorization: archive.basic, 'content-type': 'application/json' }
  await fetch(`${archive.url}/api/orders/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Ritningar i maj' }),
  })
  await desk.orders.list(undefined)
  await until(() => (desk.told.length > 0 ? true : undefined))
  expect(desk.told).toEqual(['Watched search – Ritningar: 1 new – search/q%3Dritningar'])
  expect(await one('Ritningar')).toMatchObject({ news: 1, isTold: true })
  expect(
    (await searches.fresh({ id: stored.id })).map(({ title }) => title.map(({ text }) => text).join('')),
  ).toEqual(['Ritningar i maj'])
  await desk.connection.refresh(undefined)
  await desk.orders.list(undefined)
  await searches.see({ id: stored.id })
  expect(await one('Ritningar')).toMatchObject({ news: 0 })
  expect(desk.told).toHaveLength(1)

  proxy.misbehave('forbidden', /^POST .*searches/)
  expect(await searches.store({ name: 'Refused', address: 'q=hamn', isTold: false })).toMatchObject({
    refusal: { kind: 'not-allowed' },
  })
  proxy.misbehave('none')
  expect(await one('Refused')).toMatchObject({
    keptIn: 'desk',
    refusal: { kind: 'not-allowed' },
    address: 'q=hamn',
  })
  // What other clients stored, in whatever shape, opens.
  const odd: unknown[] = [
    { q: 'hamn', type: 'box', page: 1, page_size: 25, archives: [], extra: { deep: true } },
    '{"q":"å"}',
    'plain words',
    null,
    5,
    [],
    { q: { not: 'text' } },
    { type: [{ toString: 1 }, null], page: { toString: 1, valueOf: 1 }, constructor: 'x' },
    `${'a'.repeat(1_999)}😀`,
  ]
  const oddOnes = odd.map((query, index) => ({ name: `Odd ${index}`, query }))
  writeFileSync(desk.target, `\uFEFF${JSON.stringify({ searches: [...oddOnes, ...oddOnes] })}`)
  expect(await searches.import(undefined)).toBe(odd.length)
  expect(await searches.import(undefined)).toBe(0)
  expect(await one('Odd 0')).toMatchObject({
    keptIn: 'desk',
    address: 'q=hamn&type=box',
    notUnderstood: ['extra'],
  })
  expect(await one('Odd 1')).toMatchObject({ address: 'q=%C3%A5' })
  expect(await one('Odd 2')).toMatchObject({ address: 'q=plain%20words' })
  expect((await one('Odd 8'))?.address).toMatch(/^q=a{1999}%EF%BF%BD$/)
  expect(await one('Odd 7')).toMatchObject({ address: '', notUnderstood: ['constructor'] })
  const count = await searches.export(undefined)
  const { searches: saved } = JSON.parse(readFileSync(desk.target, 'utf8')) as {
    searches: { name: string }[]
  }
  expect(saved).toHaveLength(count ?? -1)
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  for (const [text, detail] of [
    ['no searches', /^Unexpected token/],
    ['{"searches":[{"name":"x"}]}', /^$/],
    [JSON.stringify(Array(1_001).fill({ name: 'x', query: {} })), /^1001 searches; at most 1000 are read$/],
    [`[{"name":"x","query":{"type":${deep}}}]`, /call stack/],
    [' '.repeat(16 * 1024 * 1024 + 1), /^16777217 bytes/],
  ] as const) {
    writeFileSync(desk.target, text)
    await expect(async () => searches.import(undefined)).rejects.toMatchObject({
      failure: { kind: 'bad-searches', path: desk.target, detail: expect.stringMatching(detail) as string },
    })
  }
  rmSync(desk.target)
  await expect(async () => searches.import(undefined)).rejects.toMatchObject({
    failure: { kind: 'disk', trouble: 'gone', path: desk.target },
  })
  const own = await one('Odd 0')
  await searches.rename({ id: own?.id ?? '', name: 'Hamnen' })
  expect(await one('Hamnen')).toBeDefined()
  await searches.remove({ id: own?.id ?? '' })
  expect(await one('Hamnen')).toBeUndefined()
})

test('a copy of a file is ordered with its package, its path in the words of the order, once', async () => {
  await using desk = await open()
  const { orders } = desk
  const [row] = desk.rows.filter(({ type }) => type !== 'AIC')
  const file = { package: row?.id ?? '', path: 'content/ritningar/plan 1.tif' }
  const { id, added } = await orders.addFile(file)
  expect(added).toBe(1)
  const line = `${row?.label} (${row?.identifier}): ${file.path}`
  expect(await orders.one({ id })).toMatchObject({ kind: 'draft', packages: 1, content: line })
  await orders.addFile(file)
  expect(await orders.addFile({ ...file, path: 'content/brev.txt' })).toMatchObject({ id, added: 0 })
  expect((await orders.one({ id })).content).toBe(
    `${line}\n${row?.label} (${row?.identifier}): content/brev.txt`,
  )
  // An order whose words are full is followed by another one.
  const next = await orders.addFile({ ...file, path: `content/${'x'.repeat(3_990)}` })
  const last = await orders.addFile({ ...file, path: `content/${'y'.repeat(3_990)}` })
  expect([next.id === id, last.id === id]).toEqual([true, false])
})

test('a package that an order of the archive names twice is asked for once', () => {
  using folder = scratch()
  const copy = openLocalCopy(path.join(folder.folder, 'archive.sqlite'))
  const store = openDeskStore(path.join(folder.folder, 'desk.sqlite'))
  const book = openOrderBook({
    archive: 'a',
    store,
    cache: copy.cache,
    scans: { ids: () => ['7'] },
    dialect: specification,
  })
  const order = { id: '7', name: 'Hamnen', information_packages: ['p', 'p'] }
  copy.hold('description/orders', [order], '2026-03-01T10:00:00.000Z')
  expect(book.asking().get('p')).toEqual([{ id: '7', name: 'Hamnen' }])
  expect(book.rows()).toMatchObject([{ packages: 1, states: { asked: 1 } }])
  copy.close()
  store.close()
})

test('a package that is being made for an order is not asked for by it, though no list shows it yet', () => {
  using folder = scratch()
  const copy = openLocalCopy(path.join(folder.folder, 'archive.sqlite'))
  const store = openDeskStore(path.join(folder.folder, 'desk.sqlite'))
  const id = crypto.randomUUID()
  const task = { id, order: '7', label: '', identifier: 'DIP-7', agreement: '', dip: 'd', items: [] }
  store.tasks.keepTask('dissemination', 'a', '2026-03-01T10:00:00.000Z', {
    ...task,
    createAsked: null,
    stage: 'fetch',
    state: 'working',
    failure: null,
    message: '',
  })
  const book = openOrderBook({
    archive: 'a',
    store,
    cache: copy.cache,
    scans: { ids: () => ['7', '8'] },
    dialect: specification,
  })
  const orders = [
    { id: '7', name: 'Hamnen', information_packages: ['p', 'd'] },
    // For another order it is one like any other.
    { id: '8', name: 'Kajen', information_packages: ['d'] },
  ]
  copy.hold('description/orders', orders, '2026-03-01T10:00:00.000Z')
  expect(book.rows()).toMatchObject([{ packages: 1 }, { packages: 1 }])
  expect(book.page('7')?.nowhere.map(({ id: one }) => one)).toEqual(['p'])
  copy.close()
  store.close()
})

test('an order that the archive has no more is not on its way for ever', () => {
  using folder = scratch()
  const copy = openLocalCopy(path.join(folder.folder, 'archive.sqlite'))
  const store = openDeskStore(path.join(folder.folder, 'desk.sqlite'))
  const booked = () =>
    openBooked({
      archive: 'a',
      store,
      cache: copy.cache,
      scans: { ids: () => [] },
      dialect: specification,
    })
      .all()
      .map(({ name, kind }) => [name, kind])
  store.keepCreation({
    id: 'one',
    archive: 'a',
    list: 'orders',
    title: 'Cancelled',
    made: '2026-03-01T09:00:00.000Z',
    fields: [],
    values: { name: 'Cancelled' },
    state: 'delivered',
    before: [],
    body: { name: 'Cancelled' },
    attempts: 0,
    triedAt: '2026-03-01T09:00:00.000Z',
    nextAt: null,
    failure: null,
    remote: '7',
  })
  copy.hold('description/orders', [], '2026-03-01T08:59:00.000Z')
  expect(booked()).toEqual([['Cancelled', 'queued']])
  // A list that was read meanwhile may have begun before the order came.
  copy.hold('description/orders', [], '2026-03-01T09:01:00.000Z')
  expect(booked()).toEqual([['Cancelled', 'queued']])
  copy.hold('description/orders', [], '2026-03-01T10:00:00.000Z')
  expect(booked()).toEqual([])
  copy.close()
  store.close()
})
