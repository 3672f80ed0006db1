import { digestOf, type ElementCursor, type HeldElement } from '../cache/element-cursor.ts'

/** Recognizes the next element by the text of the one that is held in its place. */
export const openRecognition = (cursor: ElementCursor) => {
  let recognized: HeldElement | undefined
  return {
    /** As `recognize` of an element reader. */
    recognize: (bytes: Buffer): number => {
      recognized = undefined
      const next = cursor.peek()
      if (!next || next.bytes === 0) return 0
      if (bytes.length <= next.bytes) return -1
      if (digestOf(bytes.subarray(0, next.bytes)) !== next.digest) return 0
      recognized = next
      return next.bytes
    },
    /** The held element that an element was recognized as, asked once. */
    of: (element: Buffer): HeldElement | undefined => {
      const known = recognized
      recognized = undefined
      return known?.bytes === element.length ? known : undefined
    },
  }
}
