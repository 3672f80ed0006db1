let isOpen = $state(false)

/** Whether a record stands beside the list of the place where one is; in a narrow window in its place. */
export const openRecord = {
  get isOpen() {
    return isOpen
  },
}

/** Tells the frame, as long as a place is shown, whether a record is open in it. */
export const tellOpenRecord = (isShown: () => boolean): void => {
  $effect(() => {
    isOpen = isShown()
    return () => {
      isOpen = false
    }
  })
}
