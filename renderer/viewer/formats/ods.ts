import type { OfficeParts } from './office-parts.ts'
import { readXml, SheetBuilder, type Workbook } from './workbook.ts'

/** A row that stands many times is kept so many times at most. */
const mostRepeated = 1_000

/** An OpenDocument spreadsheet: cells as they were shown when it was saved. */
export const openOds = async (parts: OfficeParts): Promise<Workbook> => {
  const names: string[] = []
  const builders: SheetBuilder[] = []
  let [row, column, rowsAlike, cellsAlike] = [0, 0, 1, 1]
  let cells: [column: number, text: string][] = []
  let text: string | undefined
  let goesOn = true
  const endRow = () => {
    const builder = builders.at(-1)
    const times = cells.length === 0 ? 0 : Math.min(rowsAlike, mostRepeated)
    for (let time = 0; builder && time < times; time += 1)
      for (const [at, shown] of cells) goesOn = builder.set(row + time, at, shown) && goesOn
    row += rowsAlike
  }
  await readXml(
    parts.pieces('content.xml'),
    {
      open: (name, attributes) => {
        const times = (attribute: string) => Math.max(1, Number(attributes[attribute]) || 1)
        if (name === 'table:table') {
          names.push(attributes['table:name'] ?? '')
          builders.push(new SheetBuilder())
          row = 0
        } else if (name === 'table:table-row') {
          rowsAlike = times('table:number-rows-repeated')
          column = 0
          cells = []
        } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
          cellsAlike = times('table:number-columns-repeated')
          text = undefined
        } else if (name === 'text:p') text = text === undefined ? '' : `${text}\n`
        else if (name === 'text:s') text = `${text ?? ''} `
        else if (name === 'office:annotation') text = undefined
      },
      close: (name) => {
        if (name === 'table:table-row') endRow()
        else if (name === 'office:annotation') text = undefined
        else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
          for (let time = 0; text && time < Math.min(cellsAlike, mostRepeated); time += 1)
            cells.push([column + time, text])
          column += cellsAlike
          text = undefined
        }
      },
      text: (piece) => {
        if (text !== undefined) text += piece
      },
    },
    () => goesOn && names.length < 10_000,
  )
  const sheets = builders.map(({ sheet }) => sheet)
  return {
    sheets: names,
    read: (sheet) => Promise.resolve(sheets[sheet] ?? { rows: [], width: 0, isCut: false }),
  }
}
