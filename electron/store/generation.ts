import { hash } from 'node:crypto'
import { definitionOfSubject, type Subject } from '../archive-client/held-lists.ts'
import type { Listing } from '../archive-client/listing.ts'
import { readElement } from '../archive-client/split-array.ts'
import type { ListReader, Wholeness } from '../archive-client/whole-list.ts'
import { Failed, type Unreadable } from '../contract/failure.ts'
import { elementCursor, type HeldElement } from './element-cursor.ts'
import { boundsOf, openMeter, type ListBounds } from './list-bounds.ts'
import { listOrder } from './list-order.ts'
import { rowTable, type NewElement } from './row-table.ts'
import { staging } from './staging.ts'
import type { Writer } from './writer.ts'

/** A list that loses more than this share of its rows at once is doubted. */
const mostLoss = 0.2
const fewestToGuard = 5
const dropStep = 1_000

type Read = (element: unknown, from: number) => Listing<{ id: string | number; refs?: string[] }>

/** What came of reading a list. */
export interface Outcome {
  hasChanged: boolean
  /** What is held was kept, since the list came back much shorter. */
  isDoubted: boolean
}

const digestOf = (element: Buffer) => hash('sha1', element, 'buffer')
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0

/**
 * Takes a list over into the local copy as it arrives. An element that is known by its text is not read again; one that is new or
 * differs is laid aside until the list is complete, and then all of them are taken over at once. The first time, when there is
 * nothing that could be mixed up, rows are seen as they come.
 * @param read how an element is read; else as its list defines
 * @param bounds how much it may bring; else by what is held and by the room on the disk
 */
export const beginGeneration = (
  writer: Writer,
  subject: Subject,
  { read = definitionOfSubject(subject).read, bounds }: { read?: Read; bounds?: ListBounds } = {},
) => {
  const { database } = writer
  const rows = rowTable(writer, subject)
  const order = listOrder(database, subject)
  const stage = staging(database)
  const cursor = elementCursor(database, subject)
  const standing = database.prepare('select element, nth from held where subject = ? and id = ?')
  const numbered = database.prepare('select number, place, digest, bytes, rows from element where number = ?')
  /** The element that begins with this record. Two plain questions, since as one join it takes ten times as long. */
  const elementOf = (id: string) => {
    const row = standing.get(subject, id) as { element: number; nth: number } | undefined
    return row?.nth === 0 ? (numbered.get(row.element) as unknown as HeldElement | undefined) : undefined
  }
  const isFirst = database.prepare('select 1 from refreshed where subject = ?').get(subject) === undefined
  const heldBefore = database
    .prepare(
      'select count(*) as elements, coalesce(sum(rows), 0) as rows, coalesce(sum(bytes), 0) as bytes from element where subject = ?',
    )
    .get(subject) as { elements: number; rows: number; bytes: number }
  const meter = openMeter(
    bounds ?? boundsOf(database, heldBefore),
    `/api/${definitionOfSubject(subject).path}`,
  )
  /** A list that went beyond its bounds: what came of it is nothing to go on from. */
  let isBeyond = false
  /** Elements that brought no row have no id to be known by. */
  const barren = new Map(
    (
      database
        .prepare('select number, place, digest, bytes, rows from element where subject = ? and rows = 0')
        .all(subject) as unknown as HeldElement[]
    ).map((it) => [Buffer.from(it.digest).toString('base64'), it]),
  )

  /** Of each held element the pass it was seen in last, plus one. */
  let seenIn = new Uint8Array(1024)
  /** How many rows, and how many elements that were held before, came in each pass, and in all of them. */
  const passes: { rows: number; held: number }[] = []
  const all = { rows: 0, held: 0 }
  const twins: Unreadable[] = []
  const takenBack = writer.takenBack().times
  let foreseen: HeldElement | undefined
  let position = -1
  let isInOrder = true
  let lastPass = 0

  const count = (pass: number, brought: number, isHeld: boolean, isNewInPass: boolean, isNew: boolean) => {
    const inPass = (passes[pass] ??= { rows: 0, held: 0 })
    for (const tally of [...(isNewInPass ? [inPass] : []), ...(isNew ? [all] : [])]) {
      tally.rows += brought
      tally.held += Number(isHeld)
    }
    return { isNew, isNewInPass }
  }
  const passOf = (number: number) => (seenIn[number] ?? 0) - 1
  const see = (number: number, brought: number, pass: number, isHeld = true) => {
    if (number >= seenIn.length) {
      const longer = new Uint8Array(Math.max(seenIn.length * 2, number + 1))
      longer.set(seenIn)
      seenIn = longer
    }
    const before = passOf(number)
    seenIn[number] = pass + 1
    if (before !== pass) order.saw(number, pass)
    return count(pass, brought, isHeld, before !== pass, before < 0)
  }
  const twin = (id: string | number): Unreadable => ({
    path: `/api/${definitionOfSubject(subject).path}[${position}].id`,
    why: `Another record has the id ${id}`,
  })

  const takeAnew = (element: Buffer, pass: number) => {
    const digest = digestOf(element)
    const words = element.toString('utf8')
    const { rows: found, unreadable } = read(readElement(words), position)
    const key = found[0]?.model.id
    const text = digest.toString('base64')
    const known = key === undefined ? barren.get(text) : elementOf(String(key))
    const name = key === undefined ? `= ${text}` : String(key)
    const laid = stage.one(name)
    const fresh = (): NewElement => {
      meter.wrote(element.length)
      return { digest, bytes: element.length, rows: found, unreadable, text: words }
    }

    if (known && isSame(known.digest, digest) && !laid) {
      // A page that is given again says nothing of the order.
      if (passOf(known.number) === pass) return { isNew: false, isNewInPass: false }
      if (cursor.peek()?.number !== known.number) isInOrder = false
      cursor.seek(known)
      return see(known.number, known.rows, pass)
    }
    const seenAs = laid ? laid.pass : known ? passOf(known.number) : -1
    if (seenAs === pass) {
      // The same record on two pages is one record; another one with its id would hide it.
      if (!isSame(laid?.digest ?? known?.digest ?? digest, digest) && key !== undefined) twins.push(twin(key))
      return { isNew: false, isNewInPass: false }
    }
    if (isFirst) {
      writer.begin()
      const number = rows.put(
        known?.number ?? null,
        fresh(),
        order.next,
        null,
        (other) => passOf(other) === pass,
      )
      if (key === undefined) barren.set(text, { number, place: 0, digest, bytes: element.length, rows: 0 })
      writer.wrote(subject)
      return see(number, found.length, pass, false)
    }
    if (cursor.peek()?.number !== known?.number) isInOrder = false
    if (known) {
      cursor.seek(known)
      see(known.number, 0, pass)
    }
    const number = stage.lay({ key: name, element: known?.number ?? null, pass, ...fresh() })
    if (!known) order.saw(-number, pass)
    // A held element was counted when it was seen, but for its rows.
    if (!known) return count(pass, found.length, false, true, laid === undefined)
    const tally = passes[pass]
    if (tally) tally.rows += found.length
    if (seenAs < 0) all.rows += found.length
    return { isNew: seenAs < 0, isNewInPass: true }
  }

  const takeMetered = (element: Buffer, pass: number) => {
    try {
      meter.saw()
      const known = foreseen
      foreseen = undefined
      if (known?.bytes !== element.length) return takeAnew(element, pass)
      cursor.seek(known)
      return see(known.number, known.rows, pass)
    } catch (error) {
      isBeyond ||= error instanceof Failed
      throw error
    }
  }
  /** Takes away, a few at a time, what the first reading of a list brought. */
  const dropAll = () => {
    const numbers = order.held().map(({ number }) => number)
    for (let from = 0; from < numbers.length; from += dropStep)
      writer.together(() => {
        for (const number of numbers.slice(from, from + dropStep)) rows.remove(number)
        writer.wrote(subject)
      })
  }

  const reader: ListReader = {
    foresee: (bytes) => {
      foreseen = undefined
      const next = cursor.peek()
      if (!next || next.bytes === 0) return 0
      if (bytes.length <= next.bytes) return -1
      if (!isSame(digestOf(bytes.subarray(0, next.bytes)), next.digest)) return 0
      foreseen = next
      return next.bytes
    },
    take: (element, pass) => {
      if (pass !== lastPass) {
        cursor.rewind()
        meter.beginPass()
        ;[lastPass, position, isInOrder] = [pass, -1, true]
      }
      position += 1
      return takeMetered(element, pass)
    },
  }

  const finish = ({ pass, isSure }: Wholeness, at: string): Outcome => {
    const { times, why } = writer.takenBack()
    // What is laid aside may have been so within the transaction of another list.
    if (times !== takenBack && (isFirst || stage.count() > 0))
      throw new Error(`Rows of ${subject} were taken back together with those of another list`, {
        cause: why,
      })
    const tally = pass === null ? all : (passes[pass] ?? { rows: 0, held: 0 })
    const isAmong = (last: number) => (pass === null ? last >= 0 : last === pass)
    const doubt = database.prepare('select agreed from shrunk where subject = ?').get(subject) as
      { agreed: number } | undefined
    const isShrinking =
      !isFirst && heldBefore.rows >= fewestToGuard && tally.rows < heldBefore.rows * (1 - mostLoss)
    if (isShrinking && doubt?.agreed !== 1) {
      stage.clear()
      writer.together(() => {
        database
          .prepare(
            'insert into shrunk (subject, held, found) values (?, ?, ?) on conflict do update set held = excluded.held, found = excluded.found',
          )
          .run(subject, heldBefore.rows, tally.rows)
      })
      return { hasChanged: false, isDoubted: true }
    }
    // What nobody is sure to have read to its end takes nothing away.
    const areGone = isSure && tally.held < heldBefore.elements
    const laid = stage.count()
    const hasChanged = isFirst || areGone || laid > 0 || !isInOrder
    writer.together(() => {
      if (doubt) database.prepare('delete from shrunk where subject = ?').run(subject)
      rows.noteTwins(twins)
      if (areGone || isFirst)
        for (const { number } of order.held()) if (isSure && !isAmong(passOf(number))) rows.remove(number)
      const numbers = new Map<number, number>()
      for (const it of stage.all()) {
        if (!isAmong(it.pass)) continue
        const number = rows.put(
          it.element,
          it,
          order.next,
          at,
          (other) => it.element !== other && isAmong(passOf(other)),
        )
        if (it.element === null) numbers.set(-it.number, number)
      }
      if (hasChanged) order.settle({ isInOrder, pass, numbers })
      writer.stamp(subject, at)
      if (hasChanged) writer.wrote(subject)
    })
    stage.clear()
    return { hasChanged, isDoubted: false }
  }

  const giveUp = () => {
    stage.clear()
    if (isFirst && isBeyond) dropAll()
  }

  return { reader, finish, giveUp }
}
