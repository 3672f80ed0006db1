import type { alerts as promised } from '../contract/alerts.ts'
import type { Fulfils } from '../contract/define.ts'
import type { Session } from '../session/session.ts'
import { alertsOf } from '../store/alerts.ts'
import type { Cache } from '../store/cache.ts'
import type { Packages } from '../store/package-rows.ts'

export const alerts = ({ session, cache, packages }: { session: Session; cache: Cache; packages: Packages }): Fulfils<typeof promised> => ({
  list: () => {
    const { archive } = session.account()
    return { rows: alertsOf({ cache, packages }, archive), asOf: cache.asOf(archive, 'notifications') }
  },
})
