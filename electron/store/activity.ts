import type { Notification } from '../archive-client/activity.ts'
import type { ActivityRow, WhichActivity } from '../contract/activity.ts'
import type { Listed, PremisEvent } from '../contract/packages.ts'
import { alertOf } from './alerts.ts'
import type { Cache, Subject } from './cache.ts'
import type { RowOrders } from './row-orders.ts'
import { folded } from './texts.ts'

/** Where a row stands is kept in its number, with what it is of in the last digits. */
const kinds = ['event', 'notification', 'desk'] as const

const dayMs = 86_400_000
/** A day of a filter is a day of this computer's clock. */
const startOf = (day: string) => Date.parse(`${day}T00:00:00`)

/**
 * Events and notifications that are held of an archive, and what the journal of the desk (attached as "desk") says of it, the newest
 * first.
 */
export const openActivity = (
  { database, packages, asOf }: Pick<Cache, 'database' | 'packages' | 'asOf'>,
  orders: RowOrders,
  archive: string,
) => {
  const held = database.prepare('select id, model from held where number = ?')
  const line = database.prepare(
    'select number, at, archive, act, name, place, detail from desk.journal where number = ?',
  )
  const lastLine = database.prepare('select coalesce(max(number), 0) as n from desk.journal')

  const asked = ({ sources, isFailedOnly, filter, from, to }: Omit<WhichActivity, 'offset' | 'limit'>) => {
    const typed = folded(filter.trim())
    const wanted = sources.length === 0 ? kinds : sources
    const within = (at: string) =>
      `${from === '' ? '' : ` and ${at} >= ${startOf(from)}`}${to === '' ? '' : ` and ${at} < ${startOf(to) + dayMs}`}`
    const matching = (...texts: string[]) =>
      typed === ''
        ? ''
        : ` and instr(folded(${texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)}), :filter) > 0`
    const of = {
      event: `select h.number * 4 as number, h.model ->> '$.at' as at, h.number as own from held h where h.subject = 'events'${within(`h.model ->> '$.at'`)}
        ${matching(`h.model ->> '$.detail'`, `h.model ->> '$.note'`, `h.model ->> '$.agent'`, `h.model ->> '$.package'`)}${isFailedOnly ? ` and h.model ->> '$.failed' = 1` : ''}`,
      notification: `select h.number * 4 + 1 as number, h.model ->> '$.at' as at, h.number as own from held h where h.subject = 'notifications'${within(`h.model ->> '$.at'`)}
        ${matching(`h.model ->> '$.message'`)}${isFailedOnly ? ` and h.model ->> '$.level' in ('error', 'critical')` : ''}`,
      desk: `select j.number * 4 + 2 as number, j.ms as at, j.number as own from desk.journal j where j.archive in (:archive, '') and j.number <= :last${within('j.ms')}
        ${matching('j.name', 'j.act', 'j.detail')}${isFailedOnly ? ` and j.act in ('transfer.refused', 'transfer.failed', 'creation.refused', 'creation.undecided')` : ''}`,
    }
    const hasDesk = wanted.includes('desk')
    return {
      lists: ['events', 'notifications'] satisfies Subject[],
      sql: `select number from (${wanted.map((kind) => of[kind]).join(' union all ')}) order by at desc, own desc`,
      given: {
        ...(typed === '' ? {} : { filter: typed }),
        ...(hasDesk ? { archive, last: Number(lastLine.get()?.['n']) } : {}),
      },
    }
  }

  const packageOf = (id: string | null): ActivityRow['package'] => {
    const it = id === null ? undefined : (packages.facts(id) ?? packages.identified(id).at(-1))
    return it ? { id: it.id, label: it.label || it.identifier || it.id } : null
  }
  const toRow = (coded: number): ActivityRow[] => {
    const number = Math.floor(coded / 4)
    const source = kinds[coded % 4] ?? 'event'
    if (source === 'desk') {
      const it = line.get(number)
      if (!it) return []
      const act = String(it['act'])
      const hasFailed = /refused|failed|undecided/.test(act)
      return [
        {
          id: `desk ${number}`,
          time: String(it['at']),
          source,
          what: act,
          note: String(it['name']),
          failed: hasFailed ? true : null,
          agent: '',
          package: null,
          place: String(it['place']),
        },
      ]
    }
    const row = held.get(number) as { id: string; model: string } | undefined
    if (!row) return []
    if (source === 'notification') {
      const it = alertOf(packages, JSON.parse(row.model) as Notification)
      const isBad = it.level === 'error' || it.level === 'critical'
      return [
        {
          id: `notification ${row.id}`,
          time: it.time,
          source,
          what: it.text,
          note: '',
          failed: isBad ? true : null,
          agent: '',
          package: it.package,
          place: it.package ? `packages/${it.package.id}` : '',
        },
      ]
    }
    const it = JSON.parse(row.model) as PremisEvent
    const found = packageOf(it.package)
    return [
      {
        id: `event ${row.id}`,
        time: it.time,
        source,
        what: it.detail || it.type,
        note: it.note,
        failed: it.failed,
        agent: it.agent,
        package: found,
        place: `description/${encodeURIComponent(`events:${row.id}`)}`,
      },
    ]
  }

  return (which: WhichActivity): Listed<ActivityRow> => {
    const { lists, sql, given } = asked(which)
    const order = orders.of(lists, sql, given)
    const everything = asked({ sources: [], isFailedOnly: false, filter: '', from: '', to: '' })
    const of = orders.count(
      everything.lists,
      everything.sql.replace('select number from', 'select count(*) as n from').replace(/ order by .*$/, ''),
      everything.given,
    )
    return {
      rows: [...order.subarray(which.offset, which.offset + which.limit)].flatMap((number) => toRow(number)),
      total: order.length,
      of,
      lines: order.length,
      asOf: asOf('events'),
    }
  }
}
