import { unzipSync, zipSync } from 'fflate'

/** A row or a cell of a sheet, with its attributes. */
const placed = /<(?:[^\s<>/:]*:)?(?:row|c)\s[^<]*/g
/** Where it says that it is. */
const place = /(?<![\w.-])r\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const address = /^[A-Z]{0,3}(\d{1,7})$/
/** A sheet has no more (ECMA-376 Part 1, 18.3.1.73, as spreadsheet programs have it). */
const lastRow = 1_048_576

/**
 * Whoever reads a sheet makes each row and cell before the one that is there: one a thousand million rows
 * further down takes the whole program with it, however much memory its thread may have.
 * @throws Error with the first place that is in no sheet
 */
const checkPlaces = (xml: string) => {
  for (const [tag] of xml.matchAll(placed))
    for (const [, quoted, said = quoted ?? ''] of tag.matchAll(place)) {
      const row = address.exec(said)?.[1]
      if (row === undefined || Number(row) > lastRow) throw new Error(`no sheet has the place ${said}`)
    }
}

/**
 * The XML of a workbook as a zip that holds nothing else, so that what reads it reads what was looked at.
 * @param most so many bytes are unpacked, whatever the zip says of its sizes
 * @throws Error with what is wrong
 */
export const checkedWorkbook = (zip: Uint8Array, most: number): Uint8Array => {
  let sum = 0
  const parts = unzipSync(zip, {
    filter: ({ name, originalSize }) => {
      if (!/\.xml(\.rels)?$/.test(name)) return false
      sum += originalSize
      if (sum > most) throw new Error(`more than ${most} bytes when it is unpacked`)
      return true
    },
  })
  const decoder = new TextDecoder()
  for (const part of Object.values(parts)) checkPlaces(decoder.decode(part))
  return zipSync(parts, { level: 0 })
}
