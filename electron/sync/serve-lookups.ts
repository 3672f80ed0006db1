import { openClient } from '../archive-client/http.ts'
import { failureOf, type Failure } from '../contract/failure.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { lookUpIn, type LookupName } from '../dialects/lookups.ts'
import { reach, type Reached } from './read-lists.ts'

/** How an archive is asked from a thread, which knows neither secrets nor proxies by itself. */
export interface HowToAsk extends Reached {
  /** What it speaks, by its name. */
  dialect: string
}

/** What is to be looked up in whole lists of an archive. */
export interface LookupRequest {
  kind: 'look up'
  how: HowToAsk
  name: LookupName
  input: unknown[]
}
/** What was found; undefined where it failed. */
export interface LookedUp {
  value: unknown
  failure: Failure | null
}

/**
 * Looks something up in an archive, by connections of its own.
 * @param reportBug keeps an unexpected error, and gives its reference
 */
export const serveLookup = async (
  { how, name, input }: LookupRequest,
  dialects: Dialects,
  reportBug: (error: unknown) => string,
): Promise<LookedUp> => {
  const dialect = dialects.named(how.dialect)
  try {
    const value = await reach({ dialect }, how, { open: openClient }, (client) => {
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- thread.ts asks so
      const lookUp = lookUpIn(client, dialect) as (name: LookupName, ...input: unknown[]) => Promise<unknown>
      return lookUp(name, ...input)
    })
    return { value, failure: null }
  } catch (error) {
    return { value: undefined, failure: failureOf(error, reportBug) }
  }
}
