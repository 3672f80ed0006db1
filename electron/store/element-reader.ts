import { readElement } from '../archive-client/split-array.ts'
import type { ListReader, Sighting } from '../archive-client/whole-list.ts'
import { Failed, type Unreadable } from '../contract/failure.ts'
import type { Subject } from '../contract/subjects.ts'
import { addressOf } from '../dialects/dialect.ts'
import type { Listing } from '../dialects/listing.ts'
import { digestOf, elementCursor, type ElementCursor, type HeldElement } from './element-cursor.ts'
import type { HeldElements } from './held-elements.ts'
import type { ListMeter } from './list-bounds.ts'
import type { ListOrder } from './list-order.ts'
import { duplicateOf, type NewElement, type RowTable } from './row-table.ts'
import type { Sightings } from './sightings.ts'
import type { Staging } from './staging.ts'
import type { Writer } from './writer.ts'

/** How an element is read, where the list has it at this position. */
export type ReadRows = (
  element: unknown,
  position: number,
) => Listing<{ id: string | number; refs?: string[] }>

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

/** An element with what it is known by, its rows and the held element that it is another version of. */
const incomingOf = (
  elements: HeldElements,
  element: Buffer,
  readRows: (parsed: unknown) => ReturnType<ReadRows>,
): Incoming => {
  const digest = digestOf(element)
  const text = element.toString('utf8')
  const { rows, unreadable } = readRows(readElement(text))
  const id = rows[0]?.model.id
  const key = id === undefined ? digest : String(id)
  const known = id === undefined ? elements.withoutRows(key) : elements.beginningWith(key)
  return { id, key, known, digest, bytes: element.length, rows, unreadable, text }
}

/** Knows the next element by the text of the one that is held in its place. */
const openForesight = (cursor: ElementCursor) => {
  let foreseen: HeldElement | undefined
  return {
    foresee: (bytes: Buffer): number => {
      foreseen = undefined
      const next = cursor.peek()
      if (!next || next.bytes === 0) return 0
      if (bytes.length <= next.bytes) return -1
      if (digestOf(bytes.subarray(0, next.bytes)) !== next.digest) return 0
      foreseen = next
      return next.bytes
    },
    /** The held element that an element was foreseen as, asked once. */
    of: (element: Buffer): HeldElement | undefined => {
      const known = foreseen
      foreseen = undefined
      return known?.bytes === element.length ? known : undefined
    },
  }
}

/**
 * Reads the elements of a list as they arrive. One that is known by its text is not read again; the first
 * time, rows are written at once, later, what is new or differs is laid aside until the list is complete.
 */
export const openElementReader = (reading: Reading, readRows: ReadRows) => {
  const { writer, subject, order, stage, elements, sightings, meter } = reading
  const cursor = elementCursor(writer.database, subject)
  const foresight = openForesight(cursor)
  const duplicates: Unreadable[] = []
  let position = -1
  let lastPass = 0
  let isInOrder = true
  let isOverBounds = false

  const see = (number: number, rows: number, pass: number, isHeld: boolean) => {
    const sighting = sightings.see(number, rows, pass, isHeld)
    if (sighting.isNewInPass) order.saw(number, pass)
    return sighting
  }
  const seeKnown = (known: HeldElement, pass: number) => {
    cursor.seek(known)
    return see(known.number, known.rows, pass, true)
  }
  const takeAnew = (element: Buffer, pass: number): Sighting => {
    const incoming = incomingOf(elements, element, (parsed) => readRows(parsed, position))
    const { id, known, digest } = incoming
    const laid = stage.one(stagedKeyOf(incoming))
    if (known?.digest === digest && !laid) {
      // A page that is given again says nothing of the order.
      if (sightings.passOf(known.number) === pass) return seenBefore
      if (cursor.peek()?.number !== known.number) isInOrder = false
      return seeKnown(known, pass)
    }
    const seenAs = laid ? laid.pass : known ? sightings.passOf(known.number) : -1
    if (seenAs === pass) {
      // The same record on two pages is one record; another one with its id would hide it.
      if (id !== undefined && (laid?.digest ?? known?.digest ?? digest) !== digest)
        duplicates.push(duplicateOf(`${addressOf(writer.dialect, subject)}[${position}].id`, id))
      return seenBefore
    }
    meter.wrote(element.length)
    if (elements.isFirst) return see(writeAtOnce(reading, incoming, pass), incoming.rows.length, pass, false)
    if (cursor.peek()?.number !== known?.number) isInOrder = false
    if (known) {
      // Its rows are counted as they are laid aside.
      cursor.seek(known)
      see(known.number, 0, pass, true)
    }
    return layAside(reading, incoming, pass, seenAs)
  }

  const take = (element: Buffer, pass: number): Sighting => {
    try {
      meter.saw()
      const known = foresight.of(element)
      return known ? seeKnown(known, pass) : takeAnew(element, pass)
    } catch (error) {
      isOverBounds ||= error instanceof Failed
      throw error
    }
  }
  const reader: ListReader = {
    foresee: foresight.foresee,
    take: (element, pass) => {
      if (pass !== lastPass) {
        cursor.rewind()
        meter.beginPass()
        ;[lastPass, position, isInOrder] = [pass, -1, true]
      }
      position += 1
      return take(element, pass)
    },
  }
  return {
    reader,
    /** Records that another one with the same id would hide. */
    duplicates,
    /** Whether the last pass brought the elements in the order in which they are held. */
    isInOrder: () => isInOrder,
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
  writer.begin()
  const isTaken = (other: number) => sightings.passOf(other) === pass
  const number = rows.put(known?.number ?? null, incoming, order.next, null, isTaken)
  if (id === undefined) elements.addWithoutRows(key, { number, place: 0, digest, bytes, rows: 0 })
  writer.wrote(subject)
  return number
}

/** @param seenAs the pass it was seen in last; -1 where it did not come yet */
const layAside = (
  { order, stage, sightings }: Reading,
  incoming: Incoming,
  pass: number,
  seenAs: number,
): Sighting => {
  const { known, digest, bytes, rows, unreadable, text } = incoming
  const key = stagedKeyOf(incoming)
  const isNew = seenAs < 0
  const number = stage.lay({
    key,
    element: known?.number ?? null,
    pass,
    digest,
    bytes,
    rows,
    unreadable,
    text,
  })
  if (!known) {
    order.saw(-number, pass)
    return sightings.seeNew(rows.length, pass, isNew)
  }
  // A held element was counted when it was seen, but for its rows.
  sightings.addRows(rows.length, pass, isNew)
  return { isNew, isNewInPass: true }
}
