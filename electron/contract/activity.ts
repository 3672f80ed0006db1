import * as v from 'valibot'
import type { MessageContent } from './alerts.ts'
import { dayBound } from './calendar-day.ts'
import { command, news, query } from './define.ts'
import { filtersOf, type FacetValue } from './filters.ts'
import { paging, type Listed } from './paging.ts'

/** What this desk writes down of itself. */
export type JournalAct =
  | 'transfer.draft'
  | 'transfer.packing'
  | 'transfer.prepared'
  | 'transfer.sending'
  | 'transfer.sent'
  | 'transfer.received'
  | 'transfer.preserved'
  | 'transfer.refused'
  | 'transfer.failed'
  | 'transfer.removed'
  | 'transfer.restored'
  | 'creation.waiting'
  | 'creation.held'
  | 'creation.sending'
  | 'creation.unanswered'
  | 'creation.undecided'
  | 'creation.refused'
  | 'creation.delivered'
  | 'creation.removed'
  | 'order.asked'
  | 'order.fetched'
  | 'order.desk'
  | 'order.returned'
  | 'order.printed'
  | 'sheet.printed'
  | 'dip.created'
  | 'record.changed'
  | 'session.in'
  | 'session.out'
  | 'session.forgotten'
  | 'notice.shown'
  | 'notice.digest'
  | 'list.exported'
  | 'journal.exported'

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
  /** What a notice that was shown said; null of anything else, and where its words are the note. */
  message: MessageContent | null
  failed: boolean | null
  agent: string
  package: { id: string; label: string } | null
  /** Where it is seen at this desk: "transfers/ID"; empty where it has no page. */
  place: string
}

/** What the time line can be narrowed by. */
export const activityFields = ['source', 'outcome', 'what', 'agent'] as const
export type ActivityField = (typeof activityFields)[number]
/** What stands in the time line, and what it can be sorted by. */
export const activityColumns = ['time', 'what', 'about', 'source'] as const
export type ActivityColumn = (typeof activityColumns)[number]

export const WhichActivity = v.object({
  filters: filtersOf(activityFields),
  filter: v.pipe(v.string(), v.maxLength(1000)),
  /** Values of "what" that read as the filter does in the language of the reader: they match it too. */
  saying: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(500))),
  from: dayBound,
  to: dayBound,
  /** Left out, what happened last stands first. */
  sort: v.optional(v.picklist(activityColumns)),
  descending: v.optional(v.boolean()),
  ...paging,
})
export type WhichActivity = v.InferOutput<typeof WhichActivity>
const WhichActivityFacet = v.object({
  ...v.omit(WhichActivity, ['offset', 'limit']).entries,
  field: v.picklist(activityFields),
})
export type WhichActivityFacet = v.InferOutput<typeof WhichActivityFacet>
const WhichActivityColumns = v.omit(WhichActivity, ['offset', 'limit', 'sort', 'descending'])
export type WhichActivityColumns = v.InferOutput<typeof WhichActivityColumns>

/** Events, notifications and this desk's own journal on one time line. */
export const activity = {
  list: query(WhichActivity).returns<Listed<ActivityRow>>(),
  /** The values of a field with their counts, among what matches all other filters. */
  facet: query(WhichActivityFacet).returns<FacetValue[]>(),
  /** The columns that say the same in every row; of one row or none, none. */
  uniform: query(WhichActivityColumns).returns<ActivityColumn[]>(),
  /** Whether the journal is as it was written. */
  check: query(v.undefined()).returns<JournalCheck>(),
  /** Saves the journal; how many lines, or null when the person cancelled. */
  export: command(v.undefined()).returns<number | null>(),
  changed: news<Record<string, never>>(),
}
