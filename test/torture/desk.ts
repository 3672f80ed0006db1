import { seeded } from '../faults/mutate.ts'
import { openWindowless } from '../windowless.ts'
import type { Kept, Rest } from './torture.ts'

// Everything that the desk does, in a process of its own, so that it can be killed: node desk.ts FOLDER URL USERNAME PASSWORD SOURCE SEED work|settle
const [folder = '', url = '', username = '', password = '', source = '', seed = '1', mode = 'work'] =
  process.argv.slice(2)
const began = Date.now()
/** Waits of minutes pass in fractions of a second. */
const haste = 400
const random = seeded(Number(seed))
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** Fulfilled when the line has left this process: a long one takes its time. */
const say = (line: Kept | Rest) =>
  new Promise<void>((done) => process.stdout.write(`${JSON.stringify(line)}\n`, () => done()))
/** What fails is tried again by somebody else, or stays as it was; only bugs are told. */
const perhaps = async (deed: () => unknown) => {
  try {
    await deed()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'Failed')) console.error(error)
  }
}

const told = new Set<string>()
const desk = openWindowless(folder, {
  ...{ random, version: 'torture' },
  now: () => new Date(began + (Date.now() - began) * haste),
  bug: (error) => {
    console.error(error)
    return 'bug'
  },
  choose: () => Promise.resolve([source]),
  tell: ((name: string, payload: { id?: string }) => {
    // A record of the outbox is on disk when it is told of: from here on one may count on it.
    if (name !== 'outbox.changed' || !payload.id || told.has(payload.id)) return
    told.add(payload.id)
    void Promise.resolve(outbox.list(undefined)).then(({ items }) => {
      const it = items.find(({ id }) => id === payload.id)
      if (it) void say({ kind: 'record', id: it.id, title: it.title })
    })
  }) as never,
})
const { session, transfers, description, outbox } = desk.features
while (desk.session.reached() === undefined) {
  await perhaps(() => session.signIn({ url, username, password }))
  await pause(20)
}

let number = 0
/** Types something into a draft; what was typed before it stays typed. */
const type = async (id: string) => {
  const { form, stage } = await transfers.one({ id })
  if (stage !== 'draft') return
  const typed = Number(form.description || '0') + 1
  await transfers.save({ id, form: { ...form, name: `torture ${id}`, description: String(typed) } })
  void say({ kind: 'draft', id, typed })
}
const deeds: (() => Promise<unknown>)[] = [
  async () => {
    const all = await transfers.list(undefined)
    const drafts = all.filter(({ stage }) => stage === 'draft')
    await type(
      (drafts.length < 3
        ? await transfers.create(undefined)
        : (drafts[Math.floor(random() * drafts.length)] ?? (await transfers.create(undefined)))
      ).id,
    )
  },
  async () => {
    // Half typed, packed and handed over, perhaps with a delivery that nobody knows yet.
    const drafts = (await transfers.list(undefined)).filter(({ stage }) => stage === 'draft')
    const draft = drafts[Math.floor(random() * drafts.length)]
    if (!draft || random() < 0.3) return
    if (draft.sources.length === 0) await transfers.add({ id: draft.id, what: 'folder' })
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
    for (const { id, stage, isWaiting } of await transfers.list(undefined))
      if (stage === 'prepared' && !isWaiting) await transfers.send({ id })
  },
  () => {
    void perhaps(() =>
      description.create({ list: 'metric-types', values: { name: `torture ${seed} ${(number += 1)}` } }),
    )
    return pause(5)
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
  () => Promise.resolve(void perhaps(() => session.refresh(undefined))),
  () =>
    Promise.resolve(
      void perhaps(() =>
        description.list({ list: 'metric-types', within: null, filter: '', open: [], offset: 0, limit: 10 }),
      ),
    ),
]
while (mode === 'work') {
  await perhaps(() => deeds[Math.floor(random() * deeds.length)]?.())
  await pause(5 + random() * 40)
}

/** Lets everything that is on its way arrive, and says how it stands. */
const settle = async () => {
  const ends = performance.now() + 240_000
  while (performance.now() < ends) {
    const { items } = await outbox.list(undefined)
    const all = await transfers.list(undefined)
    for (const { id, state } of items) if (state === 'held') await outbox.release({ id })
    for (const { id, stage, isWaiting, failure } of all)
      if (stage === 'prepared' && (!isWaiting || failure !== null))
        await perhaps(() => transfers.sendNow({ id }))
    const isOpen =
      items.some(({ state }) => ['held', 'waiting', 'sending', 'unanswered'].includes(state)) ||
      all.some(({ stage }) => ['packing', 'prepared', 'sending', 'sent', 'received'].includes(stage))
    if (!isOpen) break
    await perhaps(() => session.refresh(undefined))
    await pause(200)
  }
  await perhaps(() => session.refresh(undefined))
  const rows = await desk.features.packages.list({
    view: 'flat',
    sort: 'label',
    descending: false,
    filter: '',
    open: [],
    offset: 0,
    limit: 500,
  })
  await say({
    kind: 'rest',
    records: (await outbox.list(undefined)).items.map(({ id, list, title, state }) => ({
      id,
      list,
      title,
      state,
    })),
    transfers: (await transfers.list(undefined)).map(({ id, stage, form }) => ({
      id,
      stage,
      typed: Number(form.description || '0'),
    })),
    packages: rows.rows.map(({ id }) => id),
  })
}
await settle()
process.exit()
