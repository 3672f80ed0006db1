import path from 'node:path'
import { needed, type ArchiveClient, type SubmissionPart } from '../../../dialects/dialect.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import { archiveSteps, type ArchiveStep } from '../../../contract/transfers.ts'
import { Failed, isRefusal, isSurelyUnsent } from '../../../contract/failure.ts'
import type { Counts } from '../../../contract/counts.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'
import type { PackagingScripts } from '../../../packaging/scripts.ts'
import type { KeptTransfer } from '../../../store/desk-store.ts'
import { noLookups } from '../../delays.ts'
import { untried, type Records } from './records.ts'
import { compare, compareWithFormer, needWhole, uploadedFilesOf } from './comparison.ts'
import { exists, lostMount, mountPointOf } from './ingest-folder.ts'
import { recordTransfer, unconfirmed } from './registration.ts'
import { findReception, layInReception, takeBack } from './reception.ts'
import { unexpected, uploadFiles } from './upload.ts'

export interface SubmissionParts {
  archive: ArchiveClient
  change: Records['change']
  current: Records['need']
  /** The archive was seen to take files of an extension, or to refuse them. */
  noteExtension: (extension: string, isTaken: boolean) => void
  scripts: PackagingScripts
  /** Whether this account may receive what it brings, and have it preserved. */
  mayReceive: boolean
  /** Whether this account may have the archive keep a record of a transfer. */
  mayRecord: boolean
  signal: AbortSignal
  now: () => Date
  /** Lets some time pass; it ends early where the work is stopped. */
  wait: (ms: number, stop: AbortSignal) => Promise<void>
  onPlan: (survey: { counts: Counts }) => void
  onProgress: (progress: WorkProgress) => void
}

const betweenLooksMs = 1_500
/** So long an archive may take until what it was asked for shows. */
const longestStartMs = 60_000
/** So long one attempt watches the archive at work; the next goes on from there. */
const longestWorkMs = 900_000

/** So often one attempt takes the same step. */
const mostTries = 3

const isAsFarAs = ({ step }: SubmissionStatus, wanted: ArchiveStep) =>
  step !== 'unknown' && archiveSteps.indexOf(step) >= archiveSteps.indexOf(wanted)

/** Keeps when a step was first seen. */
const noteStep = ({ transfer, current, change, now }: Work, { step }: SubmissionStatus): void => {
  const { steps = [] } = current(transfer.id)
  if (step === 'unknown' || steps.some((seen) => seen.step === step)) return
  change(transfer.id, { steps: [...steps, { step, at: now().toISOString() }] })
}

const tooSlow = ({ url }: ArchiveClient, excerpt: string) =>
  new Failed({ kind: 'server-broke', address: url, status: 200, detail: 'too-slow', excerpt })

interface Work extends SubmissionParts {
  transfer: KeptTransfer
  submission: SubmissionPart
}

/**
 * The package that carries the identifier of a transfer.
 * @throws Failed conflict where that is another than the one that was made for it
 */
const find = async ({ submission, archive, transfer, current }: Work) => {
  const found = await submission.find(archive, transfer.form.identifier)
  const { remote, refusedPackage } = current(transfer.id)
  const isOurs = remote === null || found === undefined || found.id === remote || found.id === refusedPackage
  if (!isOurs) throw new Failed({ kind: 'conflict', detail: 'identifier' })
  return found
}

/** Whether what an attempt left in the archive may be removed: what was submitted is the archive's. */
const mayDiscard = (known: SubmissionStatus): boolean =>
  known.hasFailed ? known.step !== 'preserved' : !isAsFarAs(known, 'submitted')

/**
 * What an earlier attempt left there under another identifier is removed, where this account may do that:
 * nobody would go on with it.
 */
const discardFormer = async ({ archive, submission, transfer, change }: Work): Promise<void> => {
  const { refusedPackage = null, refusedIdentifier, form } = transfer
  if (refusedPackage === null || (refusedIdentifier ?? form.identifier) === form.identifier) return
  const known = await submission.find(archive, refusedIdentifier ?? '')
  try {
    if (known?.id === refusedPackage && mayDiscard(known)) await submission.discard(archive, known)
  } catch (error) {
    if (!(error instanceof Failed) || !isRefusal(error.failure)) throw error
  }
  change(transfer.id, { refusedPackage: null })
}

/** What an earlier attempt left there that the archive refused is removed: it holds the identifier. */
const afterDiscarding = async (
  work: Work,
  known: SubmissionStatus | undefined,
): Promise<SubmissionStatus | undefined> => {
  const { archive, submission, transfer, wait, signal } = work
  if (!known || known.id !== transfer.refusedPackage) return known
  if (!mayDiscard(known)) throw new Failed({ kind: 'conflict', detail: 'identifier' })
  await submission.discard(archive, known)
  const began = performance.now()
  for (;;) {
    const found = await find(work)
    if (found?.id !== known.id) return found
    if (performance.now() - began > longestStartMs) throw tooSlow(archive, known.state)
    await wait(betweenLooksMs, signal)
  }
}

/**
 * Waits until what a new generation begins with is copied. What could not be opened to its end has the
 * identifier there, and makes way for the next attempt.
 */
const afterOpening = async (work: Work, id: string): Promise<void> => {
  const { archive, transfer, change, wait, signal } = work
  const began = performance.now()
  for (;;) {
    const step = await needed(archive.dialect.work).step(archive, id)
    if (step.state === 'done') return
    if (step.state === 'failed' || step.state === 'stopped') {
      const left = await find(work)
      change(transfer.id, { sending: null, ...(left && { refusedPackage: left.id }) })
      const failed = step.tasks.find(({ state }) => state === 'failed')
      throw new Failed({ kind: 'refused', fields: { '': [failed?.message || step.label] } })
    }
    // Others are not to wait for it; the next attempt finds what was opened.
    if (performance.now() - began > longestWorkMs) throw tooSlow(archive, step.label)
    await wait(betweenLooksMs, signal)
  }
}

/** A package that was asked for, as soon as the archive shows it. @throws Failed server-broke too-slow */
const afterAsking = async (work: Work): Promise<SubmissionStatus> => {
  const { archive, transfer, wait, signal } = work
  const began = performance.now()
  for (;;) {
    const found = await find(work)
    if (found) return found
    if (performance.now() - began > longestStartMs) throw tooSlow(archive, transfer.form.identifier)
    await wait(betweenLooksMs, signal)
  }
}

const findReceptionFor = ({ mayReceive, transfer, ...work }: Work) =>
  mayReceive ? findReception(transfer, work) : Promise.resolve(null)

/**
 * Whether a package of the archive is the one that an attempt made whose answer was lost: under an identifier
 * that a person typed it may be another's, of the same name too.
 */
const isMade = async (work: Work, known: SubmissionStatus): Promise<boolean> => {
  const { archive, submission, transfer } = work
  const { id, remote, form } = transfer
  if (known.id === remote || form.identifier === id) return true
  // A new generation is called as the former until it is received.
  const isCalledSo = form.generationOf !== undefined || known.label.trim() === form.name.trim()
  return remote === null && isCalledSo && (await submission.isResponsible(archive, known))
}

/** Lays the package into the reception; a drive that is full or gone is no reason not to send. */
const lay = async (work: Work, reception: string): Promise<boolean> => {
  const { transfer, change, scripts, signal, onPlan, onProgress } = work
  try {
    await needWhole(work)
    await layInReception(transfer, reception, { scripts: scripts.pack, signal, onPlan, onProgress })
    return true
  } catch (error) {
    // What was stopped goes on from there.
    if (signal.aborted || !(error instanceof Failed)) throw error
    await takeBack(reception, transfer)
    change(transfer.id, { reception: null })
    if (error.failure.kind !== 'disk') throw error
    return false
  }
}

/**
 * Has the archive receive what was laid into its reception.
 * @returns false where it finds nothing there: then what was laid is taken back
 */
const receive = async (work: Work, reception: string): Promise<boolean> => {
  const { archive, submission, transfer, change } = work
  const { identifier, agreement } = transfer.form
  try {
    await submission.receiveFolder(archive, identifier, agreement)
    return true
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
    await takeBack(reception, transfer)
    change(transfer.id, { reception: null })
    return false
  }
}

/**
 * Has the archive begin a package under the identifier of the transfer, the way that it goes there.
 * @returns the step of the archive that is to be waited for; null where there is none
 */
const begin = async (work: Work, { reception }: Pick<KeptTransfer, 'reception'>): Promise<string | null> => {
  const { archive, submission, transfer } = work
  const { identifier, name, generationOf } = transfer.form
  if (generationOf) return submission.openGeneration(archive, generationOf.id, identifier)
  const isReceived = reception && (await lay(work, reception)) && (await receive(work, reception))
  if (!isReceived) await submission.create(archive, { identifier, label: name })
  return null
}

/** Whether an error says that nothing was asked of the archive, or that it made nothing of it. */
const isSurelyNotMade = (error: unknown): boolean =>
  error instanceof Failed &&
  (isRefusal(error.failure) ||
    isSurelyUnsent(error.failure) ||
    // What is wrong with the package on the disk is found before anything is asked.
    ['bad-package', 'source', 'disk', 'not-ready'].includes(error.failure.kind))

/**
 * Makes the package in the archive, under the identifier of the transfer: the archive refuses an identifier
 * that it has, so one that was lost on the way is never made twice.
 * @throws Failed conflict where somebody else's package has the identifier
 */
const create = async (work: Work): Promise<SubmissionStatus> => {
  const { change, transfer, now } = work
  const wasBegun = transfer.sending === 'submitting'
  // Nobody else gives an identifier that this desk made.
  const mayBeOurs = wasBegun || transfer.form.identifier === transfer.id
  await discardFormer(work)
  const known = await afterDiscarding(work, await find(work))
  if (known && mayBeOurs && (await isMade(work, known))) return known
  if (known) {
    if (wasBegun) change(transfer.id, { sending: null })
    throw new Failed({ kind: 'conflict', detail: 'identifier' })
  }
  work.signal.throwIfAborted()
  // One that was begun is in the archive, or has yet to be: then its way may be another.
  const reception = await findReceptionFor(work)
  const begun = change(transfer.id, {
    state: 'sending',
    sending: 'submitting',
    // What was made for it before is gone, or is not shown to this account.
    remote: null,
    reception,
    failure: null,
    triedAt: now().toISOString(),
  })
  let step: string | null
  try {
    step = await begin(work, begun)
  } catch (error) {
    const isRefused = error instanceof Failed && isRefusal(error.failure)
    // An earlier request may have come through, though its answer was lost.
    const made = isRefused && mayBeOurs ? await find(work) : undefined
    if (made && (await isMade(work, made))) return made
    // Nothing was made: the transfer is as it was before, and can be corrected.
    const { remote } = transfer
    if (isSurelyNotMade(error))
      change(transfer.id, { remote, sending: remote === null ? null : transfer.sending })
    throw isRefused && remote !== null ? new Failed({ kind: 'conflict', detail: 'unseen' }) : error
  }
  if (step !== null) await afterOpening(work, step)
  return afterAsking(work)
}

const upload = async (work: Work, place: SubmissionStatus): Promise<void> => {
  const { archive, submission, transfer, signal, wait, onPlan, onProgress } = work
  await needWhole(work)
  const files = await uploadedFilesOf(transfer)
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  onPlan({ counts: { files: files.length, folders: 0, bytes } })
  await uploadFiles({ archive, submission, place, files, signal, wait, onProgress })
  if (place.workArea) await submission.leaveWorkArea(archive, place.id)
  else await submission.finishUpload(archive, place.id)
}

/** What leads from each step to the next. */
const acts: Record<
  Exclude<ArchiveStep, 'preserved'>,
  (work: Work, status: SubmissionStatus) => Promise<unknown>
> = {
  registered: ({ submission, archive, transfer }, { id }) =>
    submission.agree(archive, id, transfer.form.agreement),
  agreed: async ({ submission, archive, transfer }, { id, agreement }) => {
    const wanted = transfer.form.agreement
    if (agreement !== wanted) await submission.agree(archive, id, wanted)
    await submission.lock(archive, id, wanted)
  },
  locked: async ({ submission, archive, transfer }, { id }) => {
    const { agreementValues } = transfer.form
    if (agreementValues) await submission.fillIn(archive, id, 'before preparing', agreementValues)
    await submission.prepare(archive, id)
  },
  prepared: upload,
  uploaded: ({ submission, archive }, { id }) => submission.make(archive, id),
  created: ({ submission, archive }, { id }) => submission.submit(archive, id),
  submitted: ({ submission, archive, transfer }, { id, workArea }) =>
    workArea ? submission.leaveWorkArea(archive, id) : submission.receive(archive, transfer.form.identifier),
  received: async ({ submission, archive, transfer }, { id }) => {
    const { agreementValues, name } = transfer.form
    // A folder of the reception has no other name than its identifier.
    if (transfer.reception) await submission.label(archive, id, name)
    if (agreementValues) await submission.fillIn(archive, id, 'before preserving', agreementValues)
    await submission.preserve(archive, id)
  },
}

/** Whether what was asked for shows: the archive is at another step, works at it, or could not take it. */
const hasMoved = (before: SubmissionStatus, after: SubmissionStatus) =>
  after.step !== before.step ||
  (after.workArea === null) !== (before.workArea === null) ||
  after.isWorking ||
  after.hasFailed

/** How the package is once an act shows. @throws Failed server-broke too-slow where it never does */
const afterActing = async (work: Work, before: SubmissionStatus): Promise<SubmissionStatus> => {
  const { archive, wait, signal } = work
  const began = performance.now()
  for (;;) {
    const after = await afterAsking(work)
    if (hasMoved(before, after)) return after
    if (performance.now() - began > longestStartMs) throw tooSlow(archive, before.state)
    await wait(betweenLooksMs, signal)
  }
}

/** Takes the next step. One that is refused because it was taken already is none that failed. */
const act = async (work: Work, status: SubmissionStatus): Promise<SubmissionStatus> => {
  const { step } = status
  if (step === 'unknown' || step === 'preserved') throw unexpected(work.archive, status.state)
  try {
    await acts[step](work, status)
  } catch (error) {
    if (!(error instanceof Failed) || !isRefusal(error.failure)) throw error
    const found = await find(work)
    if (!found || !hasMoved(status, found)) throw error
    return found
  }
  return afterActing(work, status)
}

/** Why the archive could not go on with a package; an extension that it refused is remembered. */
const failureOf = async (work: Work, status: SubmissionStatus): Promise<Failed> => {
  const reason = await work.submission.whyFailed(work.archive, status.id)
  const extension = work.submission.refusedExtension(reason)
  if (extension !== undefined) work.noteExtension(extension, false)
  return new Failed({ kind: 'refused', fields: { '': [reason || status.state] } })
}

/**
 * Brings the package of a transfer as far as a step, by what the archive says of it: whatever was killed or
 * lost on the way, how far it is stands there. The archive works at some steps for minutes.
 * @throws Failed refused with the words of the archive's own step that failed
 */
const advance = async (
  work: Work,
  begun: SubmissionStatus,
  wanted: ArchiveStep,
): Promise<SubmissionStatus> => {
  let status = begun
  let began = performance.now()
  const acted = new Map<SubmissionStatus['step'], number>()
  for (;;) {
    work.signal.throwIfAborted()
    noteStep(work, status)
    if (status.hasFailed) throw await failureOf(work, status)
    if (isAsFarAs(status, wanted)) return status
    if (status.isWorking) {
      // Others are not to wait for an archive that does not come to an end with this one.
      if (performance.now() - began > longestWorkMs) throw tooSlow(work.archive, status.state)
      await work.wait(betweenLooksMs, work.signal)
      status = await afterAsking(work)
    } else {
      const times = (acted.get(status.step) ?? 0) + 1
      // An archive that goes back again and again is not asked without end.
      if (times > mostTries) throw unexpected(work.archive, status.state)
      acted.set(status.step, times)
      status = await act(work, status)
      began = performance.now()
    }
  }
}

/**
 * Sends a prepared transfer over the interface, until it is submitted: what follows, whoever may receive
 * does.
 * @throws Failed; the transfer stays as far as it came
 */
export const submit = async (transfer: KeptTransfer, parts: SubmissionParts): Promise<KeptTransfer> => {
  const { archive, change, now } = parts
  const work: Work = { ...parts, transfer, submission: needed(archive.dialect.submission) }
  const made = await create(work)
  change(transfer.id, {
    remote: made.id,
    ...(transfer.sip && { packageMountPoint: await mountPointOf(path.dirname(transfer.sip.path)) }),
  })
  await advance(work, made, 'submitted')
  if (parts.mayRecord) await recordTransfer(parts.current(transfer.id), parts)
  return change(transfer.id, {
    state: 'sent',
    isWaiting: false,
    ...untried,
    doubt: noLookups,
    times: { ...transfer.times, sent: now().toISOString() },
  })
}

/**
 * Whether the package of a transfer lies on this computer. One that a backup brought back may have been
 * compared before, and its package let go.
 * @throws Failed disk gone where the drive is away that it lies on
 */
const isPackageThere = async ({ sip, packageMountPoint }: KeptTransfer): Promise<boolean> => {
  if (sip === null) return false
  if (await exists(sip.path)) return true
  const folder = path.dirname(sip.path)
  const isAway =
    !(await exists(folder)) || lostMount(packageMountPoint ?? null, await mountPointOf(folder)) !== null
  if (isAway) throw new Failed({ kind: 'disk', trouble: 'gone', path: sip.path })
  return false
}

/**
 * Goes on with a transfer that was submitted, until it is preserved and what the archive holds was compared
 * with what was sent. Where another role receives, this only looks how far it is.
 */
export const finish = async (transfer: KeptTransfer, parts: SubmissionParts): Promise<KeptTransfer> => {
  const { archive, change, now, mayReceive } = parts
  const work: Work = { ...parts, transfer, submission: needed(archive.dialect.submission) }
  if (parts.mayRecord) await recordTransfer(transfer, parts)
  let status = await find(work)
  if (!status) {
    const { doubt, failure } = unconfirmed(transfer, 'submission', now())
    change(transfer.id, { doubt })
    throw new Failed(failure)
  }
  const keepReceived = () =>
    change(transfer.id, {
      state: 'received',
      ...untried,
      times: { ...transfer.times, received: transfer.times.received ?? now().toISOString() },
    })
  if (mayReceive) status = await advance(work, status, 'received')
  else if (status.hasFailed) throw await failureOf(work, status)
  if (status.step === 'unknown') throw unexpected(archive, status.state)
  const keepUntried = () =>
    transfer.failure === null && transfer.nextAt === null
      ? transfer
      : change(transfer.id, { ...untried, doubt: noLookups })
  if (!isAsFarAs(status, 'received')) return keepUntried()
  const received = transfer.state === 'sent' ? keepReceived() : keepUntried()
  if (mayReceive) status = await advance(work, status, 'preserved')
  noteStep(work, status)
  if (!isAsFarAs(status, 'preserved')) return received
  const compared = (await isPackageThere(transfer)) ? await compare(work, status.id) : null
  const { generationOf } = transfer.form
  if (generationOf) await compareWithFormer(work, generationOf.id, status.id)
  return change(transfer.id, {
    state: 'preserved',
    package: status.id,
    sending: null,
    ...untried,
    compared,
    times: { ...received.times, preserved: now().toISOString() },
  })
}
