import type {
  ActivityColumn,
  ActivityField,
  ActivityRow,
  JournalAct,
  WhichActivity,
  WhichActivityColumns,
  WhichActivityFacet,
} from '../../contract/activity.ts'
import { mostFacetValues, type FacetValue } from '../../contract/filters.ts'
import { keysOf } from '../../common/records.ts'
import type { PremisEvent } from '../../contract/packages.ts'
import type { Listed } from '../../contract/paging.ts'
import { alertOf } from './alerts.ts'
import type { Cache } from '../cache/cache.ts'
import type { SortOrders } from './sort-orders.ts'
import { startOfDay } from '../../common/day.ts'
import { folded } from '../../common/fold.ts'
import type { Notification } from '../../dialects/models.ts'
import type { Subject } from '../../contract/subjects.ts'
import { prepare } from '../../common/statements.ts'
import { heldModel } from '../cache/held-model.ts'
import { messageInJournal } from '../desk/message-columns.ts'

/** Where a row stands is kept in its number, with what it is of in the last digits. */
const kinds = ['event', 'notification', 'desk'] as const

type Filter = Omit<WhichActivity, 'offset' | 'limit'>

/** The acts of this desk that speak of a failure. */
const failures: readonly string[] = [
  'transfer.refused',
  'transfer.failed',
  'creation.refused',
  'creation.undecided',
] satisfies JournalAct[]

/** What the columns of the time line hold, for each kind of row. */
const values: Record<ActivityField | 'about', Record<(typeof kinds)[number], string>> = {
  source: { event: `'event'`, notification: `'notification'`, desk: `'desk'` },
  outcome: {
    event: `iif(h.model ->> '$.failed' = 1, 'failed', '')`,
    notification: `iif(h.model ->> '$.tells' = 'failure', 'failed', '')`,
    desk: `iif(j.act in (${failures.map((act) => `'${act}'`).join(', ')}), 'failed', '')`,
  },
  what: {
    event: `coalesce(nullif(h.model ->> '$.detail', ''), h.model ->> '$.type', '')`,
    notification: `'notification'`,
    desk: 'j.act',
  },
  agent: { event: `coalesce(h.model ->> '$.agent', '')`, notification: `''`, desk: `''` },
  about: {
    event: `coalesce(h.model ->> '$.package', '') || ' ' || coalesce(h.model ->> '$.note', '')`,
    notification: `h.model ->> '$.message'`,
    desk: 'j.name',
  },
}
/** The name of the package of an event, which names it by its id or by its identifier. */
const packageName = `coalesce((select p.label from package p where p.id = h.model ->> '$.package'),
  (select p.label from package p where p.identifier = h.model ->> '$.package'), '')`
/**
 * What texts are sorted by: as they are shown, but for words that each language has of its own, such as the
 * acts of this desk.
 */
const sortTexts: Record<'what' | 'about', Record<(typeof kinds)[number], string>> = {
  what: { ...values.what, notification: values.about.notification },
  about: { ...values.about, event: `${packageName} || ' ' || coalesce(h.model ->> '$.note', '')` },
}
/** What is compared of a column, as it is shown. */
const comparedBy = { about: 'about', source: `source || ' ' || agent` } as const
const sortedBy = ({ sort, descending = false }: Pick<Filter, 'sort' | 'descending'>) => {
  const newest = 'at desc, nth desc'
  if (sort === undefined) return newest
  const direction = descending ? 'desc' : 'asc'
  if (sort === 'time') return `at ${direction}, nth ${direction}`
  return `${sort === 'source' ? 'source' : 'words(sortText)'} ${direction}, ${newest}`
}

/**
 * What stands for the rows that are wanted; `:archive` and `:last` are of the journal.
 * @param besides what is asked for beside that by which rows are narrowed and sorted
 */
const activityQuery = (asked: Filter, besides: (keyof typeof values)[] = []) => {
  const { filters, filter, saying = [], from, to, sort } = asked
  const typed = folded(filter.trim())
  const fields = keysOf(filters).filter((field) => (filters[field] ?? []).length > 0)
  const columns = new Set([...fields, ...besides, ...(sort === 'source' ? [sort] : [])])
  const sortText = sort === 'what' || sort === 'about' ? sortTexts[sort] : undefined
  const sources = filters.source ?? []
  const wanted = kinds.filter((kind) => sources.length === 0 || sources.includes(kind))
  // A day of a filter is a day of this computer's clock.
  const within = (time: string) =>
    [
      from === '' ? '' : ` and ${time} >= ${startOfDay(from)}`,
      to === '' ? '' : ` and ${time} < ${startOfDay(to, 1)}`,
    ].join('')
  const matching = (kind: (typeof kinds)[number], ...texts: string[]) =>
    typed === ''
      ? ''
      : `and (instr(folded(${texts.map((text) => `coalesce(${text}, '')`).join(` || ' ' || `)}), :filter) > 0
        or ${values.what[kind]} in (select value from json_each(:saying)))`
  const read = (kind: (typeof kinds)[number]) =>
    [...columns].map((column) => `, ${values[column][kind]} as ${column}`).join('') +
    (sortText ? `, ${sortText[kind]} as sortText` : '')
  const selects = {
    event: `select h.number * 4 as number, h.model ->> '$.at' as at, h.number as nth${read('event')}
      from held h where h.subject = 'events'${within(`h.model ->> '$.at'`)}
      ${matching(
        'event',
        ...['detail', 'note', 'agent', 'package'].map((name) => `h.model ->> '$.${name}'`),
        packageName,
      )}`,
    notification: `select h.number * 4 + 1 as number, h.model ->> '$.at' as at,
      h.number as nth${read('notification')}
      from held h where h.subject = 'notifications'${within(`h.model ->> '$.at'`)}
      ${matching('notification', `h.model ->> '$.message'`)}`,
    desk: `select j.number * 4 + 2 as number, j.ms as at, j.number as nth${read('desk')}
      from desk.journal j where j.archive in (:archive, '') and j.number <= :last${within('j.ms')}
      ${matching('desk', 'j.name', 'j.act', 'j.detail')}`,
  }
  const nothing = `${selects.event} and false`
  const conditions = fields.map((field) => `${field} in (select value from json_each(:${field}))`)
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return {
    /** The rows in no order, with the columns that were asked for. */
    rows: `(${wanted.map((kind) => selects[kind]).join(' union all ') || nothing})${where}`,
    order: sortedBy(asked),
    given: {
      ...(typed === '' ? {} : { filter: typed, saying: JSON.stringify(saying) }),
      ...Object.fromEntries(fields.map((field) => [field, JSON.stringify(filters[field])])),
    },
    hasDesk: wanted.includes('desk'),
  }
}

/** A row that is wanted of each kind. */
const openRowsOf = ({ database, packages }: Pick<Cache, 'database' | 'packages'>) => {
  const held = prepare<{ id: string; model: string }>(database, 'select id, model from held where number = ?')
  const line = database.prepare('select at, act, name, place, detail from desk.journal where number = ?')

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
        message: messageInJournal(act, { name: String(entry['name']), detail: String(entry['detail']) }),
        failed: failures.includes(act) ? true : null,
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
        message: null,
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
        message: null,
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
  /** Packages are looked at where what happened is sorted or looked through by their names. */
  const listsOf = ({ sort, filter }: WhichActivity): Subject[] =>
    sort === 'about' || filter.trim() !== '' ? [...lists, 'packages'] : lists

  const given = ({ given: asked, hasDesk }: ReturnType<typeof activityQuery>) => ({
    ...asked,
    ...(hasDesk ? { archive, last: Number(lastLine.get()?.['n']) } : {}),
  })
  const toRow = (coded: number) => rowOf[kinds[coded % 4] ?? 'event'](Math.floor(coded / 4))

  return {
    list: (which: WhichActivity): Listed<ActivityRow> => {
      const query = activityQuery(which)
      const { rows, order: by } = query
      const order = sortOrders.of(listsOf(which), `select number from ${rows} order by ${by}`, given(query))
      const everything = activityQuery({ filters: {}, filter: '', from: '', to: '' })
      const counted = `select count(*) as n from ${everything.rows}`
      return {
        rows: [...order.subarray(which.offset, which.offset + which.limit)].flatMap(
          (number) => toRow(number) ?? [],
        ),
        total: order.length,
        of: sortOrders.count(lists, counted, given(everything)),
        lines: order.length,
        asOf: asOf('events'),
      }
    },
    /** Columns that say the same in every row; of one row or none every column would. */
    uniform: (which: WhichActivityColumns): ActivityColumn[] => {
      const query = activityQuery(which, ['about', 'source', 'agent'])
      const n = (rows: string) =>
        sortOrders.count(lists, `select count(*) as n from (${rows} limit 2)`, given(query))
      if (n(`select 1 from ${query.rows}`) < 2) return []
      return keysOf(comparedBy).filter(
        (column) => n(`select distinct ${comparedBy[column]} from ${query.rows}`) === 1,
      )
    },
    /** The values of a field among what matches all other filters, the most frequent first. */
    facet: ({ field, filters, ...which }: WhichActivityFacet): FacetValue[] => {
      const { [field]: _, ...others } = filters
      const query = activityQuery({ ...which, filters: others }, [field])
      return prepare<{ value: string; count: number }>(
        database,
        `select ${field} as value, count(*) as count from ${query.rows}
          group by value order by count desc, value limit ${mostFacetValues}`,
      )
        .all(given(query))
        .map(({ value, count }) => ({ value, name: '', count }))
    },
  }
}
