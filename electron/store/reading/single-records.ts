import { listOf } from '../../dialects/dialect.ts'
import { listOrder } from '../cache/list-order.ts'
import { rowTable, type SingleOutcome } from '../cache/row-table.ts'
import type { Writer } from '../cache/writer.ts'
import type { Subject } from '../../contract/subjects.ts'

/**
 * Takes single records of a list over, which were asked for alone. The list itself is as old as before: it
 * was not read.
 * @param time when they were seen, to mark by what is new or differs
 */
export const openSingleRecordWriter = (writer: Writer, subject: Subject, time: string) => {
  const list = listOf(writer.dialect, subject)
  const rows = rowTable(writer, subject)
  const order = listOrder(writer.database, subject)
  let hasChanged = false

  const wrote = () => {
    hasChanged = true
    writer.wrote(subject)
  }
  return {
    /** @returns what became of each record, by its id; one that cannot be read waits for the whole list */
    take: (elements: unknown[]): Map<string, SingleOutcome> => {
      const found = new Map<string, SingleOutcome>()
      writer.transaction(() => {
        for (const element of elements)
          for (const row of list?.read(element, 0).rows ?? []) {
            const outcome = rows.putSingle(row, order.next, time)
            found.set(String(row.model.id), outcome)
            if (outcome !== 'same') wrote()
          }
      })
      return found
    },
    /** The archive has these no longer. */
    remove: (ids: string[]) =>
      writer.transaction(() => {
        for (const id of ids) if (rows.removeSingle(id)) wrote()
      }),
    hasChanged: () => hasChanged,
  }
}
