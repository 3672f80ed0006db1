import { openPageFlag } from '../../state/page-flag.svelte.ts'

const open = openPageFlag()
const settled = openPageFlag()

export const openRecord = {
  /** Whether a record stands beside the list of the place where one is; in a narrow window in its place. */
  get isOpen() {
    return open.isSet
  },
  /** Whether nothing can be typed into it any more. */
  get isSettled() {
    return settled.isSet
  },
}

/** Tells the frame, as long as a place is shown, whether a record is open in it. */
export const tellOpenRecord = open.follow

/** Tells the frame, as long as a record is shown, whether nothing can be typed into it any more. */
export const tellSettled = settled.follow
