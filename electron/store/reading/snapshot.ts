import type { Wholeness } from '../../archive-client/whole-list.ts'
import { addressOf, listOf } from '../../dialects/dialect.ts'
import { openElementReader, type ReadInThread, type Reading } from './element-reader.ts'
import { openHeldElements } from './held-elements.ts'
import { boundsOf, openMeter, type ListBounds } from './list-bounds.ts'
import { listOrder } from '../cache/list-order.ts'
import type { ReadRows } from './new-element.ts'
import { rowTable } from '../cache/row-table.ts'
import { openSightings } from './sightings.ts'
import { staging, type Laid } from './staging.ts'
import type { Writer } from '../cache/writer.ts'
import type { Subject } from '../../contract/subjects.ts'

/** A list that loses more than this share of its rows at once is doubted. */
const mostLoss = 0.2
const fewestToGuard = 5
const removeStep = 1_000

const readNothing: ReadRows = () => ({ rows: [], unreadable: [] })

/** What came of reading a list. */
export interface Outcome {
  hasChanged: boolean
  /** What is held was kept, since the list came back much shorter. */
  isDoubted: boolean
}

/**
 * Takes a list over into the local copy as it arrives. An element that is known by its text is not read
 * again; one that is new or differs is laid aside until the list is complete, and then all of them are taken
 * over at once. The first time, when there is nothing that could be mixed up, rows are seen as they come.
 * @param read how an element is read; else as its list defines
 * @param bounds how much it may bring; else by what is held and by the space on the disk
 * @param readInThread reads what is new in another thread
 * @param askedAfter the element that was held last when the list was asked for: what came alone since then
 * need not stand in it
 */
export const beginSnapshot = (
  writer: Writer,
  subject: Subject,
  {
    read = listOf(writer.dialect, subject)?.read ?? readNothing,
    bounds,
    readInThread,
    askedAfter = Infinity,
  }: {
    read?: ReadRows
    bounds?: ListBounds | undefined
    readInThread?: ReadInThread | undefined
    askedAfter?: number
  } = {},
) => {
  const { database } = writer
  const elements = openHeldElements(database, subject)
  const reading: Reading = {
    writer,
    subject,
    rows: rowTable(writer, subject),
    order: listOrder(database, subject),
    stage: staging(database),
    elements,
    sightings: openSightings(),
    meter: openMeter(bounds ?? boundsOf(database, elements.before), addressOf(writer.dialect, subject)),
  }
  const { stage } = reading
  const { reader, duplicates, isInOrder, isOverBounds } = openElementReader(reading, read, readInThread)
  const takenBack = writer.takenBack().times

  const finish = (wholeness: Wholeness, time: string): Outcome => {
    const { times, why } = writer.takenBack()
    // What is laid aside may have been so within the transaction of another list.
    if (times !== takenBack && (elements.isFirst || stage.count() > 0))
      throw new Error(`Rows of ${subject} were taken back together with those of another list`, {
        cause: why,
      })
    const outcome = isDoubtful(reading, wholeness.pass)
      ? { hasChanged: false, isDoubted: true }
      : {
          hasChanged: commitSnapshot(reading, {
            ...wholeness,
            time,
            duplicates,
            isInOrder: isInOrder(),
            askedAfter,
          }),
          isDoubted: false,
        }
    stage.clear()
    return outcome
  }

  const giveUp = () => {
    stage.clear()
    if (elements.isFirst && isOverBounds()) removeAll(reading)
  }

  return {
    reader,
    /** How many rows came in a pass so far. */
    rowsIn: (pass: number): number => reading.sightings.tallyOf(pass).rows,
    finish,
    giveUp,
  }
}

/** Whether a list came back so much shorter that what is held is kept until a person agrees; notes it. */
const isDoubtful = (
  { writer, subject, elements, sightings, stage }: Reading,
  pass: number | null,
): boolean => {
  const { database } = writer
  const { rows: held } = elements.before
  const { rows: found } = sightings.tallyOf(pass)
  if (elements.isFirst || held < fewestToGuard || found >= held * (1 - mostLoss)) return false
  const shrunk = database.prepare('select agreed from shrunk where subject = ?').get(subject)
  if (shrunk?.['agreed'] === 1) return false
  stage.clear()
  writer.transaction(() => {
    database
      .prepare(
        `insert into shrunk (subject, held, found) values (?, ?, ?) on conflict do update
            set held = excluded.held, found = excluded.found`,
      )
      .run(subject, held, found)
  })
  return true
}

/** How a list was found when its reading ended. */
interface Found extends Wholeness {
  time: string
  duplicates: Parameters<Reading['rows']['noteDuplicates']>[0]
  isInOrder: boolean
  askedAfter: number
}

/** Whether an element came in a pass; null stands for any of them. */
const cameIn =
  ({ sightings }: Pick<Reading, 'sightings'>, pass: number | null) =>
  (element: number): boolean =>
    sightings.isAmong(sightings.passOf(element), pass)

/** The elements that are held and did not come; what nobody is sure to have read to its end lacks none. */
const goneFrom = (
  reading: Reading,
  { pass, isSure, askedAfter }: Pick<Found, 'pass' | 'isSure' | 'askedAfter'>,
): number[] => {
  const { elements, sightings, order } = reading
  const hasCome = cameIn(reading, pass)
  const areAllThere = !elements.isFirst && sightings.tallyOf(pass).held >= elements.before.elements
  if (!isSure || areAllThere) return []
  const isGone = ({ number }: { number: number }) =>
    !hasCome(number) && (elements.isFirst || number <= askedAfter)
  return order
    .held()
    .filter(isGone)
    .map(({ number }) => number)
}

/**
 * Takes over what was laid aside, and takes away what is gone.
 * @returns whether the list has changed
 */
const commitSnapshot = (reading: Reading, found: Found): boolean => {
  const { pass, count, isSure, time, duplicates, isInOrder } = found
  const { writer, subject, rows, order, stage, elements, sightings } = reading
  const gone = goneFrom(reading, found)
  const hasChanged = elements.isFirst || gone.length > 0 || stage.count() > 0 || !isInOrder
  // Meanwhile news may have taken it away, and its number may be another one's.
  const stillHeld = ({ element, key }: Laid) =>
    element === null ? null : (elements.beginningWith(key)?.number ?? null)
  const hasCome = cameIn(reading, pass)
  writer.transaction(() => {
    writer.database.prepare('delete from shrunk where subject = ?').run(subject)
    writer.database.prepare('delete from incomplete where subject = ?').run(subject)
    if (!isSure)
      writer.database.prepare('insert into incomplete (subject, counted) values (?, ?)').run(subject, count)
    rows.noteDuplicates(duplicates)
    for (const number of gone) rows.remove(number)
    const numbers = new Map<number, number>()
    for (const laid of stage.all()) {
      if (!sightings.isAmong(laid.pass, pass)) continue
      const element = stillHeld(laid)
      const isInReading = (other: number) => element !== other && hasCome(other)
      const number = rows.put(element, laid, order.next, time, isInReading)
      numbers.set(laid.element ?? -laid.number, number)
    }
    if (hasChanged) order.arrange({ isInOrder, pass, numbers })
    writer.stamp(subject, time)
    if (hasChanged) writer.wrote(subject)
  })
  return hasChanged
}

/** Takes away, a few at a time, what the first reading of a list brought. */
const removeAll = ({ writer, subject, rows, order }: Reading) => {
  const numbers = order.held().map(({ number }) => number)
  for (let from = 0; from < numbers.length; from += removeStep)
    writer.transaction(() => {
      for (const number of numbers.slice(from, from + removeStep)) rows.remove(number)
      writer.wrote(subject)
    })
}
