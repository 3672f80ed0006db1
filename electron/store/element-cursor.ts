import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../archive-client/held-lists.ts'

/** An element of a list as it was read last: what it is told again by, and how many rows it brought. */
export interface HeldElement {
  number: number
  place: number
  digest: Uint8Array
  bytes: number
  rows: number
}

const longestStep = 1_000

/** Walks through the elements that are held of a list, in their order, without holding them all. */
export const elementCursor = (database: DatabaseSync, subject: Subject) => {
  const after = database.prepare(
    'select number, place, digest, bytes, rows from element where subject = ? and place > ? order by place limit ?',
  )
  let chunk: HeldElement[] = []
  let at = 0
  let reached = -1
  // Where elements come in another order, reading many ahead would be in vain.
  let step = longestStep

  const peek = (): HeldElement | undefined => {
    if (at >= chunk.length) {
      chunk = after.all(subject, reached, step) as unknown as HeldElement[]
      step = Math.min(longestStep, step * 2)
      at = 0
    }
    return chunk[at]
  }
  return {
    peek,
    /** Goes back to the beginning: the list is read once more. */
    rewind: () => {
      ;[chunk, at, reached, step] = [[], 0, -1, longestStep]
    },
    /** Goes on behind an element. */
    seek: ({ place }: { place: number }) => {
      while (at < chunk.length && place >= (chunk[at]?.place ?? 0)) at += 1
      const isInChunk = at > 0 && chunk[at - 1]?.place === place
      reached = place
      if (isInChunk) return
      chunk = []
      step = 1
    },
  }
}
