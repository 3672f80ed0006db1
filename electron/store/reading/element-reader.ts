import type { ListReader, Sighting } from '../../archive-client/whole-list.ts'
import { Failed, type Unreadable } from '../../contract/failure.ts'
import type { Subject } from '../../contract/subjects.ts'
import { addressOf } from '../../dialects/dialect.ts'
import { elementCursor, type ElementCursor, type HeldElement } from '../cache/element-cursor.ts'
import { openRecognition } from './recognition.ts'
import { readNew, type ReadRows } from './new-element.ts'
import type { HeldElements } from './held-elements.ts'
import type { ListMeter } from './list-bounds.ts'
import type { ListOrder } from '../cache/list-order.ts'
import { duplicateOf, type NewElement, type RowTable } from '../cache/row-table.ts'
import type { Seen, Sightings } from './sightings.ts'
import type { Staging } from './staging.ts'
import type { Writer } from '../cache/writer.ts'

/** Where in a list and a page of it a reading is. */
export interface ListPosition {
  /** The position of the next element in its list. */
  position: number
  /** How many elements of the page were read. */
  count: number
}

/**
 * Reads the rest of a long page in another thread.
 * @param take is given each element in turn
 * @returns undefined where no thread is free
 */
export type ReadInThread = (
  rest: AsyncIterable<Buffer>,
  from: ListPosition,
  take: (element: NewElement) => void,
) => Promise<void> | undefined

/** What one reading of a list works on. */
export interface Reading {
  writer: Writer
  subject: Subject
  rows: RowTable
  order: ListOrder
  stage: Staging
  elements: HeldElements
  sightings: Sightings
  meter: ListMeter
}

/** An element that was read, and under what it is found again. */
interface Incoming extends NewElement {
  /** Of its first record; undefined where it brought none. */
  id: string | number | undefined
  /** The id, or the digest. */
  key: string
  known: HeldElement | undefined
}

const seenBefore: Sighting = { isNew: false, isNewInPass: false }

/** An element with what it is known by, and the held element that it is another version of. */
const incomingOf = (elements: HeldElements, element: NewElement): Incoming => {
  const { digest, bytes, rows, unreadable } = element
  const id = rows[0]?.model.id
  const key = id === undefined ? digest : String(id)
  const known = id === undefined ? elements.withoutRows(key) : elements.beginningWith(key)
  return { id, key, known, digest, bytes, rows, unreadable }
}

/** Notes that an element with a number came. */
const seeing =
  ({ sightings, order }: Reading) =>
  (number: number, seen: Seen): Sighting => {
    const sighting = sightings.see(number, seen)
    if (sighting.isNewInPass) order.saw(number, seen.pass)
    return sighting
  }

/** Where in which pass a reading is. */
const openPosition = (cursor: ElementCursor, meter: ListMeter) => {
  let position = -1
  let pass = 0
  let isInOrder = true
  return {
    position: () => position,
    pass: () => pass,
    /** Whether the pass brought the elements in the order in which they are held. */
    isInOrder: () => isInOrder,
    noteOtherOrder: () => {
      isInOrder = false
    },
    /** Another element came. */
    advance: (inPass: number) => {
      if (inPass !== pass) {
        cursor.rewind()
        meter.beginPass()
        pass = inPass
        position = -1
        isInOrder = true
      }
      position += 1
    },
  }
}

/** Takes the elements of a list in the order in which they come. */
const openTaking = (reading: Reading, cursor: ElementCursor, where: ReturnType<typeof openPosition>) => {
  const { writer, subject, stage, elements, sightings, meter } = reading
  const { position, noteOtherOrder } = where
  const duplicates: Unreadable[] = []
  const see = seeing(reading)
  const seeKnown = (known: HeldElement, pass: number) => {
    cursor.seek(known)
    return see(known.number, { rows: known.rows, pass, isHeld: true })
  }
  const takeNew = (element: NewElement, pass: number): Sighting => {
    const incoming = incomingOf(elements, element)
    const { id, known, digest } = incoming
    const laid = stage.one(stagedKeyOf(incoming))
    if (known?.digest === digest && !laid) {
      // A page that is given again says nothing of the order.
      if (sightings.passOf(known.number) === pass) return seenBefore
      if (cursor.peek()?.number !== known.number) noteOtherOrder()
      return seeKnown(known, pass)
    }
    const seenIn = laid ? laid.pass : known ? sightings.passOf(known.number) : -1
    if (seenIn === pass) {
      // The same record on two pages is one record; another one with its id would hide it.
      if (id !== undefined && (laid?.digest ?? known?.digest ?? digest) !== digest)
        duplicates.push(duplicateOf(`${addressOf(writer.dialect, subject)}[${position()}].id`, id))
      return seenBefore
    }
    meter.wrote(element.bytes)
    if (elements.isFirst) {
      const number = writeAtOnce(reading, incoming, pass)
      return see(number, { rows: incoming.rows.length, pass, isHeld: false })
    }
    if (cursor.peek()?.number !== known?.number) noteOtherOrder()
    if (known) {
      // Its rows are counted as they are laid aside.
      cursor.seek(known)
      see(known.number, { rows: 0, pass, isHeld: true })
    }
    return layAside(reading, incoming, { pass, seenIn })
  }
  return {
    /** Records that another one with the same id would hide. */
    duplicates,
    seeKnown,
    takeNew,
  }
}

/**
 * Reads the elements of a list as they arrive. One that is known by its text is not read again; the first
 * time, rows are written at once, later, what is new or differs is laid aside until the list is complete.
 * @param readInThread reads what is new in another thread, while its rows are written in this one
 */
export const openElementReader = (reading: Reading, readRows: ReadRows, readInThread?: ReadInThread) => {
  const { writer, subject, elements, meter } = reading
  const cursor = elementCursor(writer.database, subject)
  const recognition = openRecognition(cursor)
  const where = openPosition(cursor, meter)
  const { position, pass: currentPass, isInOrder, advance } = where
  const { duplicates, seeKnown, takeNew } = openTaking(reading, cursor, where)
  let isOverBounds = false
  /** Takes the next element of a pass. */
  const take = (pass: number, sightingOf: () => Sighting): Sighting => {
    advance(pass)
    try {
      meter.saw()
      return sightingOf()
    } catch (error) {
      if (error instanceof Failed) isOverBounds = true
      // At once: other lists go on writing before anybody hears of it, maybe outside of any transaction.
      else writer.abandon(error)
      throw error
    }
  }
  const reader: ListReader = {
    take: (element, pass) =>
      take(pass, () => {
        const known = recognition.of(element)
        return known ? seeKnown(known, pass) : takeNew(readNew(element, position(), readRows), pass)
      }),
    // What was not held cannot be recognized.
    ...(elements.before.elements > 0 ? { recognize: recognition.recognize } : {}),
    // To know what is held by its text is quicker than to send it to another thread.
    ...(readInThread && elements.isFirst
      ? {
          goOn: (rest, count, seen) => {
            const pass = currentPass()
            const reached = { position: position() + 1, count }
            return readInThread(rest, reached, (element) => seen(take(pass, () => takeNew(element, pass))))
          },
        }
      : {}),
  }
  return {
    reader,
    duplicates,
    /** Whether the last pass brought the elements in the order in which they are held. */
    isInOrder,
    /** A list that went on beyond its bounds: what came of it is nothing to go on from. */
    isOverBounds: () => isOverBounds,
  }
}

const stagedKeyOf = ({ id, key }: Incoming) => (id === undefined ? `= ${key}` : key)

/** @returns the number of the element that was written */
const writeAtOnce = (
  { writer, subject, rows, order, elements, sightings }: Reading,
  incoming: Incoming,
  pass: number,
) => {
  const { id, key, known, digest, bytes } = incoming
  const isInReading = (other: number) => sightings.passOf(other) === pass
  const number = writer.write(subject, () =>
    rows.put(known?.number ?? null, incoming, order.next, null, isInReading),
  )
  if (id === undefined) elements.addWithoutRows(key, { number, place: 0, digest, bytes, rows: 0 })
  return number
}

/** @param seenIn the pass it was seen in last; -1 where it did not come yet */
const layAside = (
  { order, stage, sightings }: Reading,
  incoming: Incoming,
  { pass, seenIn }: { pass: number; seenIn: number },
): Sighting => {
  const { known, digest, bytes, rows, unreadable } = incoming
  const key = stagedKeyOf(incoming)
  const isNew = seenIn < 0
  const number = stage.lay({
    key,
    element: known?.number ?? null,
    pass,
    digest,
    bytes,
    rows,
    unreadable,
  })
  if (!known) {
    order.saw(-number, pass)
    return sightings.seeNew({ rows: rows.length, pass, isNew })
  }
  // A held element was counted when it was seen, but for its rows.
  sightings.addRows({ rows: rows.length, pass, isNew })
  return { isNew, isNewInPass: true }
}
