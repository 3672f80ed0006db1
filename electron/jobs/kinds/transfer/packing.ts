import path from 'node:path'
import { background, toProcess } from '../../../common/background.ts'
import type { Failure } from '../../../contract/failure.ts'
import type { Progress, Sip } from '../../../contract/transfers.ts'
import type { PackingObstacles, Survey } from '../../../contract/survey.ts'
import { suffixOf } from '../../../packaging/pack/serializations.ts'
import { discard, moveAside, removeLeftovers, type Packed } from '../../../packaging/pack/pack.ts'
import type { PackageDraft } from '../../../packaging/format.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import type { LaidPackages } from '../../../store/desk/laid-packages.ts'
import { sweepDescriptive } from './handover.ts'
import { meter } from './meter.ts'
import { obstaclesOf } from './obstacles.ts'
import { openPackingControls } from './packing-controls.ts'
import { formatOf, packageDraftOf } from './package-draft.ts'
import { takeBack } from './reception.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'
import { countSource, skippedOf, sum } from './sources.ts'

interface Parts {
  records: Records
  laid: LaidPackages
  transports: Pick<Transports, 'packingOf'>
  packagesFolder: string
  scripts: PackagingScripts
  version: string
  now: () => Date
  progress: (progress: Progress) => void
  failureOf: (error: unknown) => Failure
}

/**
 * Whether a walk finds what the draft showed when it was packed: nobody should be given another package than
 * the one they looked at.
 */
const isAsCounted = ({ sources }: KeptTransfer, { counts, skipped }: Survey) => {
  const shown = sum(sources)
  return (
    shown.files === counts.files &&
    shown.folders === counts.folders &&
    shown.bytes === counts.bytes &&
    skippedOf(sources) === skipped.count
  )
}

/** A transfer that is a draft again, with no package and nobody working at it. */
const asDraft = (transfer: KeptTransfer): KeptTransfer => ({
  ...transfer,
  state: 'draft',
  isPaused: false,
  isWaiting: false,
  sip: null,
})

/** The package of a transfer, as it was made. */
const sipOf = ({ packing: { form, algorithm } }: KeptTransfer, path: string, packed: Packed): Sip => {
  const { counts, skipped, manifest, content, formats } = packed
  return { path, form, algorithm, counts, skipped: skipped.count, manifest, content, formats }
}

/**
 * A draft in the words of packaging, with the text of the file that describes it.
 * @throws Failed where that file cannot be read
 */
const describedDraft = async (transfer: KeptTransfer, version: string, now: Date): Promise<PackageDraft> => {
  const draft = packageDraftOf(transfer, version, now)
  const descriptive =
    transfer.descriptive === null
      ? undefined
      : await formatOf(transfer).readDescriptive?.(transfer.descriptive)
  return descriptive === undefined ? draft : { ...draft, descriptive }
}

/** Looking at a draft again before it is packed. */
const openLook = ({ records, transports, scripts }: Parts, targetOf: (transfer: KeptTransfer) => string) => ({
  /** Counts the sources of a draft anew: they may hold something else by now, or be back. */
  recountDraft: async (id: string): Promise<KeptTransfer> => {
    const { sources: known, packing } = records.need(id)
    const counted = await Promise.all(known.map((source) => countSource(source.path, packing, scripts)))
    const draft = records.need(id)
    if (draft.state !== 'draft') return draft
    // What was added or taken out meanwhile stands.
    const sources = draft.sources.map((source) => counted.find(({ path }) => path === source.path) ?? source)
    return records.keep({ ...draft, sources, counts: sum(sources), failure: null })
  },
  obstaclesOf: (id: string): Promise<PackingObstacles> => {
    const transfer = records.need(id)
    return obstaclesOf(transfer, targetOf({ ...transfer, packing: transports.packingOf(transfer) }))
  },
})

export type Packing = ReturnType<typeof openPacking>

/** @returns when what was left is out of the way; a million files may take minutes to be gone */
const sweepAll = async (packagesFolder: string, isKnown: (id: string) => boolean): Promise<void> => {
  const [{ gone }] = await Promise.all([
    removeLeftovers(packagesFolder),
    sweepDescriptive(packagesFolder, isKnown),
  ])
  background(gone, toProcess)
}

/** Removes a package, also from where an archive receives it, and what an unfinished packing left. */
const removePackage = async (laid: LaidPackages, transfer: KeptTransfer, target: string) => {
  await takeBack(laid, transfer)
  await moveAside(...(transfer.sip ? [transfer.sip.path] : []))
  await discard(target)
}

/** What comes of packing. Nothing where a lookup found meanwhile that the archive has the package already. */
const openOutcome = ({ records, now }: Parts, targetOf: (transfer: KeptTransfer) => string) => {
  const { keep, need } = records
  return {
    /** Makes it a draft again. */
    unpack: (id: string, change: Partial<KeptTransfer>): void => {
      const transfer = need(id)
      if (transfer.state === 'packing') keep({ ...asDraft(transfer), ...change })
    },
    keepPacked: async (transfer: KeptTransfer, packed: Packed): Promise<void> => {
      const target = targetOf(transfer)
      const known = need(transfer.id)
      if (known.state !== 'packing') {
        await moveAside(target)
        return
      }
      const times = { ...transfer.times, prepared: now().toISOString() }
      const sip = sipOf(transfer, target, packed)
      keep({ ...known, state: 'prepared', isPaused: false, sip, counts: packed.counts, times })
    },
  }
}

/** Packs drafts: what is under way can be paused, made polite and cancelled, and goes on after a crash. */
export const openPacking = (parts: Parts) => {
  const { packagesFolder, scripts, now, failureOf } = parts
  const { keep, need } = parts.records
  const controls = openPackingControls(parts.records)
  const targetOf = ({ id, packing }: KeptTransfer) =>
    path.join(packagesFolder, `${id}${suffixOf(packing.form)}`)
  const { unpack, keepPacked } = openOutcome(parts, targetOf)

  /**
   * Counts the sources anew and says what they hold now: the draft is looked at again before it is packed.
   */
  const recount = async ({ id, sources: packed, counts: before, packing }: KeptTransfer) => {
    const sources = await Promise.all(packed.map((source) => countSource(source.path, packing, scripts)))
    const counts = sum(sources)
    unpack(id, { sources, counts, failure: { kind: 'recounted', before, now: counts } })
  }

  /** Makes the package; `recounted` is aborted once the sources hold something else than was counted. */
  const pack = async (transfer: KeptTransfer, signal: AbortSignal, recounted: AbortController) => {
    const { onPlan, onProgress } = meter(transfer.id, 'packing', parts.progress)
    const draft = await describedDraft(transfer, parts.version, now())
    return formatOf(transfer).write(draft, targetOf(transfer), {
      scripts: scripts.pack,
      signal: AbortSignal.any([signal, recounted.signal]),
      isIdentified: true,
      onProgress,
      onPlan: (survey) => {
        onPlan(survey)
        if (!isAsCounted(transfer, survey)) recounted.abort()
      },
      onControl: (control) => controls.begin(transfer.id, control, transfer.packing.isPolite),
    })
  }

  return {
    /**
     * Packs a draft; what comes of that is kept: a package, or a draft that says why there is none.
     * @param isSent the package goes to the archive by itself once it is made, also after a crash
     */
    packNow: async (id: string, signal: AbortSignal, isSent = need(id).isWaiting): Promise<void> => {
      const begun = need(id)
      const transfer = keep({
        ...begun,
        packing: parts.transports.packingOf(begun),
        state: 'packing',
        isWaiting: isSent,
        failure: null,
      })
      const target = targetOf(transfer)
      const recounted = new AbortController()
      try {
        await moveAside(target)
        const packed = await pack(transfer, signal, recounted)
        if (isAsCounted(transfer, packed)) return await keepPacked(transfer, packed)
        // A small package may be done before anybody could stop it.
        await moveAside(target)
        await recount(transfer)
      } catch (error) {
        // The program ends: the draft is still being packed, and goes on when it runs again.
        if (signal.aborted && signal.reason === 'quit') return
        if (signal.aborted || recounted.signal.aborted) await discard(target)
        if (recounted.signal.aborted && !signal.aborted) await recount(transfer)
        else unpack(id, { failure: signal.aborted ? null : failureOf(error) })
      } finally {
        controls.end(id)
      }
    },
    ...openLook(parts, targetOf),
    setPaused: controls.setPaused,
    bePolite: controls.bePolite,
    /** Removes what an earlier run did not live to remove. */
    sweep: (isKnown: (id: string) => boolean) => sweepAll(packagesFolder, isKnown),
    removeSip: (transfer: KeptTransfer) => removePackage(parts.laid, transfer, targetOf(transfer)),
  }
}
