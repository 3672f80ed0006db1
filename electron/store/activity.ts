import type { ActivityRow, WhichActivity } from '../contract/activity.ts'
import type { Listed, PremisEvent } from '../contract/packages.ts'
import { alertOf } from './alerts.ts'
import type { Cache } from './cache.ts'
import type { SortOrders } from './sort-orders.ts'
import { folded } from '../common/fold.ts'
import type { Notification } from '../dialects/models.ts'
import type { Subject } from '../contract/subjects.ts'
import { prepare } from '../common/statements.ts'
import { heldModel } from './held-model.ts'

/** What acts of this desk that failed have in their names. */
const failedActs = ['refused', 'failed', 'undecided']

/** Where a row stands is kept in its number, with what it is of in the last digits. */
const kinds = ['event', 'notification', 'desk'] as const

const dayMs = 86_400_000
/** A day of a filter is a day of this computer's clock. */
const startOf = (day: string) => Date.parse(`${day}T00:00:00`)

type Filter = Omit<WhichActivity, 'offset' | 'limit'>

/** The acts in the journal that speak of a failure. */
const failures = ['transfer.refused', 'transfer.failed', 'creation.refused', 'creation.undecided']

/** What stands for the rows that are wanted, the newest first; `:archive` and `:last` are of the journal. */
const activityQuery = ({ sources, isFailedOnly, filter, from, to }: Filter) => {
  const typed = folded(filter.trim())
  const wanted = sources.length === 0 ? kinds : sources
  const within = (time: string) =>
    [
      from === '' ? '' : ` and ${time} >= ${startOf(from)}`,
      to === '' ? '' : ` and ${time} < ${startOf(to) + dayMs}`,
    ].join('')
  const matching = (...texts: string[]) =>
    typed === ''
      ? ''
      : `and instr(folded(${texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)}), :filter) > 0`
  const onlyFailed = (condition: string) => (isFailedOnly ? `and ${condition}` : '')
  const selects = {
    event: `select h.number * 4 as number, h.model ->> '$.at' as at, h.number as nth from held h
      where h.subject = 'events'${within(`h.model ->> '$.at'`)}
      ${matching(...['detail', 'note', 'agent', 'package'].map((name) => `h.model ->> '$.${name}'`))}
      ${onlyFailed(`h.model ->> '$.failed' = 1`)}`,
    notification: `select h.number * 4 + 1 as number, h.model ->> '$.at' as at, h.number as nth from held h
      where h.subject = 'notifications'${within(`h.model ->> '$.at'`)}
      ${matching(`h.model ->> '$.message'`)}
      ${onlyFailed(`h.model ->> '$.tells' = 'failure'`)}`,
    desk: `select j.number * 4 + 2 as number, j.ms as at, j.number as nth from desk.journal j
      where j.archive in (:archive, '') and j.number <= :last${within('j.ms')}
      ${matching('j.name', 'j.act', 'j.detail')}
      ${onlyFailed(`j.act in (${failures.map((act) => `'${act}'`).join(', ')})`)}`,
  }
  return {
    sql: `select number from (${wanted.map((kind) => selects[kind]).join(' union all ')})
        order by at desc, nth desc`,
    filter: typed,
    hasDesk: wanted.includes('desk'),
  }
}

/** A row that is wanted of each kind. */
const openRowsOf = ({ database, packages }: Pick<Cache, 'database' | 'packages'>) => {
  const held = prepare<{ id: string; model: string }>(database, 'select id, model from held where number = ?')
  const line = database.prepare('select at, act, name, place from desk.journal where number = ?')

  const packageOf = (id: string | null): ActivityRow['package'] => {
    const facts = id === null ? undefined : (packages.facts(id) ?? packages.identified(id).at(-1))
    return facts ? { id: facts.id, label: facts.label || facts.identifier || facts.id } : null
  }

  return {
    desk: (number: number): ActivityRow | undefined => {
      const entry = line.get(number)
      if (!entry) return undefined
      const act = String(entry['act'])
      return {
        id: `desk ${number}`,
        time: String(entry['at']),
        source: 'desk',
        what: act,
        note: String(entry['name']),
        failed: failedActs.some((word) => act.includes(word)) ? true : null,
        agent: '',
        package: null,
        place: String(entry['place']),
      }
    },
    notification: (number: number): ActivityRow | undefined => {
      const row = held.get(number)
      if (!row) return undefined
      const alert = alertOf(packages, heldModel<Notification>(row.model))
      return {
        id: `notification ${row.id}`,
        time: alert.time,
        source: 'notification',
        what: alert.text,
        note: '',
        failed: alert.tells === 'failure' ? true : null,
        agent: '',
        package: alert.package,
        place: alert.package ? `packages/${alert.package.id}` : '',
      }
    },
    event: (number: number): ActivityRow | undefined => {
      const row = held.get(number)
      if (!row) return undefined
      const event = heldModel<PremisEvent>(row.model)
      return {
        id: `event ${row.id}`,
        time: event.time,
        source: 'event',
        what: event.detail || event.type,
        note: event.note,
        failed: event.failed,
        agent: event.agent,
        package: packageOf(event.package),
        place: `description/${encodeURIComponent(`events:${row.id}`)}`,
      }
    },
  }
}

/**
 * Events and notifications that are held of an archive, and what the journal of the desk (attached as "desk")
 * says of it, the newest first.
 */
export const openActivity = (
  { database, packages, asOf }: Pick<Cache, 'database' | 'packages' | 'asOf'>,
  sortOrders: SortOrders,
  archive: string,
) => {
  const rowOf = openRowsOf({ database, packages })
  const lastLine = database.prepare('select coalesce(max(number), 0) as n from desk.journal')
  const lists = ['events', 'notifications'] satisfies Subject[]

  const given = ({ filter, hasDesk }: ReturnType<typeof activityQuery>) => {
    const values: Record<string, string | number> = {}
    if (filter !== '') values['filter'] = filter
    if (hasDesk) {
      values['archive'] = archive
      values['last'] = Number(lastLine.get()?.['n'])
    }
    return values
  }
  const toRow = (coded: number) => rowOf[kinds[coded % 4] ?? 'event'](Math.floor(coded / 4))

  return (which: WhichActivity): Listed<ActivityRow> => {
    const query = activityQuery(which)
    const order = sortOrders.of(lists, query.sql, given(query))
    const everything = activityQuery({ sources: [], isFailedOnly: false, filter: '', from: '', to: '' })
    const of = sortOrders.count(
      lists,
      everything.sql.replace('select number from', 'select count(*) as n from').replace(/ order by .*$/, ''),
      given(everything),
    )
    return {
      rows: [...order.subarray(which.offset, which.offset + which.limit)].flatMap(
        (number) => toRow(number) ?? [],
      ),
      total: order.length,
      of,
      lines: order.length,
      asOf: asOf('events'),
    }
  }
}
