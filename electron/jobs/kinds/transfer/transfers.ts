import { background, toProcess } from '../../../common/background.ts'
import type { Dialect, ArchiveClient } from '../../../dialects/dialect.ts'
import { failureOf as failureFrom, type Failure } from '../../../contract/failure.ts'
import type { Capabilities } from '../../../contract/capabilities.ts'
import type { Progress } from '../../../contract/transfers.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { CacheOf } from '../../../store/cache/caches.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { isReadable } from '../../../store/desk/job-rows.ts'
import type { Engine } from '../../engine.ts'
import { openBringing } from './bringing.ts'
import { openChosenDelivery } from './chosen-delivery.ts'
import { openCommands, type Task } from './commands.ts'
import { openEvidence } from './evidence.ts'
import { openFinishQueue } from './finish-queue.ts'
import { openFinishing } from './finishing.ts'
import { openFollowing } from './following.ts'
import { openLookup } from './lookup.ts'
import { draftProfileOf } from './package-draft.ts'
import { openExpectations } from './expectations.ts'
import { openPacking } from './packing.ts'
import { openPermission } from './permission.ts'
import { openProposing } from './proposing.ts'
import { leftIn, takeBack } from './reception.ts'
import { openRecords, type Records } from './records.ts'
import { openTransports } from './transport.ts'
import { openSending, type Sending } from './sending.ts'
import { openSentBefore } from './sent-before.ts'
import { openUpkeep } from './upkeep.ts'

interface Parts {
  engine: Engine
  store: DeskStore
  cacheOf: CacheOf
  /** What an archive can do, where it was asked. */
  capabilitiesOf: (archive: string) => Capabilities | null
  dialectOf: (archive: string) => Pick<Dialect, 'isPreserved' | 'submission'>
  /** The client of an archive; undefined where there was no connection yet. */
  findClient: (archive: string) => ArchiveClient | undefined
  /** What the last exchange with an archive showed. */
  noteExchange: (archive: string, failure: Failure | null) => void
  /** Where packages lie. */
  packagesFolder: string
  scripts: PackagingScripts
  /** Of this program, as packages name it. */
  version: string
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  changed: (id: string) => void
  progress: (progress: Progress) => void
  reportBug: (error: unknown) => string
}

export type Transfers = ReturnType<typeof openTransfers>

/** So many of an archive are sent, and as many finished, at the same time: one may take hours. */
const mostAtOnce = 3

interface Sender {
  sending: Pick<Sending, 'isDue'>
  /** Sends one that is not being worked at. */
  send: (id: string) => Promise<void>
}

/** Sends what is due of an archive, or one that a person sends though it was to wait. */
const openQueue =
  ({ engine, store, sending, send }: Pick<Parts, 'engine' | 'store'> & Sender) =>
  (archive: string, only?: string): Promise<void> =>
    engine.sendDue(archive, 'transfer', {
      most: mostAtOnce,
      attempt: async (id, isByHand) => {
        const transfer = store.transfer(id)
        if (!transfer || !isReadable(transfer) || !(isByHand || sending.isDue(transfer))) return false
        await send(id)
        return true
      },
      only,
    })

/** Who works at transfers: each is given those before it that it uses. */
const openWorkshop = (parts: Parts) => {
  const { engine, store, dialectOf, findClient, packagesFolder, scripts, version, now, wait } = parts
  const { changed, progress } = parts
  const failureOf = (error: unknown) => failureFrom(error, parts.reportBug)
  const handingOver = new Set<string>()
  const run = (id: string, task: Task) =>
    engine.run(id, { run: (signal) => task(id, signal), ended: () => changed(id) })

  const records = openRecords({ store, now, changed })
  const evidence = openEvidence(parts.cacheOf, dialectOf)
  const chosenDelivery = openChosenDelivery(store)
  const transports = openTransports(parts.capabilitiesOf)
  const draftProfile = (transfer: KeptTransfer) =>
    draftProfileOf({ ...transfer, packing: transports.packingOf(transfer) }, version, now())
  const permission = openPermission({ engine, need: records.need, handingOver, draftProfile, transports })
  const packing = openPacking({
    records,
    laid: store.laidPackages,
    transports,
    packagesFolder,
    scripts,
    version,
    now,
    progress,
    failureOf,
  })
  const lookUpRestored = openLookup({ engine, store, records, evidence, transports, now })
  const { bring, finish } = openBringing({
    store,
    records,
    evidence,
    transports,
    scripts,
    now,
    wait,
    progress,
  })
  const sending = openSending({
    engine,
    records,
    evidence,
    chosenDelivery,
    transports,
    askIfSentBefore: openSentBefore({ store, records, transports }),
    lookUpRestored,
    bring,
    findClient,
    noteExchange: parts.noteExchange,
    failureOf,
  })
  const finishing = openFinishing({ engine, records, findClient, finish, failureOf })
  const followSent = openFollowing({ keep: records.keep, evidence, now })
  return {
    run,
    handingOver,
    records,
    chosenDelivery,
    transports,
    draftProfile,
    permission,
    packing,
    lookUpRestored,
    sending,
    finishing,
    followSent,
  }
}

/** Takes a transfer off the list, and away from where an archive would receive it; or puts it back. */
const openPutAway =
  (store: DeskStore, records: Records) =>
  (id: string, moment: string | null): void => {
    if (moment !== null) background(takeBack(store.laidPackages, { id }), toProcess)
    records.putAway(id, moment)
  }

/**
 * Transfers, from a draft to what the archive preserves:
 *
 *     draft ── packing.ts ──▶ prepared ── sending.ts ──▶ sent ──▶ received ──▶ preserved, or refused
 *
 * Sending first looks up what may have been sent before (sent-before.ts, lookup.ts), then brings the package
 * over the interface or by a folder (bringing.ts). What was sent over the interface is worked at further
 * (finishing.ts); of what lies in a folder the lists that are read tell (following.ts). What a person does is
 * in commands.ts, and whether they may in permission.ts. What is under way can be cancelled; what was killed
 * goes on (upkeep.ts).
 */
export const openTransfers = (parts: Parts) => {
  const { engine, store, cacheOf, dialectOf, findClient, scripts, now, changed } = parts
  const workshop = openWorkshop(parts)
  const { run, handingOver, records, chosenDelivery, transports, permission, packing, sending, finishing } =
    workshop

  /** Sends one; what it takes to preserve it follows at once, where this account may do that. */
  const sendNow: Task = async (id, signal) => {
    await sending.sendNow(id, signal)
    if (transports.mayReceive(records.need(id).archive) && finishing.isDue(records.need(id)))
      await finishing.finishNow(id, signal)
  }
  const sendDue = openQueue({ engine, store, sending, send: (id) => run(id, sendNow) })
  const commands = openCommands({
    engine,
    records,
    permission,
    packing,
    sendNow,
    finishNow: finishing.finishNow,
    run,
    sendDue,
    handingOver,
    scripts,
    now,
    changed,
  })
  const upkeep = openUpkeep({
    engine,
    store,
    records,
    chosenDelivery,
    packing,
    lookUpRestored: workshop.lookUpRestored,
    followSent: workshop.followSent,
    finishing,
    queueToFinish: openFinishQueue({ most: mostAtOnce, engine, store, finishing, run }),
    findClient,
    run,
  })

  return {
    ...commands,
    ...upkeep,
    ...openProposing({ engine, store, records, transports, cacheOf, dialectOf, findClient, now }),
    ...openExpectations({ store, transports, dialectOf }),
    /** Sends what is due. */
    sendDue,
    need: records.need,
    keep: records.keep,
    putAway: openPutAway(store, records),
    constraintsOf: permission.constraintsOf,
    hasDestination: permission.hasDestination,
    checkMay: permission.checkMay,
    isUnderWay: engine.isRunning,
    waitsFor: chosenDelivery.waitsFor,
    draftProfile: workshop.draftProfile,
    recount: packing.recountDraft,
    obstaclesOf: packing.obstaclesOf,
    setPaused: packing.setPaused,
    bePolite: packing.bePolite,
    removeSip: packing.removeSip,
    isOverInterface: transports.isOverInterface,
    transportOf: transports.transportOf,
    leftInOf: (transfer: KeptTransfer) => leftIn(store.laidPackages, transfer),
    /** Whether something was handed over, or waits to be, so that news of it are due soon. */
    isExpecting: (archive: string) => store.hasSent(archive) || store.hasAwaited(archive, 'transfer'),
  }
}
