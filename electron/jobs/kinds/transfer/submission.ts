import path from 'node:path'
import { needed } from '../../../dialects/dialect.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import type { ArchiveStep } from '../../../contract/transfers.ts'
import { Failed, isRefusal } from '../../../contract/failure.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import { noLookups } from '../../delays.ts'
import { untried } from './records.ts'
import { compare, compareWithFormer, needWhole, uploadedFilesOf } from './comparison.ts'
import { exists, lostMount, mountPointOf } from './ingest-folder.ts'
import { makesRepresentations } from './proposing.ts'
import { takeBack } from './reception.ts'
import { recordTransfer, unconfirmed } from './registration.ts'
import { create } from './submission-create.ts'
import {
  afterAsking,
  betweenLooksMs,
  find,
  isAsFarAs,
  longestStartMs,
  longestWorkMs,
  tooSlow,
  type SubmissionTools,
  type Work,
} from './submission-work.ts'
import { unexpected, uploadFiles } from './upload.ts'

/** So often one attempt takes the same step. */
const mostTries = 3

/** Keeps when a step was first seen. */
const noteStep = ({ transfer, current, change, now }: Work, { step }: SubmissionStatus): void => {
  const { steps = [] } = current(transfer.id)
  if (step === 'unknown' || steps.some((seen) => seen.step === step)) return
  change(transfer.id, { steps: [...steps, { step, at: now().toISOString() }] })
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
    if (transfer.reception && transfer.sip?.form === 'folder') await submission.label(archive, id, name)
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

/** @throws Failed not-ready where the agreement takes no packages of this format */
const needAccepted = async ({ archive, submission, transfer }: Work) => {
  const { agreement, generationOf } = transfer.form
  if (generationOf || !formatNamed(transfer.packing.format).hasRepresentations) return
  if (await makesRepresentations(submission, archive, agreement))
    throw new Failed({ kind: 'not-ready', missing: ['format'] })
}

/**
 * Sends a prepared transfer over the interface, until it is submitted: what follows, whoever may receive
 * does.
 * @throws Failed; the transfer stays as far as it came
 */
export const submit = async (transfer: KeptTransfer, tools: SubmissionTools): Promise<KeptTransfer> => {
  const { archive, change, now } = tools
  const work: Work = { ...tools, transfer, submission: needed(archive.dialect.submission) }
  // What the archive has it has taken.
  if (transfer.remote === null) await needAccepted(work)
  const made = await create(work)
  change(transfer.id, {
    remote: made.id,
    // What was found there, and not begun by this attempt, is followed over the interface too.
    sending: 'submitting',
    ...(transfer.sip && { packageMountPoint: await mountPointOf(path.dirname(transfer.sip.path)) }),
  })
  await advance(work, made, 'submitted')
  if (tools.mayRecord) await recordTransfer(tools.current(transfer.id), tools)
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
export const finish = async (transfer: KeptTransfer, tools: SubmissionTools): Promise<KeptTransfer> => {
  const { archive, change, laid, now, mayReceive } = tools
  const work: Work = { ...tools, transfer, submission: needed(archive.dialect.submission) }
  if (tools.mayRecord) await recordTransfer(transfer, tools)
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
  // The archive leaves a container where it received it from.
  await takeBack(laid, transfer)
  return change(transfer.id, {
    state: 'preserved',
    package: status.id,
    sending: null,
    ...untried,
    compared,
    times: { ...received.times, preserved: now().toISOString() },
  })
}
