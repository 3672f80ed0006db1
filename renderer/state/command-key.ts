/** Whether a key was pressed with Ctrl (on macOS with Command) and nothing else. */
export const isCommand = (event: KeyboardEvent, key: string): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === key

/** Whether a key goes into a field, where a letter is a letter. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select')
