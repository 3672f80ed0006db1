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
import { inSlices } from '../../../common/slices.ts'
import { openChosenDelivery } from './chosen-delivery.ts'
import { openCommands, type Task } from './commands.ts'
import { openEvidence } from './evidence.ts'
import { openFinishQueue } from './finish-queue.ts'
import { openFinishing } from './finishing.ts'
import { openFollowing } from './following.ts'
import { openLookup } from './lookup.ts'
import { draftProfileOf } from './package-draft.ts'
import { openExpectations } from './expectations.ts'
import { openPacking, type Packing } from './packing.ts'
import { openPermission } from './permission.ts'
import { openProposing } from './proposing.ts'
import { leftIn, mayBeReceived, takeBack } from './reception.ts'
import { openRecords, type Records } from './records.ts'
import { openRoutes, type Routes } from './route.ts'
import { openSending, type Sending } from './sending.ts'

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

/** Sends what is due of an archive, or one that a person sends though it was to wait. */
const openQueue =
  (
    { engine, store }: Pick<Parts, 'engine' | 'store'>,
    { isDue }: Sending,
    send: (id: string) => Promise<void>,
  ) =>
  (archive: string, only?: string): Promise<void> =>
    engine.sendDue(archive, 'transfer', {
      // One may take hours, and the next is not to wait for it.
      most: 3,
      attempt: async (id, isByHand) => {
        const transfer = store.transfer(id)
        if (!transfer || !isReadable(transfer) || !(isByHand || isDue(transfer))) return false
        await send(id)
        return true
      },
      only,
    })

type Shared = Pick<
  Parameters<typeof openSending>[0],
  'records' | 'evidence' | 'chosenDelivery' | 'lookUpRestored' | 'failureOf'
> & { routes: Routes }

/** What brings packages to their archive, and sees to it that they are preserved there. */
const openBringing = (parts: Parts, shared: Shared) => {
  const { engine, store, findClient, noteExchange, scripts, now, wait, progress } = parts
  const { records, evidence, chosenDelivery, lookUpRestored, routes, failureOf } = shared
  const sending = openSending({
    engine,
    store,
    records,
    evidence,
    chosenDelivery,
    lookUpRestored,
    routes,
    findClient,
    noteExchange,
    scripts,
    now,
    wait,
    progress,
    failureOf,
  })
  const finishing = openFinishing({
    engine,
    records,
    store,
    routes,
    findClient,
    scripts,
    now,
    wait,
    progress,
    failureOf,
  })
  /** Sends one; what it takes to preserve it follows at once, where this account may do that. */
  const sendNow: Task = async (id, signal) => {
    await sending.sendNow(id, signal)
    if (routes.mayReceive(records.need(id).archive) && finishing.isDue(records.need(id)))
      await finishing.finishNow(id, signal)
  }
  return { sending, finishing, sendNow }
}

/** What transfers are worked at with, each part given those before it. */
const openWorkshop = (parts: Parts) => {
  const { engine, store, cacheOf, dialectOf, packagesFolder, scripts, version, now, changed, progress } =
    parts
  const failureOf = (error: unknown) => failureFrom(error, parts.reportBug)
  const handingOver = new Set<string>()

  const records = openRecords({ store, now, changed })
  const evidence = openEvidence(cacheOf, dialectOf)
  const chosenDelivery = openChosenDelivery(store)
  const routes = openRoutes(parts.capabilitiesOf)
  const draftProfile = (transfer: KeptTransfer) =>
    draftProfileOf({ ...transfer, packing: routes.packingOf(transfer) }, version, now())
  const permission = openPermission({ engine, need: records.need, handingOver, draftProfile, routes })
  const packing = openPacking({
    records,
    laid: store.laidPackages,
    routes,
    packagesFolder,
    scripts,
    version,
    now,
    progress,
    failureOf,
  })
  const lookUpRestored = openLookup({ engine, store, records, evidence, routes, now })
  const { sending, finishing, sendNow } = openBringing(parts, {
    records,
    evidence,
    chosenDelivery,
    lookUpRestored,
    routes,
    failureOf,
  })
  const followSent = openFollowing({ keep: records.keep, evidence, now })
  const run = (id: string, task: Task) =>
    engine.run(id, { run: (signal) => task(id, signal), ended: () => changed(id) })
  const sendDue = openQueue(parts, sending, (id) => run(id, sendNow))
  const queueToFinish = openFinishQueue({ engine, store, finishing, run })
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
  return {
    records,
    chosenDelivery,
    permission,
    packing,
    lookUpRestored,
    sending,
    followSent,
    finishing,
    queueToFinish,
    routes,
    run,
    sendDue,
    commands,
    draftProfile,
    proposing: openProposing({ ...parts, records, routes }),
  }
}

/**
 * Sees how far an archive is with what was submitted to it. Its lists say nothing that this needs, so it does
 * not wait for them.
 */
const openFollowSubmitted =
  ({ engine, store }: Parts, { finishing, queueToFinish }: ReturnType<typeof openWorkshop>) =>
  (archive: string): Promise<void> =>
    inSlices(
      store.openTransferIds(archive),
      (id) => {
        const transfer = store.transfer(id)
        if (transfer && isReadable(transfer) && finishing.isDue(transfer)) queueToFinish(archive, id)
      },
      engine.isStopped,
    )

/** Takes a transfer off the list, and away from where an archive would receive it; or puts it back. */
const openPutAway =
  (store: DeskStore, records: Records) =>
  (id: string, moment: string | null): void => {
    if (moment !== null) background(takeBack(store.laidPackages, { id }), toProcess)
    records.putAway(id, moment)
  }

/** Removes what lies in receptions of an archive and is of no use any more: a drive may be back. */
const openTakeLeftBack =
  (
    { engine, store }: Pick<Parts, 'engine' | 'store'>,
    run: (id: string, task: () => Promise<void>) => Promise<void>,
  ) =>
  (archive: string): Promise<void> =>
    inSlices(
      store.laidPackages.transfers(archive),
      (id) => {
        const transfer = store.transfer(id)
        // What is sent soon takes it back itself.
        const isNeeded = transfer && (!isReadable(transfer) || transfer.isWaiting || mayBeReceived(transfer))
        if (!isNeeded)
          background(
            run(id, () => takeBack(store.laidPackages, { id })),
            toProcess,
          )
      },
      engine.isStopped,
    )

/** Sees to what an earlier run left. */
const openTidying = (
  store: DeskStore,
  packing: Pick<Packing, 'sweep'>,
  resume: (transfer: KeptTransfer) => void,
) => {
  let swept = Promise.resolve()
  return {
    /** Fulfilled when nothing that an earlier run left is in the way of what is brought here. */
    swept: () => swept,
    /** At the start: what a killed desk left half done becomes what it was before, or goes on. */
    tidy: (archives: string[]) => {
      // What was taken off the list can be put back, and what cannot be read now another version may read.
      const isKnown = (id: string) => (store.transfer(id) ?? store.removedTransfer(id)) !== undefined
      const sweeping = packing.sweep(isKnown)
      background(sweeping, toProcess)
      // What cannot be removed keeps nobody from anything.
      swept = sweeping.catch(() => undefined)
      for (const transfer of archives.flatMap(store.leftTransfers)) resume(transfer)
    },
  }
}

/**
 * Transfers, from a draft to what the archive preserves:
 *
 *     draft ── packing.ts ──▶ prepared ── sending.ts ──▶ sent ── following.ts ──▶ received, preserved or
 * refused
 *
 * Sending first looks up what a backup brought back (lookup.ts), then registers (registration.ts), then
 * brings the package (delivery.ts). What a person does is in commands.ts, and whether they may in
 * permission.ts. What is under way can be cancelled; what was killed goes on.
 */
export const openTransfers = (parts: Parts) => {
  const { engine, store, findClient } = parts
  const opened = openWorkshop(parts)
  const { records, chosenDelivery, permission, packing, lookUpRestored, ...workshop } = opened
  const { followSent, finishing, queueToFinish, routes, run, sendDue, commands, draftProfile, proposing } =
    workshop
  const takeLeftBack = openTakeLeftBack(parts, run)
  const expectations = openExpectations({ store, routes, dialectOf: parts.dialectOf })
  const { keep, need } = records

  /** What nobody works on though it says so was left by work that broke off, or by a desk that was killed. */
  const resume = (transfer: KeptTransfer) => {
    const state = engine.stateOf('transfer', { id: transfer.id, state: transfer.state })
    if (state === 'packing') background(run(transfer.id, packing.packNow), toProcess)
    else if (state !== transfer.state) keep({ ...transfer, state })
  }

  return {
    ...commands,
    ...proposing,
    need,
    keep,
    putAway: openPutAway(store, records),
    constraintsOf: permission.constraintsOf,
    hasDestination: permission.hasDestination,
    checkMay: permission.checkMay,
    isUnderWay: engine.isRunning,
    waitsFor: chosenDelivery.waitsFor,
    draftProfile,
    recount: packing.recountDraft,
    obstaclesOf: packing.obstaclesOf,
    setPaused: packing.setPaused,
    bePolite: packing.bePolite,
    removeSip: packing.removeSip,
    isOverInterface: routes.isOverInterface,
    routeOf: routes.routeOf,
    leftInOf: (transfer: KeptTransfer) => leftIn(store.laidPackages, transfer),
    archiveWorkOf: expectations.archiveWorkOf,
    refusableOf: expectations.refusableOf,
    /** Whether something was handed over, or waits to be, so that news of it are due soon. */
    isExpecting: (archive: string) => store.hasSent(archive) || store.hasAwaited(archive, 'transfer'),
    /** Sends what is due. */
    sendDue,
    /** After a refresh: sees what became of what was sent. */
    follow: async (archive: string): Promise<void> => {
      const restored = store.firstRestored(archive)
      const client = findClient(archive)
      if (restored !== undefined && client)
        background(
          run(restored, () => lookUpRestored(archive, client)),
          toProcess,
        )
      await takeLeftBack(archive)
      await inSlices(
        store.openTransferIds(archive),
        (id) => {
          const kept = store.transfer(id)
          if (!kept || !isReadable(kept)) return
          const transfer = chosenDelivery.resolved(kept)
          if (transfer !== kept) keep(transfer)
          if (finishing.isDue(transfer)) queueToFinish(archive, id)
          else if (transfer.state === 'sent' || transfer.state === 'received') {
            // What goes over the interface is called preserved once it was compared.
            if (transfer.sending === null) followSent(transfer)
          } else resume(transfer)
        },
        engine.isStopped,
      )
    },
    followSubmitted: openFollowSubmitted(parts, opened),
    ...openTidying(store, packing, resume),
  }
}
