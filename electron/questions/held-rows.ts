import type { HeldList } from '../contract/exports.ts'
import type { ActivityRow } from '../contract/activity.ts'
import type { MessageContent } from '../contract/alerts.ts'
import type { Ask } from './questions.ts'

type Row = Record<string, unknown>
const atOnce = 500

interface Asking {
  ask: Ask
  archive: string
  /** What a message is about and says, in one line of a person’s language. */
  messageLine: (content: MessageContent) => string
}

/** A notice that was shown has its words in the note, as other lines have them. */
const withWords = (row: ActivityRow, messageLine: Asking['messageLine']): Row => ({
  ...row,
  note: row.message === null ? row.note : messageLine(row.message),
})

/**
 * The rows of a list, some at a time, so that a million of them never stand in memory.
 * @param isAll whether all that match are wanted, or only those from the offset of the question to its limit
 */
export async function* heldRows(
  { ask, archive, messageLine }: Asking,
  held: HeldList,
  isAll: boolean,
): AsyncGenerator<Row[]> {
  if (held.list === 'found') {
    yield (await ask('foundList', archive, held.which)).hits.map((hit) => ({ ...hit }))
    return
  }
  if (held.list === 'packages' && held.ids !== null) {
    const rows = await ask('packageRows', archive, held.ids)
    yield rows.map((row) => ({ ...row }))
    return
  }
  const { offset, limit } = held.which
  const end = isAll ? Number.MAX_SAFE_INTEGER : offset + limit
  for (let from = isAll ? 0 : offset; from < end;) {
    const window = { offset: from, limit: Math.min(atOnce, end - from) }
    const { rows } =
      held.list === 'packages'
        ? await ask('packages', archive, { ...held.which, ...window })
        : held.list === 'records'
          ? await ask('records', archive, { ...held.which, ...window })
          : held.list === 'activity'
            ? await ask('activity', archive, { ...held.which, ...window })
            : await ask('risky', archive, { ...held.which, ...window })
    if (rows.length === 0) return
    yield rows.map((row) => ('message' in row ? withWords(row, messageLine) : { ...row }))
    from += window.limit
  }
}
