import { needed, type ArchiveClient } from '../../../dialects/dialect.ts'
import { unsent } from '../../../contract/jobs.ts'
import type { SubmissionStatus } from '../../../dialects/models.ts'
import type { DeskStore, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { isSurelyAbsent, noLookups } from '../../delays.ts'
import type { Engine } from '../../engine.ts'
import { stepOf } from './delivery.ts'
import type { Evidence } from './evidence.ts'
import type { Records } from './records.ts'
import type { Transports } from './transport.ts'
import { findRegistered, unconfirmed } from './registration.ts'

/** What the archive and its ingest folder show of a transfer. */
interface Shown {
  /** The transfer's id in the archive; null where it is not registered. */
  remote: string | null
  /** How far sending it has come, as the ingest folder shows. */
  step: 'copying' | 'renaming' | null
  /** Whether the archive says anything of its package. */
  isReceived: boolean
  /** Packages of its identifier that are older than the transfer. */
  older: string[]
}

/**
 * A transfer that a backup brought back, or another desk, after a lookup: what the archive has received goes
 * no second time, and what is surely not there goes on. As long as neither is sure it stays as it was and is
 * looked up again; a package that the archive does not show after minutes is for a person to send again.
 * @param afterAttempt says when it is looked up again
 */
const afterLookingUp = (
  transfer: KeptTransfer,
  { remote, step, isReceived, older }: Shown,
  now: Date,
  afterAttempt: Engine['afterAttempt'],
): KeptTransfer => {
  const before = transfer.sending === null ? older : transfer.before
  const known: KeptTransfer = { ...transfer, remote, before, wasRestored: false }
  if (isReceived)
    return {
      ...known,
      state: 'sent',
      isWaiting: false,
      isPaused: false,
      sending: null,
      failure: null,
      times: { ...transfer.times, sent: transfer.times.sent ?? now.toISOString() },
    }
  if (step !== null) return { ...known, sending: step, failure: null }
  // Found for the first time: how long it was looked for says nothing of its package.
  const asked = remote === transfer.remote ? transfer : { ...transfer, doubt: noLookups }
  const { doubt, failure } = unconfirmed(asked, remote === null ? 'registration' : 'package', now)
  if (remote === null && isSurelyAbsent(doubt)) return { ...known, sending: null, failure: null }
  const isToBeSent = transfer.state === 'prepared' && (transfer.isWaiting || remote !== null)
  return {
    ...transfer,
    remote,
    doubt,
    // What is not to be sent yet says nothing of it.
    failure: isToBeSent ? failure : transfer.failure,
    ...afterAttempt(transfer, null),
  }
}

const submitted: SubmissionStatus['step'][] = ['submitted', 'received', 'preserved']

/** The package of a transfer that may have been sent over the interface. */
const findSubmitted = async (client: ArchiveClient, transfer: KeptTransfer | undefined) =>
  transfer && needed(client.dialect.submission).find(client, transfer.form.identifier)

/**
 * A transfer that goes over the interface, after a lookup: the archive refuses its identifier a second time,
 * so it goes on. A package under an identifier that a person gave may be another's: sending it finds out.
 */
const afterFinding = (
  transfer: KeptTransfer,
  found: SubmissionStatus | undefined,
  now: Date,
): KeptTransfer => {
  // Why one was refused stays said.
  const failure = transfer.state === 'refused' ? transfer.failure : null
  const known = { ...transfer, wasRestored: false, failure }
  if (found === undefined)
    return unsent.includes(transfer.state) ? { ...known, sending: null, remote: null } : known
  if (transfer.form.identifier !== transfer.id) return known
  const submitting = { ...known, sending: 'submitting', remote: found.id } as const
  const isSubmitted = submitted.includes(found.step)
  if (!isSubmitted || !unsent.includes(transfer.state)) return submitting
  const times = { ...transfer.times, sent: transfer.times.sent ?? now.toISOString() }
  return { ...submitting, state: 'sent', isWaiting: false, isPaused: false, times }
}

interface Parts {
  engine: Engine
  store: Pick<DeskStore, 'transfer' | 'restoredTransfers' | 'ingestFolders'>
  records: Records
  evidence: Evidence
  transports: Pick<Transports, 'isOverInterface'>
  now: () => Date
}

export type Lookup = ReturnType<typeof openLookup>

/**
 * Asks the archive for transfers that a backup or another desk brought back: they may have been registered,
 * and their packages handed over. Nothing is done with them before that is known.
 */
export const openLookup = ({ engine, store, records, evidence, transports, now }: Parts) => {
  const keep = (before: KeptTransfer, found: KeptTransfer) => {
    records.keep(found)
    // The backup was made while it was packed, and what the archive has needs no package.
    if (before.state === 'packing' && found.state !== 'packing') engine.abort(found.id)
  }
  /** @param wanted one that a person sends: it is looked up though it was to wait */
  return async (archive: string, client: ArchiveClient, wanted?: string): Promise<void> => {
    const due = store.restoredTransfers(archive).filter((kept) => kept.id === wanted || engine.isDue(kept))
    const restored = due.filter((transfer) => !transports.isOverInterface(transfer))
    for (const { id } of due.filter(transports.isOverInterface)) {
      const found = await findSubmitted(client, store.transfer(id))
      // A person may have deleted it meanwhile.
      const transfer = store.transfer(id)
      if (transfer?.wasRestored === true) keep(transfer, afterFinding(transfer, found, now()))
    }
    if (restored.length === 0) return
    const registered = await findRegistered(client, restored)
    const remoteOf = (transfer: KeptTransfer) => transfer.remote ?? registered.idOf(transfer) ?? null
    const remotes = restored.flatMap((kept) => remoteOf(kept) ?? [])
    // The local copy may be older than what is looked up.
    const received = remotes.length > 0 ? await client.lookUp('received', remotes) : new Set()
    for (const { id } of restored) {
      const before = store.transfer(id)
      if (!before) continue
      const remote = remoteOf(before)
      const folder = before.ingestFolder ?? evidence.ingestFolderOf(archive)
      const step =
        remote === null ? null : await stepOf({ ...before, remote }, folder, store.ingestFolders(archive))
      // A person may have deleted it meanwhile.
      const transfer = store.transfer(id)
      if (transfer?.wasRestored !== true) continue
      const older = evidence.olderThan(transfer)
      const known = { ...transfer, remote, before: transfer.sending === null ? older : transfer.before }
      const isReceived = remote !== null && (received.has(remote) || evidence.wasReceived(known))
      const shown = { remote, step, isReceived, older }
      keep(transfer, afterLookingUp(transfer, shown, now(), engine.afterAttempt))
    }
  }
}
