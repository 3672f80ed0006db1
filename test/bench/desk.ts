import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { heldFilters, nothing } from '../../electron/contract/search-filters.ts'
import { cacheFileOf } from '../../electron/store/cache/caches.ts'
import { openDeskStore } from '../../electron/store/desk/desk-store.ts'
import { openLocalCopy } from '../desks/local-copy.ts'
import { openWindowless } from '../desks/windowless.ts'
import { packageAt } from './many-packages.ts'
import type { Figures } from './figures.ts'
import { table } from './measure.ts'

const archives = 10
const packages = 20_000
const copies = 200_000
const nodes = 100_000
const transfers = 20_000
const rounds = 5
const readAt = '2026-01-01T00:00:00Z'

const idOf = (number: number) => `a${number}`

/** A local copy with many copies on one medium, and many nodes. */
const makeCopy = (file: string) => {
  const copy = openLocalCopy(file)
  copy.hold(
    'packages',
    Array.from({ length: packages }, (_, number) => packageAt(number)),
    readAt,
  )
  copy.hold('media', [{ id: 'm1', medium_id: 'LTO-1', status: 20, storage_target: 't' }], readAt)
  copy.hold('notifications', [], readAt)
  copy.writer.database.exec(`
    with recursive node(n) as (select 0 union all select n + 1 from node where n < ${nodes - 1})
    insert into held (subject, id, element, nth, position, above, model, raw)
    select 'description/tags', 't' || n, n + 1, 0, n,
      case when n % 1000 = 0 then null else 't' || (n / 1000 * 1000) end,
      json_object('id', 't' || n, 'title', 'Volym ' || n, 'note', '', 'refs', json_array(),
        'parent', case when n % 1000 = 0 then null else 't' || (n / 1000 * 1000) end), '{}'
    from node;
    with recursive copy(n) as (select 1 union all select n + 1 from copy where n < ${copies})
    insert into held (subject, id, element, nth, position, model, raw)
    select 'objects', 'c' || n, n + ${nodes + 10}, 0, n,
      json_object('id', 'c' || n, 'package', 'p' || (n % ${packages}), 'medium', 'm1', 'path', '/lager/' || n,
        'written', '2026-01-01'), '{}'
    from copy`)
  copy.index()
  copy.close()
}

/** Transfers of a desk of years: most are preserved, some hundred are on their way. */
const makeTransfers = (file: string) => {
  const store = openDeskStore(file)
  for (let number = 0; number < archives; number += 1)
    store.keepArchive({
      id: idOf(number),
      name: `Archive ${number}`,
      url: `http://127.0.0.1:${9 + number}`,
      isHere: false,
      isSample: false,
      username: 'archivist',
      fullName: 'Archivist',
      scheme: 'Basic',
      isSignedIn: true,
    })
  store.showArchive(idOf(0), new Date())
  const body = (number: number) => ({
    id: crypto.randomUUID(),
    form: {
      name: `Transfer ${number}`,
      delivery: '1',
      organization: 'Kontoret',
      address: '',
      person: '',
      email: '',
      description: 'En rad om vad som finns i den',
      identifier: `SE/STA/${number}`,
      tags: {},
    },
    counts: { files: 12, folders: 3, bytes: 123_456 },
    changed: readAt,
    times: { prepared: readAt, sent: readAt, received: readAt, preserved: readAt },
  })
  const insert = store.database.prepare(
    `insert into job (id, archive, kind, state, isWaiting, made, place, body)
        values (?, ?, 'transfer', ?, ?, ?, ?, ?)`,
  )
  const stateOf = (number: number) => {
    if (number % 40 === 0) return 'sent'
    if (number % 60 === 1) return 'prepared'
    return number % 100 === 3 ? 'draft' : 'preserved'
  }
  store.transaction(() => {
    for (let number = 0; number < transfers; number += 1) {
      const state = stateOf(number)
      const made = new Date(Date.parse(readAt) + number * 1_000).toISOString()
      const job = body(number)
      insert.run(job.id, idOf(0), state, Number(state === 'prepared'), made, number, JSON.stringify(job))
    }
  })
  store.close()
}

type Desk = ReturnType<typeof openWindowless>

/** Opens every place as its page does. Each answer is copied, as it is on its way to the page. */
const openPlaces = async ({ features }: Desk) => {
  const asked: Record<string, () => unknown> = {
    'what there is to do': () => features.transfers.groups(undefined),
    outbox: () => features.outbox.list(undefined),
    alerts: () => features.alerts.list(undefined),
    'the first transfers': () => features.transfers.list({ offset: 0, limit: 50 }),
    'the last transfers': () => features.transfers.list({ offset: transfers - 50, limit: 50 }),
    'type-ahead': () => features.transfers.beginning({ begins: 'transfer 7', from: 100 }),
    deliveries: () => features.transfers.deliveries(undefined),
    batches: () => features.batch.list(undefined),
    orders: () => features.orders.list(undefined),
    searches: () => features.searches.list(undefined),
    search: () =>
      features.find.ask({ typed: 'volym 47', filters: heldFilters(nothing), most: 20, group: null }),
    'what Search narrows by': () => features.find.choices(undefined),
    storage: () => features.storage.overview(undefined),
    'a medium': () => features.storage.medium({ id: 'm1' }),
    risks: () => features.storage.risky({ kind: 'few copies', offset: 0, limit: 50 }),
    nodes: () =>
      features.description.list({ list: 'tags', within: null, filter: '', open: [], offset: 0, limit: 50 }),
    'a node': () => features.description.one({ list: 'tags', id: 't4711' }),
    packages: () =>
      features.packages.list({
        view: 'tree',
        sort: 'label',
        descending: false,
        filter: '',
        open: [],
        offset: 10_000,
        limit: 50,
      }),
    'a package': () => features.packages.one({ id: packageAt(77).id }),
    activity: () =>
      features.activity.list({
        filters: {},
        filter: '',
        from: '',
        to: '',
        offset: 0,
        limit: 50,
      }),
  }
  const slowest: { place: string; ms: number }[] = []
  for (const [place, ask] of Object.entries(asked)) {
    const watched = monitorEventLoopDelay({ resolution: 1 })
    watched.enable()
    try {
      structuredClone(await ask())
    } catch (error) {
      if (!(error instanceof Error && error.name === 'Failed')) throw error
    }
    await new Promise((next) => setTimeout(next, 20))
    watched.disable()
    slowest.push({ place, ms: watched.max / 1e6 })
  }
  return slowest
}

/** How long main keeps everybody waiting while every place of a desk of years is opened. */
export const deskBench = async (folder: string, figures: Figures) => {
  const home = path.join(folder, 'desk')
  mkdirSync(home, { recursive: true })
  makeTransfers(path.join(home, 'desk.sqlite'))
  makeCopy(cacheFileOf(home, idOf(0)))
  const desk = openWindowless(home, { reportBug: (error) => String(error) })
  await openPlaces(desk)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const all: { place: string; ms: number }[] = []
  for (let round = 0; round < rounds; round += 1) all.push(...(await openPlaces(desk)))
  delay.disable()
  table(
    `Delay of main’s event loop while every place is opened: ${copies} copies on a medium, ${nodes} ` +
      `nodes, ${transfers} transfers, ${archives} archives (bar: p99 16 ms)`,
    [
      {
        'p50 ms': Number((delay.percentile(50) / 1e6).toFixed(1)),
        'p99 ms': Number((delay.percentile(99) / 1e6).toFixed(1)),
        'most ms': Number((delay.max / 1e6).toFixed(1)),
      },
    ],
  )
  figures.note({
    what: 'delay of main while every place is opened, p99',
    values: [delay.percentile(99) / 1e6],
    unit: 'ms',
    bar: { most: 16 },
  })
  const worst = new Map<string, number>()
  for (const { place, ms } of all) worst.set(place, Math.max(worst.get(place) ?? 0, ms))
  table(
    'The longest that each place held main up',
    [...worst]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 6)
      .map(([place, ms]) => ({ place, 'most ms': Number(ms.toFixed(1)) })),
  )
  // Threads do not keep this process alive, and they are waited for.
  const alive = setInterval(() => undefined, 1_000)
  await desk.stop()
  clearInterval(alive)
}
