import { existsSync, readdirSync } from 'node:fs'
import { reportingUnlessDisk } from '../../electron/desk/error-report.ts'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { seeded } from '../faults/mutate.ts'
import { diskTroubleOf } from '../../electron/contract/failure.ts'
import { openJobScans } from '../../electron/store/desk/job-scans.ts'
import { openWindowless } from '../desks/windowless.ts'
import type { Kept, Life, Planted, Rest } from './torture.ts'

// Everything that the desk does, in a process of its own, so that it can be killed: node desk-process.ts
// FOLDER URL USERNAME PASSWORD SOURCE SEED LIFE
const [folder = '', url = '', username = '', password = '', source = '', seed = '1', said = '{}'] =
  process.argv.slice(2)
const { mode, dieAt, aheadMs, isFilling, planted, dialect } = JSON.parse(said) as Life
const began = Date.now()
const file = path.join(folder, 'desk.sqlite')
let number = 0
/** Waits of minutes pass in fractions of a second. */
const haste = 400
const random = seeded(Number(seed))
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Fulfilled when the line has left this process: a long one takes its time. */
const say = (line: Kept | Rest) =>
  new Promise<void>((done) => process.stdout.write(`${JSON.stringify(line)}\n`, () => done()))
/** What fails is tried again by somebody else, or stays as it was; only bugs are told. */
const perhaps = async (work: () => unknown) => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'Failed') && diskTroubleOf(error) === undefined)
      reportBug(error)
  }
}

/** What a desk with a fault of each kind would write, or not write; each is for the oracle to find. */
const faults: Record<Planted, string> = {
  '': '',
  // What was typed is said to be kept, and is not.
  lost: `create trigger if not exists planted before update on job
    when new.state = 'draft' and cast(new.body ->> '$.form.description' as integer) > 1
    begin select raise(ignore); end`,
  // What was sent is not remembered, and is sent blindly once more.
  double: `update job set state = 'waiting', body = json_set(body, '$.before', null)
    where kind = 'creation' and state in ('unanswered', 'sending')`,
  // A record stays on its way for ever.
  stuck: `create trigger if not exists planted before update on job
    when old.kind = 'creation' and old.state = 'sending' and old.body ->> '$.list' = 'node-note-types'
    begin select raise(ignore); end`,
  invented: '',
}
/** A package that no archive ever had, and that no reading of the list takes away: in each local copy. */
const inventedPackage = `
  insert or ignore into package (number, id, type, label, identifier, state, stepState, bytes, isLast,
    archived, since,
    shownState, shownBytes, shownSince, words, folded)
    values (-1, 'invented', 'AIP', 'Invented', '', '', '', 1, 1, 1, '', '', 1, '', 'invented', 'invented');
  create trigger if not exists planted before delete on package when old.id = 'invented'
    begin select raise(ignore); end`
const plantInCopies = () => {
  const copies = path.join(folder, 'archive-cache')
  for (const name of existsSync(copies) ? readdirSync(copies) : []) {
    if (!name.endsWith('.sqlite')) continue
    const database = new DatabaseSync(path.join(copies, name), { timeout: 1_000 })
    const has = database.prepare(`select 1 from sqlite_schema where name = 'package'`).get()
    if (has) database.exec(inventedPackage)
    database.close()
  }
}
const plant = () => {
  if (planted === 'invented') plantInCopies()
  if (faults[planted] === '' || !existsSync(file)) return
  const database = new DatabaseSync(file, { timeout: 1_000 })
  // A life that was killed before it had migrated the file has no such table yet.
  const has = database.prepare(`select 1 from sqlite_schema where name = 'job'`).get()
  if (has) database.exec(faults[planted])
  database.close()
}

/**
 * Connections of this process to the desk's own data: a full disk is a limit on their pages (SQLITE_FULL).
 */
const connections = new Set<DatabaseSync>()
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string) {
  if (this.location() === file) connections.add(this)
  return prepare.call(this, sql)
}
const fill = (isFull: boolean) => {
  for (const database of connections) {
    if (!database.isOpen) continue
    const { page_count: pages } = prepare.call(database, 'pragma page_count').get() as { page_count: number }
    database.exec(`pragma max_page_count = ${isFull ? pages : 1_000_000}`)
  }
}

const reportBug = reportingUnlessDisk(
  (error) => {
    void say({ kind: 'bug', text: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    return 'bug'
  },
  () => undefined,
)
process.on('uncaughtException', (error) => reportBug(error))
process.on('unhandledRejection', (error) => reportBug(error))

let watched: DatabaseSync | undefined
/** The step that was just written down, by its name. */
const stepOf = (name: string, id = '') => {
  watched ??= new DatabaseSync(file, { readOnly: true })
  if (name === 'files.progress') return 'download'
  const row = watched
    .prepare(
      name === 'outbox.changed'
        ? `select 'creation ' || state as step from job where id = ?`
        : `select 'transfer ' || coalesce(body ->> '$.sending', state) as step from job where id = ?`,
    )
    .get(id)
  return String(row?.['step'] ?? '')
}

/** Every record that this desk made, delivered or not, as it is kept. */
const allRecords = () => {
  watched ??= new DatabaseSync(file, { readOnly: true })
  const known = watched.prepare('select id from archive').all()
  const { creations } = openJobScans(watched)
  return known.flatMap(({ id }) => creations(String(id)))
}

plant()
const told = new Set<string>()
const desk = openWindowless(folder, {
  random,
  version: 'torture',
  now: () => new Date(began + aheadMs + (Date.now() - began) * haste),
  reportBug,
  chooseTarget: () => Promise.resolve(path.join(folder, `fetched ${seed} ${(number += 1)}`)),
  choose: () => Promise.resolve([source]),
  sendNewsOf: ((_archive: string, name: string, payload: { id?: string }) => {
    const isStep = ['outbox.changed', 'transfers.changed', 'files.progress'].includes(name)
    if (isStep && dieAt !== '' && stepOf(name, payload.id) === dieAt) process.kill(process.pid, 'SIGKILL')
    // A record of the outbox is on disk when it is told of: from here on one may count on it.
    if (name !== 'outbox.changed' || !payload.id || told.has(payload.id)) return
    told.add(payload.id)
    const record = allRecords().find(({ id }) => id === payload.id)
    if (record) void say({ kind: 'record', id: record.id, title: record.title })
  }) as never,
})
const { session, connection, transfers, description, outbox, orders, packages, files } = desk.features
while (desk.archives.last()?.findClient() === undefined) {
  await perhaps(() => session.signIn({ url, username, password }))
  await pause(20)
}
// Where the data was recovered, the outbox may wait for a person to let it go on.
await perhaps(() => outbox.pause({ isPaused: false }))

/** Types something into a draft; what was typed before it stays typed. */
const type = async (id: string) => {
  const { form, state } = await transfers.one({ id })
  if (state !== 'draft') return
  const typed = Number(form.description || '0') + 1
  await transfers.save({ id, form: { ...form, name: `torture ${id}`, description: String(typed) } })
  void say({ kind: 'draft', id, typed })
}
const flat = {
  view: 'flat',
  sort: 'label',
  descending: false,
  filter: '',
  open: [],
  offset: 0,
  limit: 500,
} as const
/** Every transfer that is kept, as its page shows it. */
const allTransfers = async () => {
  const { rows } = await transfers.list({ offset: 0, limit: 500 })
  return Promise.all(rows.map(async ({ id }) => transfers.one({ id })))
}
const onePackage = async () => {
  const { rows } = await packages.list({ ...flat, open: [] })
  return rows[Math.floor(random() * rows.length)]?.id
}
/** What a blind second sending would double is made more often than anything else. */
const record = (list: 'metric-types' | 'node-note-types') => () => {
  void perhaps(() => description.create({ list, values: { name: `torture ${seed} ${(number += 1)}` } }))
  return pause(5)
}
const actions: (() => Promise<unknown>)[] = [
  record('metric-types'),
  record('metric-types'),
  record('node-note-types'),
  async () =>
    dialect === 'specification' &&
    void (await transfers.createDelivery({ name: `torture delivery ${seed} ${(number += 1)}` })),
  async () => {
    const wanted = await onePackage()
    // There an order has a type, which a person chooses.
    if (wanted === undefined || dialect === 'essarch') return
    const { id } = await orders.add({ id: null, packages: [wanted] })
    await orders.save({ id, name: `torture order ${seed} ${(number += 1)}`, content: '' })
    await orders.place({ id })
  },
  async () => {
    const wanted = await onePackage()
    if (wanted === undefined) return
    const there = await files.downloads({ package: wanted })
    for (const { id, state } of there)
      if (state !== 'running' && random() < 0.5) {
        await files.forget({ id })
        await say({ kind: 'forgotten', id })
      } else if (state === 'stopped' || state === 'failed') await files.resume({ id })
    const inside = await files.list({ package: wanted, path: '' })
    const first = inside.find(({ isFolder }) => !isFolder)
    if (first) await files.download({ package: wanted, path: first.name })
  },
  async () => {
    const all = await allTransfers()
    const drafts = all.filter(({ state }) => state === 'draft')
    await type(
      (drafts.length < 3
        ? await transfers.create(undefined)
        : (drafts[Math.floor(random() * drafts.length)] ?? (await transfers.create(undefined)))
      ).id,
    )
  },
  async () => {
    // Half typed, packed and handed over, perhaps with a delivery that nobody knows yet.
    const drafts = (await allTransfers()).filter(({ state }) => state === 'draft')
    const draft = drafts[Math.floor(random() * drafts.length)]
    if (!draft || random() < 0.3) return
    if (draft.sources.length === 0) await transfers.add({ id: draft.id, what: 'folder' })
    if (dialect === 'essarch') {
      const [agreement] = await transfers.agreements(undefined)
      if (!agreement) return
      const { form } = await transfers.one({ id: draft.id })
      await transfers.save({ id: draft.id, form: { ...form, agreement: agreement.id } })
      await transfers.pack({ id: draft.id })
      return
    }
    const [first] = await transfers.deliveries(undefined)
    const delivery =
      first && random() < 0.6
        ? first.id
        : (await transfers.createDelivery({ name: `torture delivery ${seed} ${(number += 1)}` })).id
    const { form } = await transfers.one({ id: draft.id })
    await transfers.save({ id: draft.id, form: { ...form, delivery } })
    await transfers.pack({ id: draft.id })
  },
  async () => {
    for (const { id, state, isWaiting } of await allTransfers())
      if (state === 'prepared' && !isWaiting) await transfers.send({ id })
  },
  async () => {
    const { items } = await outbox.list(undefined)
    const held = items.find(({ state }) => state === 'waiting')
    if (!held) return
    await outbox.hold({ id: held.id })
    await outbox.move({ id: held.id, by: 1 })
    // Killed in between, it stays deleted, as somebody wanted it.
    await say({ kind: 'deleting', id: held.id })
    await outbox.remove({ id: held.id })
    await outbox.restore({ id: held.id })
    await say({ kind: 'restored', id: held.id })
    await outbox.release({ id: held.id })
  },
  () => Promise.resolve(void perhaps(() => connection.refresh(undefined))),
  () =>
    Promise.resolve(
      void perhaps(() =>
        description.list({ list: 'metric-types', within: null, filter: '', open: [], offset: 0, limit: 10 }),
      ),
    ),
]
await say({ kind: 'working' })
if (isFilling)
  setInterval(() => {
    fill(true)
    setTimeout(() => fill(false), 300)
  }, 600)
while (mode === 'work') {
  await perhaps(() => actions[Math.floor(random() * actions.length)]?.())
  await pause(5 + random() * 40)
}

/** Lets everything that is on its way arrive, and says how it stands. */
const settle = async () => {
  // What a backup brought back is looked up twice, one after the other, before the first of it arrives.
  const longestMs = (open: number) => (planted === '' ? 240_000 + 2_000 * open : 60_000)
  let ends = performance.now() + longestMs(0)
  let fewest = Infinity
  const doubted = new Map<string, number>()
  while (performance.now() < ends) {
    // The list holds the first of them; how many there are tells whether something arrived.
    const { items, count } = await outbox.list(undefined)
    const all = await allTransfers()
    for (const { id, state } of items) {
      if (state === 'held') await outbox.release({ id })
      // Every name is given once: a person sees that what has it is no older one.
      if (state === 'undecided') await outbox.decide({ id, isThere: true })
    }
    const isForPerson = ({ failure }: (typeof all)[number]) =>
      failure?.kind === 'unconfirmed' && failure.mayBeSent
    for (const it of all)
      if (it.state === 'prepared' && (!it.isWaiting || it.failure !== null) && !isForPerson(it))
        await perhaps(() => transfers.sendNow({ id: it.id }))
    // What an archive without faults does not show for five seconds it does not have: a person sends it
    // again.
    for (const { id, failure } of all)
      if (failure?.kind === 'unconfirmed' && failure.mayBeSent) {
        const since = doubted.get(id) ?? performance.now()
        doubted.set(id, since)
        if (performance.now() - since > 5_000) await perhaps(() => transfers.sendAgain({ id }))
      }
    const open =
      count -
      items.filter(({ state }) => state === 'refused').length +
      all.filter(({ state }) => ['packing', 'prepared', 'sending', 'sent', 'received'].includes(state)).length
    if (open === 0) break
    // As long as something arrives, nothing is stuck.
    if (open < fewest) ends = performance.now() + longestMs(open)
    fewest = Math.min(fewest, open)
    await perhaps(() => connection.refresh(undefined))
    await pause(200)
  }
  await perhaps(() => connection.refresh(undefined))
  const rows = await packages.list({ ...flat, open: [] })
  const downloads: string[] = []
  for (const { id } of rows.rows)
    downloads.push(...(await files.downloads({ package: id })).map((row) => row.id))
  await say({
    kind: 'rest',
    records: allRecords().map(({ id, list, title, state }) => ({
      id,
      list,
      title,
      state,
    })),
    transfers: (await allTransfers()).map(({ id, state, failure, form }) => ({
      id,
      state,
      failure: failure && JSON.stringify(failure),
      typed: Number(form.description || '0'),
    })),
    packages: rows.rows.map(({ id }) => id),
    downloads,
  })
}
await settle().catch(async (error: unknown) => {
  reportBug(error)
  await pause(200)
  process.exit(1)
})
process.exit()
