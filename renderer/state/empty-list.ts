import { openPageFlag } from './page-flag.svelte.ts'

const empty = openPageFlag()

/** Whether the list of the place where one is has nothing in it: no key would find a row to act on. */
export const shownList = {
  get isEmpty() {
    return empty.isSet
  },
}

/** Tells the frame, as long as a place is shown, whether its list has nothing in it. */
export const tellEmptyList = empty.follow
