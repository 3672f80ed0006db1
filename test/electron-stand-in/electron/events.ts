/** An event whose default can be prevented, as Electron hands them out. */
export const cancellable = <T extends object>(about?: T) => {
  const event = {
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true
    },
    ...about,
  }
  return event as { defaultPrevented: boolean; preventDefault: () => void } & T
}
