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
