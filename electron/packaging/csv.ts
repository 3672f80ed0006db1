/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe (OWASP, "CSV Injection"). */
export const csvLine = (cells: (string | number)[]) =>
  `${cells
    .map((cell) => (typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell)))
    .map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\n`
