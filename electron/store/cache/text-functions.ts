import type { DatabaseSync } from 'node:sqlite'
import { folded } from '../../common/fold.ts'

/**
 * Text as it sorts: å ä ö after z, and numbers by their value. SQLite cannot be given a collation from here.
 */
export const sortKey = (text: string) =>
  folded(text)
    .replace(/å/g, '{')
    .replace(/ä/g, '|')
    .replace(/ö/g, '}')
    .replace(/\d+/g, (digits) => digits.padStart(12, '0'))

/** Gives SQL the words folded() and words(), to compare and to sort texts as people do. */
export const defineTextFunctions = (database: DatabaseSync) => {
  database.function('folded', { deterministic: true }, (text) => folded(String(text)))
  database.function('words', { deterministic: true }, (text) => sortKey(String(text)))
}

/** What was typed into a filter, for "folded(…) like '%' || :filter || '%' escape '\\'". */
export const likeText = (typed: string) => folded(typed.trim()).replace(/[\\%_]/g, (sign) => `\\${sign}`)
