import path from 'node:path'
import { needed, type ArchiveClient, type SubmissionPart } from '../../../dialects/dialect.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import { Failed, isRefusal } from '../../../contract/failure.ts'
import type { Counts } from '../../../contract/counts.ts'
import type { WorkProgress } from '../../../packaging/pack/control.ts'
import { endingOf } from '../../../packaging/pack/serializations.ts'
import type { KeptTransfer } from '../../../store/desk-store.ts'
import type { Records } from './records.ts'
import { digestOf, uploadFile } from './upload.ts'

export interface SubmissionParts {
  archive: ArchiveClient
  change: Records['change']
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

/** In the order in which a package goes through them. */
const steps = [
  'registered',
  'agreed',
  'locked',
  'prepared',
  'uploaded',
  'created',
  'submitted',
  'received',
  'preserved',
] as const satisfies SubmissionStatus['step'][]
type Step = (typeof steps)[number]

const isAsFarAs = ({ step }: SubmissionStatus, wanted: Step) =>
  step !== 'unknown' && steps.indexOf(step) >= steps.indexOf(wanted)

/** Where the package of a transfer lies in what it is submitted as. */
export const contentPathOf = ({ id, packing }: Pick<KeptTransfer, 'id' | 'packing'>): string =>
  `content/${id}${endingOf(packing.form)}`

const unexpected = ({ url }: ArchiveClient, excerpt: string) =>
  new Failed({ kind: 'server-broke', address: url, status: 200, detail: 'unexpected', excerpt })

interface Work extends SubmissionParts {
  transfer: KeptTransfer
  submission: SubmissionPart
}

const find = ({ submission, archive, transfer }: Work) => submission.find(archive, transfer.form.identifier)

/**
 * Makes the package in the archive, under the identifier of the transfer: the archive refuses an identifier
 * that it has, so one that was lost on the way is never made twice.
 * @throws Failed conflict where somebody else's package has the identifier
 */
const create = async (work: Work): Promise<SubmissionStatus> => {
  const { archive, submission, change, transfer, now } = work
  const { identifier, name } = transfer.form
  const wasBegun = transfer.sending === 'submitting'
  const known = await find(work)
  if (known && !wasBegun) throw new Failed({ kind: 'conflict', detail: 'identifier' })
  if (known) return known
  work.signal.throwIfAborted()
  change(transfer.id, {
    state: 'sending',
    sending: 'submitting',
    failure: null,
    triedAt: now().toISOString(),
  })
  try {
    await submission.create(archive, { identifier, label: name })
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'conflict') throw error
  }
  const made = await find(work)
  if (!made) throw unexpected(archive, identifier)
  return made
}

const upload = async (work: Work, { id }: SubmissionStatus): Promise<void> => {
  const { archive, submission, transfer, signal, onPlan, onProgress } = work
  const { sip } = transfer
  if (sip === null) throw new Failed({ kind: 'not-ready', missing: ['packed'] })
  onPlan({ counts: { files: 1, folders: 0, bytes: sip.counts.bytes } })
  const file = sip.path
  await uploadFile({ archive, submission, id, file, path: contentPathOf(transfer), signal, onProgress })
  await submission.finishUpload(archive, id)
}

/** What leads from each step to the next. */
const acts: Record<Exclude<Step, 'preserved'>, (work: Work, status: SubmissionStatus) => Promise<unknown>> = {
  registered: ({ submission, archive, transfer }, { id }) =>
    submission.agree(archive, id, transfer.form.agreement),
  agreed: async ({ submission, archive, transfer }, { id, agreement }) => {
    const wanted = transfer.form.agreement
    if (agreement !== wanted) await submission.agree(archive, id, wanted)
    await submission.lock(archive, id, wanted)
  },
  locked: ({ submission, archive }, { id }) => submission.prepare(archive, id),
  prepared: upload,
  uploaded: ({ submission, archive }, { id }) => submission.make(archive, id),
  created: ({ submission, archive }, { id }) => submission.submit(archive, id),
  submitted: ({ submission, archive, transfer }) => submission.receive(archive, transfer.form.identifier),
  received: ({ submission, archive }, { id }) => submission.preserve(archive, id),
}

/** Whether what was asked for shows: the archive is at another step, works at it, or could not take it. */
const hasMoved = (before: SubmissionStatus, after: SubmissionStatus) =>
  after.step !== before.step || after.isWorking || after.hasFailed

/** How the package is once an act shows. @throws Failed server-broke too-slow where it never does */
const afterActing = async (work: Work, before: SubmissionStatus): Promise<SubmissionStatus> => {
  const { archive, wait, signal, now } = work
  const began = now().getTime()
  for (;;) {
    const after = await find(work)
    if (!after) throw unexpected(archive, work.transfer.form.identifier)
    if (hasMoved(before, after)) return after
    if (now().getTime() - began > longestStartMs)
      throw new Failed({
        kind: 'server-broke',
        address: archive.url,
        status: 200,
        detail: 'too-slow',
        excerpt: before.state,
      })
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

/**
 * Brings the package of a transfer as far as a step, by what the archive says of it: whatever was killed or
 * lost on the way, how far it is stands there. The archive works at some steps for minutes.
 * @throws Failed refused with the words of the archive's own step that failed
 */
const advance = async (work: Work, begun: SubmissionStatus, wanted: Step): Promise<SubmissionStatus> => {
  let status = begun
  for (;;) {
    work.signal.throwIfAborted()
    if (status.hasFailed) {
      const reason = await work.submission.whyFailed(work.archive, status.id)
      throw new Failed({ kind: 'refused', fields: { '': [reason || status.state] } })
    }
    if (isAsFarAs(status, wanted)) return status
    if (status.isWorking) {
      await work.wait(betweenLooksMs, work.signal)
      const found = await find(work)
      if (!found) throw unexpected(work.archive, work.transfer.form.identifier)
      status = found
    } else status = await act(work, status)
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
  change(transfer.id, { remote: made.id })
  await advance(work, made, 'submitted')
  return change(transfer.id, {
    state: 'sent',
    isWaiting: false,
    failure: null,
    times: { ...transfer.times, sent: now().toISOString() },
  })
}

/**
 * Compares what the archive says that it holds with what was sent.
 * @returns the algorithm by which both are the same
 * @throws Failed not-as-sent where the file is missing, longer, shorter or another
 */
const compare = async ({ archive, submission, transfer }: Work, id: string): Promise<string> => {
  const wanted = path.posix.basename(contentPathOf(transfer))
  const file = transfer.sip?.path ?? ''
  const held: { bytes: number; digest: string; algorithm: string }[] = []
  await submission.contents(archive, id, ({ path: inside, ...said }) => {
    if (path.posix.basename(inside) === wanted) held.push(said)
  })
  const [said] = held
  if (!said) throw new Failed({ kind: 'not-as-sent', path: wanted, trouble: 'missing' })
  const digest = await digestOf(file, said.algorithm)
  if (digest === undefined || said.digest === '')
    throw new Failed({ kind: 'not-as-sent', path: wanted, trouble: 'no digest' })
  if (digest !== said.digest) throw new Failed({ kind: 'not-as-sent', path: wanted, trouble: 'digest' })
  return said.algorithm
}

/**
 * Goes on with a transfer that was submitted, until it is preserved and what the archive holds was compared
 * with what was sent. Where another role receives, this only looks how far it is.
 */
export const finish = async (
  transfer: KeptTransfer,
  parts: SubmissionParts & { mayReceive: boolean },
): Promise<KeptTransfer> => {
  const { archive, change, now, mayReceive } = parts
  const work: Work = { ...parts, transfer, submission: needed(archive.dialect.submission) }
  let status = await find(work)
  if (!status) throw unexpected(archive, transfer.form.identifier)
  const keepReceived = () =>
    change(transfer.id, {
      state: 'received',
      times: { ...transfer.times, received: transfer.times.received ?? now().toISOString() },
    })
  if (mayReceive) status = await advance(work, status, 'received')
  if (!isAsFarAs(status, 'received')) return transfer
  const received = transfer.state === 'sent' ? keepReceived() : transfer
  if (mayReceive) status = await advance(work, status, 'preserved')
  if (!isAsFarAs(status, 'preserved')) return received
  const compared = await compare(work, status.id)
  return change(transfer.id, {
    state: 'preserved',
    package: status.id,
    sending: null,
    failure: null,
    compared,
    times: { ...received.times, preserved: now().toISOString() },
  })
}
