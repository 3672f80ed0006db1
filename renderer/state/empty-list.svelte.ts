let isEmpty = $state(false)

/** Whether the list of the place where one is has nothing in it: no key would find a row to act on. */
export const shownList = {
  get isEmpty() {
    return isEmpty
  },
}

/** Tells the frame, as long as a place is shown, whether its list has nothing in it. */
export const tellEmptyList = (hasNothing: () => boolean): void => {
  $effect(() => {
    isEmpty = hasNothing()
    return () => {
      isEmpty = false
    }
  })
}
