import { leastApartMs, type Alert } from '../../contract/alerts.ts'
import type { Package, TimeLineEntry } from '../../contract/packages.ts'
import type { Notification } from '../../dialects/models.ts'
import { alertOf, alertsOf } from './alerts.ts'
import type { Cache } from '../cache/cache.ts'
import { prepare } from '../../common/statements.ts'
import { heldModel } from '../cache/held-model.ts'

/** Notifications carry no id of a package, so the newest are read for what they speak of. */
const mostTold = 2_000

/** Whether a message "n" of the desk's is the notification "h" of an archive. */
const isTheSame = `n.archive = ? and n.key = 'n' || h.id
  and coalesce(abs(n.toldMs - nullif(h.model ->> '$.at', 0)) < ${leastApartMs}, true)`

const modelsOf = (rows: { model: string }[]) => rows.map(({ model }) => heldModel<Notification>(model))

/** What is asked of an archive's notifications, with what the desk (attached as "desk") knows of them. */
export const openAlertQuestions = (cache: Cache, archive: string) => {
  const unknown = prepare<{ model: string }>(
    cache.database,
    `select model from held h where subject = 'notifications'
       and not exists (select 1 from desk.notice n where ${isTheSame})
       and h.number <= ?
     order by position, number limit ?`,
  )
  const opened = prepare<{ model: string }>(
    cache.database,
    `select model from held h where subject = 'notifications' and model ->> '$.seen' = 0
       and exists (select 1 from desk.notice n
         where ${isTheSame} and n.seen is not null and n.state <> 'before')
     order by position, number limit ?`,
  )
  return {
    /**
     * Those that the desk does not know yet; with `upTo`, none that came into the local copy after that row.
     */
    unknown: (most: number, upTo: number | null): Alert[] =>
      modelsOf(unknown.all(archive, upTo ?? Number.MAX_SAFE_INTEGER, most)).map((told) =>
        alertOf(cache.packages, told),
      ),
    /** Ids of those that a person opened at this desk, and that the archive calls unread. */
    opened: (most: number): number[] => modelsOf(opened.all(archive, most)).map(({ id }) => id),
    /** What the newest of them say of a package. */
    toldOf: (current: string, { identifier }: Pick<Package, 'identifier'>): TimeLineEntry[] =>
      alertsOf(cache, mostTold)
        .filter(
          (alert) =>
            alert.package?.id === current ||
            (identifier !== '' && alert.message.includes(`(${identifier})`) && alert.package === null),
        )
        .map(({ id, time, text, tells }) => ({
          id: `notification ${id}`,
          time,
          source: 'notification',
          what: text,
          note: '',
          failed: tells === 'failure',
          agent: '',
          transfer: null,
        })),
  }
}
