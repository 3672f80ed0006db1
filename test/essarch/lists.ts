import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import { linksFrom } from '../../electron/local-archive/http/lists.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Asked } from '../../electron/local-archive/http/server.ts'
import { agreements, shown, shownFirst } from './shapes.ts'
import { isEdited } from './work-areas.ts'
import { isOfIndex, partsOfPackages, withOwnIds } from './tags.ts'
import { broken, detail } from './words.ts'

/** Lists that are given whole and uncounted. */
const unpaged = ['event-types', 'locations']

const sizeOf = (text: string | null) => (text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : 10)

/**
 * A page of rows, as ESSArch cuts it: ten of them, Count and Link; past the end the last page again; a page
 * that is no number breaks it.
 */
export const paged = <Row>(rows: Row[], url: URL, host: string, show: (row: Row) => unknown): Answer => {
  const asked = url.searchParams.get('page') ?? '1'
  const headers: Record<string, string> = { Count: String(rows.length) }
  if (url.searchParams.get('pager') === 'none')
    return asked === '1' ? { status: 200, headers, body: rows.map(show) } : detail(404, 'Invalid page.')
  if (!/^-?\d+$/.test(asked)) return broken()
  const size = sizeOf(url.searchParams.get('page_size'))
  const last = Math.max(1, Math.ceil(rows.length / size))
  const page = Number(asked) < 1 ? last : Math.min(last, Number(asked))
  return {
    status: 200,
    headers: { ...headers, ...linksFrom(page, last, url, host) },
    body: rows.slice((page - 1) * size, page * size).map(show),
  }
}

/** The words of a phrase as the framework takes it apart: one in quotation marks is whole. */
const wordsIn = (phrase: string): string[] =>
  [...phrase.toLowerCase().matchAll(/"([^"]*)"|'([^']*)'|[^\s,]+/g)].map(
    ([word, whole, other]) => whole ?? other ?? word,
  )

/** Whether a package is what the filters of a list ask for. */
const filterOf = ({ searchParams }: URL) => {
  const wanted = (name: string, value: unknown) =>
    searchParams.getAll(name).length === 0 || searchParams.getAll(name).includes(String(value))
  const words = wordsIn(searchParams.get('search') ?? '')
  return (record: Body) =>
    !searchParams.getAll('package_type_name_exclude').includes(String(record['package_type_display'])) &&
    wanted('state', record['state']) &&
    wanted('package_type', record['package_type']) &&
    wanted('object_identifier_value', record['object_identifier_value']) &&
    words.every((word) =>
      [record['label'], record['object_identifier_value']].some((text) =>
        String(text).toLowerCase().startsWith(word),
      ),
    )
}

/**
 * Packages by one of the three views; by default only AICs in which something fits, and others where there is
 * not a single such AIC.
 */
const viewOf = (packages: Body[], url: URL): Body[] | Answer => {
  const view = url.searchParams.get('view_type') ?? 'aic'
  const fits = filterOf(url)
  const others = packages.filter((record) => record['package_type'] !== 1 && fits(record))
  if (view === 'flat') return others
  const filled = new Set(others.map((record) => record['aic']))
  const aics = packages.filter((record) => record['package_type'] === 1 && filled.has(record['id']))
  if (view === 'aic') return aics.length > 0 ? aics : others
  return view === 'ip'
    ? others.filter((record) => record['aic'] === null || record['first_generation'] === true)
    : detail(400, 'Invalid view type')
}

/** The rows of a list that this user may see. */
export const rowsOf = (list: string, database: Database): Body[] => {
  if (list === 'submission-agreements') return agreements(database)
  const resource = resources[list]
  if (!resource) return []
  const isTree = list === 'locations'
  return [...database.walk(resource.kind, resource.newestFirst, 0, isTree ? resource.top : undefined)]
}

/** The second organization sees every other package. */
const isSeenBy = (organization: number, body: Body) =>
  organization !== 2 || /[02468]$/.test(String(body['object_identifier_value']))

/** Filters that take one of some values refuse any other; most lists pass over what they do not know. */
const refusedFilter = (list: string, { searchParams }: URL): Answer | undefined => {
  const type = searchParams.get('eventType')
  if (list === 'events' && type !== null && !/^\d+$/.test(type))
    return {
      status: 400,
      body: { eventType: ['Select a valid choice. That choice is not one of the available choices.'] },
    }
  const ordering = searchParams.get('ordering')
  if (
    list === 'storage-objects' &&
    ordering !== null &&
    !/^-?(content_location_value|last_changed_local)$/.test(ordering)
  )
    return {
      status: 400,
      body: { ordering: [`Select a valid choice. ${ordering} is not one of the available choices.`] },
    }
  if (list === 'tags' && ordering !== null && !/^-?(name|start_date|end_date)$/.test(ordering))
    return {
      status: 400,
      body: { ordering: [`Select a valid choice. ${ordering} is not one of the available choices.`] },
    }
  return undefined
}

/** What some lists can be ordered by; they pass over anything else. */
const orders: Record<string, string[]> = {
  'information-packages': ['label', 'create_date', 'state', 'id', 'object_identifier_value'],
  'storage-objects': ['content_location_value', 'last_changed_local'],
  events: ['id', 'eventType', 'eventDateTime'],
}

const compare = (a: unknown, b: unknown) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b))

/** Rows in the order that was asked for, where the list has it. */
const ordered = (list: string, rows: Body[], { searchParams }: URL): Body[] => {
  const [, minus, field = ''] = /^(-?)(.*)$/.exec(searchParams.get('ordering') ?? '') ?? []
  if (orders[list]?.includes(field) !== true) return rows
  return rows.toSorted((a, b) => (minus === '-' ? -1 : 1) * compare(a[field], b[field]))
}

/** In a family those packages that fit. */
const inFamily = (body: Body, fits: (record: Body) => boolean): Body =>
  Array.isArray(body['information_packages'])
    ? { ...body, information_packages: body['information_packages'].filter((record: Body) => fits(record)) }
    : body

/** A list as one sees it who works for an organization. */
export const listAnswer = (
  list: string,
  { database, url, request, now }: Asked,
  account: Account,
  organization: number,
): Answer => {
  const host = request.headers.host ?? '127.0.0.1'
  const view = url.searchParams.get('view_type')
  const show = (body: Body) =>
    list === 'information-packages' && view === 'ip'
      ? shownFirst(body, database, account, host, now)
      : inFamily(shown(list, body, database, account, host, now), filterOf(url))
  const refused = refusedFilter(list, url)
  if (refused) return refused
  const rows = rowsOf(list, database).filter(
    (body) => list !== 'information-packages' || (isSeenBy(organization, body) && !isEdited(body)),
  )
  const structure = list === 'structure-units' ? url.searchParams.get('structure') : null
  const within = structure === null ? rows : rows.filter((unit) => unit['structure'] === structure)
  const viewed = list === 'information-packages' ? viewOf(within, url) : within
  if (!Array.isArray(viewed)) return viewed
  if (list === 'tags') {
    const index = url.searchParams.get('index') ?? ''
    const all = [...partsOfPackages(database, index), ...viewed.map((record) => withOwnIds(show(record)))]
    return paged(all.filter(isOfIndex(index)), url, host, (tag) => tag)
  }
  if (unpaged.includes(list)) return { status: 200, body: viewed.map(show) }
  const seen = url.searchParams.get('seen')
  return paged(
    ordered(list, seen === null ? viewed : viewed.filter((body) => String(body['seen']) === seen), url),
    url,
    host,
    show,
  )
}
