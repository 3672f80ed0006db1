import { entryIn } from '../../../electron/common/records.ts'

interface Place {
  row: number
  column: number
}

interface Keyed {
  /** The cell that is chosen. */
  chosen: () => Place
  last: () => Place
  /** Rows that are seen at once. */
  rowsSeen: () => number
  choose: (row: number, column: number) => void
  open: () => void
  /** The text of the cell that is chosen: what is copied where nothing else is selected. */
  text: () => string
}

/** The keys of a grid, as the authoring practices of ARIA have them. */
export const listenToGridKeys = (
  grid: HTMLElement,
  { chosen, last, rowsSeen, choose, open, text }: Keyed,
) => {
  const move = (key: string, isFar: boolean): Place | undefined => {
    const { row, column } = chosen()
    const places: Record<string, Place> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + rowsSeen(), column },
      PageUp: { row: row - rowsSeen(), column },
      Home: { row: isFar ? 0 : row, column: 0 },
      End: { row: isFar ? last().row : row, column: last().column },
    }
    return entryIn(places, key)
  }
  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid || event.altKey || event.shiftKey) return
    const to = move(event.key, event.ctrlKey || event.metaKey)
    if (to) choose(to.row, to.column)
    else if (event.key === 'Enter') open()
    else return
    event.preventDefault()
  })
  grid.addEventListener('copy', (event) => {
    if (document.getSelection()?.isCollapsed === false) return
    event.clipboardData?.setData('text/plain', text())
    event.preventDefault()
  })
}
