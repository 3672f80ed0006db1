import type { DatabaseSync } from 'node:sqlite'
import { definitionOf } from '../../contract/lists.ts'
import { describedBy, type Subject } from '../../contract/subjects.ts'
import { inTreeOrder } from './tree-order.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

/** Between neighbours, so that others can come between them. */
const gap = 1024

const isTree = (subject: Subject) => {
  const list = describedBy(subject)
  return list !== undefined && definitionOf(list).isTree === true
}

/** A record of a tree, with where it stood. */
interface PlacedRow {
  id: string
  position: number
  above: string | null
  parent: string | null
  place: string | null
  title: string
  note: string
}

/** Puts a tree in the order in which it is read. */
const arrangeTree = (database: DatabaseSync, subject: Subject) => {
  const set = database.prepare('update held set position = ?, above = ? where subject = ? and id = ?')
  const rows = prepare<PlacedRow>(
    database,
    `select id, position, above, model ->> '$.parent' as parent, model ->> '$.place' as place,
        model ->> '$.title' as title, model ->> '$.note' as note from held where subject = ? order by number`,
  ).all(subject)
  const before = new Map(rows.map((row) => [row.id, row]))
  inTreeOrder(rows).forEach(({ id, above }, position) => {
    const row = before.get(id)
    if (row?.position !== position || row.above !== above) set.run(position, above, subject, id)
  })
}

/** The order of a list as the archive gives it; of a tree, in which it is read. */
export const listOrder = (database: DatabaseSync, subject: Subject) => {
  const placeOf = database.prepare('update element set place = ? where number = ?')
  const positionOf = database.prepare('update held set position = ? where element = ?')
  const elements = prepare<{ number: number; place: number }>(
    database,
    'select number, place from element where subject = ?',
  )
  const lastPlace = prepareOne<{ place: number | null }>(
    database,
    'select max(place) as place from element where subject = ?',
  )
  let last: number | undefined
  /** Elements in the order in which they came, pass by pass; those that are not held yet below zero. */
  const seen: number[][] = []

  const held = () => elements.all(subject)

  /** Gives places anew only to those that stand before one that they are to follow. */
  const arrangeList = (order: number[]) => {
    const places = new Map(held().map(({ number, place }) => [number, place]))
    let behind = 0
    for (const number of order) {
      const place = places.get(number)
      if (place === undefined) continue
      if (place <= behind) {
        placeOf.run(behind + 1, number)
        if (subject !== 'packages') positionOf.run(behind + 1, number)
      }
      behind = Math.max(place, behind + 1)
    }
  }

  return {
    held,
    /** The place of one more at the end. */
    next: (): number => {
      last ??= lastPlace.get(subject).place ?? 0
      last += gap
      return last
    },
    saw: (number: number, pass: number) => void (seen[pass] ??= []).push(number),
    /**
     * @param pass whose order it is; null where it is that of all passes
     * @param numbers what those became that were not held
     */
    arrange: (order: { isInOrder: boolean; pass: number | null; numbers: Map<number, number> }) => {
      const { isInOrder, pass, numbers } = order
      if (isTree(subject)) arrangeTree(database, subject)
      else if (!isInOrder) {
        const came = pass === null ? [...new Set(seen.flat())] : (seen[pass] ?? [])
        arrangeList(came.map((number) => numbers.get(number) ?? number))
      }
    },
  }
}

export type ListOrder = ReturnType<typeof listOrder>
