import { putAway } from '../packaging/pack/pack.ts'
import type { StoragePolicy } from '../archive-client/storage.ts'
import { isWholeEmail } from '../contract/email.ts'
import { Failed, failureOf as failureFrom, isUnreached, passes, type Failure } from '../contract/failure.ts'
import { may, type Constraint } from '../contract/jobs.ts'
import type { PremisEvent } from '../contract/packages.ts'
import type { Progress } from '../contract/transfers.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore, KeptTransfer } from '../store/desk.ts'
import { queuedIdOf } from '../archive-client/forms.ts'
import { isReceipt } from '../archive-client/activity.ts'
import type { Reach } from '../archive-client/http.ts'
import { deliver, readReceived, readRegistered, stepOf } from './sender.ts'
import type { Engine } from '../jobs/engine.ts'
import { handOver } from './handover.ts'
import { meter, openPacking } from './packing.ts'
import { afterLookingUp } from './restored.ts'

interface Parts {
  engine: Engine
  store: DeskStore
  cacheOf: CacheOf
  /** An archive to speak with, where it was reached. */
  reachOf: (archive: string) => Reach | undefined
  /** What the last talk with an archive showed. */
  metAt: (archive: string, failure: Failure | null) => void
  bags: string
  scripts: PackagingScripts
  version: string
  now: () => Date
  changed: (id: string) => void
  progress: (progress: Progress) => void
  bug: (error: unknown) => string
}

/** Steps that a person takes with a transfer and that its state alone allows or forbids. */
type PersonalStep = 'save' | 'choose delivery' | 'reopen' | 'hand over' | 'remove'

export type Work = ReturnType<typeof openWork>

/** Packs and sends transfers and follows them to "preserved". What is under way can be cancelled; what was killed goes on. */
export const openWork = ({
  engine,
  store,
  cacheOf,
  reachOf,
  metAt,
  bags,
  scripts,
  version,
  now,
  changed,
  progress,
  bug,
}: Parts) => {
  /** Those that are being copied for another desk: nothing else may be done with them. */
  const leaving = new Set<string>()

  const keep = (it: KeptTransfer) => {
    store.keepTransfer({ ...it, changed: now().toISOString() })
    changed(it.id)
    return it
  }
  const need = (id: string): KeptTransfer => {
    const it = store.transfer(id)
    if (!it) throw new Failed({ kind: 'not-found', what: id })
    return it
  }
  const failureOf = (error: unknown): Failure => failureFrom(error, bug)

  const packing = openPacking({ bags, scripts, version, now, keep, need, progress, failureOf })

  const checkReady = (it: KeptTransfer, wanted: 'pack' | 'send') => {
    if (leaving.has(it.id) || (wanted === 'send' && it.handedOver !== null))
      throw new Failed({ kind: 'conflict', detail: 'handed over' })
    if (!may('transfer', wanted, it.stage)) throw new Failed({ kind: 'conflict', detail: it.stage })
    const missing = [
      ...(it.form.name.trim() === '' ? (['name'] as const) : []),
      ...(it.sources.length === 0 && it.bag === null ? (['contents'] as const) : []),
      ...(isWholeEmail(it.form.email) ? [] : (['email'] as const)),
      ...((packing.draftProfile(it)?.problems.length ?? 0) > 0 ? (['profile'] as const) : []),
      ...(wanted === 'send' && it.form.delivery === '' ? (['delivery'] as const) : []),
      ...(wanted === 'send' && it.bag === null ? (['packed'] as const) : []),
    ]
    if (missing.length > 0) throw new Failed({ kind: 'not-ready', missing })
  }

  /** The ingest folder of the first active policy that names one. */
  const ingestFolderOf = (archive: string) =>
    cacheOf(archive)
      .all<StoragePolicy>('policies')
      .find(({ isActive, ingestFolder }) => isActive && ingestFolder !== null)?.ingestFolder ?? null

  /** The delivery of this desk that a transfer waits for, where that is not in the archive yet. */
  const waitsFor = ({ form }: KeptTransfer) => {
    const queued = queuedIdOf(form.delivery)
    const delivery = queued === undefined ? undefined : store.creation(queued)
    return queued === undefined || delivery?.remote ? null : (delivery?.title ?? queued)
  }
  /** With the archive's own id of its delivery, once that is known. */
  const withDelivery = (it: KeptTransfer): KeptTransfer => {
    const remote = store.creation(queuedIdOf(it.form.delivery) ?? '')?.remote
    return remote ? { ...it, form: { ...it.form, delivery: remote } } : it
  }

  const eventsOf = (it: KeptTransfer) =>
    it.remote === null ? [] : cacheOf(it.archive).where<PremisEvent>('events', 'transfer', it.remote)
  /** Whether the archive says anything of its bag. */
  const wasReceived = (it: KeptTransfer) =>
    eventsOf(it).some(isReceipt) ||
    cacheOf(it.archive)
      .packages.identified(it.form.identifier)
      .some((known) => !it.before.includes(known.id))

  /** Packages of the same identifier that are older than a transfer. */
  const olderThan = (it: KeptTransfer) =>
    cacheOf(it.archive)
      .packages.identified(it.form.identifier)
      .filter(({ since }) => since !== '' && since < it.made)
      .map(({ id }) => id)
  /**
   * Asks the archive for transfers that a backup or another desk brought back: they may have been registered, and
   * their bags handed over. Nothing is done with them before that is known.
   * @param wanted one that a person sends: it is looked up though it was to wait
   */
  const lookUpRestored = async (archive: string, there: Reach, wanted?: string) => {
    const restored = store.restoredTransfers(archive).filter((it) => it.id === wanted || engine.isDue(it))
    if (restored.length === 0) return
    const registered = await readRegistered(there)
    const remoteOf = (it: KeptTransfer) => it.remote ?? registered.find(it.id) ?? null
    // The local copy may be older than what is looked up.
    const received = restored.some((it) => remoteOf(it) !== null) ? await readReceived(there) : new Set()
    for (const { id } of restored) {
      const remote = remoteOf(need(id))
      const folder = need(id).ingestFolder ?? ingestFolderOf(archive)
      const step =
        remote === null ? null : await stepOf({ ...need(id), remote }, folder, store.ingestFolders(archive))
      const it = need(id)
      if (it.wasRestored !== true) continue
      const older = olderThan(it)
      const known = { ...it, remote, before: it.sending === null ? older : it.before }
      const isReceived = remote !== null && (received.has(remote) || wasReceived(known))
      keep(afterLookingUp(it, { remote, step, isReceived, older }, now(), engine.afterAttempt))
    }
  }

  const sendNow = async (id: string, signal: AbortSignal) => {
    const there = reachOf(need(id).archive)
    if (!there) return
    const looked = await lookedUp(id, there)
    if (!looked) return
    const it = withDelivery(need(id))
    if (waitsFor(it) !== null) return
    // Only before the first attempt: what a half-finished one brought must not count as older.
    const before =
      it.sending !== null
        ? it.before
        : cacheOf(it.archive)
            .packages.identified(it.form.identifier)
            .map((known) => known.id)
    try {
      await deliver(keep({ ...it, before, stage: 'sending', failure: null }), {
        archive: there,
        ingestFolder: ingestFolderOf(it.archive),
        chosenFolders: store.ingestFolders(it.archive),
        mountPointOf: (folder) => store.mountPointOf(it.archive, folder),
        keep,
        wasReceived,
        scripts,
        signal,
        now,
        ...meter(id, 'sending', progress),
      })
    } catch (error) {
      notSent(id, signal.aborted ? null : failureOf(error))
    }
  }
  /** Keeps why one could not be sent, and when it is tried again. */
  function notSent(id: string, failure: Failure | null) {
    const latest = need(id)
    const isRefused = failure?.kind === 'refused'
    const isTriedAgain = failure !== null && passes(failure)
    keep({
      ...latest,
      stage: isRefused ? 'refused' : 'prepared',
      sending: isRefused ? null : latest.sending,
      failure,
      isWaiting: failure === null ? latest.isWaiting : isTriedAgain,
      ...(isTriedAgain ? engine.afterAttempt(latest, failure) : {}),
    })
    const isOfArchive = failure?.kind !== 'disk' && failure?.kind !== 'unconfirmed'
    if (failure !== null && isOfArchive && passes(failure)) metAt(latest.archive, failure)
  }
  /** Whether it is to be sent still, once it is known what became of one that a backup brought back. */
  const lookedUp = async (id: string, there: Reach) => {
    try {
      if (need(id).wasRestored === true) await lookUpRestored(need(id).archive, there, id)
    } catch (error) {
      notSent(id, failureOf(error))
    }
    const { stage, wasRestored } = need(id)
    return wasRestored !== true && stage === 'prepared'
  }

  type Deed = (id: string, signal: AbortSignal) => Promise<void>
  const workOf = (id: string, deed: Deed) => ({
    run: (signal: AbortSignal) => deed(id, signal),
    ended: () => changed(id),
  })
  const run = (id: string, deed: Deed) => engine.run(id, workOf(id, deed))

  /** What stands in the way of steps that a transfer's stage allows. */
  const constraintsOf = (transfer: KeptTransfer): Constraint[] => [
    ...(transfer.wasRestored === true ? (['restored'] as const) : []),
    ...(transfer.isWaiting ? (['waiting'] as const) : []),
    ...(transfer.sending === null ? [] : (['begun'] as const)),
    ...(transfer.remote === null ? [] : (['registered'] as const)),
    ...(transfer.handedOver === null ? [] : (['handed over'] as const)),
    ...(engine.isRunning(transfer.id) ? (['running'] as const) : []),
  ]
  /** @throws Failed conflict, with the stage, where a person may not take a step with a transfer as it is now */
  const checkMay = (event: PersonalStep, id: string): KeptTransfer => {
    const transfer = need(id)
    if (may('transfer', event, transfer.stage, constraintsOf(transfer))) return transfer
    throw new Failed({ kind: 'conflict', detail: transfer.stage })
  }
  /** Copies a transfer for another desk. Noted before the copy has its name: two desks never think that it is theirs. */
  const leave = (it: KeptTransfer, into: string) => async (id: string, signal: AbortSignal) => {
    const ready = () => void keep({ ...need(id), handedOver: now().toISOString() })
    try {
      await handOver(it, into, { scripts, signal, ready })
    } catch (error) {
      keep({ ...need(id), handedOver: null })
      throw error
    }
  }

  const followOne = (it: KeptTransfer) => {
    const events = eventsOf(it)
    const rejected = events.find(({ failed }) => failed === true)
    const received = events.find(({ type }) => type === '30000')
    const preserved = events.find(({ type }) => type === '30300')
    const byIdentifier = cacheOf(it.archive)
      .packages.identified(it.form.identifier)
      .find(
        ({ id, type, archived, state }) =>
          type !== 'AIC' && (archived || state === 'Preserved') && !it.before.includes(id),
      )
    const became = preserved?.package ?? byIdentifier?.id ?? null
    const times = {
      ...it.times,
      received: it.times.received ?? received?.time ?? null,
      preserved:
        became === null
          ? null
          : (it.times.preserved ?? preserved?.time ?? (byIdentifier?.since || now().toISOString())),
    }
    if (became !== null) {
      keep({ ...it, stage: 'preserved', package: became, times, failure: null })
      // Every copy was read back by the archive; the desk's own copy of the bag has done its work.
      if (it.bag) void putAway(it.bag.path)
    } else if (rejected)
      keep({ ...it, stage: 'refused', times, failure: { kind: 'refused', fields: { '': [rejected.note] } } })
    else if (received && it.stage === 'sent') keep({ ...it, stage: 'received', times })
  }

  /** One whose archive could not be reached goes as soon as it can be; others wait for their time. */
  const isDue = (it: KeptTransfer) =>
    it.isWaiting &&
    it.handedOver === null &&
    it.stage === 'prepared' &&
    waitsFor(it) === null &&
    ((it.failure !== null && isUnreached(it.failure)) || engine.isDue(it))
  const due = (archive: string) =>
    engine.mayGo(archive) ? store.dueTransfers(archive, now().toISOString()).filter(isDue) : []
  /** What nobody works on though it says so was left by a work that broke, or by a desk that was killed. */
  const goOn = (it: KeptTransfer) => {
    if (engine.isRunning(it.id)) return
    if (it.stage === 'packing') void run(it.id, packing.packNow)
    else keep({ ...it, stage: 'prepared', isWaiting: true })
  }

  return {
    waitsFor,
    isUnderWay: engine.isRunning,
    pause: packing.pause,
    bePolite: packing.bePolite,
    draftProfile: packing.draftProfile,
    removeBag: packing.remove,
    /** Whether something was handed over, or waits to be, so that news of it are due soon. */
    isExpecting: (archive: string) => store.hasSent(archive) || due(archive).length > 0,
    keep,
    need,
    /** Takes a transfer out of the list (with a time) or puts it back (with none); nothing of it is erased. */
    putAway: (id: string, at: string | null) => {
      store.removeTransfer(id, at)
      changed(id)
    },
    /** Begins to pack; the answer is the transfer as it is now, the rest comes as news. */
    pack: (id: string): KeptTransfer => {
      checkReady(need(id), 'pack')
      void run(id, packing.packNow)
      return need(id)
    },
    /** Packs, and comes back when that is over, however it ended. */
    packWhole: (id: string): Promise<void> => {
      checkReady(need(id), 'pack')
      return run(id, packing.packNow)
    },
    /** Hands a transfer over; it goes at once, where nothing holds it back. */
    send: (id: string): KeptTransfer => {
      checkReady(need(id), 'send')
      const isDoubted = need(id).failure?.kind === 'unconfirmed'
      const it = keep({
        ...need(id),
        isWaiting: true,
        ...(isDoubted ? {} : { failure: null, attempts: 0, nextAt: null }),
      })
      if (engine.mayGo(it.archive)) void run(id, sendNow)
      return need(id)
    },
    /** Sends one though the queue is stopped, or though it was to wait. */
    sendNow: (id: string): KeptTransfer => {
      checkReady(need(id), 'send')
      keep({ ...need(id), isWaiting: true })
      void run(id, sendNow)
      return need(id)
    },
    /** Sends a bag again of which the archive showed nothing: a person saw there that it does not have it. */
    sendAgain: (id: string): KeptTransfer => {
      const it = need(id)
      checkReady(it, 'send')
      if (it.failure?.kind !== 'unconfirmed' || !it.failure.mayBeSent || engine.isRunning(id))
        throw new Failed({ kind: 'conflict', detail: it.stage })
      keep({
        ...it,
        sending: 'copying',
        wasRestored: false,
        isWaiting: true,
        failure: null,
        attempts: 0,
        nextAt: null,
      })
      void run(id, sendNow)
      return need(id)
    },
    constraintsOf,
    checkMay,
    /**
     * Copies a transfer into a folder for another desk; nothing else can be done with it meanwhile, and this desk
     * sends it no more.
     * @throws Failed; the transfer is this desk's own then, as before
     */
    handOver: async (id: string, into: string): Promise<KeptTransfer> => {
      const it = checkMay('hand over', id)
      leaving.add(id)
      try {
        await engine.perform(id, workOf(id, leave(it, into)))
      } finally {
        leaving.delete(id)
      }
      return need(id)
    },
    cancel: (id: string): KeptTransfer => {
      const it = need(id)
      if (it.isWaiting) keep({ ...it, isWaiting: false })
      if (it.isPaused) packing.pause(id, false)
      engine.abort(id)
      return need(id)
    },
    /** After a refresh: sends what waits, and looks what became of what was sent. */
    follow: (archive: string) => {
      const [restored] = store.restoredTransfers(archive)
      const there = reachOf(archive)
      if (restored && there) void run(restored.id, () => lookUpRestored(archive, there))
      for (const kept of store.openTransfers(archive)) {
        const it = withDelivery(kept)
        if (it !== kept) keep(it)
        if (it.stage === 'sent' || it.stage === 'received') followOne(it)
        else if (it.stage === 'packing' || it.stage === 'sending') goOn(it)
      }
      for (const it of due(archive)) void run(it.id, sendNow)
    },
    /** At the start: what a killed desk left half done becomes what it was before, or goes on. */
    tidy: (archives: string[]) => {
      void packing.sweep()
      for (const it of archives.flatMap((archive) => store.openTransfers(archive)))
        if (it.stage === 'packing' || it.stage === 'sending') goOn(it)
    },
  }
}
