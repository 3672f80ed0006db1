import { putAway } from '../packaging/pack/pack.ts'
import type { StoragePolicy } from '../archive-client/storage.ts'
import { isWholeEmail } from '../contract/email.ts'
import { Failed, failureOf as failureFrom, isUnreached, passes, type Failure } from '../contract/failure.ts'
import type { PremisEvent } from '../contract/packages.ts'
import type { Progress } from '../contract/transfers.ts'
import type { PackagingScripts } from '../packaging/scripts.ts'
import type { Session } from '../session/session.ts'
import type { Cache } from '../store/cache.ts'
import type { DeskStore, KeptTransfer } from '../store/desk.ts'
import type { Packages } from '../store/package-rows.ts'
import { queuedIdOf } from '../archive-client/forms.ts'
import { deliver } from './courier.ts'
import { isDueAt, nextAttempt } from './delays.ts'
import { meter, openPacking } from './packing.ts'

interface Parts {
  store: DeskStore
  cache: Cache
  packages: Packages
  session: Session
  bags: string
  scripts: PackagingScripts
  version: string
  now: () => Date
  /** From 0 to 1: how much a wait is lengthened. */
  random: () => number
  changed: (id: string) => void
  progress: (progress: Progress) => void
  bug: (error: unknown) => string
}

export type Work = ReturnType<typeof openWork>

/** Packs and sends transfers and follows them to "preserved". What is under way can be cancelled; what was killed goes on. */
export const openWork = ({
  store,
  cache,
  packages,
  session,
  bags,
  scripts,
  version,
  now,
  random,
  changed,
  progress,
  bug,
}: Parts) => {
  const underWay = new Map<string, AbortController>()

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
    if (wanted === 'send' && it.handedOver !== null)
      throw new Failed({ kind: 'conflict', detail: 'handed over' })
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
    cache
      .all<StoragePolicy>(archive, 'policies')
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

  const sendNow = async (id: string, signal: AbortSignal) => {
    const reached = session.reached()
    const it = withDelivery(need(id))
    if (reached?.account.archive !== it.archive || waitsFor(it) !== null) return
    // Only before the first attempt: what a half-finished one brought must not count as older.
    const before =
      it.sending !== null
        ? it.before
        : packages.identified(it.archive, it.form.identifier).map((known) => known.id)
    try {
      await deliver(keep({ ...it, before, stage: 'sending', failure: null }), {
        archive: reached.archive,
        ingestFolder: ingestFolderOf(it.archive),
        chosenFolders: store.transfers(it.archive).flatMap(({ ingestFolder }) => ingestFolder ?? []),
        ...{ keep, scripts, signal, now },
        ...meter(id, 'sending', progress),
      })
    } catch (error) {
      const failure = signal.aborted ? null : failureOf(error)
      const latest = need(id)
      const isRefused = failure?.kind === 'refused'
      const isTriedAgain = failure !== null && passes(failure)
      keep({
        ...{
          ...latest,
          stage: isRefused ? 'refused' : 'prepared',
          sending: isRefused ? null : latest.sending,
          failure,
          isWaiting: failure === null ? latest.isWaiting : isTriedAgain,
        },
        ...(isTriedAgain ? nextAttempt(latest.attempts, failure, now(), random()) : {}),
        attempts: latest.attempts + (isTriedAgain ? 1 : 0),
      })
      if (failure !== null && failure.kind !== 'disk' && passes(failure)) session.met(failure, it.archive)
    }
  }

  const run = async (id: string, work: (id: string, signal: AbortSignal) => Promise<void>) => {
    if (underWay.has(id)) return
    const stop = new AbortController()
    underWay.set(id, stop)
    try {
      await work(id, stop.signal)
    } catch (error) {
      // Without room not even that can be kept; what is left half done is found by the next look.
      failureOf(error)
    } finally {
      underWay.delete(id)
      changed(id)
    }
  }

  const followOne = (it: KeptTransfer) => {
    const events =
      it.remote === null ? [] : cache.where<PremisEvent>(it.archive, 'events', 'transfer', it.remote)
    const rejected = events.find(({ failed }) => failed === true)
    const received = events.find(({ type }) => type === '30000')
    const preserved = events.find(({ type }) => type === '30300')
    const byIdentifier = packages
      .identified(it.archive, it.form.identifier)
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
    ((it.failure !== null && isUnreached(it.failure)) || isDueAt(it, now()))
  const due = (archive: string) =>
    store.isPaused(archive) ? [] : store.dueTransfers(archive, now().toISOString()).filter(isDue)
  /** What nobody works on though it says so was left by a work that broke, or by a desk that was killed. */
  const goOn = (it: KeptTransfer) => {
    if (underWay.has(it.id)) return
    if (it.stage === 'packing') void run(it.id, packing.packNow)
    else keep({ ...it, stage: 'prepared', isWaiting: true })
  }

  return {
    waitsFor,
    isUnderWay: (id: string) => underWay.has(id),
    ...{
      pause: packing.pause,
      bePolite: packing.bePolite,
      draftProfile: packing.draftProfile,
      removeBag: packing.remove,
    },
    /** Whether something was handed over, or waits to be, so that news of it are due soon. */
    isExpecting: () => {
      const archive = session.reached()?.account.archive
      return archive !== undefined && (store.hasSent(archive) || due(archive).length > 0)
    },
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
      const it = keep({ ...need(id), isWaiting: true, failure: null, attempts: 0, nextAt: null })
      if (!store.isPaused(it.archive)) void run(id, sendNow)
      return need(id)
    },
    /** Sends one though the queue is stopped, or though it was to wait. */
    sendNow: (id: string): KeptTransfer => {
      checkReady(need(id), 'send')
      keep({ ...need(id), isWaiting: true, nextAt: null })
      void run(id, sendNow)
      return need(id)
    },
    cancel: (id: string): KeptTransfer => {
      const it = need(id)
      if (it.isWaiting) keep({ ...it, isWaiting: false })
      if (it.isPaused) packing.pause(id, false)
      underWay.get(id)?.abort()
      return need(id)
    },
    /** After a refresh: sends what waits, and looks what became of what was sent. */
    follow: (archive: string) => {
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
    stop: () => {
      for (const controller of underWay.values()) controller.abort('quit')
    },
  }
}
