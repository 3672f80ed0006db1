import type { HeldList } from '../contract/exports.ts'
import type { ActivityRow } from '../contract/activity.ts'
import type { Told } from '../contract/alerts.ts'
import type { Ask } from './questions.ts'

type Row = Record<string, unknown>
const atOnce = 500

interface Asking {
  ask: Ask
  archive: string
  /** What was told, in words. */
  sayTold: (told: Told) => string
}

/** What was told has its words in the note, as other lines have them. */
const withWords = (row: ActivityRow, sayTold: Asking['sayTold']): Row => ({
  ...row,
  note: row.told === null ? row.note : sayTold(row.told),
})

/**
 * The rows of a list, some at a time, so that a million of them never stand in memory.
 * @param isAll whether all that match are wanted, or only those from the offset of the question to its limit
 */
export async function* heldRows(
  { ask, archive, sayTold }: Asking,
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
    yield rows.map((row) => ('told' in row ? withWords(row, sayTold) : { ...row }))
    from += window.limit
  }
}
