import { announcement } from '../state/announce.svelte.ts'
import { Command } from '../state/command.svelte.ts'
import { hasCommandKey } from './row-moves.ts'
import type { Selection } from './selection.svelte.ts'

interface Lines<Item extends { id: string }> {
  selection: Selection<Item>
  items: () => readonly Item[]
  /** The links of the lines, each of which has the focus when keys act on its line. */
  links: () => HTMLElement[]
  /** What Space does with a line; where it is left out, Space chooses as Ctrl with Space does. */
  inspect?: (item: Item) => void
}

/**
 * Choosing many of a list whose lines are links, as rows are chosen: Shift and Ctrl with a click, Shift with
 * the arrow keys, and Ctrl with Space.
 */
export const openLines = <Item extends { id: string }>({ selection, items, links, inspect }: Lines<Item>) => {
  const choosing = new Command(announcement.fail)
  const extend = (line: number) => choosing.change(() => selection.extend(line))
  const toggle = (line: number) => {
    const item = items()[line]
    if (item) selection.toggle(item, line)
  }
  const inspectAt = (line: number, inspect: (item: Item) => void) => {
    const item = items()[line]
    if (item) inspect(item)
  }
  const move = (from: number, wanted: number, isRange: boolean) => {
    const line = Math.min(Math.max(0, wanted), items().length - 1)
    if (isRange && !selection.isBegun) selection.begin(from)
    if (isRange) extend(line)
    links()[line]?.focus()
  }
  return {
    /** Any other click is that of a link, or of the box before it. */
    clicked: (event: MouseEvent, line: number): void => {
      if (event.target instanceof HTMLInputElement) return
      if (event.shiftKey) extend(line)
      else if (hasCommandKey(event)) toggle(line)
      else return
      event.preventDefault()
    },
    /** @returns whether the key moved or chose */
    pressed: (event: KeyboardEvent, line: number): boolean => {
      if (event.altKey || (hasCommandKey(event) && event.key !== ' ')) return false
      const wanted = { ArrowDown: line + 1, ArrowUp: line - 1, Home: 0, End: items().length - 1 }[event.key]
      if (wanted !== undefined) move(line, wanted, event.shiftKey)
      else if (event.key !== ' ') return false
      else if (inspect && !hasCommandKey(event)) inspectAt(line, inspect)
      else toggle(line)
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}
