/** Whether something happened on the headings of a list, and not in its rows. */
export const isOnHeadings = ({ target }: Event, head: HTMLElement): boolean =>
  target instanceof Node && head.contains(target)

/**
 * Keys on a heading lead from one to the next, and down to the rows; all others are the heading's.
 * @param head what holds the headings of the list
 * @returns whether it was pressed there
 */
export const pressedOnHeading = (event: KeyboardEvent, head: HTMLElement, toRows: () => void): boolean => {
  if (!isOnHeadings(event, head)) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return true
  const headings = [...head.querySelectorAll<HTMLElement>('button:not([tabindex="-1"])')]
  const at = headings.findIndex((heading) => heading === event.target)
  const last = headings.length - 1
  const wanted = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
  if (event.key === 'ArrowDown') toRows()
  else if (wanted !== undefined) headings[Math.min(Math.max(0, wanted), last)]?.focus()
  else return true
  event.preventDefault()
  event.stopPropagation()
  return true
}
