import { news } from './define.ts'

/** Where a frame is from: one draws what is looked at, the other thumbnails. */
export type FrameHost = 'viewer' | 'thumbnails'

/** A key as it is pressed, by its name in the events of a page. */
export interface PressedKey {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}

/** The frames in which files are drawn, whichever archive these are of. */
export const viewer = {
  /** Those of a host took more memory than any drawing may, and were ended. */
  ended: news<{ host: FrameHost }>(),
  /** A key was pressed in a frame within one of them, which can tell nobody itself. */
  pressed: news<PressedKey>(),
}
