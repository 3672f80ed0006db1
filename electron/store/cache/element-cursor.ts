import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { prepareArrays } from '../../common/statements.ts'

/** An element of a list as it was read last: what it is told again by, and how many rows it brought. */
export interface HeldElement {
  number: number
  place: number
  /** SHA-1 of its text in hexadecimal digits, cheaper than bytes; empty where it is to be read anew. */
  digest: string
  bytes: number
  rows: number
}

export const heldElement = 'number, place, lower(hex(digest)) as digest, bytes, rows'
export const digestOf = (text: Uint8Array): string => hash('sha1', text, 'hex')

/** Makes what sees to it that an element, by its number, is read anew when it comes. */
export const openForgettingDigest = (database: DatabaseSync) => {
  const forget = database.prepare(`update element set digest = x'', bytes = 0 where number = ?`)
  return (element: number) => void forget.run(element)
}

const longestStep = 1_000

/** Walks through the elements that are held of a list, in their order, without holding them all. */
export const elementCursor = (database: DatabaseSync, subject: Subject) => {
  // All of a list is walked through: as arrays, rows come in two thirds of the time.
  const after = prepareArrays<[number: number, place: number, digest: string, bytes: number, rows: number]>(
    database,
    `select ${heldElement} from element where subject = ? and place > ?
        order by place limit ?`,
  )
  let chunk: HeldElement[] = []
  let index = 0
  let reached = -1
  // Where elements come in another order, reading many ahead would be in vain.
  let step = longestStep

  const peek = (): HeldElement | undefined => {
    if (index >= chunk.length) {
      chunk = after
        .all(subject, reached, step)
        .map(([number, place, digest, bytes, rows]) => ({ number, place, digest, bytes, rows }))
      step = Math.min(longestStep, step * 2)
      index = 0
    }
    return chunk[index]
  }
  return {
    peek,
    /** Goes back to the beginning: the list is read once more. */
    rewind: () => {
      ;[chunk, index, reached, step] = [[], 0, -1, longestStep]
    },
    /** Goes on behind an element. */
    seek: ({ place }: { place: number }) => {
      while (index < chunk.length && place >= (chunk[index]?.place ?? 0)) index += 1
      const isInChunk = index > 0 && chunk[index - 1]?.place === place
      reached = place
      if (isInChunk) return
      chunk = []
      step = 1
    },
  }
}

export type ElementCursor = ReturnType<typeof elementCursor>
