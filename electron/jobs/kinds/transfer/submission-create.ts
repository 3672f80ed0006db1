import type { PackageReport } from '../../../contract/findings.ts'
import { needed } from '../../../dialects/dialect.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import { Failed, isRefusal, isSurelyUnsent } from '../../../contract/failure.ts'
import { formatNamed } from '../../../packaging/formats.ts'
import type { KeptTransfer } from '../../../store/desk/desk-store.ts'
import { needWhole } from './comparison.ts'
import { findReception, layInReception, takeAttemptBack, takeBack, type ContainerFile } from './reception.ts'
import {
  afterAsking,
  betweenLooksMs,
  find,
  isAsFarAs,
  longestStartMs,
  longestWorkMs,
  tooSlow,
  type Work,
} from './submission-work.ts'

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
  const found = await submission.find(archive, refusedIdentifier ?? '')
  // An archive may have written the identifier another way; then no attempt went on with it.
  const renamed = found ? undefined : await submission.status(archive, refusedPackage)
  const known = found ?? (renamed?.step === 'registered' ? renamed : undefined)
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
 * Whether a package of the archive is the one that an attempt made whose answer was lost: under an identifier
 * that a person typed it may be another's, of the same name too. Nobody has gone on with it.
 */
const isMade = async (work: Work, known: SubmissionStatus): Promise<boolean> => {
  const { archive, submission, transfer } = work
  const { id, remote, form } = transfer
  if (known.id === remote || form.identifier === id) return true
  if (remote !== null || known.step !== (form.generationOf ? 'prepared' : 'registered')) return false
  // A new generation is called as the former until it is received.
  const isCalledSo = form.generationOf !== undefined || known.label.trim() === form.name.trim()
  return isCalledSo && (await submission.isResponsible(archive, known))
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
      const isOurs = left !== undefined && (await isMade(work, left))
      change(transfer.id, { sending: null, ...(isOurs && { refusedPackage: left.id }) })
      const failed = step.tasks.find(({ state }) => state === 'failed')
      throw new Failed({ kind: 'refused', fields: { '': [failed?.message || step.label] } })
    }
    // Others are not to wait for it; the next attempt finds what was opened.
    if (performance.now() - began > longestWorkMs) throw tooSlow(archive, step.label)
    await wait(betweenLooksMs, signal)
  }
}

const findReceptionFor = ({ mayReceive, transfer, ...work }: Work) =>
  mayReceive ? findReception(transfer, work) : Promise.resolve(null)

/** Says of a container in the reception what its package and the draft of it say. */
const describing =
  ({ submission, transfer, now }: Work, report: PackageReport) =>
  (file: ContainerFile): string => {
    const { identifier, name: label, agreement, organization, person } = transfer.form
    const provenance = formatNamed(report.format).provenanceOf(report)
    return submission.describeContainer({
      ...provenance,
      identifier,
      label,
      agreement,
      organization,
      person,
      made: now(),
      file,
    })
  }

/** Lays the package into the reception; a drive that is full or gone is no reason not to send. */
const lay = async (work: Work, reception: string): Promise<boolean> => {
  const { transfer, change, laid, scripts, signal, onPlan, onProgress } = work
  try {
    const describe = describing(work, await needWhole(work))
    const known = laid.inReception(transfer.id, reception)
    const mountPoint = known?.mountPoint ?? ''
    await layInReception(transfer, reception, {
      scripts: scripts.pack,
      signal,
      onPlan,
      onProgress,
      describe,
      mountPoint,
      laid,
    })
    return true
  } catch (error) {
    // What was stopped goes on from there.
    if (signal.aborted || !(error instanceof Failed)) throw error
    await takeAttemptBack(laid, transfer, reception)
    change(transfer.id, { reception: null })
    if (error.failure.kind !== 'disk') throw error
    return false
  }
}

/**
 * Has the archive receive what was laid into its reception.
 * @returns false where it finds nothing there: then what was laid is taken back
 */
const receive = async (work: Work): Promise<boolean> => {
  const { archive, submission, transfer, laid, change } = work
  const { identifier, agreement } = transfer.form
  try {
    // The description of a container names the agreement.
    if (transfer.sip?.form === 'folder') await submission.receiveFolder(archive, identifier, agreement)
    else await submission.receive(archive, identifier)
    return true
  } catch (error) {
    if (!(error instanceof Failed) || error.failure.kind !== 'not-found') throw error
    await takeBack(laid, transfer)
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
  const isReceived = reception && (await lay(work, reception)) && (await receive(work))
  if (!isReceived) await submission.create(archive, { identifier, label: name })
  return null
}

const findAlike = ({ archive, submission, transfer }: Work): Promise<SubmissionStatus[]> => {
  const { identifier, name, generationOf } = transfer.form
  // A new generation is called as the former until it is received.
  return generationOf ? Promise.resolve([]) : submission.findAlike(archive, { identifier, label: name })
}

/** Notes packages that are there already under an identifier much like a typed one: they are not ours. */
const noteAlike = async (work: Work): Promise<void> => {
  const { id, form, before } = work.transfer
  if (form.identifier === id) return
  const others = (await findAlike(work)).map((found) => found.id)
  if (others.length > 0) work.change(id, { before: [...before, ...others] })
}

/**
 * Sees to it that the archive is asked for no second package where it writes identifiers another way, and
 * has the first under the other one.
 * @throws Failed conflict where it has
 */
const checkNotRenamed = async (work: Work): Promise<void> => {
  const { transfer, current, change } = work
  const { remote, refusedPackage, before } = current(transfer.id)
  for (const found of await findAlike(work)) {
    if (before.includes(found.id) || ![null, found.id].includes(remote)) continue
    if (found.id !== refusedPackage && !(await isMade(work, found))) continue
    change(transfer.id, { remote: found.id })
    throw new Failed({ kind: 'conflict', detail: 'identifier changed' })
  }
}

/**
 * A package that was made, as soon as the archive shows it.
 * @throws Failed server-broke too-slow where it never does, conflict where it has another identifier there
 */
const afterCreating = async (work: Work): Promise<SubmissionStatus> => {
  try {
    return await afterAsking(work)
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === 'server-broke') await checkNotRenamed(work)
    throw error
  }
}

/** Whether the archive says that it has a package under the identifier. */
const isConflict = (error: unknown): boolean => error instanceof Failed && error.failure.kind === 'conflict'

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
export const create = async (work: Work): Promise<SubmissionStatus> => {
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
  await (wasBegun || transfer.refusedPackage ? checkNotRenamed(work) : noteAlike(work))
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
    const { remote } = transfer
    const hasIdentifier = wasBegun && isConflict(error) && made === undefined
    const isUnseen = remote !== null || hasIdentifier
    // Nothing was made: the transfer is as it was before, and can be corrected.
    if (isSurelyNotMade(error)) change(transfer.id, { remote, sending: isUnseen ? transfer.sending : null })
    throw isRefused && isUnseen ? new Failed({ kind: 'conflict', detail: 'unseen' }) : error
  }
  if (step !== null) await afterOpening(work, step)
  return afterCreating(work)
}
