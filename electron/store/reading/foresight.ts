import { digestOf, type ElementCursor, type HeldElement } from '../cache/element-cursor.ts'

/** Knows the next element by the text of the one that is held in its place. */
export const openForesight = (cursor: ElementCursor) => {
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
