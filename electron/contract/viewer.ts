import { news } from './define.ts'

/** Where a frame is from: one draws what is looked at, the other thumbnails. */
export type FrameHost = 'viewer' | 'thumbnails'

/** The frames in which files are drawn, whichever archive these are of. */
export const viewer = {
  /** Those of a host took more memory than any drawing may, and were ended. */
  ended: news<{ host: FrameHost }>(),
}
