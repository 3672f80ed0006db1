import type { ArchiveDesk } from '../../bridge.svelte.ts'
import { Query } from '../../state/query.svelte.ts'
import { stopAll } from '../../state/stop-all.ts'

/** What the archive told: asked once for all that shows it, and fresh after every news while it listens. */
export const openAlertsQuery = (desk: ArchiveDesk) => {
  const query = new Query(() => desk.alerts.list())
  return {
    query,
    listen: () =>
      stopAll([desk.packages.changed(() => query.refresh()), desk.alerts.changed(() => query.refresh())]),
  }
}
export type AlertsQuery = ReturnType<typeof openAlertsQuery>['query']
