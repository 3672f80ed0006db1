import type { Failure } from '../../electron/contract/failure.ts'

/**
 * What becomes of one request that makes a record: whether the archive makes the record, and what is heard of
 * that.
 */
export const postAnswers = [
  'made',
  'made, unanswered',
  'made late, unanswered',
  'lost, unanswered',
  'made, killed',
  'lost, killed',
  'refused',
  'busy',
  'offline',
] as const
export type PostAnswer = (typeof postAnswers)[number]

/** Longer than a first wait, and shorter than an archive may work at a request. */
export const lateMs = 4 * 60_000

/** An answer that says nothing of what the archive did; without a change, that it took too long. */
export const broken = (change: Partial<Extract<Failure, { kind: 'server-broke' }>>): Failure => ({
  kind: 'server-broke',
  address: '',
  status: 0,
  detail: 'too-slow',
  excerpt: '',
  ...change,
})
