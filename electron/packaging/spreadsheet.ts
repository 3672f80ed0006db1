/** More characters than these a cell of a spreadsheet does not hold (ECMA-376 Part 1, 18.3.1.4). */
const mostInCell = 32_767

/** What XML 1.0 has no way to write. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * A table as a spreadsheet (ECMA-376). Texts are texts and never formulas; numbers are numbers.
 * @param name of the sheet
 * @returns the whole file
 */
export const spreadsheetOf = async (
  name: string,
  headings: string[],
  rows: (string | number)[][],
): Promise<Uint8Array> => {
  // Hardly any run of the program writes a spreadsheet: what writes it is read by those that do.
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  const cellOf = (value: string | number) =>
    typeof value === 'number' && Number.isFinite(value)
      ? { value, type: Number }
      : { value: String(value).replace(unwritable, '\ufffd').slice(0, mostInCell), type: String }
  const heads = headings.map((heading) => ({ value: heading, type: String, fontWeight: 'bold' as const }))
  const file = writeXlsxFile([heads, ...rows.map((row) => row.map(cellOf))], {
    sheet: name.replace(/[\\/?*:[\]]/g, ' ').slice(0, 31),
    stickyRowsCount: 1,
  })
  return new Uint8Array(await file.toBuffer())
}
