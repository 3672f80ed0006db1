import * as v from 'valibot'
import { command, news, query } from './define.ts'
import type { Listed } from './packages.ts'

/** What this desk writes down of itself. */
export const journalActs = [
  'transfer.draft',
  'transfer.packing',
  'transfer.prepared',
  'transfer.sending',
  'transfer.sent',
  'transfer.received',
  'transfer.preserved',
  'transfer.refused',
  'transfer.failed',
  'transfer.removed',
  'transfer.restored',
  'creation.waiting',
  'creation.held',
  'creation.sending',
  'creation.unanswered',
  'creation.undecided',
  'creation.refused',
  'creation.delivered',
  'creation.removed',
  'order.asked',
  'order.fetched',
  'order.desk',
  'order.returned',
  'order.printed',
  'sheet.printed',
  'dip.created',
  'record.changed',
  'session.in',
  'session.out',
  'session.forgotten',
  'notice.shown',
  'notice.digest',
  'list.exported',
  'journal.exported',
] as const
export type JournalAct = (typeof journalActs)[number]

export interface JournalCheck {
  count: number
  /** The digest of the last line, in hex: with it, nobody can shorten the journal unseen. */
  head: string
  /** The first line that is not as it was written; null where all are. */
  brokenAt: number | null
}

/** Something that happened, whoever tells it. */
export interface ActivityRow {
  id: string
  time: string
  source: 'event' | 'notification' | 'desk'
  /** In the words of the archive; for the desk its act. */
  what: string
  note: string
  failed: boolean | null
  agent: string
  package: { id: string; label: string } | null
  /** Where it is seen at this desk: "transfers/ID"; empty where it has no page. */
  place: string
}

const day = v.pipe(v.string(), v.regex(/^(\d{4}-\d\d-\d\d)?$/))
export const WhichActivity = v.object({
  sources: v.pipe(v.array(v.picklist(['event', 'notification', 'desk'])), v.maxLength(3)),
  isFailedOnly: v.boolean(),
  filter: v.pipe(v.string(), v.maxLength(1000)),
  from: day,
  to: day,
  offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
  limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
})
export type WhichActivity = v.InferOutput<typeof WhichActivity>

/** Events, notifications and this desk's own journal on one time line. */
export const activity = {
  list: query(WhichActivity).returns<Listed<ActivityRow>>(),
  /** Whether the journal is as it was written. */
  check: query(v.undefined()).returns<JournalCheck>(),
  /** Saves the journal; how many lines, or null when it was thought better of. */
  export: command(v.undefined()).returns<number | null>(),
  changed: news<Record<string, never>>(),
}
