import type { Package, PremisEvent, TimeLineEntry } from '../contract/packages.ts'
import { alertsOf } from './alerts.ts'
import type { Cache } from './cache.ts'
import type { DeskStore } from './desk.ts'

/** Notifications carry no id of a package, so the newest are read for what they speak of. */
const mostTold = 2_000

const steps = ['prepared', 'sent', 'received', 'preserved'] as const

export const ofEvent = (it: PremisEvent): TimeLineEntry => ({
  id: `event ${it.id}`,
  time: it.time,
  source: 'event',
  what: it.detail || it.type,
  note: it.note,
  failed: it.failed,
  agent: it.agent,
  transfer: null,
})

/**
 * What happened to a package, newest first: events that name it, notifications that speak of it, and the steps of the transfers
 * of this desk that became it.
 * @param current the generation whose events are meant, where the package is an AIC
 */
export const timeLineOf = (
  { cache, desk }: { cache: Cache; desk: DeskStore },
  archive: string,
  { identifier }: Package,
  current: string,
): TimeLineEntry[] => {
  const events = cache.where<PremisEvent>('events', 'package', current).map(ofEvent)
  const told = alertsOf(cache, mostTold)
    .filter(
      (it) =>
        it.package?.id === current ||
        (identifier !== '' && it.message.includes(`(${identifier})`) && it.package === null),
    )
    .map(({ id, time, text, level }): TimeLineEntry => ({
      id: `notification ${id}`,
      time,
      source: 'notification',
      what: text,
      note: '',
      failed: level === 'error' || level === 'critical',
      agent: '',
      transfer: null,
    }))
  const own = desk
    .transfers(archive)
    .filter((it) => it.package === current)
    .flatMap((it) =>
      steps.flatMap((step): TimeLineEntry[] => {
        const time = it.times[step]
        return time === null
          ? []
          : [
              {
                id: `desk ${it.id} ${step}`,
                time,
                source: 'desk',
                what: step,
                note: it.form.name,
                failed: null,
                agent: '',
                transfer: it.id,
              },
            ]
      }),
    )
  const at = ({ time }: TimeLineEntry) => Date.parse(time) || 0
  // Of one moment, the order in which they were told stands.
  return [...own, ...events, ...told]
    .map((it, index) => ({ it, index }))
    .sort((a, b) => at(b.it) - at(a.it) || b.index - a.index)
    .map(({ it }) => it)
}
