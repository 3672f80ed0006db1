import type { DatabaseSync } from 'node:sqlite'
import { describedBy, type Subject } from '../archive-client/held-lists.ts'
import { inTreeOrder } from '../archive-client/records.ts'
import { definitionOf } from '../contract/lists.ts'

/** Between neighbours, so that others can come between them. */
const gap = 1024

const isTree = (subject: Subject) => {
  const list = describedBy(subject)
  return list !== undefined && definitionOf(list).isTree === true
}

/** The order of a list as the archive gives it; of a tree, in which it is read. */
export const listOrder = (database: DatabaseSync, subject: Subject) => {
  const placeOf = database.prepare('update element set place = ? where number = ?')
  const positionOf = database.prepare('update held set position = ? where element = ?')
  const standing = database.prepare('update held set position = ?, above = ? where subject = ? and id = ?')
  let last: number | undefined
  /** Elements in the order in which they came, pass by pass; those that are not held yet below zero. */
  const seen: number[][] = []

  const held = () =>
    database.prepare('select number, place from element where subject = ?').all(subject) as {
      number: number
      place: number
    }[]

  const settleTree = () => {
    const rows = database
      .prepare(
        `select id, position, above, model ->> '$.parent' as parent, model ->> '$.title' as title, model ->> '$.note' as note from held where subject = ? order by number`,
      )
      .all(subject) as {
      id: string
      position: number
      above: string | null
      parent: string | null
      title: string
      note: string
    }[]
    const before = new Map(rows.map((row) => [row.id, row]))
    inTreeOrder(rows).forEach(({ id, above }, position) => {
      const it = before.get(id)
      if (it?.position !== position || it.above !== above) standing.run(position, above, subject, id)
    })
  }
  /** Gives places anew only to those that stand before one that they are to follow. */
  const settleList = (order: number[]) => {
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
      last ??=
        (
          database.prepare('select max(place) as place from element where subject = ?').get(subject) as {
            place: number | null
          }
        ).place ?? 0
      last += gap
      return last
    },
    saw: (number: number, pass: number) => void (seen[pass] ??= []).push(number),
    /** @param numbers what those became that were not held */
    settle: ({
      isInOrder,
      pass,
      numbers,
    }: {
      isInOrder: boolean
      pass: number | null
      numbers: Map<number, number>
    }) => {
      if (isTree(subject)) settleTree()
      else if (!isInOrder)
        settleList(
          (pass === null ? [...new Set(seen.flat())] : (seen[pass] ?? [])).map(
            (number) => numbers.get(number) ?? number,
          ),
        )
    },
  }
}
