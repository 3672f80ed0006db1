import * as v from 'valibot'
import { command, query } from './define.ts'
import { HeldList } from './exports.ts'

export const paperSizes = ['A4', 'A5', 'label'] as const
export type PaperSize = (typeof paperSizes)[number]

/** A sheet is drawn as a whole: of a list with more rows, some 150 pages of them, the first are printed. */
export const mostPrinted = 5_000

/** Printing what the window has drawn for paper. */
export const printing = {
  /** The first rows of a list as they are held, and whether there are no more. */
  rows: query(HeldList).returns<{ rows: Record<string, unknown>[]; isWhole: boolean }>(),
  /** To a PDF that the person names, or on paper. False when they cancelled. */
  print: command(
    v.object({
      /** What is printed, as the journal and the file call it. */
      name: v.pipe(v.string(), v.maxLength(200)),
      /** Where in the window that is: "orders/…". */
      place: v.pipe(v.string(), v.maxLength(2_000)),
      size: v.picklist(paperSizes),
      on: v.picklist(['pdf', 'paper']),
    }),
  ).returns<boolean>(),
}
