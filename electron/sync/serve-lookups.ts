import { openClient, type Access } from '../archive-client/http.ts'
import { fixedRouting, type Route } from '../archive-client/routes.ts'
import { failureOf, type Failure } from '../contract/failure.ts'
import type { Dialects } from '../dialects/dialects.ts'
import { lookUpIn, type LookupName } from '../dialects/lookups.ts'

/** How an archive is asked from a thread, which knows neither secrets nor proxies by itself. */
export interface HowToAsk {
  /** What it speaks, by its name. */
  dialect: string
  access: Access
  /** By which ways it is reached; only the thread of the desk can ask for them. */
  routes: Route[]
  language: string
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
  const { url, authorization } = how.access
  const client = openClient(
    url,
    authorization,
    () => how.language,
    dialect.conventions,
    fixedRouting(how.routes),
  )
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- thread.ts asks so
  const lookUp = lookUpIn(client, dialect) as (name: LookupName, ...input: unknown[]) => Promise<unknown>
  try {
    return { value: await lookUp(name, ...input), failure: null }
  } catch (error) {
    return { value: undefined, failure: failureOf(error, reportBug) }
  } finally {
    await client.close()
  }
}
