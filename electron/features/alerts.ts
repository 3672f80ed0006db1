import type { Archive } from '../archives/archive.ts'
import type { alerts as promised } from '../contract/alerts.ts'
import type { Fulfils } from '../contract/define.ts'
import { alertsOf } from '../store/alerts.ts'
import type { CacheOf } from '../store/caches.ts'
import type { DeskStore } from '../store/desk-store.ts'

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
      const rows = alertsOf(cache, mostShown).map((alert) => ({
        ...alert,
        key: `n${alert.id}`,
        isUnread: ledger.isUnseen(archive, `n${alert.id}`),
      }))
      return {
        rows,
        messages: ledger.unseenOfDesk(archive, mostShown),
        total: cache.count('notifications'),
        unread: ledger.unseen(archive),
        asOf: cache.asOf('notifications'),
      }
    },
    see: (archive, { key }) => {
      const time = now().toISOString()
      if (key === null) ledger.seeAll(archive.id, time)
      else ledger.see(archive.id, key, time)
      seen(archive)
    },
  }
}
