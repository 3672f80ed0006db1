import type { Authorization } from '../../electron/archive-client/exchange.ts'
import {
  openClient as openClientBy,
  type Client,
  type ListClient,
} from '../../electron/archive-client/http.ts'
import { fixedRouting, type Routing } from '../../electron/archive-client/routes.ts'
import { withDialect, type ArchiveClient } from '../../electron/dialects/dialect.ts'
import { joined, type ListDefinition, type Listing } from '../../electron/dialects/listing.ts'
import { lookUpIn } from '../../electron/dialects/lookups.ts'
import { specification } from '../../electron/dialects/specification.ts'

/** A client for an archive that divides its lists as the specification does. */
export const openClient = (
  url: string,
  authorization: Parameters<typeof openClientBy>[1],
  language: () => string,
  routing: Routing = fixedRouting(),
) => openClientBy(url, authorization, language, specification.conventions, routing)

/** An archive of the specification that is asked in this thread, also for what stands in whole lists. */
export const askedHere = (archive: ListClient): ArchiveClient & ListClient =>
  Object.assign(archive, withDialect(archive, specification, lookUpIn(archive, specification)))

/** The same, by its address. */
export const openArchiveClient = (url: string, authorization?: Authorization): ArchiveClient & ListClient =>
  askedHere(openClient(url, authorization, () => 'en'))

/** The whole of a short list at once. */
export const readList = async <T>(
  { list }: Pick<Client, 'list'>,
  { path, read }: ListDefinition<T>,
): Promise<Listing<T>> => joined((await list(path)).map((element, from) => read(element, from)))
