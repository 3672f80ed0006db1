import type { FoundGroup } from '../contract/find.ts'
import type { HeldFilters } from '../contract/search.ts'

/**
 * How filters narrow a group: what is asked of its rows (the empty text where nothing is) and of their words,
 * and where rows come from if no words are asked for.
 */
export interface Narrowing {
  where: string
  /** The same where rows come from `plain`: of a package that stands there nothing is looked up again. */
  plainWhere: string
  given: Record<string, string>
  /** For FTS5; the empty text where nothing is asked of the words. */
  match: string
  plain: string | undefined
}

/** Parts of the archive's index, by the groups that hold the same. */
const indexGroups: Record<string, FoundGroup[]> = {
  component: ['tags'],
  archive: ['tags'],
  structure_unit: ['units'],
  document: [],
}

const phrase = (text: string) => `"${text.replaceAll('"', ' ')}"`
const anyOf = (texts: string[]) => `(${texts.map(phrase).join(' OR ')})`

/** Whether anything narrows what is found; a heading alone names no rows. */
export const isFiltered = ({ from, to, kinds: _, ...lists }: HeldFilters) =>
  from !== '' || to !== '' || Object.values(lists).some((values) => values.length > 0)

const ofPackages = `package p cross join held h on h.subject = 'packages' and h.id = p.id`
const aPackage = (condition: string) => `exists (select 1 from package p where p.id = h.id and ${condition})`
const among = (name: string) => `in (select value from json_each(:${name}))`

/**
 * What the filters ask of a group; undefined where they rule the whole group out, since nothing in it has
 * what they speak of.
 * @param agentName what an agent is called: packages name their agents, and carry no ids of the authority
 * records
 */
export const groupFilter = (
  group: FoundGroup,
  filters: HeldFilters,
  agentName: (id: string) => string,
): Narrowing | undefined => {
  const { kinds, states, policies, media, creators, types, agents, archives, indices, from, to } = filters
  const given: Record<string, string> = {}
  const conditions: string[] = []
  const plainConditions: string[] = []
  const words: string[] = []
  const ask = (condition: string, plainCondition = condition) => {
    conditions.push(condition)
    plainConditions.push(plainCondition)
  }
  const narrow = (name: string, values: string[] | string, condition: string, plainCondition?: string) => {
    if (values.length === 0) return
    given[name] = typeof values === 'string' ? values : JSON.stringify(values)
    ask(condition, plainCondition)
  }
  const narrowPackages = (name: string, values: string[] | string, condition: string) =>
    narrow(name, values, aPackage(condition), condition)
  const lacks = (only: FoundGroup[], ...values: (string[] | string)[]) =>
    values.some(({ length }) => length > 0) && !only.includes(group)

  if (kinds.length > 0 && !kinds.includes(group)) return undefined
  if (indices.length > 0 && !indices.some((index) => indexGroups[index]?.includes(group))) return undefined
  if (
    lacks(['packages'], states, policies, creators) ||
    lacks(['packages', 'copies', 'media'], media) ||
    lacks(['packages', 'events'], from, to)
  )
    return undefined
  const references = (name: string, values: string[]) =>
    narrow(
      name,
      values,
      'exists (select 1 from reference r where r.subject = h.subject and r.id = h.id and r.target ' +
        `${among(name)})`,
    )
  if (group === 'packages') {
    narrowPackages('states', states, `p.state ${among('states')}`)
    narrowPackages('policies', policies, `p.policy ${among('policies')}`)
    narrowPackages('creators', creators, `p.creator ${among('creators')}`)
    narrowPackages('types', types, `p.type ${among('types')}`)
    narrowPackages('from', from, 'substr(p.since, 1, 10) >= :from')
    narrowPackages('to', to, 'substr(p.since, 1, 10) <= :to')
    narrow(
      'media',
      media,
      `exists (select 1 from held o indexed by held_object_by_package
          where o.subject = 'objects' and o.model ->> '$.package' = +h.id
          and o.model ->> '$.medium' ${among('media')})`,
    )
    if (agents.length > 0) words.push(anyOf(agents.map(agentName)))
  } else {
    if (types.length > 0) words.push(anyOf(types))
    references(
      'agents',
      agents.map((id) => `agents:${id}`),
    )
    if (group === 'copies')
      narrow('media', media, `h.subject = 'objects' and h.model ->> '$.medium' ${among('media')}`)
    if (group === 'media') narrow('media', media, `h.subject = 'media' and h.id ${among('media')}`)
    // A day of the filter is a day of this computer's clock.
    if (from !== '') ask(`h.subject = 'events' and h.model ->> '$.at' >= ${Date.parse(`${from}T00:00:00`)}`)
    if (to !== '')
      ask(`h.subject = 'events' and h.model ->> '$.at' < ${Date.parse(`${to}T00:00:00`) + 86_400_000}`)
  }
  references(
    'archives',
    archives.flatMap((id) => [`tags:${id}`, `structures:${id}`]),
  )
  // Without words only a filter that names the rows leads to them.
  const isNamed = group === 'packages' || media.length > 0 || from !== '' || to !== ''
  const plain = !isFiltered(filters) || !isNamed ? undefined : group === 'packages' ? ofPackages : 'held h'
  const plainWhere = plainConditions.join(' and ')
  return { where: conditions.join(' and '), plainWhere, given, match: words.join(' AND '), plain }
}
