import type { DatabaseSync } from 'node:sqlite'
import { readElement } from '../../archive-client/split-array.ts'
import { subjects, type Subject } from '../../contract/subjects.ts'
import { listOf, readerOf, type Dialect, type HeldRow } from '../../dialects/dialect.ts'
import type { ListDefinition } from '../../dialects/listing.ts'
import { recordText } from './bundles.ts'
import { elementCursor, openForgettingDigest, type HeldElement } from './element-cursor.ts'
import { listOrder } from './list-order.ts'
import { rowTable } from './row-table.ts'
import type { Writer } from './writer.ts'
import { prepare } from '../../common/statements.ts'

/** What the words of all lists are noted under. */
const words = 'words'
const wordReaderOf = ({ name, wordsVersion }: Dialect) => `${name} ${wordsVersion}`

/** By what the rows of each list were read, and the words of all. */
const readersIn = (database: DatabaseSync): Map<string, string> =>
  new Map(
    database
      .prepare('select subject, reader from definition')
      .all()
      .map(({ subject, reader }) => [String(subject), String(reader)]),
  )

/** Lists whose rows another definition read, or that of another dialect. */
const formerLists = (database: DatabaseSync, dialect: Dialect): Subject[] => {
  const readers = readersIn(database)
  return subjects.filter((subject) => readers.get(subject) !== readerOf(dialect, subject))
}

/** Whether anything is held that another definition read: it is not to be shown before it is read anew. */
export const holdsFormerRows = (database: DatabaseSync, dialect: Dialect): boolean => {
  const some = database.prepare('select 1 from element where subject = ? limit 1')
  return formerLists(database, dialect).some((subject) => some.get(subject) !== undefined)
}

/** A row of an element, as it is kept. */
interface KeptRow {
  nth: number
  above: string | null
  /** Null where it cannot be read. */
  raw: string | null
}

/** What a definition makes of the rows of an element; those that say something else alone are left out. */
const rowsOf = ({ read }: ListDefinition<HeldRow>, rows: KeptRow[], place: number) =>
  rows.flatMap(({ nth, above, raw }) => {
    if (raw === null) return []
    const found = read(readElement(raw), place, nth === 0 ? null : above).rows
    return found.length === 1 ? found : []
  })

/**
 * Reads what is held of a list by its definition of now: from the records as the archive gave them. Where
 * those do not say everything, as in elements that hold several, the next reading of the list does.
 * @returns whether every row could be read
 */
const readRowsAnew = (writer: Writer, subject: Subject): boolean => {
  const { database } = writer
  const definition = listOf(writer.dialect, subject)
  const kept = prepare<KeptRow>(
    database,
    `select nth, above, ${recordText} from held where element = ? order by nth`,
  )
  const forgetDigest = openForgettingDigest(database)
  const table = rowTable(writer, subject)
  const order = listOrder(database, subject)
  const elements = elementCursor(database, subject)
  let areAllRead = true

  const readAnew = (element: HeldElement) => {
    const rows = kept.all(element.number)
    const found = definition ? rowsOf(definition, rows, element.place) : []
    if (found.length < rows.length) areAllRead = false
    if (found.length === 0 && rows.length > 0) return table.remove(element.number)
    const isSure = rows.length === 1
    if (!isSure) forgetDigest(element.number)
    if (found.length === 0) return
    const { digest, bytes } = isSure ? element : { digest: '', bytes: 0 }
    const text = isSure && found.length === 1 ? (rows[0]?.raw ?? undefined) : undefined
    const records = found.map(({ model, raw }) => ({ model, raw, text }))
    const content = { rows: records, unreadable: [], digest, bytes }
    table.put(element.number, content, order.next, null, () => false)
  }
  for (let element = elements.peek(); element; element = elements.peek()) {
    elements.seek(element)
    readAnew(element)
  }
  if (areAllRead) order.arrange({ isInOrder: true, pass: null, numbers: new Map() })
  return areAllRead
}

/**
 * Reads anew what another definition read, list by list, each of them at once: nobody sees a list that is
 * half of each. A list of which something is left to the archive counts as one that was never complete. Where
 * the dialect finds other words, what is held is found by those of before until they are in the index.
 */
export const readFormerAnew = (writer: Writer) => {
  const { database, dialect, packages } = writer
  const note = database.prepare(
    `insert into definition (subject, reader) values (?, ?) on conflict do update
        set reader = excluded.reader`,
  )
  const some = database.prepare('select 1 from element where subject = ? limit 1')
  const reword = database.prepare(
    `insert into stale (number, subject, was) select number, subject, 1 from held where subject = ?
        on conflict do nothing`,
  )
  const forgetAge = database.prepare('delete from refreshed where subject = ?')
  const forgetCompletion = database.prepare('update completion set completeAt = null')
  const readAnew = (subject: Subject) => {
    const areAllRead = readRowsAnew(writer, subject)
    if (!areAllRead) {
      forgetAge.run(subject)
      forgetCompletion.run()
    }
    if (subject === 'packages' || subject === 'agreements') packages.takePolicies()
    reword.run(subject)
    writer.wrote(subject)
  }
  const former = formerLists(database, dialect)
  const noteReader = (subject: Subject) => void note.run(subject, readerOf(dialect, subject))
  for (const subject of former.filter((list) => some.get(list) !== undefined))
    writer.transaction(() => {
      readAnew(subject)
      noteReader(subject)
    })
  if (former.length > 0) writer.transaction(() => former.forEach(noteReader))
  if (readersIn(database).get(words) !== wordReaderOf(dialect))
    writer.transaction(() => {
      for (const subject of subjects) reword.run(subject)
      note.run(words, wordReaderOf(dialect))
    })
}
