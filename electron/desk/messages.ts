import type { DipTask } from '../contract/dips.ts'
import { passes } from '../contract/failure.ts'
import type { KeptCreation, KeptTransfer } from '../store/desk-store.ts'
import type { Message } from '../store/ledger.ts'

export interface MessageWords {
  failed: string
  stopped: (name: string) => string
  refused: (name: string) => string
  ready: string
  made: (name: string) => string
}

/** What a person is to be told of a transfer of this desk: that it stopped, and does not go on by itself. */
export const messageOfTransfer = (
  { id, state, failure, form, times }: KeptTransfer,
  words: MessageWords,
): Message | undefined => {
  const isRefused = state === 'refused'
  if (!isRefused && (failure === null || passes(failure))) return undefined
  const name = form.name || id
  return {
    key: `t${id} ${state} ${failure?.kind} ${times.prepared}`,
    title: words.failed,
    body: isRefused ? words.refused(name) : words.stopped(name),
    place: `transfers/${id}`,
    isFailure: true,
  }
}

/** The same of a record in the outbox. */
export const messageOfCreation = (
  { id, state, title, attempts }: KeptCreation,
  words: MessageWords,
): Message | undefined =>
  state === 'refused' || state === 'undecided'
    ? {
        key: `c${id} ${state} ${attempts}`,
        title: words.failed,
        body: words.refused(title),
        place: 'desk',
        isFailure: true,
      }
    : undefined

/** What became of a dissemination package: it is made, or does not go on by itself. */
export const messageOfDip = (
  { id, order, label, state, stage, items }: DipTask,
  words: MessageWords,
): Message | undefined => {
  if (state !== 'done' && state !== 'failed') return undefined
  const isFailure = state === 'failed'
  const copied = items.filter((item) => item.state === 'copied').length
  return {
    key: `d${id} ${stage} ${copied}`,
    title: isFailure ? words.failed : words.ready,
    body: isFailure ? words.stopped(label) : words.made(label),
    place: `orders/${encodeURIComponent(order)}`,
    isFailure,
  }
}
