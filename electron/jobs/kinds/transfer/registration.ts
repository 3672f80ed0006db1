import { needed, type ArchiveClient } from '../../../dialects/dialect.ts'
import type { TransferForm } from '../../../contract/transfers.ts'
import { Failed, isRefusal, isSurelyUnsent, type Failure } from '../../../contract/failure.ts'
import type { LookupTally, KeptTransfer } from '../../../store/desk/desk-store.ts'
import { afterLookup, isSurelyAbsent, noLookups } from '../../delays.ts'
import type { Records } from './records.ts'

/** What the registration of a transfer is found by. */
type Marked = Pick<KeptTransfer, 'id' | 'formerRegistrations'>

/**
 * The mark that tells our transfer from another: the interface has no idempotency key, so the last line of
 * the description carries the draft's id. It is how a transfer whose answer was lost is found again. One that
 * was registered, and made a draft again, is another one in the archive.
 */
const markOf = ({ id, formerRegistrations = 0 }: Marked) =>
  formerRegistrations === 0 ? `[Lectern ${id}]` : `[Lectern ${id} ${formerRegistrations + 1}]`

/**
 * Looks up drafts that were perhaps registered already: the archive's own records of transfers carry our
 * marks.
 */
export const findRegistered = async ({ lookUp }: Pick<ArchiveClient, 'lookUp'>, transfers: Marked[]) => {
  const found = await lookUp('registered', transfers.map(markOf))
  return {
    /**
     * The archive's id of one of them; undefined where it is not there.
     * @throws Failed server-broke where a record that cannot be read may be it
     */
    idOf: (transfer: Marked): string | undefined => {
      const record = found.get(markOf(transfer))
      if (!record || 'id' in record) return record?.id
      const { path: address, excerpt } = record
      throw new Failed({ kind: 'server-broke', address, status: 200, detail: 'unexpected', excerpt })
    },
  }
}

type Doubted = Extract<Failure, { kind: 'unconfirmed' }>['what']

/** The failure of a lookup that found nothing, and the tally with it. */
export const unconfirmed = (transfer: KeptTransfer, what: Doubted, now: Date) => {
  const doubt: LookupTally = afterLookup(transfer.doubt, transfer, now)
  const mayBeSent = what !== 'registration' && isSurelyAbsent(doubt)
  return { doubt, failure: { kind: 'unconfirmed', what, mayBeSent } as const }
}

/** The form of a transfer with our mark in its description. */
const marked = (transfer: KeptTransfer): TransferForm => ({
  ...transfer.form,
  description: [transfer.form.description, markOf(transfer)].filter(Boolean).join('\n\n'),
})

/**
 * Makes the archive's own record of a transfer whose package goes over the interface, which does not need it:
 * whatever comes of this, the package goes on. Where the answer was lost it is looked for, and not made
 * again.
 */
export const recordTransfer = async (
  transfer: KeptTransfer,
  { archive, change }: Pick<Parts, 'archive' | 'change'>,
): Promise<KeptTransfer> => {
  const { id, record, form } = transfer
  if (form.delivery === '' || (record && record.id !== null) || record?.wasRefused) return transfer
  try {
    if (record) {
      const found = (await findRegistered(archive, [transfer])).idOf(transfer)
      return found === undefined ? transfer : change(id, { record: { id: found } })
    }
    change(id, { record: { id: null } })
    return change(id, {
      record: { id: await needed(archive.dialect.transfers).register(archive, marked(transfer)) },
    })
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    if (isSurelyUnsent(error.failure)) return change(id, { record: null })
    return isRefusal(error.failure) ? change(id, { record: { id: null, wasRefused: true } }) : transfer
  }
}

interface Parts {
  archive: ArchiveClient
  change: Records['change']
  signal: AbortSignal
  now: () => Date
}

/**
 * Registers a transfer. One that was perhaps registered already is looked up, and only what several lookups
 * over minutes did not find is registered again: the archive may still be at work on it.
 * @returns the transfer with its id in the archive
 * @throws Failed; unconfirmed where a later attempt may know more
 */
export const register = async (
  begun: KeptTransfer,
  { archive, change, signal, now }: Parts,
): Promise<KeptTransfer> => {
  const { id } = begun
  if (begun.sending === 'registering') {
    const remote = (await findRegistered(archive, [begun])).idOf(begun)
    if (remote !== undefined) return change(id, { remote, doubt: noLookups })
    const { doubt, failure } = unconfirmed(begun, 'registration', now())
    if (!isSurelyAbsent(doubt)) {
      change(id, { doubt })
      throw new Failed(failure)
    }
  } else {
    // An archive that cannot be asked is sent nothing: what gets no answer has to be looked up for minutes.
    await archive.dialect.session.account(archive)
  }
  signal.throwIfAborted()
  const { form } = change(id, {
    state: 'sending',
    sending: 'registering',
    failure: null,
    doubt: noLookups,
    triedAt: now().toISOString(),
    nextAt: null,
  })
  try {
    const remote = await needed(archive.dialect.transfers).register(archive, marked({ ...begun, form }))
    return change(id, { remote })
  } catch (error) {
    if (error instanceof Failed && (isSurelyUnsent(error.failure) || isRefusal(error.failure)))
      change(id, { sending: null })
    throw error
  }
}
