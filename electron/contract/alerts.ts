import * as v from 'valibot'
import { command, news, query } from './define.ts'

/** What a notification is about. */
export type Telling = 'preserved' | 'failure' | 'other'

/** A notification of the archive (specification 2.13). */
export interface Alert {
  id: number
  tells: Telling
  /** As the archive wrote it. */
  message: string
  /** As a person reads it: without the identifier behind the label, where that is a package we know. */
  text: string
  time: string
  seen: boolean
  /** The package that the message speaks of, where its identifier is in it. */
  package: { id: string; label: string } | null
}

/** One message, or a burst of failures that name no package: the first, which is why the others came. */
export interface ShownAlert extends Alert {
  /** What each message of the line is known by at this desk. */
  keys: string[]
  /** Nobody opened it at this desk yet. */
  isUnread: boolean
}

/**
 * What a message says, whatever language it is read in; `text` is one that an earlier version kept as it was
 * shown. A name is that of a package, a transfer, a record or a search, of news and failures what the archive
 * wrote.
 */
export type MessageContent =
  | { says: 'preserved' | 'failure' | 'news' | 'stopped' | 'refused' | 'made'; name: string }
  | { says: 'search'; name: string; count: number }
  | { says: 'several' | 'missed'; count: number; failures: number }
  | { says: 'text'; title: string; text: string }

/**
 * A message of this desk, not of the archive, that nobody opened yet: a transfer that stopped, a search with
 * news.
 */
export interface DeskMessage {
  key: string
  content: MessageContent
  /** Where it leads: "transfers/ID". */
  place: string
  isFailure: boolean
}

/**
 * Notifications with one id that were told so far apart are two: an archive that was brought back from a
 * backup gives ids anew. Times of one may differ by less, as archives round them.
 */
export const leastApartMs = 60_000

/** So many of the newest are looked at for the list. */
export const mostListed = 500

/** What the archive told this user. */
export const alerts = {
  /** The newest of them, and how many there are in all. */
  list: query(v.undefined()).returns<{
    rows: ShownAlert[]
    messages: DeskMessage[]
    total: number
    unread: number
    asOf: string | null
  }>(),
  /** A person saw some messages; null stands for all. */
  see: command(
    v.object({
      keys: v.nullable(v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(mostListed))),
    }),
  ).returns<void>(),
  /** What is unread has changed: so many of this archive's messages are. */
  changed: news<{ unread: number }>(),
}
