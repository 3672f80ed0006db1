import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { replaceFileSync } from '../replace-file.ts'

/**
 * What the desk remembers of windows and dialogs on this computer, in a JSON file of its own. Losing it costs
 * nobody anything: a file that is not there, is damaged or cannot be written is passed over.
 * @returns `read` gives undefined where there is nothing that fits the schema
 */
export const openStateFile = <S extends v.GenericSchema>(file: string, schema: S) => ({
  read: (): v.InferOutput<S> | undefined => {
    try {
      return v.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
    } catch {
      return undefined
    }
  },
  write: (state: v.InferInput<S>) => {
    try {
      replaceFileSync(file, JSON.stringify(state))
    } catch {
      // Next time it is as if nothing had been remembered.
    }
  },
})
