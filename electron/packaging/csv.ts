/**
 * Where a cell begins for a spreadsheet: at its first sign, or after what some countries' spreadsheets take
 * for a separator.
 */
const formulas = /(?<=^|[;\t\r\n])(?=[ "]*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r])/g

/**
 * One line of CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before it
 * (OWASP, "CSV Injection"), also inside a cell: a spreadsheet that separates by semicolon or tab cuts cells
 * where the quotes of RFC 4180 do not count.
 */
export const csvLine = (cells: (string | number)[]) =>
  `${cells
    .map((cell) => (typeof cell === 'string' ? cell.replace(formulas, "'") : String(cell)))
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\n`
