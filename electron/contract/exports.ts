import * as v from 'valibot'
import { WhichActivity } from './activity.ts'
import { command } from './define.ts'
import { WhichRecords } from './description.ts'
import { WhichHits } from './find.ts'
import { mostChosen, WhichPackages } from './packages.ts'
import { recordId } from './ids.ts'
import { WhichRisky } from './storage.ts'

/** A sheet is made as a whole: more rows than these would fill the memory. */
export const mostInSheet = 100_000
/** So many rows the page gives of a list that is its own. */
export const mostInTable = 100_000

const columns = v.pipe(
  v.array(
    v.object({ key: v.pipe(v.string(), v.maxLength(100)), heading: v.pipe(v.string(), v.maxLength(200)) }),
  ),
  v.minLength(1),
  v.maxLength(60),
)

/** What a list can be saved as. */
export const listFormats = ['csv', 'xlsx', 'json'] as const

const How = {
  columns,
  /** XLSX takes so many rows as a spreadsheet can hold (ECMA-376: 1 048 576) and fewer: see `mostInSheet`. */
  format: v.picklist(listFormats),
  /** What the file is called at first. */
  name: v.pipe(v.string(), v.maxLength(200)),
  /** Whether all that match are wanted, or only the rows from the offset of the question to its limit. */
  isAll: v.boolean(),
}

const packages = {
  list: v.literal('packages'),
  which: WhichPackages,
  /** These alone, as they were chosen. */
  ids: v.nullable(v.pipe(v.array(recordId), v.maxLength(mostChosen))),
}
const records = { list: v.literal('records'), which: WhichRecords }
const activity = { list: v.literal('activity'), which: WhichActivity }
const risky = { list: v.literal('risky'), which: WhichRisky }
const found = { list: v.literal('found'), which: WhichHits }

/** A list that main holds, and how much of it is asked for. */
export const HeldList = v.variant('list', [
  v.object(packages),
  v.object(records),
  v.object(activity),
  v.object(risky),
  v.object(found),
])
export type HeldList = v.InferOutput<typeof HeldList>

const List = v.variant('list', [
  v.object({ ...How, ...packages }),
  v.object({ ...How, ...records }),
  v.object({ ...How, ...activity }),
  v.object({ ...How, ...risky }),
  v.object({ ...How, ...found }),
  // Short lists of the page itself.
  v.object({
    ...How,
    list: v.literal('rows'),
    rows: v.pipe(
      v.array(v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()])))),
      v.maxLength(mostInTable),
    ),
  }),
])
export type ListToExport = v.InferOutput<typeof List>
export type ListFormat = ListToExport['format']

/** Lists as files: what is shown, or all that match. */
export const exports = {
  /** How many rows were written; null when the person cancelled. */
  save: command(List).returns<number | null>(),
}
