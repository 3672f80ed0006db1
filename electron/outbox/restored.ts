import type { KeptTransfer } from '../store/desk.ts'
import { unconfirmed } from './sender.ts'
import { isSettled, noLookup } from '../jobs/delays.ts'
import type { Engine } from '../jobs/engine.ts'

/** What the archive and its ingest folder show of a transfer. */
export interface Shown {
  /** The transfer's id in the archive; null where it is not registered. */
  remote: string | null
  /** How far sending it has come, as the ingest folder shows. */
  step: 'copying' | 'renaming' | null
  /** Whether the archive says anything of its bag. */
  isReceived: boolean
  /** Packages of its identifier that are older than the transfer. */
  older: string[]
}

/**
 * A transfer that a backup brought back, or another desk, after a lookup: what the archive has received goes no
 * second time, and what is surely not there goes on. As long as neither is sure it stays as it was and is looked
 * up again; a bag that the archive does not show after minutes is for a person to send again.
 * @param afterAttempt says when it is looked up again
 */
export const afterLookingUp = (
  it: KeptTransfer,
  { remote, step, isReceived, older }: Shown,
  now: Date,
  afterAttempt: Engine['afterAttempt'],
): KeptTransfer => {
  const before = it.sending === null ? older : it.before
  const known: KeptTransfer = { ...it, remote, before, wasRestored: false }
  if (isReceived)
    return {
      ...known,
      stage: 'sent',
      isWaiting: false,
      sending: null,
      failure: null,
      times: { ...it.times, sent: it.times.sent ?? now.toISOString() },
    }
  if (step !== null) return { ...known, sending: step, failure: null }
  // Found for the first time: how long it was looked for says nothing of its bag.
  const asked = remote === it.remote ? it : { ...it, doubt: noLookup }
  const { doubt, failure } = unconfirmed(asked, remote === null ? 'registration' : 'bag', now)
  if (remote === null && isSettled(doubt)) return { ...known, sending: null, failure: null }
  return {
    ...it,
    remote,
    doubt,
    // What is not to be sent yet says nothing of it.
    failure: it.stage === 'prepared' && (it.isWaiting || remote !== null) ? failure : it.failure,
    ...afterAttempt(it, null),
  }
}
