import path from 'node:path'
import { specification } from '../../../../electron/dialects/specification.ts'
import { askedHere, openArchiveClient } from '../../../archives/archive-client.ts'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ArchiveClient } from '../../../../electron/dialects/dialect.ts'
import type { FormField, FormValues } from '../../../../electron/contract/description.ts'
import { Failed } from '../../../../electron/contract/failure.ts'
import type { ListName } from '../../../../electron/contract/lists.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openCreations } from '../../../../electron/jobs/kinds/creation/creations.ts'
import { likenessOf } from '../../../../electron/dialects/specification/match.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { keptJobs, shownCreations } from '../../../desks/kept-jobs.ts'
import { startArchive, type RunningArchive } from '../../../archives/archive.ts'
import { present } from '../../../support/present.ts'
import { scratch } from '../../../support/scratch.ts'
import { startFaultyServer } from '../../../faults/faulty-server.ts'
import { queuedChoice } from '../../../../electron/contract/queued.ts'

const place = scratch()
let archive: RunningArchive
let proxy: Awaited<ReturnType<typeof startFaultyServer>>
let asking: ReturnType<typeof openArchiveClient>
beforeAll(async () => {
  archive = await startArchive(path.join(place.folder, 'archive'), '--sample')
  proxy = await startFaultyServer(archive.url)
  asking = openArchiveClient(proxy.url, archive.basic)
})
beforeEach(() => proxy.misbehave('none'))
afterAll(async () => {
  await asking.close()
  await proxy.stop()
  await archive.stop()
  place[Symbol.dispose]()
})

let desks = 0
/** A desk with an outbox of its own; its clock is moved by hand. */
const openDesk = (asked: () => ArchiveClient = () => asking) => {
  const file = path.join(place.folder, `desk-${(desks += 1)}.sqlite`)
  const store = openDeskStore(file)
  const clock = { at: Date.parse('2026-03-01T09:00:00Z'), isOnline: true }
  const open = () =>
    openCreations({
      dialectOf: () => specification,
      capabilitiesOf: () => null,
      engine: openEngine({
        isPaused: store.isPaused,
        dueJobs: store.dueJobs,
        now: () => new Date(clock.at),
        random: () => 0,
        reportBug: (error) => {
          throw error
        },
      }),
      store,
      findClient: () => (clock.isOnline ? asked() : undefined),
      noteExchange: () => undefined,
      now: () => new Date(clock.at),
      changed: () => undefined,
      delivered: () => Promise.resolve(),
    })
  return { file, store, clock, open, outbox: open() }
}
const field = (name: string, type: FormField['type'] = 'text'): FormField => ({
  name,
  label: name,
  help: '',
  type,
  isRequired: false,
  longest: null,
  choices: [],
  of: [],
})
const named = [field('name')]
const inArchive = async (list: string, name: string) =>
  ((await archive.get(`${list}/`)) as { name: string }[]).filter((record) => record.name === name).length
let last = 0
const unique = () => `prov ${(last += 1)} ${Date.now()}`
const stateOf = (desk: ReturnType<typeof openDesk>) =>
  shownCreations(desk.store, desk.outbox).map(({ state }) => state)
/** Lets time pass until the archive was asked as often as it takes to be sure that it has nothing. */
const settle = async (desk: ReturnType<typeof openDesk>, outbox = desk.outbox) => {
  for (let look = 0; look < 8; look += 1) {
    desk.clock.at += 120_000
    await outbox.sendDue('a')
  }
}
const add = (desk: ReturnType<typeof openDesk>, list: ListName, values: FormValues, fields = named) =>
  desk.outbox.add({ archive: 'a', list, fields, values })

test('what is created with the archive there is delivered at once', async () => {
  const desk = openDesk()
  const name = unique()
  expect(await add(desk, 'metric-types', { name })).toMatchObject({ state: 'delivered', failure: null })
  expect(await inArchive('metric-types', name)).toBe(1)
})

test('one whose body cannot be read is sent neither by itself nor by hand', async () => {
  const desk = openDesk()
  desk.clock.isOnline = false
  const { id } = await add(desk, 'metric-types', { name: unique() })
  desk.store.database.prepare('update job set body = ? where id = ?').run('damaged', id)
  desk.clock.isOnline = true
  await desk.outbox.sendDue('a')
  await desk.outbox.sendDue('a', id)
  expect(desk.store.creation(id)).toMatchObject({ state: 'refused', failure: { kind: 'unreadable-job' } })
  expect(desk.store.journal.check().brokenAt).toBeNull()
})

test('without a connection it waits, longer from try to try, and goes when there is one', async () => {
  const desk = openDesk()
  const name = unique()
  proxy.misbehave('closes', /./)
  const waits: number[] = []
  await add(desk, 'metric-types', { name })
  for (let tried = 0; tried < 8; tried += 1) {
    const nextAt = Date.parse(shownCreations(desk.store, desk.outbox)[0]?.nextAt ?? '')
    waits.push((nextAt - desk.clock.at) / 1000)
    await desk.outbox.sendDue('a')
    expect(shownCreations(desk.store, desk.outbox)[0]?.attempts).toBe(tried + 1)
    desk.clock.at = nextAt
    await desk.outbox.sendDue('a')
  }
  expect(waits).toEqual([10, 20, 40, 60, 120, 240, 300, 300])
  proxy.misbehave('none')
  desk.clock.at += 400_000
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
})

test.each(['drops the answer', 'html 500', 'html', 'half a body', 'not json'] as const)(
  'after "%s" the archive is asked before anything is sent again, and it is there once',
  async (fault) => {
    const desk = openDesk()
    const name = unique()
    proxy.misbehave(fault, /^POST/)
    expect(await add(desk, 'node-note-types', { name })).toMatchObject({ state: 'unanswered' })
    proxy.misbehave('none')
    await settle(desk)
    expect([stateOf(desk), await inArchive('node-note-types', name)]).toEqual([['delivered'], 1])
    expect(shownCreations(desk.store, desk.outbox)[0]?.wasFound).toBe(fault === 'drops the answer')
  },
)

test('an archive that asks to be left alone is', async () => {
  const desk = openDesk()
  const name = unique()
  proxy.misbehave('busy', /./)
  await add(desk, 'metric-types', { name })
  expect(Date.parse(shownCreations(desk.store, desk.outbox)[0]?.nextAt ?? '') - desk.clock.at).toBe(77_000)
  expect(stateOf(desk)).toEqual(['waiting'])
})

test('a duplicate that was there before, and one that somebody else makes, are told from ours as far as can be', async () => {
  const desk = openDesk()
  const name = unique()
  const fields = [field('name'), field('profile_type'), field('label')]
  const values = { name, profile_type: 'sip', label: 'x' }
  await asking.post('profiles/', values)
  proxy.misbehave('drops the answer', /^POST/)
  await add(desk, 'profiles', values, fields)
  proxy.misbehave('none')
  desk.clock.at += 11_000
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('profiles', name)]).toEqual([['delivered'], 2])

  const other = { ...values, name: unique() }
  proxy.misbehave('drops the answer', /^POST/)
  await add(desk, 'profiles', other, fields)
  proxy.misbehave('none')
  await asking.post('profiles/', other)
  desk.clock.at += 30_000
  await desk.outbox.sendDue('a')
  const undecided = shownCreations(desk.store, desk.outbox).find(({ state }) => state === 'undecided')
  expect(undecided?.title).toBe(other.name)
  desk.outbox.decide(undecided?.id ?? '', true)
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('profiles', other.name)]).toEqual([['delivered', 'delivered'], 2])
})

test('of two that say the same, one that was lost on its way is not taken for the other', async () => {
  const desk = openDesk()
  const name = unique()
  const fields = [field('name'), field('profile_type'), field('label')]
  const values = { name, profile_type: 'sip', label: 'x' }
  proxy.misbehave('drops the request', /^POST/)
  await add(desk, 'profiles', values, fields)
  proxy.misbehave('none')
  await add(desk, 'profiles', values, fields)
  await settle(desk)
  expect([stateOf(desk), await inArchive('profiles', name)]).toEqual([['delivered', 'delivered'], 2])
  expect(new Set(shownCreations(desk.store, desk.outbox).map(({ remote }) => remote)).size).toBe(2)
})

test('a desk that ended while it sent asks first when it starts again', async () => {
  const desk = openDesk()
  const name = unique()
  proxy.misbehave('drops the answer', /^POST/)
  const { id } = await add(desk, 'metric-types', { name })
  // As the file is when the process is killed before the answer.
  const kept = desk.store.creation(id)
  if (kept) desk.store.keepCreation({ ...kept, state: 'sending', nextAt: null })
  proxy.misbehave('none')
  const again = desk.open()
  again.tidy(['a'])
  desk.clock.at += 21_000
  await again.sendDue('a')
  expect([
    shownCreations(desk.store, again).map(({ state }) => state),
    await inArchive('metric-types', name),
  ]).toEqual([['delivered'], 1])
})

test('what refers to something of this desk is sent after it, with its id', async () => {
  const desk = openDesk()
  desk.clock.isOnline = false
  const name = unique()
  const type = ((await archive.get('delivery-types/')) as { id: number }[])[0]?.id
  const delivery = await add(desk, 'deliveries', { name, type: String(type) }, [
    field('name'),
    { ...field('type', 'choice'), choices: [{ value: String(type), text: '' }] },
  ])
  const transfer = await add(desk, 'transfers', { name, delivery: queuedChoice(delivery.id) }, [
    field('name'),
    field('delivery', 'choice'),
  ])
  // The order of sending does not matter: one waits for the other.
  desk.outbox.move(transfer.id, -1)
  expect(shownCreations(desk.store, desk.outbox).map(({ waitsFor }) => waitsFor)).toEqual([[name], []])
  desk.clock.isOnline = true
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['delivered', 'delivered'])
  const made = ((await archive.get('transfers/')) as { name: string; delivery: number }[]).find(
    (transfer) => transfer.name === name,
  )
  expect(String(made?.delivery)).toBe(desk.store.creation(delivery.id)?.remote)
})

test('one that is refused says with which fields, and holds no other back', async () => {
  const desk = openDesk()
  desk.clock.isOnline = false
  const [bad, good] = ['x'.repeat(300), unique()]
  await add(desk, 'metric-types', { name: bad })
  await add(desk, 'metric-types', { name: good })
  desk.clock.isOnline = true
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['refused', 'delivered'])
  const [refused] = shownCreations(desk.store, desk.outbox)
  expect(refused?.failure).toEqual({
    kind: 'refused',
    fields: { name: ['Ensure this field has no more than 255 characters.'] },
  })
  const corrected = unique()
  expect(desk.outbox.values(refused?.id ?? '')).toEqual({ name: bad })
  expect(await desk.outbox.change(refused?.id ?? '', named, { name: corrected })).toMatchObject({
    state: 'delivered',
    title: corrected,
  })
  expect(await inArchive('metric-types', corrected)).toBe(1)
})

test('held, released, moved, deleted and undone; a stopped queue sends only what it is told to', async () => {
  const desk = openDesk()
  desk.outbox.setPaused('a', true)
  const [one, two, three] = [
    await add(desk, 'metric-types', { name: unique() }),
    await add(desk, 'metric-types', { name: unique() }),
    await add(desk, 'metric-types', { name: unique() }),
  ]
  desk.outbox.move(three.id, -1)
  expect(shownCreations(desk.store, desk.outbox).map(({ id }) => id)).toEqual([one.id, three.id, two.id])
  desk.outbox.hold(one.id)
  desk.outbox.remove(two.id, '2026-03-01')
  expect(shownCreations(desk.store, desk.outbox).map(({ id }) => id)).toEqual([one.id, three.id])
  const gone = expect.objectContaining({ failure: { kind: 'not-found', what: two.id } }) as Error
  expect(() => desk.outbox.values(two.id)).toThrow(gone)
  expect(() => desk.outbox.remove(two.id, '2026-03-02')).toThrow(gone)
  expect(() => desk.outbox.move(two.id, 1)).toThrow(gone)
  desk.outbox.remove(two.id, null)
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['held', 'waiting', 'waiting'])
  desk.outbox.sendNow(three.id)
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['held', 'delivered', 'waiting'])
  desk.outbox.setPaused('a', false)
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['held', 'delivered', 'delivered'])
  desk.outbox.release(one.id)
  await desk.outbox.sendDue('a')
  expect(stateOf(desk)).toEqual(['delivered', 'delivered', 'delivered'])
  expect(() => desk.outbox.hold('nobody')).toThrow()
})

/** An archive whose lists are answered when `goOn` is called; `asked` is fulfilled when one was asked for. */
const withSlowLists = () => {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const slow = askedHere({
    ...asking,
    elements: async (...list) => {
      asked.resolve()
      await gate.promise
      return asking.elements(...list)
    },
  })
  return { slow, asked: asked.promise, goOn: gate.resolve }
}

test('one that was delivered while it was being corrected is not sent a second time', async () => {
  const desk = openDesk()
  const name = unique()
  const { id } = await add(desk, 'metric-types', { name })
  const delivered = { failure: { kind: 'conflict', detail: 'delivered' } }
  await expect(desk.outbox.change(id, named, { name: `${name} corrected` })).rejects.toMatchObject(delivered)
  for (const command of [desk.outbox.hold, desk.outbox.release])
    expect(() => command(id)).toThrow(expect.objectContaining(delivered) as Error)
  await desk.outbox.sendDue('a')
  expect([
    await inArchive('metric-types', name),
    await inArchive('metric-types', `${name} corrected`),
  ]).toEqual([1, 0])
})

test.each(['corrected', 'held', 'deleted'] as const)(
  'one that is %s while the archive is still being asked goes as it is then, or not at all',
  async (change) => {
    const { slow, asked, goOn } = withSlowLists()
    const desk = openDesk(() => slow)
    desk.outbox.setPaused('a', true)
    const [before, after] = [unique(), unique()]
    const { id } = await add(desk, 'metric-types', { name: before })
    desk.outbox.setPaused('a', false)
    await asked
    const changing =
      change === 'corrected'
        ? desk.outbox.change(id, named, { name: after })
        : change === 'held'
          ? desk.outbox.hold(id)
          : desk.outbox.remove(id, '2026-03-01')
    goOn()
    await changing
    await desk.outbox.sendDue('a')
    expect([await inArchive('metric-types', before), await inArchive('metric-types', after)]).toEqual([
      0,
      change === 'corrected' ? 1 : 0,
    ])
    expect(stateOf(desk)).toEqual(change === 'corrected' ? ['delivered'] : change === 'held' ? ['held'] : [])
  },
)

test('a list that shifted while it was read proves nothing, and nothing is sent again', async () => {
  let shifts = false
  // The record sought lay on a page that moved while the list was read.
  const shifting = askedHere({
    ...asking,
    elements: (...asked) =>
      shifts ? Promise.resolve({ pass: null, count: 12, isSure: false }) : asking.elements(...asked),
  })
  const desk = openDesk(() => shifting)
  const name = unique()
  proxy.misbehave('drops the answer', /^POST/)
  await add(desk, 'metric-types', { name })
  proxy.misbehave('none')
  shifts = true
  desk.clock.at += 11_000
  await desk.outbox.sendDue('a')
  expect(shownCreations(desk.store, desk.outbox)).toMatchObject([
    { state: 'unanswered', failure: { kind: 'server-broke', detail: 'unexpected' } },
  ])
  expect(await inArchive('metric-types', name)).toBe(1)
  shifts = false
  desk.clock.at += 30_000
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
})

test('a record that a shifting list did not show before is not taken for what was sent since', async () => {
  let shifts = true
  const shifting = askedHere({
    ...asking,
    elements: (...asked) =>
      shifts ? Promise.resolve({ pass: null, count: 12, isSure: false }) : asking.elements(...asked),
  })
  const desk = openDesk(() => shifting)
  const name = unique()
  await asking.post('metric-types/', { name })
  proxy.misbehave('closes', /^POST/)
  await add(desk, 'metric-types', { name })
  proxy.misbehave('none')
  shifts = false
  desk.clock.at += 11_000
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['undecided'], 1])
})

test('one that the archive took without saying its id is looked up, and never sent again', async () => {
  const nameless: ArchiveClient = {
    ...asking,
    post: async (...sent) => {
      await asking.post(...sent)
      // From here on the list cannot be read.
      proxy.misbehave('unauthorized', /^GET/)
      return {}
    },
  }
  const desk = openDesk(() => nameless)
  const name = unique()
  expect(await add(desk, 'metric-types', { name })).toMatchObject({ state: 'unanswered' })
  proxy.misbehave('none')
  desk.clock.at += 11_000
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
  expect(shownCreations(desk.store, desk.outbox)[0]?.remote).toMatch(/^\d+$/)
})

test.each([
  ['without a word', undefined],
  ['of one word', 'created'],
])(
  'an answer %s, and no record of it in the archive, is no sign that it was taken',
  async (_what, answer) => {
    const swallowing: ArchiveClient = { ...asking, post: () => Promise.resolve(answer) }
    let heard = swallowing
    const desk = openDesk(() => heard)
    const name = unique()
    const { id } = await add(desk, 'metric-types', { name })
    expect(shownCreations(desk.store, desk.outbox)).toMatchObject([{ state: 'undecided', failure: null }])
    await settle(desk)
    expect(await inArchive('metric-types', name)).toBe(0)
    heard = asking
    desk.outbox.decide(id, false)
    await desk.outbox.sendDue('a')
    expect(stateOf(desk)).toEqual(['delivered'])
    expect(await inArchive('metric-types', name)).toBe(1)
  },
)

test('where the answer could not be kept the archive is asked before anything is sent again', async () => {
  let other: DatabaseSync | undefined
  const holding: ArchiveClient = {
    ...asking,
    post: async (...sent) => {
      const made = await asking.post(...sent)
      other = new DatabaseSync(desk.file)
      other.exec('begin immediate')
      return made
    },
  }
  const desk = openDesk(() => holding)
  desk.store.database.exec('pragma busy_timeout = 0')
  const name = unique()
  await add(desk, 'metric-types', { name })
  expect(keptJobs(desk.store).creations('a')[0]?.state).toBe('sending')
  other?.exec('rollback')
  other?.close()
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
})

test('what was tried by a clock that was a year ahead goes when the clock is right', async () => {
  const desk = openDesk()
  const name = unique()
  const right = desk.clock.at
  desk.clock.at += 365 * 86_400_000
  proxy.misbehave('closes', /./)
  await add(desk, 'metric-types', { name })
  proxy.misbehave('none')
  desk.clock.at = right
  await desk.outbox.sendDue('a')
  expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
})

test('what a backup brought back is looked up before it is sent', async () => {
  const desk = openDesk()
  desk.outbox.setPaused('a', true)
  const names = { there: unique(), missing: unique(), held: unique(), twice: unique() }
  const ids = new Map<string, string>()
  for (const [what, name] of Object.entries(names))
    ids.set(
      what,
      (await add(desk, 'profiles', { name, profile_type: 'sip' }, [field('name'), field('profile_type')])).id,
    )
  desk.outbox.hold(ids.get('held') ?? '')
  for (const name of [names.there, names.twice, names.twice])
    await asking.post('profiles/', { name, profile_type: 'sip' })
  for (const it of keptJobs(desk.store).creations('a')) desk.store.keepCreation({ ...it, wasRestored: true })
  expect(stateOf(desk)).toEqual(['unanswered', 'unanswered', 'unanswered', 'unanswered'])
  expect(() => desk.outbox.hold(ids.get('missing') ?? '')).toThrow()
  desk.outbox.setPaused('a', false)
  await desk.outbox.sendDue('a')
  // Profiles do not say when they were made: one that says the same may be older.
  expect(stateOf(desk)).toEqual(['undecided', 'unanswered', 'unanswered', 'undecided'])
  desk.outbox.decide(ids.get('there') ?? '', true)
  await settle(desk)
  expect(stateOf(desk)).toEqual(['delivered', 'delivered', 'held', 'undecided'])
  expect(await Promise.all(Object.values(names).map((name) => inArchive('profiles', name)))).toEqual([
    1, 1, 0, 2,
  ])
})

/** An archive that goes on with what it was sent though nobody waits for the answer any more. */
const withSlowPosts = () => {
  const posted: { path: string; body: unknown }[] = []
  const slow: ArchiveClient = {
    ...asking,
    post: (where, body) => {
      posted.push({ path: where, body })
      const failure = {
        kind: 'server-broke',
        address: '',
        status: 0,
        detail: 'too-slow',
        excerpt: '',
      } as const
      return Promise.reject(new Failed(failure))
    },
  }
  return {
    slow,
    posted,
    finish: () => Promise.all(posted.splice(0).map(({ path: where, body }) => asking.post(where, body))),
  }
}

test.each(['the clock', 'a person', 'a new start', 'a clock that is put forward'] as const)(
  'what the archive still works at is not sent a second time by %s',
  async (who) => {
    const { slow, posted, finish } = withSlowPosts()
    const desk = openDesk(() => slow)
    const name = unique()
    const { id } = await add(desk, 'metric-types', { name })
    let { outbox } = desk
    for (let look = 0; look < 6; look += 1) {
      desk.clock.at += who === 'a clock that is put forward' && look < 2 ? 365 * 86_400_000 : 20_000
      if (who === 'a person') outbox.sendNow(id)
      if (who === 'a new start') {
        const kept = desk.store.creation(id)
        if (kept) desk.store.keepCreation({ ...kept, state: 'sending', nextAt: null })
        outbox = desk.open()
        outbox.tidy(['a'])
      }
      await outbox.sendDue('a')
    }
    expect([posted.length, stateOf(desk)]).toEqual([1, ['unanswered']])
    await finish()
    desk.clock.at += 600_000
    await outbox.sendDue('a')
    expect([posted.length, stateOf(desk), await inArchive('metric-types', name)]).toEqual([
      0,
      ['delivered'],
      1,
    ])
  },
)

test('what was looked up twice over minutes and is not there is sent again', async () => {
  const { slow, posted } = withSlowPosts()
  const desk = openDesk(() => slow)
  await add(desk, 'metric-types', { name: unique() })
  const began = desk.clock.at
  while (posted.length === 1 && desk.clock.at - began < 3_600_000) {
    desk.clock.at += 5_000
    await desk.outbox.sendDue('a')
  }
  expect(posted).toHaveLength(2)
  expect((desk.clock.at - began) / 60_000).toBeGreaterThan(5)
  expect((desk.clock.at - began) / 60_000).toBeLessThan(10)
})

test.each(['EHOSTUNREACH', 'ECONNRESET', 'CERT_HAS_EXPIRED', ''])(
  'a connection that was lost with %s after the request was written does not make it unsent',
  async (detail) => {
    const losing: ArchiveClient = {
      ...asking,
      post: async (...sent) => {
        await asking.post(...sent)
        throw new Failed({ kind: 'offline', address: '', detail, isUnsent: false })
      },
    }
    const desk = openDesk(() => losing)
    const name = unique()
    expect(await add(desk, 'metric-types', { name })).toMatchObject({ state: 'unanswered' })
    await settle(desk)
    expect([stateOf(desk), await inArchive('metric-types', name)]).toEqual([['delivered'], 1])
  },
)

test('only where no connection could be made is it sure that nothing was sent', async () => {
  const nowhere = openArchiveClient('http://127.0.0.1:1')
  await expect(nowhere.post('metric-types/', {})).rejects.toMatchObject({
    failure: { kind: 'offline', isUnsent: true },
  })
  await nowhere.close()
  proxy.misbehave('closes', /./)
  await expect(asking.post('metric-types/', {})).rejects.toMatchObject({
    failure: { kind: 'offline', isUnsent: false },
  })
})

test('after a restore an order is told from an older one by its packages, or a person decides', async () => {
  const desk = openDesk()
  const [one, other] = ((await archive.get('information-packages/')) as { id: string }[]).map(({ id }) => id)
  const fields = [field('name'), field('information_packages', 'choices')]
  const order = (name: string, of: (string | undefined)[]) => ({
    name,
    information_packages: of.filter((id) => id !== undefined),
  })
  const names = { older: unique(), unlike: unique(), partly: unique(), newer: unique() }
  await asking.post('orders/', order(names.older, [one]))
  await asking.post('orders/', order(names.unlike, [other]))
  await asking.post('orders/', order(names.partly, [one]))
  desk.outbox.setPaused('a', true)
  // The archive's clock is the computer's own: what is there by now is older than what this desk makes.
  desk.clock.at = Date.now() + 60_000
  const ids = [
    await add(desk, 'orders', order(names.older, [one]), fields),
    await add(desk, 'orders', order(names.unlike, [one]), fields),
    await add(desk, 'orders', order(names.partly, [one, other]), fields),
  ].map(({ id }) => id)
  desk.clock.at = Date.parse('2026-03-01T09:00:00Z')
  ids.push((await add(desk, 'orders', order(names.newer, [one]), fields)).id)
  await asking.post('orders/', order(names.newer, [one]))
  desk.clock.at = Date.now() + 120_000
  for (const it of keptJobs(desk.store).creations('a')) desk.store.keepCreation({ ...it, wasRestored: true })
  desk.outbox.setPaused('a', false)
  await settle(desk)
  expect(
    ids.map((id) => shownCreations(desk.store, desk.outbox).find((row) => row.id === id)?.state),
  ).toEqual(['undecided', 'delivered', 'undecided', 'delivered'])
  const counts = await Promise.all(Object.values(names).map((name) => inArchive('orders', name)))
  expect(counts).toEqual([1, 2, 1, 1])
})

test('records are compared by the fields that both have, and by what is listed in them', () => {
  expect(likenessOf({ name: 'a', type: 3 }, { id: 1, name: 'a', type: { id: 3, name: 'x' } })).toBe('same')
  expect(likenessOf({ name: 'a', type: 3 }, { name: 'a', type: { id: 4 } })).toBe('different')
  expect(likenessOf({ EventType: 5, EventDetail: 'x' }, { eventType: 5, eventDetail: 'x' })).toBe('same')
  expect(likenessOf({ name: 'a' }, { current_version: { name: 'a' } })).toBe('same')
  expect(likenessOf({ name: 'a' }, { name: 'a ' })).toBe('same')
  expect(likenessOf({ at: '2026-03-01' }, { at: '2026-03-01T00:00:00Z' })).toBe('same')
  expect(likenessOf({ at: '1863-01-01' }, { at: '1863-01-01T00:00:00+01:12:12' })).toBe('same')
  expect(likenessOf({ at: '1921-01-01' }, { at: '1921-01-01T00:00:00+01:00' })).toBe('same')
  expect(likenessOf({ at: '1921-01-01' }, { at: '1920-12-31T23:00:00Z' })).toBe('same')
  expect(likenessOf({ at: '1921-01-01' }, { at: '1921-01-02T00:00:00+01:00' })).toBe('different')
  expect(likenessOf({ at: '1921-01-01' }, { at: '1921-01-02' })).toBe('different')
  expect(likenessOf({ text: 'a\nb' }, { text: 'a\r\nb' })).toBe('same')
  expect(likenessOf({ name: 'Åsa'.normalize('NFD') }, { name: 'Åsa'.normalize('NFC') })).toBe('same')
  expect(likenessOf({ name: 'a' }, 'a')).toBe('different')
  const names = [{ main: 'a', type: 1 }, { main: 'b' }]
  expect(likenessOf({ names }, { names: [{ main: 'b' }, { main: 'a', type: { id: 1 } }] })).toBe('same')
  expect(likenessOf({ names }, { names: [{ main: 'c' }] })).toBe('different')
  expect(likenessOf({ names }, { names: [{ main: 'b' }] })).toBe('similar')
  expect(likenessOf({ name: 'a', names }, { name: 'a', names: [] })).toBe('similar')
  expect(likenessOf({ names: [] }, { names: [] })).toBe('different')
})

test('an agent is known again as ESSArch shows what it was given', () => {
  const sent = {
    names: [{ main: 'Lindqvist', part: 'Elsa', type: 1, start_date: '1891-04-02' }],
    notes: [{ text: 'Teacher', type: 2 }],
    places: [{ name: 'Hamnen', type: 3 }],
    identifiers: [{ identifier: 'A/1', type: 4 }],
    related_agents: [{ agent: 'b4f5dc50', type: 5 }],
    type: 'ac8321b9',
    ref_code: '98d0b258',
    level_of_detail: 0,
    language: 'sv',
    start_date: '1863-01-01',
  }
  const more = { id: 'x', description: '', start_date: null, end_date: null }
  const kind = (id: number) => ({ id, name: 'a kind' })
  const name = { ...more, main: 'Lindqvist', part: 'Elsa', start_date: '1891-04-02', type: kind(1) }
  const other = { id: 'b4f5dc50', name, names: [name] }
  const shown = {
    id: '80e59347',
    name,
    names: [name],
    notes: [{ ...more, text: 'Teacher', type: kind(2), href: '', revise_date: null }],
    places: [{ ...more, topography: { id: 'y', name: 'Hamnen' }, type: kind(3) }],
    identifiers: [{ id: 'z', identifier: 'A/1', type: kind(4) }],
    related_agents: [{ ...more, agent: other, type: kind(5) }],
    mandates: [],
    type: { id: 'ac8321b9', main_type: kind(1), sub_type: '', cpf: 'person' },
    ref_code: { id: '98d0b258', country: 'SE', repository_code: 'SSA' },
    level_of_detail: 0,
    language: 'sv',
    start_date: '1863-01-01',
    organization: { id: 1, name: 'Default' },
  }
  expect(likenessOf(sent, shown)).toBe('same')
  expect(likenessOf(sent, { ...shown, related_agents: [] })).toBe('similar')
})

/** Fields in which some values were typed, or chosen where they are ids. */
const fieldsFor = (values: FormValues): FormField[] =>
  Object.entries(values).map(([name, value]) => {
    if (Array.isArray(value)) {
      const [row] = value
      return { ...field(name, 'rows'), of: fieldsFor(typeof row === 'object' ? row : {}) }
    }
    const typed = String(value)
    return /^\d+$/.test(typed)
      ? { ...field(name, 'choice'), choices: [{ value: typed, text: typed }] }
      : field(name)
  })

/** An agent of which no answer came, and what the archive has by the time that it is looked up. */
const loseAgent = async (there: (sent: Record<string, unknown>) => Record<string, unknown>) => {
  const desk = openDesk()
  const main = unique()
  const idIn = async (list: string) =>
    String(present(((await archive.get(`${list}/`)) as { id: unknown }[])[0]).id)
  const noteType = await idIn('agent-note-types')
  const values = {
    names: [{ main, type: await idIn('agent-name-types') }],
    type: await idIn('agent-types'),
    ref_code: await idIn('ref-codes'),
    language: await idIn('languages'),
    notes: ['First line\nSecond line', 'Another'].map((text) => ({ text, type: noteType })),
    places: [{ name: 'Town', type: await idIn('agent-place-types'), start_date: '1863-01-01' }],
    identifiers: [{ identifier: 'A/1', type: await idIn('agent-identifier-types') }],
    start_date: '1863-01-01',
  }
  proxy.misbehave('drops the request', /^POST/)
  expect(await add(desk, 'agents', values, fieldsFor(values))).toMatchObject({ state: 'unanswered' })
  proxy.misbehave('none')
  await asking.post('agents/', there(values))
  await settle(desk)
  const agents = (await archive.get('agents/')) as { names: { main: string }[] }[]
  const count = agents.filter(({ names }) => names.some((name) => name.main.startsWith(main))).length
  return { desk, count, state: stateOf(desk) }
}

const backwards = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed() : value)
const asWindowsWrites = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((row: Record<string, unknown>) =>
        typeof row['text'] === 'string' ? { ...row, text: row['text'].replaceAll('\n', '\r\n') } : row,
      )
    : value

test.each<[string, (value: unknown) => unknown]>([
  ['as it was sent', (value) => value],
  ['with its lists in another order', backwards],
  ['with other ends of lines', asWindowsWrites],
])('an agent whose answer was lost is found %s', async (_, change) => {
  const { count, state } = await loseAgent((sent) =>
    Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, change(value)])),
  )
  expect({ count, state }).toEqual({ count: 1, state: ['delivered'] })
})

test.each<[string, Record<string, unknown>]>([
  ['in another language', { language: 'da' }],
  ['with other years', { start_date: '1864-01-01', end_date: '1971-12-31' }],
  ['without its notes', { notes: [] }],
])('of an agent whose answer was lost, and that is there %s, a person is asked', async (_, change) => {
  const { desk, ...found } = await loseAgent((sent) => ({ ...sent, ...change }))
  expect(found).toEqual({ state: ['undecided'], count: 1 })
  desk.outbox.decide(present(desk.store.undelivered('a', 1)[0]).id, true)
  expect(stateOf(desk)).toEqual(['delivered'])
})

test('a place inside another whose answer was lost is found there', async () => {
  const desk = openDesk()
  const name = unique()
  const [outer] = (await archive.get('locations/')) as {
    id: string
    level_type: { id: string }
    function: { id: string }
  }[]
  const { id, level_type: level, function: use } = present(outer)
  const values = { name, parent: String(id), level_type: String(level.id), function: String(use.id) }
  proxy.misbehave('drops the answer', /^POST/)
  await add(desk, 'locations', values, fieldsFor(values))
  proxy.misbehave('none')
  await settle(desk)
  const text = JSON.stringify(await archive.get('locations/'))
  expect([stateOf(desk), text.split(name).length - 1]).toEqual([['delivered'], 1])
})

test('one of the same name that was there before is not taken for what was lost', async () => {
  const desk = openDesk()
  const values = { name: unique(), profile_type: 'sip', label: 'x' }
  await asking.post('profiles/', { ...values, label: 'older' })
  proxy.misbehave('drops the request', /^POST/)
  await add(desk, 'profiles', values, fieldsFor(values))
  proxy.misbehave('none')
  await settle(desk)
  expect([stateOf(desk), await inArchive('profiles', values.name)]).toEqual([['delivered'], 2])
})
