let isOpen = $state(false)
let isSettled = $state(false)

export const openRecord = {
  /** Whether a record stands beside the list of the place where one is; in a narrow window in its place. */
  get isOpen() {
    return isOpen
  },
  /** Whether nothing can be typed into it any more. */
  get isSettled() {
    return isSettled
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

/** Tells the frame, as long as a record is shown, whether nothing can be typed into it any more. */
export const tellSettled = (isOver: () => boolean): void => {
  $effect(() => {
    isSettled = isOver()
    return () => {
      isSettled = false
    }
  })
}
