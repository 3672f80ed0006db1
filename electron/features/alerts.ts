import type { alerts as promised } from '../contract/alerts.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Session } from '../session/session.ts'
import { alertsOf } from '../store/alerts.ts'
import type { Cache } from '../store/cache.ts'

export const alerts = ({ session, cache }: { session: Session; cache: Cache }): Fulfils<typeof promised> => ({
  list: () => {
    const { archive } = session.account()
    return { rows: alertsOf(cache, archive), asOf: cache.asOf(archive) }
  },
})
