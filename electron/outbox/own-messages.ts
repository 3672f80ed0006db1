import type { KeptCreation, KeptTransfer } from '../store/desk.ts'
import type { Message } from '../store/ledger.ts'
import { passes } from './delays.ts'

export interface OwnWords {
  failed: string
  stopped: (name: string) => string
  refused: (name: string) => string
}

/** What a person is to be told of a transfer of this desk: that it stopped, and does not go on by itself. */
export const messageOfTransfer = ({ id, stage, failure, form, times }: KeptTransfer, words: OwnWords): Message | undefined => {
  const isRefused = stage === 'refused'
  if (!isRefused && (failure === null || passes(failure))) return undefined
  const name = form.name || id
  return { key: `t${id} ${stage} ${failure?.kind} ${times.prepared}`, title: words.failed, body: isRefused ? words.refused(name) : words.stopped(name), place: `transfers/${id}`, isFailure: true }
}

/** The same of a record in the outbox. */
export const messageOfCreation = ({ id, state, title, attempts }: KeptCreation, words: OwnWords): Message | undefined =>
  state === 'refused' || state === 'undecided' ? { key: `c${id} ${state} ${attempts}`, title: words.failed, body: words.refused(title), place: 'desk', isFailure: true } : undefined
