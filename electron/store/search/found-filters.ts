import { entryIn } from '../../common/records.ts'
import { startOfDay } from '../../common/day.ts'
import type { FoundGroup } from '../../contract/find.ts'
import type { HeldFilters } from '../../contract/search.ts'
import { quoted } from './query-text.ts'
import { among, leadsOf, packagesAsked, targetsOf, type Lead } from './filtered-packages.ts'

/**
 * How filters narrow a group: what is asked of its rows (the empty text where nothing is) and of their words,
 * and where rows come from if no words are asked for.
 */
export interface Narrowing {
  /** Where its rows stand, as SQL: records, or packages, which have their numbers. */
  joined: 'held h' | 'package p'
  where: string
  given: Record<string, string>
  /** For FTS5; the empty text where nothing is asked of the words. */
  match: string
  /**
   * Where rows come from if no words are asked for: rows `h`, or ways to packages; undefined where no filter
   * leads to any.
   */
  withoutWords: RecordRows | Lead[] | undefined
  /** All of its records of which a filter that leads to rows may speak, for counts where none is asked. */
  whole?: (RecordRows & { where: string }) | undefined
}

/** Rows `h` as SQL, and which of them stand first where that is not left to the index. */
export interface RecordRows {
  rows: string
  order?: string
}

/** Parts of the archive's index, by the groups that hold the same. */
const indexGroups: Record<string, FoundGroup[]> = {
  component: ['tags'],
  archive: ['tags'],
  structure_unit: ['units'],
  document: [],
}

const anyOf = (texts: string[]) => `(${texts.map(quoted).join(' OR ')})`

/** Whether anything narrows what is found; a heading alone names no rows. */
export const isFiltered = ({ from, to, kinds: _, ...lists }: HeldFilters) =>
  from !== '' || to !== '' || Object.values(lists).some((values) => values.length > 0)

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
  const narrow = (name: string, values: string[], condition: string) => {
    if (values.length === 0) return
    given[name] = JSON.stringify(values)
    conditions.push(condition)
  }
  const lacks = (only: FoundGroup[], ...values: (string[] | string)[]) =>
    values.some(({ length }) => length > 0) && !only.includes(group)

  if (kinds.length > 0 && !kinds.includes(group)) return undefined
  if (indices.length > 0 && !indices.some((index) => entryIn(indexGroups, index)?.includes(group)))
    return undefined
  if (
    lacks(['packages'], states, policies, creators) ||
    lacks(['packages', 'copies', 'media'], media) ||
    lacks(['packages', 'events'], from, to)
  )
    return undefined
  if (group === 'packages') {
    return {
      joined: 'package p',
      ...packagesAsked(filters),
      match: agents.length > 0 ? anyOf(agents.map(agentName)) : '',
      withoutWords: leadsOf(filters),
    }
  }
  const references = (name: string, values: string[]) =>
    narrow(
      name,
      values,
      'exists (select 1 from reference r where r.subject = h.subject and r.id = h.id and r.target ' +
        `${among(name)})`,
    )
  references(
    'agents',
    agents.map((id) => `agents:${id}`),
  )
  references('archives', targetsOf(archives))
  if (group === 'copies')
    narrow('media', media, `h.subject = 'objects' and h.model ->> '$.medium' ${among('media')}`)
  if (group === 'media') narrow('media', media, `h.subject = 'media' and h.id ${among('media')}`)
  // A day of the filter is a day of this computer's clock.
  const at = `h.subject = 'events' and h.model ->> '$.at'`
  if (from !== '') conditions.push(`${at} >= ${startOfDay(from)}`)
  if (to !== '') conditions.push(`${at} < ${startOfDay(to, 1)}`)
  // Without words only a filter that names the rows leads to them; the planner would walk through them all.
  const indexes: Partial<Record<FoundGroup, RecordRows & { where: string }>> = {
    copies: { rows: 'held h indexed by held_object_by_medium', where: `h.subject = 'objects'` },
    media: { rows: 'held h indexed by held_by_id', where: `h.subject = 'media'` },
    events: {
      rows: 'held h indexed by held_event_in_time',
      order: `h.model ->> '$.at' desc`,
      where: `h.subject = 'events'`,
    },
  }
  const whole = indexes[group]
  return {
    joined: 'held h',
    where: conditions.join(' and '),
    given,
    match: types.length > 0 ? anyOf(types) : '',
    withoutWords: media.length > 0 || from !== '' || to !== '' ? whole : undefined,
    whole,
  }
}
