import path from 'node:path'
import fc, { runs } from '../../../support/properties.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { expect, test } from 'vitest'
import type { Client, ListClient } from '../../../../electron/archive-client/http.ts'
import type { FormField } from '../../../../electron/contract/description.ts'
import { diskTroubleOf, Failed, type Failure } from '../../../../electron/contract/failure.ts'
import { may } from '../../../../electron/contract/jobs.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openCreations } from '../../../../electron/jobs/kinds/creation/creations.ts'
import { openDeskStore } from '../../../../electron/store/desk/desk-store.ts'
import { scratch } from '../../../support/scratch.ts'
import { keptJobs } from '../../../desks/kept-jobs.ts'
import { broken, lateMs, postAnswers, type PostAnswer } from '../../../archives/post-answers.ts'
import { askedHere } from '../../../archives/archive-client.ts'

const minuteMs = 60_000
const retryAfterS = 500

/**
 * An archive in this process: what is wanted of it is to fail at a step that is named, and to never answer a
 * desk that was killed, thousands of times in a second.
 */
const openArchive = (now: () => number) => {
  const records: { id: number; name: string; visibleAt: number }[] = []
  const script: PostAnswer[] = []
  let killed = Promise.withResolvers<void>()
  let beforePost: (name: string) => void = () => undefined
  const make = (name: string, afterMs = 0) => {
    records.push({ id: records.length + 1, name, visibleAt: now() + afterMs })
    return records.at(-1)
  }
  const post: Client['post'] = (_path, body) => {
    const { name } = body as { name: string }
    beforePost(name)
    const answer = script.shift() ?? 'made'
    const fail = (failure: Failure) => Promise.reject(new Failed(failure))
    if (answer === 'refused') return fail({ kind: 'refused', fields: { name: ['no'] } })
    if (answer === 'busy') return fail(broken({ status: 503, detail: 'error', retryAfterS }))
    if (answer === 'offline') return fail({ kind: 'offline', address: '', detail: '', isUnsent: true })
    const made = answer.startsWith('made') ? make(name, answer.includes('late') ? lateMs : 0) : undefined
    if (answer.endsWith('unanswered')) return fail(broken({}))
    if (!answer.endsWith('killed')) return Promise.resolve(made)
    killed.resolve()
    return new Promise(() => undefined)
  }
  const elements: ListClient['elements'] = (_path, reader) => {
    for (const { id, name, visibleAt } of records)
      if (visibleAt <= now()) reader.take(Buffer.from(JSON.stringify({ id, name })), 0)
    return Promise.resolve({ pass: null, count: records.length, isSure: true })
  }
  return {
    // The outbox asks nothing else of an archive.
    client: { url: 'http://archive', post, elements } as unknown as ListClient,
    records,
    script,
    killed: () => killed.promise,
    revive: () => (killed = Promise.withResolvers<void>()),
    watch: (seen: (name: string) => void) => (beforePost = seen),
  }
}

const fields: FormField[] = [
  {
    name: 'name',
    label: '',
    help: '',
    type: 'text',
    isRequired: true,
    longest: null,
    choices: [],
    of: [],
  },
]

/** What a person counts on of a record. */
interface Modelled {
  id: string
  name: string
  isRemoved: boolean
  /** Not before this is it sent by the clock. */
  notBefore: number
}

/** A desk with its file, which can be killed and opened again, beside the model of what it must do. */
const openModel = (folder: string) => {
  const file = path.join(folder, `${crypto.randomUUID()}.sqlite`)
  let clock = Date.parse('2026-03-01T09:00:00Z')
  const archive = openArchive(() => clock)
  const modelled: Modelled[] = []
  const bugs: unknown[] = []
  let names = 0
  let isPaused = false
  let byHand: string | undefined
  const start = () => {
    const store = openDeskStore(file, () => new Date(clock))
    const engine = openEngine({
      isPaused: store.isPaused,
      dueJobs: store.dueJobs,
      now: () => new Date(clock),
      random: () => 0,
      reportBug: (error) => String(bugs.push(error)),
    })
    const creations = openCreations({
      dialectOf: () => specification,
      engine,
      store,
      findClient: () => askedHere(archive.client),
      noteExchange: () => undefined,
      capabilitiesOf: () => null,
      now: () => new Date(clock),
      changed: () => undefined,
      delivered: () => Promise.resolve(),
    })
    return { store, creations }
  }
  let desk = start()
  archive.watch((name) => {
    const job = modelled.find((job) => job.name === name)
    const kept = job && desk.store.creation(job.id)
    // Written before it is sent, as it was typed last, and by nobody's leave but its own.
    expect(kept).toMatchObject({ state: 'sending', values: { name } })
    expect(job?.isRemoved).toBe(false)
    if (byHand === job?.id) return
    expect(isPaused).toBe(false)
    expect(clock).toBeGreaterThanOrEqual(job?.notBefore ?? 0)
  })
  const stateOf = ({ id }: Modelled) => desk.store.creation(id)?.state ?? 'held'
  const one = (nth: number) => {
    const left = modelled.filter(({ isRemoved }) => !isRemoved)
    return left[nth % Math.max(1, left.length)]
  }
  /** Waits for what was begun, or for the kill that it meets; a desk that was killed is opened again. */
  const settled = async (work: Promise<unknown>) => {
    const outcome = await Promise.race([
      work.then(() => 'over' as const),
      archive.killed().then(() => 'killed' as const),
    ])
    for (const job of modelled) {
      const { failure, triedAt } = desk.store.creation(job.id) ?? {}
      if (failure?.kind === 'server-broke' && failure.retryAfterS !== undefined)
        job.notBefore = Date.parse(triedAt ?? '') + retryAfterS * 1000
    }
    if (outcome === 'over') return
    desk.store.close()
    archive.revive()
    desk = start()
    desk.creations.tidy(['a'])
  }
  const sendDue = () => settled(desk.creations.sendDue('a'))
  /** A command succeeds where the table of transitions says so, and otherwise changes nothing. */
  const command = (
    event: 'hold' | 'release' | 'correct' | 'remove' | 'decide',
    job: Modelled | undefined,
    run: (job: Modelled) => void,
  ) => {
    if (!job) return
    const before = desk.store.creation(job.id)
    const isAllowed =
      before !== undefined && may('creation', event, before.state, before.wasRestored ? ['restored'] : [])
    if (isAllowed) run(job)
    else {
      expect(() => run(job)).toThrow(Failed)
      expect(desk.store.creation(job.id)).toEqual(before)
    }
  }
  const commands = {
    add: async () => {
      const name = `record ${(names += 1)}`
      const known = new Set(
        keptJobs(desk.store)
          .creations('a')
          .map(({ id }) => id),
      )
      const adding = desk.creations.add({ archive: 'a', list: 'metric-types', fields, values: { name } })
      // It is kept at once, before anything is sent.
      const added = keptJobs(desk.store)
        .creations('a')
        .find(({ id }) => !known.has(id))
      modelled.push({ id: added?.id ?? '', name, isRemoved: false, notBefore: 0 })
      await settled(adding)
    },
    correct: async (nth: number) => {
      const job = one(nth)
      const before = job && desk.store.creation(job.id)
      if (!job || !before) return
      const name = `record ${(names += 1)}`
      const old = job.name
      const isAllowed = may('creation', 'correct', before.state, before.wasRestored ? ['restored'] : [])
      if (isAllowed) {
        job.name = name
        job.notBefore = 0
      }
      const changing = desk.creations.change(job.id, fields, { name })
      if (isAllowed) await settled(changing)
      else {
        await expect(changing).rejects.toThrow(Failed)
        expect(job.name).toBe(old)
      }
    },
    hold: (nth: number) => command('hold', one(nth), ({ id }) => desk.creations.hold(id)),
    release: async (nth: number) => {
      command('release', one(nth), (job) => {
        job.notBefore = 0
        desk.creations.release(job.id)
      })
      await sendDue()
    },
    remove: (nth: number) =>
      command('remove', one(nth), (job) => {
        desk.creations.remove(job.id, 'now')
        job.isRemoved = true
      }),
    undo: () => {
      const job = modelled.findLast(({ isRemoved }) => isRemoved)
      if (!job) return
      desk.creations.remove(job.id, null)
      job.isRemoved = false
    },
    'send now': async (nth: number) => {
      const job = one(nth)
      if (!job) return
      byHand = job.id
      desk.creations.sendNow(job.id)
      await settled(desk.creations.sendDue('a', job.id))
      byHand = undefined
      await sendDue()
    },
    decide: async (nth: number) => {
      const job = modelled.filter((job) => stateOf(job) === 'undecided')[nth % 3] ?? one(nth)
      command('decide', job, ({ id, name }) =>
        desk.creations.decide(
          id,
          archive.records.some((record) => record.name === name),
        ),
      )
      await sendDue()
    },
    pause: async () => {
      isPaused = !isPaused
      desk.creations.setPaused('a', isPaused)
      await sendDue()
    },
    'a minute': async () => {
      clock += minuteMs
      await sendDue()
    },
    'ten minutes': async () => {
      clock += 10 * minuteMs
      await sendDue()
    },
    'full disk': async (nth: number) => {
      const { database } = desk.store
      const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number }
      database.exec(`pragma max_page_count = ${pages}`)
      try {
        command('hold', one(nth), ({ id }) => desk.creations.hold(id))
        await sendDue()
      } catch (error) {
        if (diskTroubleOf(error) !== 'full') throw error
      } finally {
        if (database.isOpen) database.exec('pragma max_page_count = 1000000')
      }
    },
    restored: () => {
      // As a recovery leaves what was not delivered.
      desk.store.database.exec(
        `update job set wasRestored = 1, nextAt = null, body = json_remove(body, '$.doubt')
            where state in ('held', 'waiting', 'sending', 'refused')`,
      )
      for (const job of modelled) job.notBefore = 0
    },
  }
  const check = () => {
    const kept = new Map(
      keptJobs(desk.store)
        .creations('a')
        .map((row) => [row.id, row]),
    )
    for (const { id, name, isRemoved } of modelled) {
      // Nothing is lost, nothing is changed, and what was deleted is not shown.
      expect([name, kept.has(id)]).toEqual([name, !isRemoved])
      expect(desk.store.creationOrRemoved(id)?.values).toEqual({ name })
      // Nothing is there twice, and what is said to be delivered is there.
      const there = archive.records.filter((record) => record.name === name).length
      expect([name, there > 1]).toEqual([name, false])
      if (kept.get(id)?.state === 'delivered') expect([name, there]).toEqual([name, 1])
    }
    for (const { failure, triedAt, nextAt } of kept.values())
      // An archive that asks to be left alone is (Retry-After).
      if (failure?.kind === 'server-broke' && failure.retryAfterS !== undefined && nextAt !== null)
        expect(Date.parse(nextAt) - Date.parse(triedAt ?? '')).toBeGreaterThanOrEqual(retryAfterS * 1000)
    // Nothing is there that nobody made.
    expect(kept.size).toBe(modelled.filter(({ isRemoved }) => !isRemoved).length)
    expect(bugs).toEqual([])
    expect(desk.store.journal.check().brokenAt).toBeNull()
  }
  return {
    archive,
    commands,
    check,
    /** Lets everything go on without faults, and a person do what is theirs: nothing stays on its way. */
    rest: async () => {
      archive.script.length = 0
      isPaused = false
      desk.creations.setPaused('a', false)
      for (let round = 0; round < 12; round += 1) {
        for (const job of modelled.filter(({ isRemoved }) => !isRemoved)) {
          if (stateOf(job) === 'undecided') await commands.decide(0)
          const { state, wasRestored } = desk.store.creation(job.id) ?? {}
          if ((state === 'held' || state === 'refused') && wasRestored !== true) {
            job.notBefore = 0
            desk.creations.release(job.id)
          }
        }
        await commands['ten minutes']()
      }
      check()
      const left = modelled.filter((job) => !job.isRemoved && stateOf(job) !== 'delivered')
      expect(left.map((job) => [job.name, stateOf(job)])).toEqual([])
      desk.store.close()
    },
  }
}

type Command = keyof ReturnType<typeof openModel>['commands']
const commandNames: Command[] = [
  'add',
  'correct',
  'hold',
  'release',
  'remove',
  'undo',
  'send now',
  'decide',
  'pause',
  'a minute',
  'ten minutes',
  'full disk',
  'restored',
]
const step = fc.record({
  command: fc.oneof(fc.constant<Command>('add'), fc.constantFrom(...commandNames)),
  nth: fc.nat(5),
  answers: fc.array(fc.constantFrom(...postAnswers), { maxLength: 2 }),
})

test('whatever is done, fails and is killed in whatever order, each record is sent once and none is lost', async () => {
  using place = scratch()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const model = openModel(place.folder)
      for (const { command, nth, answers: script } of steps) {
        model.archive.script.push(...script)
        await model.commands[command](nth)
        model.check()
      }
      await model.rest()
    }),
    { numRuns: runs(150), endOnFailure: true },
  )
}, 300_000)
