import type { Authorization } from '../electron/archive-client/exchange.ts'
import { reach as reachIn, type Reach } from '../electron/archive-client/http.ts'
import { fixedRouting, type Routing } from '../electron/archive-client/routes.ts'
import { speaking, type Remote } from '../electron/dialects/dialect.ts'
import { joined, type ListDefinition, type Listing } from '../electron/dialects/listing.ts'
import { lookUpIn } from '../electron/dialects/lookups.ts'
import { specification } from '../electron/dialects/specification.ts'

/** A client for an archive that divides its lists as the specification does. */
export const reach = (
  url: string,
  authorization: Parameters<typeof reachIn>[1],
  language: () => string,
  routing: Routing = fixedRouting(),
) => reachIn(url, authorization, language, specification.conventions, routing)

/** An archive of the specification that is asked in this thread, also for what stands in whole lists. */
export const askedHere = (archive: Reach): Remote =>
  speaking(archive, specification, lookUpIn(archive, specification))

/** The same, by its address. */
export const remote = (url: string, authorization?: Authorization): Remote =>
  askedHere(reach(url, authorization, () => 'en'))

/** The whole of a short list at once. */
export const readList = async <T>(
  { list }: Pick<Reach, 'list'>,
  { path, read }: ListDefinition<T>,
): Promise<Listing<T>> => joined((await list(path)).map((element, from) => read(element, from)))
