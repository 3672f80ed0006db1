import { entryIn } from '../../electron/common/records.ts'

/** Whether Ctrl (on macOS Command) is held, whatever else is. */
export const hasCommandKey = ({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean => ctrlKey || metaKey

/**
 * The line of the next row whose text begins so, whatever its case.
 * @param rows those that are looked through, in their order; a row that is not here begins with nothing
 * @param from the line from which it is looked for, and then from the top
 */
export const nextBeginning = <Row>(
  rows: { index: number; row: Row | undefined }[],
  textOf: (row: Row) => string,
  begins: string,
  from: number,
): number | undefined => {
  const wanted = begins.toLocaleLowerCase()
  const found = rows
    .filter(({ row }) => row !== undefined && textOf(row).toLocaleLowerCase().startsWith(wanted))
    .map(({ index }) => index)
  return found.find((index) => index >= from) ?? found[0]
}

/** The line that a key leads to, before the first or behind the last too; undefined for other keys. */
export const lineAfter = (
  key: string,
  { active, page, count }: { active: number; page: number; count: number },
): number | undefined => {
  const lines: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  }
  return entryIn(lines, key)
}

/**
 * The line of the row that something happened in; undefined where that was in none.
 * @param base what the ids of rows begin with, before a dash and the line
 */
export const lineAt = ({ target }: Event, base: string): number | undefined => {
  const row = target instanceof Element ? target.closest('[role=row][id]') : null
  return row ? Number(row.id.slice(base.length + 1)) : undefined
}

/** A line, and the record that stood on it; undefined where none had come. */
export interface Stood {
  id: string | undefined
  index: number
}

/**
 * By how many lines a record has moved down.
 * @param indexOf where a record is now
 * @returns undefined where nobody knows
 */
export const linesMoved = (
  stood: Stood | undefined,
  indexOf: (id: string) => number | undefined,
): number | undefined => {
  const now = stood?.id === undefined ? undefined : indexOf(stood.id)
  return stood && now !== undefined ? now - stood.index : undefined
}
