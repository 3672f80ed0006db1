import type { Archive } from '../archives/archive.ts'
import { mostListed, type alerts as promised } from '../contract/alerts.ts'
import type { Fulfils } from '../contract/define.ts'
import { alertsOf, linesOf, withFailed } from '../store/lists/alerts.ts'
import type { CacheOf } from '../store/cache/caches.ts'
import type { DeskStore } from '../store/desk/desk-store.ts'

interface Parts {
  cacheOf: CacheOf
  store: DeskStore
  now: () => Date
  /** A person saw messages. */
  seen: (archive: Archive) => void
}

const mostShown = 200

export const alerts = ({ cacheOf, store, now, seen }: Parts): Fulfils<typeof promised, [Archive]> => {
  const { ledger } = store
  return {
    list: ({ id: archive }) => {
      const cache = cacheOf(archive)
      const lines = linesOf(alertsOf(cache, mostListed), (key) => ledger.isUnseen(archive, key))
      return {
        rows: withFailed(lines.slice(0, mostShown), cache.packages),
        messages: ledger.unseenOfDesk(archive, mostShown),
        total: cache.count('notifications'),
        unread: ledger.unseen(archive),
        asOf: cache.asOf('notifications'),
      }
    },
    see: (archive, { keys }) => {
      const time = now().toISOString()
      if (keys === null) ledger.seeAll(archive.id, time)
      else for (const key of keys) ledger.see(archive.id, key, time)
      seen(archive)
    },
  }
}
