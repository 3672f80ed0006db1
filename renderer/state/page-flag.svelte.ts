/** What a part of a page says of itself to the frame while it is shown; not set where nothing does. */
export const openPageFlag = () => {
  let isSet = $state(false)
  return {
    get isSet() {
      return isSet
    },
    /** Keeps it as what is read says. Call it while a component is made. */
    follow: (read: () => boolean): void => {
      $effect(() => {
        isSet = read()
        return () => {
          isSet = false
        }
      })
    },
  }
}
