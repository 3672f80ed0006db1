import { listNames, type ListName } from '../contract/lists.ts'
import { isOlderThan } from '../common/age.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { Refresh } from '../sync/refresh.ts'

/** Lists of description are read again so often, for searching; a page that shows one reads it at once. */
const describedForMs = 600_000
const searched = [
  'orders',
  'me/searches',
  'agents',
  'structures',
  'structure-units',
  'tags',
  'locations',
] as const satisfies ListName[]

interface Parts {
  archive: string
  cacheOf: CacheOf
  refresh: Pick<Refresh, 'list'>
  now: () => Date
  warn: (source: string, message: string, detail: unknown) => void
}

/** What is described is searched too, so it is read when nobody looks at it, one list after the other. */
export const openDescribedLists = ({ archive, cacheOf, refresh, now, warn }: Parts) => {
  const read = async (forMs: number) => {
    const cache = cacheOf(archive)
    const shown = listNames.filter((name) => cache.asOf(`description/${name}`) !== null)
    for (const name of new Set<ListName>([...searched, ...(forMs === 0 ? shown : [])]))
      if (isOlderThan(forMs, cache.asOf(`description/${name}`), now())) await refresh.list(name)
  }
  const orWarn = (reading: Promise<void>) =>
    reading.catch((error: unknown) => warn('archives', 'What is described could not be read', error))
  return {
    /** Reads those that are old. */
    keepFresh: () => orWarn(read(describedForMs)),
    /** Reads them all anew, and others that were shown. */
    renew: () => orWarn(read(0)),
  }
}
