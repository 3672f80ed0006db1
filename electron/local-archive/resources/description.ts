import { randomUUID } from 'node:crypto'
import type { Body, Database } from '../database.ts'
import { choice, date, integer, list, longText, reference, text } from '../http/fields.ts'
import { indexTag, indexUnit } from '../search/index-records.ts'
import { LazyList } from '../http/write-json.ts'
import { pickFields, embedded, type Resource } from './resource.ts'
import { keyOf, rowsIn } from '../http/body-values.ts'

const dates = { start_date: date(), end_date: date() }
const endsBeforeItStarts = ({ start_date, end_date }: Body) =>
  typeof start_date === 'string' && typeof end_date === 'string' && end_date < start_date
    ? { end_date: ['The end date is before the start date.'] }
    : undefined

const numbered = (values: unknown) => rowsIn(values).map((value, index) => ({ id: index + 1, ...value }))

/** Nested rows whose type is a reference, with that type in place of its id. */
const typed = (
  rows: unknown,
  kind: Parameters<typeof embedded>[0],
  database: Database,
  show = (row: Body) => row,
) =>
  new LazyList(() =>
    rowsIn(rows)
      .values()
      .map((row) => ({ ...show(row), type: embedded(kind, row['type'], database) })),
  )

/** The name that an agent goes by: its authorized form, else the first. */
const nameOf = (body: Body, database: Database): Body => {
  const names = rowsIn(body['names'])
  const typeOf = (name: Body) => embedded('agent name type', name['type'], database)
  const name = names.find((one) => typeOf(one)?.['authority'] === true) ?? names[0]
  return name
    ? { ...name, type: typeOf(name) }
    : {
        id: null,
        main: '',
        part: '',
        description: '',
        type: null,
        start_date: null,
        end_date: null,
      }
}

export const showAgent = (body: Body, database: Database): Body => {
  return {
    ...body,
    names: typed(body['names'], 'agent name type', database),
    name: nameOf(body, database),
    type: embedded('agent type', body['type'], database),
    ref_code: embedded('ref code', body['ref_code'], database),
    notes: typed(body['notes'], 'agent note type', database),
    identifiers: typed(body['identifiers'], 'agent identifier type', database),
    places: typed(body['places'], 'agent place type', database),
    related_agents: typed(body['related_agents'], 'agent relation type', database, (row) => {
      const other = embedded('agent', row['agent'], database)
      return {
        ...row,
        agent: other && {
          id: other['id'],
          name: nameOf(other, database),
          names: other['names'],
          type: embedded('agent type', other['type'], database),
        },
      }
    }),
  }
}

const sameAgentTwice = ({ related_agents }: Body) => {
  const ids = rowsIn(related_agents).map(({ agent }) => agent)
  return new Set(ids).size < ids.length
    ? { related_agents: ['Ensure that each agent is related once.'] }
    : undefined
}

const showLocation = (body: Body, database: Database): Body => {
  const id = String(body['id'])
  return {
    ...body,
    level_type: embedded('location level type', body['level_type'], database),
    function: embedded('location function type', body['function'], database),
    metric: embedded('metric type', body['metric'], database),
    ...(database.hasWhere('location', 'parent', id)
      ? {
          children: new LazyList(() =>
            database.walkWhere('location', 'parent', id).map((child) => showLocation(child, database)),
          ),
        }
      : {}),
  }
}

/** Programs that read the list call themselves at each level of it, mostly. */
const deepestLocation = 100

const locationTooDeep = ({ parent }: Body, { one }: Database) => {
  let above = parent
  for (let depth = 1; above !== null && above !== undefined; depth += 1) {
    if (depth >= deepestLocation)
      return { parent: [`Ensure that locations lie in each other at most ${deepestLocation} levels deep.`] }
    above = one('location', keyOf(above))?.['parent']
  }
  return undefined
}

const showUnit = (body: Body, database: Database): Body => {
  const isLeaf = !database.hasWhere('structure unit', 'parent', String(body['id']))
  const hasTags = database.hasWhere('tag', 'structure_unit', String(body['id']))
  const structure = embedded('structure', body['structure'], database)
  return {
    ...body,
    is_leaf_node: isLeaf && !hasTags,
    is_unit_leaf_node: isLeaf,
    is_tag_leaf_node: !hasTags,
    structure_name: structure?.['name'] ?? null,
  }
}

const showTag = ({ id, parent, structure, structure_unit, ...version }: Body, database: Database): Body => {
  const agent = embedded('agent', version['agent'], database)
  return {
    id,
    current_version: {
      ...version,
      id,
      elastic_index: parent === null ? 'archive' : 'component',
      type: embedded('tag version type', version['type'], database),
      agent: agent && {
        ...pickFields(agent, 'id', 'create_date', 'revise_date', 'start_date', 'end_date', 'organization'),
        name: nameOf(agent, database),
      },
    },
    other_versions: [],
    structures:
      structure === null
        ? []
        : [
            {
              id,
              parent,
              structure: pickFields(embedded('structure', structure, database), 'id', 'name', 'version'),
              structure_unit,
            },
          ],
  }
}

/** The agents behind top-level resources: `archives=ID,ID` in the path (specification 4.3). */
const ofArchives = (archives: string, { one }: Database): Body[] => {
  const ids = archives.split(',').map((id) => one('tag', id.trim())?.['agent'])
  return [...new Set(ids)]
    .map((id) => (typeof id === 'string' ? one('agent', id) : undefined))
    .filter((agent) => agent !== undefined)
}

/**
 * Authority records, places, structures with their units, and tags (specification 4.2; shapes as ESSArch has
 * them).
 */
export const description: Record<string, Resource> = {
  agents: {
    kind: 'agent',
    show: showAgent,
    fields: {
      type: reference('agent type', true),
      ref_code: reference('ref code'),
      language: reference('language'),
      level_of_detail: choice([0, 1, 2], 0),
      record_status: choice([0, 1], 0),
      script: choice([0], 0),
      ...dates,
      names: list({
        main: text(true),
        part: text(),
        description: longText(),
        type: reference('agent name type'),
        certainty: { ...integer(), help: 'How certain the name is, from 0 to 100.' },
        ...dates,
      }),
      notes: list({ text: longText(true), type: reference('agent note type', true), href: text() }),
      identifiers: list({ identifier: text(true), type: reference('agent identifier type', true) }),
      places: list({
        name: text(true),
        type: reference('agent place type', true),
        description: longText(),
        ...dates,
      }),
      related_agents: list({
        agent: reference('agent', true),
        type: reference('agent relation type', true),
        description: longText(),
        ...dates,
      }),
    },
    check: (values) => sameAgentTwice(values) ?? endsBeforeItStarts(values),
    filtered: (filters, database) => ofArchives(filters.get('archives') ?? '', database),
    make: (values, _database, { now }) => ({
      id: randomUUID(),
      ...values,
      ...Object.fromEntries(
        ['names', 'notes', 'identifiers', 'places', 'related_agents'].map((name) => [
          name,
          numbered(values[name]),
        ]),
      ),
      mandates: [],
      create_date: now.toISOString(),
      revise_date: null,
      organization: null,
    }),
  },
  locations: {
    kind: 'location',
    show: showLocation,
    top: `cast(body ->> 'parent' as text) is null`,
    fields: {
      name: text(true),
      parent: reference('location'),
      level_type: reference('location level type', true),
      function: reference('location function type', true),
      metric: reference('metric type'),
      capacity: integer(),
    },
    check: locationTooDeep,
    make: (values, { nextNumber }) => ({ id: nextNumber('location'), ...values }),
  },
  structures: {
    kind: 'structure',
    show: (body, database) => ({ ...body, type: embedded('structure type', body['type'], database) }),
    fields: {
      name: text(true),
      type: reference('structure type', true),
      description: longText(),
      version: text(),
      ...dates,
    },
    check: endsBeforeItStarts,
    make: (values, _database, { account, now }) => ({
      id: randomUUID(),
      ...values,
      version: values['version'] || '1.0',
      version_link: randomUUID(),
      template: null,
      is_template: true,
      create_date: now.toISOString(),
      revise_date: null,
      created_by: account.user,
      revised_by: account.user,
      published: false,
      published_date: null,
      specification: {},
      rule_convention_type: null,
      related_structures: [],
      is_editable: true,
      archive_name: null,
      instances_num: 0,
    }),
  },
  'structure-units': {
    kind: 'structure unit',
    show: showUnit,
    fields: {
      name: text(true),
      structure: reference('structure', true),
      parent: reference('structure unit'),
      type: text(),
      reference_code: text(true),
      description: longText(),
      ...dates,
    },
    check: (values, { one, where }) => {
      const parent = values['parent'] === null ? undefined : one('structure unit', keyOf(values['parent']))
      if (parent && parent['structure'] !== values['structure'])
        return { parent: ['The parent belongs to another structure.'] }
      const isUsed = where('structure unit', 'reference_code', String(values['reference_code'])).some(
        (unit) => unit['structure'] === values['structure'],
      )
      return isUsed
        ? { reference_code: ['The reference code is used in this structure already.'] }
        : endsBeforeItStarts(values)
    },
    make: (values, { nextNumber }) => ({
      id: nextNumber('structure unit'),
      ...values,
      identifiers: [],
      notes: [],
      related_structure_units: [],
    }),
    made: indexUnit,
  },
  tags: {
    kind: 'tag',
    show: showTag,
    fields: {
      name: text(true),
      type: reference('tag version type', true),
      reference_code: text(),
      description: longText(),
      ...dates,
      parent: reference('tag'),
      structure: reference('structure'),
      structure_unit: reference('structure unit'),
      agent: reference('agent'),
      information_package: reference('information package'),
    },
    check: endsBeforeItStarts,
    make: (values, _database, { now }) => ({
      id: randomUUID(),
      ...values,
      name_with_dates: values['name'],
      create_date: now.toISOString(),
      organization: null,
    }),
    made: indexTag,
  },
}
