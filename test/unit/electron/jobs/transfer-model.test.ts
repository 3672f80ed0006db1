import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { someCapabilities } from '../../../archives/capabilities.ts'
import fc, { runs } from '../../../support/properties.ts'
import { beforeAll, afterAll, expect, test } from 'vitest'
import type { Client, ListClient } from '../../../../electron/archive-client/http.ts'
import { diskTroubleOf, Failed, passes, type Failure } from '../../../../electron/contract/failure.ts'
import type { PremisEvent } from '../../../../electron/contract/packages.ts'
import type { TransferState } from '../../../../electron/contract/transfers.ts'
import { specification } from '../../../../electron/dialects/specification.ts'
import { openEngine } from '../../../../electron/jobs/engine.ts'
import { openTransfers } from '../../../../electron/jobs/kinds/transfer/transfers.ts'
import { backups } from '../../../../electron/store/desk/backups.ts'
import type { CacheOf } from '../../../../electron/store/cache/caches.ts'
import { openDeskStore, type KeptTransfer } from '../../../../electron/store/desk/desk-store.ts'
import { recover } from '../../../../electron/store/desk/recover.ts'
import { scratch } from '../../../support/scratch.ts'
import { pack, scripts } from '../../../packages/packing.ts'
import { preparedTransfer } from '../../../desks/kept-jobs.ts'
import { broken, lateMs, postAnswers, type PostAnswer } from '../../../archives/post-answers.ts'
import { askedHere } from '../../../archives/archive-client.ts'

const minuteMs = 60_000
const place = scratch()
const shared = path.join(place.folder, 'package')
let packed: Awaited<ReturnType<typeof pack>>
beforeAll(async () => {
  const source = path.join(place.folder, 'källa')
  mkdirSync(source)
  writeFileSync(path.join(source, 'brev.txt'), 'Ett brev')
  packed = await pack([source], shared)
})
afterAll(() => place[Symbol.dispose]())

const draftOf = (description: string) => /\[Lectern (.+)\]$/.exec(description)?.[1] ?? ''

/**
 * An archive in this process, with a real ingest folder: it has to fail at a step that is named, and to never
 * answer a desk that was killed.
 */
const openArchive = (ingest: string, now: () => number) => {
  const records: { id: number; draft: string; description: string; visibleAt: number }[] = []
  const taken: { transfer: string; visibleAt: number; isPreserved: boolean }[] = []
  const script: PostAnswer[] = []
  let isDown = false
  let killed = Promise.withResolvers<null>()
  /** Ends the requests that a killed desk still waits for. */
  const hanging: (() => void)[] = []
  let beforePost: (draft: string) => void = () => undefined
  const fail = (failure: Failure) => Promise.reject(new Failed(failure))
  const unreached = () => fail({ kind: 'offline', address: '', detail: '', isUnsent: true })
  const post: Client['post'] = (_path, body) => {
    if (isDown) return unreached()
    const { description } = body as { description: string }
    const draft = draftOf(description)
    beforePost(draft)
    const answer = script.shift() ?? 'made'
    if (answer === 'refused') return fail({ kind: 'refused', fields: { name: ['no'] } })
    if (answer === 'busy') return fail(broken({ status: 503, detail: 'error', retryAfterS: 500 }))
    if (answer === 'offline') return unreached()
    const id = records.length + 1
    if (answer.startsWith('made'))
      records.push({ id, draft, description, visibleAt: now() + (answer.includes('late') ? lateMs : 0) })
    if (answer.endsWith('unanswered')) return fail(broken({}))
    if (!answer.endsWith('killed')) return Promise.resolve({ id, name: '', delivery: '1', description })
    killed.resolve(null)
    return new Promise((_answered, reject) => hanging.push(() => reject(new Error('killed'))))
  }
  const events = () =>
    taken
      .filter(({ visibleAt }) => visibleAt <= now())
      .map(({ transfer, isPreserved }, index) => ({
        id: index + 1,
        eventType: isPreserved ? 30300 : 30000,
        eventDateTime: new Date(now()).toISOString(),
        information_package: `ip${transfer}`,
        transfer,
      }))
  const registered = () =>
    records
      .filter(({ visibleAt }) => visibleAt <= now())
      .map(({ id, description }) => ({ id, name: '', delivery: '1', description }))
  const elements: ListClient['elements'] = (list, reader) => {
    if (isDown) return unreached()
    const all = list === 'transfers/' ? registered() : events()
    for (const record of all) reader.take(Buffer.from(JSON.stringify(record)), 0)
    return Promise.resolve({ pass: null, count: all.length, isSure: true })
  }
  const get: Client['get'] = () =>
    isDown ? unreached() : Promise.resolve({ id: 1, username: 'archivist', first_name: '', last_name: '' })
  return {
    // Transfers ask nothing else of an archive.
    client: { url: 'http://archive', post, get, elements } as unknown as ListClient,
    records,
    taken,
    script,
    turn: (down: boolean) => (isDown = down),
    /** Takes what lies in the ingest folder, and says so now or later. */
    take: (afterMs: number) => {
      if (!existsSync(ingest)) return
      for (const name of readdirSync(ingest).filter((entry) => !entry.startsWith('.'))) {
        rmSync(path.join(ingest, name), { recursive: true })
        taken.push({ transfer: name, visibleAt: now() + afterMs, isPreserved: false })
      }
    },
    preserve: () => taken.forEach((package_) => (package_.isPreserved = true)),
    /** What a desk reads of it. */
    readEvents: (): PremisEvent[] =>
      events().flatMap((record) =>
        (specification.lists.events?.read(record, 0).rows ?? []).map(({ model }) => model),
      ),
    killed: () => killed.promise,
    /** The desk is killed while it does something else than to register. */
    kill: () => killed.resolve(null),
    revive: () => (killed = Promise.withResolvers<null>()),
    hangUp: () => hanging.splice(0).forEach((end) => end()),
    watch: (seen: (draft: string) => void) => (beforePost = seen),
  }
}

const handedOver: TransferState[] = ['sent', 'received', 'preserved']

/** A desk with its file, which can be killed and opened again, beside the model of what it must do. */
const openModel = () => {
  const folder = path.join(place.folder, crypto.randomUUID())
  const ingest = path.join(folder, 'ingest')
  const away = path.join(folder, 'not mounted')
  mkdirSync(ingest, { recursive: true })
  const file = path.join(folder, 'desk.sqlite')
  let clock = Date.parse('2026-03-01T09:00:00Z')
  const now = () => new Date(clock)
  const archive = openArchive(ingest, () => clock)
  /** The drafts that a person made and that are not known to be lost with a file, by their ids. */
  const made = new Set<string>()
  /** Those that a person sent, and did not stop. */
  const wanted = new Set<string>()
  let backedUp = new Set<string>()
  const bugs: unknown[] = []
  /** The desk is killed at one of its next steps: right after it was written, or a little later. */
  let doom: { steps: number; isAtOnce: boolean } | undefined
  /** The desk is killed once a transfer says that it begins this step. */
  let dieAt: KeptTransfer['sending'] = null
  /** A transfer that a person stops while it is registered. */
  let stopped = ''
  let names = 0
  let isPaused = false
  let byHand = ''
  let seen: PremisEvent[] = []
  const start = () => {
    const life = { isOver: false }
    const reportBug = (error: unknown) => {
      if (!life.isOver && diskTroubleOf(error) !== 'full') bugs.push(error)
      return ''
    }
    const store = openDeskStore(file, now)
    const engine = openEngine({
      isPaused: store.isPaused,
      dueJobs: store.dueJobs,
      now,
      random: () => 0,
      reportBug,
    })
    // What the desk has read of the archive, when it looked last.
    const cache = {
      where: (_subject: string, _field: string, remote: string) =>
        seen.filter(({ transfer }) => transfer === remote),
      some: () => [{ isActive: true, ingestFolder: ingest }],
      packages: { identified: () => [] },
    }
    const transfers = openTransfers({
      engine,
      store,
      cacheOf: (() => cache) as unknown as CacheOf,
      dialectOf: () => specification,
      capabilitiesOf: () => someCapabilities,
      wait: () => Promise.resolve(),
      findClient: () => askedHere(archive.client),
      noteExchange: () => undefined,
      packagesFolder: path.join(folder, 'bags'),
      scripts,
      version: '1',
      now,
      changed: (id) => {
        if (life.isOver) return
        const isDying = dieAt !== null && store.transfer(id)?.sending === dieAt
        if (doom === undefined && !isDying) return
        if (doom !== undefined && !isDying) doom.steps -= 1
        if (!isDying && (doom?.steps ?? 0) > 0) return
        const isAtOnce = isDying || doom?.isAtOnce === true
        doom = undefined
        dieAt = null
        life.isOver = true
        store.close()
        archive.kill()
        if (isAtOnce) throw new Error('killed')
      },
      progress: () => undefined,
      reportBug,
    })
    return { life, store, engine, transfers, backUp: backups(store.database, file) }
  }
  let desk = start()
  const kept = (id: string) => {
    const found = desk.store.transfer(id)
    expect(found, `transfer ${id} is lost`).toBeDefined()
    return found as KeptTransfer
  }
  archive.watch((draft) => {
    if (desk.life.isOver) return
    if (stopped === draft) {
      desk.transfers.cancel(draft)
      stopped = ''
    }
    // Written before it is sent, and by nobody's leave but its own.
    expect(kept(draft)).toMatchObject({ state: 'sending', sending: 'registering', remote: null })
    if (byHand !== draft) expect(isPaused).toBe(false)
  })
  const idle = async () => {
    for (;;) {
      const running = desk.engine.running()
      if (running.length === 0) return
      await Promise.all(running.map(desk.engine.ended))
    }
  }
  /** Nobody tells a desk that was killed; whatever it had begun in a folder stays as it is. */
  const kill = async () => {
    desk.life.isOver = true
    if (desk.store.database.isOpen) desk.store.close()
    void desk.engine.stop()
    archive.hangUp()
    await idle()
    archive.revive()
  }
  /** A desk that is killed while it starts is started again. */
  const restart = async () => {
    desk = start()
    try {
      desk.transfers.tidy(['a'])
    } catch (error) {
      if (!desk.life.isOver) throw error
      await kill()
      await restart()
    }
  }
  /** Waits for what was begun, or for the kill that it meets; a desk that was killed is opened again. */
  const settled = async (work: Promise<unknown>) => {
    const over = work
      .then(() => idle())
      .then(
        () => true,
        (error: unknown) => {
          if (desk.life.isOver) return false
          throw error
        },
      )
    if (await Promise.race([over, archive.killed().then(() => false)])) return
    await kill()
    await restart()
    await settled(Promise.resolve())
  }
  const look = () =>
    settled(
      (async () => {
        await desk.transfers.follow('a')
        await desk.transfers.sendDue('a')
      })(),
    )
  const one = (nth: number) => [...made][nth % Math.max(1, made.size)]
  /** A command changes nothing where it is not allowed. */
  const command = async (
    id: string | undefined,
    run: (id: string) => unknown,
    want: 'add' | 'delete' = 'add',
  ) => {
    if (id === undefined) return
    const before = kept(id)
    try {
      await run(id)
      wanted[want](id)
    } catch (error) {
      // Whether a command was taken at which the desk was killed, only its file knows.
      if (desk.life.isOver) wanted.delete(id)
      else {
        if (!(error instanceof Failed)) throw error
        expect(kept(id)).toEqual(before)
      }
    }
    await settled(Promise.resolve())
  }
  const hasArchivePackage = (id: string) => {
    const remotes = archive.records.filter(({ draft }) => draft === id).map((record) => String(record.id))
    return (
      archive.taken.some(({ transfer }) => remotes.includes(transfer)) ||
      remotes.some((remote) => [ingest, away].some((where) => existsSync(path.join(where, remote))))
    )
  }
  const add = () => {
    const id = crypto.randomUUID()
    const sip = path.join(folder, `${id} package`)
    cpSync(shared, sip, { recursive: true })
    const { counts, manifest, content } = packed
    const name = `transfer ${(names += 1)}`
    desk.store.keepTransfer(
      preparedTransfer({ id, name, made: now().toISOString() }, { path: sip, counts, manifest, content }),
    )
    made.add(id)
    return id
  }
  const backUp = async () => {
    await desk.backUp()
    backedUp = new Set(made)
  }
  const commands = {
    add: () => void add(),
    send: (nth: number) => command(nth % 2 === 0 ? add() : one(nth), (id) => desk.transfers.send(id)),
    'send now': async (nth: number) => {
      byHand = one(nth) ?? ''
      await command(one(nth), (id) => desk.transfers.sendNow(id))
      byHand = ''
    },
    /** A person looked: the archive does not have the package. */
    'send again': async (nth: number) => {
      const id = one(nth)
      if (id === undefined || hasArchivePackage(id)) return
      byHand = id
      await command(id, () => desk.transfers.sendAgain(id))
      byHand = ''
    },
    'send, and cancel on the way': async () => {
      const id = add()
      const { life } = desk
      stopped = id
      await command(id, () => desk.transfers.send(id), 'delete')
      const wasStopped = stopped === ''
      stopped = ''
      // What a person stopped waits for the person; only a desk that was killed before may not know it.
      if (wasStopped && !life.isOver && kept(id).state === 'prepared') expect(kept(id).isWaiting).toBe(false)
    },
    cancel: (nth: number) => command(one(nth), (id) => desk.transfers.cancel(id), 'delete'),
    pause: () => {
      isPaused = !isPaused
      desk.store.setPaused('a', isPaused)
    },
    'a minute': () => {
      clock += minuteMs
      return look()
    },
    'ten minutes': () => {
      clock += 10 * minuteMs
      return look()
    },
    refresh: () => {
      seen = archive.readEvents()
      return look()
    },
    take: () => archive.take(0),
    'take, and say so late': () => archive.take(lateMs),
    preserve: () => archive.preserve(),
    down: () => archive.turn(true),
    up: () => archive.turn(false),
    unmount: () => {
      if (existsSync(ingest)) renameSync(ingest, away)
    },
    mount: () => {
      if (existsSync(away)) renameSync(away, ingest)
    },
    'full disk': async () => {
      const { database } = desk.store
      const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number }
      database.exec(`pragma max_page_count = ${pages}`)
      try {
        await look()
      } catch (error) {
        if (diskTroubleOf(error) !== 'full') throw error
      } finally {
        if (database.isOpen) database.exec('pragma max_page_count = 1000000')
      }
    },
    quit: async () => {
      const work = desk.transfers.sendDue('a').catch((error: unknown) => {
        if (!desk.life.isOver) throw error
      })
      await Promise.race([work, new Promise((done) => setImmediate(done))])
      // Nobody answers a desk that ends in the middle of a request that hangs: it is killed after a while.
      const isStopped = await Promise.race([
        desk.engine.stop().then(() => true),
        archive.killed().then(() => false),
      ])
      if (!isStopped || desk.life.isOver) await kill()
      else {
        desk.life.isOver = true
        desk.store.close()
      }
      await restart()
      await settled(Promise.resolve())
    },
    'back up': backUp,
    'back up, then send': async (nth: number) => {
      const id = [...made].findLast((unsent) => kept(unsent).state === 'prepared') ?? add()
      await backUp()
      byHand = nth % 2 === 0 ? id : ''
      await command(id, () => (nth % 2 === 0 ? desk.transfers.sendNow(id) : desk.transfers.send(id)))
      byHand = ''
    },
    'kill soon': (nth: number) => {
      doom = { steps: nth + 1, isAtOnce: true }
    },
    'kill soon, a little later': (nth: number) => {
      doom = { steps: nth + 1, isAtOnce: false }
    },
    /** A desk that is killed before a package has its name there finds an ingest folder that was tidied. */
    'kill before the name, and clear': async () => {
      const id = add()
      dieAt = 'renaming'
      await command(id, (sent) => desk.transfers.send(sent))
      dieAt = null
      commands.clear()
    },
    /** Somebody tidies the ingest folder, of what the desk does not call sent yet. */
    clear: () => {
      if (!existsSync(ingest)) return
      const sent = new Set(
        [...made].map(kept).flatMap(({ state, remote }) => (handedOver.includes(state) ? [remote] : [])),
      )
      for (const name of readdirSync(ingest))
        if (!sent.has(name)) rmSync(path.join(ingest, name), { recursive: true })
    },
    restore: async () => {
      if (!existsSync(`${file}.backup-1`)) return
      await kill()
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
      recover(file, now())
      // What was made since the backup went with the file.
      for (const id of made) if (!backedUp.has(id)) made.delete(id)
      await restart()
      isPaused = desk.store.isPaused('a')
      wanted.clear()
      await settled(Promise.resolve())
    },
  }
  const check = () => {
    for (const id of made) {
      const { state, form, isWaiting, failure } = kept(id)
      expect(form.identifier).toBe(id)
      // What was sent goes on by itself, unless a person has to do something first.
      if (state === 'prepared' && wanted.has(id) && (failure === null || passes(failure)))
        expect([form.name, isWaiting]).toEqual([form.name, true])
      if (handedOver.includes(state)) expect([form.name, hasArchivePackage(id)]).toEqual([form.name, true])
    }
    // Nothing is registered twice or handed over twice, whatever became of the desk's file.
    const drafts = archive.records.map(({ draft }) => draft)
    expect(drafts).toEqual([...new Set(drafts)])
    const packages = archive.taken.map(({ transfer }) => transfer)
    expect(packages).toEqual([...new Set(packages)])
    expect(bugs).toEqual([])
    expect(desk.store.journal.check().brokenAt).toBeNull()
  }
  return {
    archive,
    commands,
    check,
    /** Lets everything go on without faults, and a person do what is theirs: nothing stays on its way. */
    rest: async () => {
      doom = undefined
      archive.script.length = 0
      archive.turn(false)
      commands.mount()
      isPaused = false
      desk.store.setPaused('a', false)
      const isOver = () => [...made].every((id) => ['preserved', 'refused'].includes(kept(id).state))
      for (let round = 0; round < 14 && !isOver(); round += 1) {
        for (const id of made) {
          const { state, isWaiting, failure } = kept(id)
          if (state !== 'prepared') continue
          if (failure?.kind === 'unconfirmed' && failure.mayBeSent)
            await commands['send again']([...made].indexOf(id))
          else if (!isWaiting) await command(id, () => desk.transfers.send(id))
        }
        archive.take(0)
        archive.preserve()
        seen = archive.readEvents()
        await commands['ten minutes']()
        check()
      }
      const ends = [...made].map((id) => kept(id)).filter(({ state }) => state !== 'preserved')
      // What the archive refused is for a person to change, and is not there.
      expect(ends.filter(({ state, id }) => state !== 'refused' || hasArchivePackage(id))).toEqual([])
      desk.store.close()
    },
  }
}

type Command = keyof ReturnType<typeof openModel>['commands']
const commandNames: Command[] = [
  'add',
  'send',
  'send now',
  'send again',
  'cancel',
  'send, and cancel on the way',
  'pause',
  'a minute',
  'ten minutes',
  'refresh',
  'take',
  'take, and say so late',
  'preserve',
  'down',
  'up',
  'unmount',
  'mount',
  'full disk',
  'quit',
  'back up',
  'restore',
  'back up, then send',
  'kill soon',
  'kill soon, a little later',
  'kill before the name, and clear',
  'clear',
]
const step = fc.record({
  // What a restored desk does again is found only where something was sent since its backup.
  command: fc.oneof(
    fc.constantFrom<Command>('send', 'back up, then send', 'restore', 'kill soon', 'ten minutes'),
    fc.constantFrom(...commandNames),
  ),
  nth: fc.nat(3),
  answers: fc.array(fc.constantFrom(...postAnswers), { maxLength: 2 }),
})

test('whatever is done, fails, is killed and restored, each package reaches the archive once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }), async (steps) => {
      const model = openModel()
      for (const { command, nth, answers: script } of steps) {
        model.archive.script.push(...script)
        await model.commands[command](nth)
        model.check()
      }
      await model.rest()
    }),
    { numRuns: runs(15), endOnFailure: true },
  )
})
