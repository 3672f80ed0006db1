import type { Dissemination } from '../contract/dips.ts'
import { passes } from '../contract/failure.ts'
import type { KeptCreation, KeptTransfer } from '../store/desk/desk-store.ts'
import type { Message } from '../store/desk/message-ledger.ts'

/** What a person is to be told of a transfer of this desk: that it stopped, and does not go on by itself. */
export const messageOfTransfer = ({ id, state, failure, form, times }: KeptTransfer): Message | undefined => {
  const isRefused = state === 'refused'
  if (!isRefused && (failure === null || passes(failure))) return undefined
  return {
    key: `t${id} ${state} ${failure?.kind} ${times.prepared}`,
    content: { says: isRefused ? 'refused' : 'stopped', name: form.name || id },
    place: `transfers/${id}`,
    isFailure: true,
  }
}

/** The same of a record in the outbox. */
export const messageOfCreation = ({ id, state, title, attempts }: KeptCreation): Message | undefined =>
  state === 'refused' || state === 'undecided'
    ? {
        key: `c${id} ${state} ${attempts}`,
        content: { says: 'refused', name: title },
        place: 'desk',
        isFailure: true,
      }
    : undefined

/** What became of a dissemination package: it is made, or does not go on by itself. */
export const messageOfDip = ({
  id,
  order,
  label,
  state,
  stage,
  items,
}: Dissemination): Message | undefined => {
  if (state !== 'done' && state !== 'failed') return undefined
  const isFailure = state === 'failed'
  const copied = items.filter((item) => item.state === 'copied').length
  return {
    key: `d${id} ${stage} ${copied}`,
    content: { says: isFailure ? 'stopped' : 'made', name: label },
    place: `orders/${encodeURIComponent(order)}`,
    isFailure,
  }
}
