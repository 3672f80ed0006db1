import type { Listing } from './lists.ts'

/**
 * What is sent back: a status, and a body in one of four forms. Its fields are never read from what a client
 * sent.
 */
export interface Answer {
  status: number
  body?: unknown
  /** In place of a body: a list or a record that is sent as it is made. */
  listing?: Listing
  /** In place of a body: bytes that are ready, JSON unless the headers name another type. */
  bytes?: Buffer
  /** In place of a body: chunks that are read while they are sent, and how long they are, where known. */
  stream?: { bytes: number | undefined; chunks: AsyncIterable<Buffer> }
  headers?: Record<string, string>
}

export const plain = (status: number, detail: string): Answer => ({ status, body: { detail } })

/** A method that a path does not take, with those that it does (RFC 9110 15.5.6). */
export const notAllowed = ({ method }: { method?: string | undefined }, allowed: string): Answer => ({
  ...plain(405, `Method "${method}" not allowed.`),
  headers: { Allow: allowed },
})
