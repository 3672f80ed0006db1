import type { DatabaseSync } from 'node:sqlite'
import { addressOf } from '../../dialects/dialect.ts'
import { mostUnreadable, type Unreadable } from '../../contract/failure.ts'
import type { Writer } from './writer.ts'
import type { Subject } from '../../contract/subjects.ts'
import type { PackageFacts, StorageObject } from '../../dialects/models.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { openBundles, pieceText, recordText, type Piece } from './bundles.ts'
import { digestOf, openForgettingDigest, type HeldElement } from './element-cursor.ts'
import { heldModel } from './held-model.ts'

/** A row of a list as it was read. */
export interface NewRow {
  model: { id: string | number; refs?: string[]; parent?: string | null }
  /** The record as the archive gave it; not asked for where its text is known. */
  raw?: unknown
  /** The record's text, where one was made of it already. */
  text?: string | Piece | undefined
}

/** An element of a list as it was read. */
export interface NewElement {
  rows: NewRow[]
  unreadable: Unreadable[]
  digest: HeldElement['digest']
  bytes: number
}

/** The text of an element, wherever it lies. */
export const textOf = (text: string | Piece): string => (typeof text === 'string' ? text : pieceText(text))

const bodyOf = ({ raw, text }: NewRow): string | Piece => text ?? JSON.stringify(raw)

/** Stands for "came a second time with another content" among the elements. */
const ofDuplicates = 0

/** What became of a record that was taken over by itself. */
export type SingleOutcome = 'new' | 'changed' | 'same'

/** A row of the list as it is held. */
interface HeldRow {
  number: number
  element: number
  nth: number
  model: string
  /** Null where it cannot be read. */
  raw: string | null
  changed: string | null
  /** 1 once a person looked at it. */
  looked: number
}

/** An element that is being written. */
interface Writing {
  element: number
  /** Where it stands in the list, if it is new. */
  place: number
  content: NewElement
  /** When the change was seen, to mark rows by; null where nothing is to be marked. */
  time: string | null
}

/** Notes what could not be read of the elements of a list. */
const openTroubles = (database: DatabaseSync, subject: Subject) => {
  const forget = database.prepare('delete from unreadable where element = ? and subject = ?')
  const note = database.prepare('insert into unreadable (subject, element, path, why) values (?, ?, ?, ?)')
  const notes = prepareOne<{ n: number }>(database, 'select count(*) as n from unreadable where subject = ?')
  return {
    forget: (element: number) => void forget.run(element, subject),
    note: (element: number, unreadable: Unreadable[]) => {
      if (unreadable.length === 0) return
      const left = mostUnreadable - notes.get(subject).n
      for (const { path, why } of unreadable.slice(0, Math.max(0, left)))
        note.run(subject, element, path, why)
    },
  }
}

/**
 * The number of a row that comes: none that waits for its words to leave the index, which would take those of
 * the new row with them, and until then would lead to it.
 */
const freshNumber = `(select 1 + max(
  coalesce((select max(number) from held), 0), coalesce((select max(number) from stale), 0)))`

const saysSame = ({ raw }: HeldRow, body: string | Piece) => raw === textOf(body)

/** What is held of the records of one list. */
const openHeldRows = (writer: Writer, subject: Subject) => {
  const { database } = writer
  const ofElement = prepare<{ id: string; model: string }>(
    database,
    'select id, model from held where element = ?',
  )
  const held = prepare<HeldRow>(
    database,
    `select number, element, nth, model, ${recordText}, changed, looked from held
        where subject = ? and id = ?`,
  )
  const add = database.prepare(
    `insert into held
        (number, subject, id, element, nth, position, above, model, raw, bundle, start, length)
        values (${freshNumber}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const set = database.prepare(
    `update held set element = ?, nth = ?, model = ?, raw = ?, changed = ?, bundle = null, start = null,
        length = null where subject = ? and id = ?`,
  )
  const keep = database.prepare(
    'update held set element = ?, nth = ?, model = ? where subject = ? and id = ?',
  )
  const drop = database.prepare('delete from held where subject = ? and id = ?')
  const bundles = openBundles(writer)
  return {
    ofElement: (element: number) => ofElement.all(element),
    one: (id: string) => held.get(subject, id),
    /**
     * @param kept its model
     * @returns its number
     */
    add: (
      { element, place }: Pick<Writing, 'element' | 'place'>,
      nth: number,
      { id, parent }: NewRow['model'],
      kept: string,
      body: string | Piece,
    ): number => {
      const row = [subject, String(id), element, nth, place, parent ?? null, kept] as const
      if (typeof body === 'string') return Number(add.run(...row, body, null, null, null).lastInsertRowid)
      bundles.hold(body)
      return Number(add.run(...row, '', body.bundle.number, body.start, body.length).lastInsertRowid)
    },
    /** It says the same, wherever it stands and however it is read. */
    keep: (id: string, element: number, nth: number, kept: string) =>
      void keep.run(element, nth, kept, subject, id),
    /** It says something else. */
    change: (
      id: string,
      element: number,
      nth: number,
      kept: string,
      text: string,
      changed: string | null,
    ) => {
      set.run(element, nth, kept, text, changed, subject, id)
      bundles.left()
    },
    drop: (id: string) => {
      drop.run(subject, id)
      bundles.left()
    },
  }
}

/** The rows of one list, and what follows from each: facts of packages, copies, references. */
const openRows = (writer: Writer, subject: Subject) => {
  const { database, packages } = writer
  const unrefer = database.prepare('delete from reference where subject = ? and id = ?')
  // What the contents of a unit said of a node, its own record does not take back.
  const unreferOwn = database.prepare(
    `delete from reference where subject = ? and id = ? and contentsOf = ''`,
  )
  const refer = database.prepare('insert or ignore into reference (subject, id, target) values (?, ?, ?)')

  const held = openHeldRows(writer, subject)

  const touchPackage = (model: string) => packages.touch(heldModel<StorageObject>(model).package)

  return {
    ofElement: held.ofElement,
    held: held.one,
    /**
     * @param nth of the rows of its element
     * @param body the record as the archive gave it
     * @param known the row as it is held
     */
    put: (
      { element, place, time }: Omit<Writing, 'content'>,
      nth: number,
      model: NewRow['model'],
      body: string | Piece,
      known: HeldRow | undefined,
    ) => {
      const id = String(model.id)
      // Packages have their facts in a table of their own, and are read anew when they are opened.
      const kept = subject === 'packages' ? '' : JSON.stringify(model)
      const number = known?.number ?? held.add({ element, place }, nth, model, kept, body)
      if (known && saysSame(known, body)) {
        // Read in another way than it was by an earlier version, a record that is the same has not changed.
        held.keep(id, element, nth, kept)
        if (known.model === kept && subject !== 'packages') return
      } else if (known) {
        // What cannot be read any more may be what came.
        const changed = known.raw !== null && known.looked === 1 ? time : known.changed
        held.change(id, element, nth, kept, textOf(body), changed)
      }
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the definition of "packages" reads facts
      if (subject === 'packages') packages.put(model as PackageFacts, number, known === undefined)
      if (subject === 'objects') {
        touchPackage(kept)
        if (known) touchPackage(known.model)
      }
      if (known) unreferOwn.run(subject, id)
      for (const target of model.refs ?? []) refer.run(subject, id, target)
    },
    remove: (id: string, model: string) => {
      if (subject === 'packages') packages.remove(id)
      if (subject === 'objects') touchPackage(model)
      held.drop(id)
      unrefer.run(subject, id)
    },
  }
}

/** The elements of one list, each taken over with its rows. */
const openElements = (writer: Writer, subject: Subject, rows: ReturnType<typeof openRows>) => {
  const { database, dialect } = writer
  const troubles = openTroubles(database, subject)
  const add = database.prepare(
    'insert into element (subject, place, digest, bytes, rows) values (?, ?, unhex(?), ?, ?)',
  )
  const set = database.prepare('update element set digest = unhex(?), bytes = ?, rows = ? where number = ?')
  const forgetDigest = openForgettingDigest(database)
  const drop = database.prepare('delete from element where number = ?')

  /** The rows of a held element before it is written, by their ids. */
  const beginChange = (number: number, { digest, bytes, rows: found }: NewElement) => {
    set.run(digest, bytes, found.length, number)
    troubles.forget(number)
    return new Map(rows.ofElement(number).map(({ id, model }) => [id, model]))
  }
  /** Writes its rows; gives those that another element of the same reading has with another content. */
  const putRows = (
    writing: Writing,
    before: Map<string, string> | undefined,
    isInReading: (element: number) => boolean,
  ): Unreadable[] => {
    const { element, content } = writing
    const duplicates: Unreadable[] = []
    for (const [nth, row] of content.rows.entries()) {
      const { model } = row
      const id = String(model.id)
      const body = bodyOf(row)
      const known = rows.held(id)
      if (known && known.element !== element && isInReading(known.element)) {
        if (!saysSame(known, body)) duplicates.push(duplicateOf(`${addressOf(dialect, subject)} ${id}`, id))
        // Where the other one loses it, this one has it: so it is read anew every time.
        forgetDigest(element)
        continue
      }
      // It stood in another element, which is to be read anew when it comes.
      if (known && known.element !== element) forgetDigest(known.element)
      before?.delete(id)
      rows.put(writing, nth, model, body, known)
    }
    return duplicates
  }

  const put = (
    number: number | null,
    content: NewElement,
    nextPlace: () => number,
    time: string | null,
    isInReading: (element: number) => boolean,
  ): number => {
    const { digest, bytes, rows: found, unreadable } = content
    const place = number === null ? nextPlace() : 0
    const element = number ?? Number(add.run(subject, place, digest, bytes, found.length).lastInsertRowid)
    const before = number === null ? undefined : beginChange(number, content)
    const duplicates = putRows({ element, place, content, time }, before, isInReading)
    for (const [id, model] of before ?? []) rows.remove(id, model)
    troubles.note(element, unreadable)
    troubles.note(element, duplicates)
    return element
  }
  const remove = (number: number) => {
    for (const { id, model } of rows.ofElement(number)) rows.remove(id, model)
    drop.run(number)
    troubles.forget(number)
  }

  return {
    put,
    remove,
    forgetDigest,
    noteDuplicates: (duplicates: Unreadable[]) => {
      troubles.forget(ofDuplicates)
      troubles.note(ofDuplicates, duplicates)
    },
  }
}

/** The elements of one list of the local copy, with their rows and what could not be read of them. */
export const rowTable = (writer: Writer, subject: Subject) => {
  const rows = openRows(writer, subject)
  const { put, remove, forgetDigest, noteDuplicates } = openElements(writer, subject, rows)
  const lessen = writer.database.prepare('update element set rows = rows - 1 where number = ?')

  return {
    /**
     * Takes an element over: a new one, or one in place of a held one.
     * @param time when the change was seen, to mark rows by; null where nothing is to be marked
     * @param isInReading whether another element came in the same reading: its rows stay its own
     * @returns its number
     */
    put,
    /**
     * Takes one record over by itself, in whatever element it stands: that is read anew when its list is.
     * @param time when it was seen, to mark it by
     */
    putSingle: (row: Pick<NewRow, 'model' | 'raw'>, nextPlace: () => number, time: string): SingleOutcome => {
      const body = JSON.stringify(row.raw)
      const known = rows.held(String(row.model.id))
      if (!known) {
        const bytes = Buffer.from(body)
        const digest = digestOf(bytes)
        const rows = [{ model: row.model, text: body }]
        const content = { rows, unreadable: [], digest, bytes: bytes.length }
        put(null, content, nextPlace, time, () => false)
        return 'new'
      }
      if (known.raw !== null && JSON.stringify(JSON.parse(known.raw)) === body) return 'same'
      forgetDigest(known.element)
      rows.put({ element: known.element, place: 0, time }, known.nth, row.model, body, known)
      return 'changed'
    },
    /** @returns whether it was there */
    removeSingle: (id: string): boolean => {
      const known = rows.held(id)
      if (!known) return false
      if (rows.ofElement(known.element).length === 1) remove(known.element)
      else {
        rows.remove(id, known.model)
        forgetDigest(known.element)
        lessen.run(known.element)
      }
      return true
    },
    remove,
    noteDuplicates,
  }
}

export type RowTable = ReturnType<typeof rowTable>

/** What is said of a record that another one with the same id would hide. */
export const duplicateOf = (path: string, id: string | number): Unreadable => ({
  path,
  why: `Another record has the id ${id}`,
})
