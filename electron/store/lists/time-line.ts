import type { PremisEvent, TimeLineEntry } from '../../contract/packages.ts'
import type { Cache } from '../cache/cache.ts'
import type { DeskStore } from '../desk/desk-store.ts'

const steps = ['prepared', 'sent', 'received', 'preserved'] as const

export const ofEvent = (event: PremisEvent): TimeLineEntry => ({
  id: `event ${event.id}`,
  time: event.time,
  source: 'event',
  what: event.detail || event.type,
  note: event.note,
  failed: event.failed,
  agent: event.agent,
  transfer: null,
})

/**
 * What happened to a package, newest first: events that name it, notifications that speak of it, and the
 * steps of the transfers of this desk that became it.
 * @param current the generation whose events are meant, where the package is an AIC
 * @param told what notifications say of it
 */
export const timeLineOf = (
  { cache, store }: { cache: Cache; store: Pick<DeskStore, 'transfersThatBecame'> },
  archive: string,
  current: string,
  told: TimeLineEntry[],
): TimeLineEntry[] => {
  const events = cache.where<PremisEvent>('events', 'package', current).map(ofEvent)
  const entries = store.transfersThatBecame(archive, current).flatMap((entry) =>
    steps.flatMap((step): TimeLineEntry[] => {
      const time = entry.times[step]
      return time === null
        ? []
        : [
            {
              id: `desk ${entry.id} ${step}`,
              time,
              source: 'desk',
              what: step,
              note: entry.form.name,
              failed: null,
              agent: '',
              transfer: entry.id,
            },
          ]
    }),
  )
  const timeOf = ({ time }: TimeLineEntry) => Date.parse(time) || 0
  // Of one moment, the order in which they were told stands: what the archive did comes before the desk's
  // word for how far it is.
  return [...events, ...told, ...entries]
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => timeOf(b.entry) - timeOf(a.entry) || b.index - a.index)
    .map(({ entry }) => entry)
}
