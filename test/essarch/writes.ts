import { randomUUID } from 'node:crypto'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import {
  date,
  describeFields,
  integer,
  longText,
  readFields,
  text,
  type Fields,
} from '../../electron/local-archive/http/fields.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import { enterRecord } from '../../electron/local-archive/resources/resource.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Context } from './packages.ts'
import { shownNode } from './nodes.ts'
import { may, permissionsOf } from './roles.ts'
import { orderTypes, shown, unitTypes } from './shapes.ts'
import { structureFor } from './structures.ts'
import { broken, detail, forbidden } from './words.ts'

/** Lists that nobody can write to over REST. */
const readOnly = [
  'tags',
  'languages',
  'events',
  'submission-agreements',
  'notifications',
  'information-packages',
]
/** Lists whose POST holds an object that nobody creates: a fault of the server's own. */
const nested = [
  'agent-types',
  'agent-relation-types',
  'structure-unit-types',
  'storage-methods',
  'storage-method-target-relations',
]
/** Creating these fails without an organization. */
const needsOrganization = ['deliveries', 'transfers', 'agents', 'locations']

const person = Object.fromEntries(
  ['personal_number', 'first_name', 'family_name', 'address', 'postal_code', 'city', 'phone'].map((name) => [
    name,
    text(),
  ]),
)
const orderFields: Fields = {
  label: text(true),
  type: { type: 'choice', required: true, choices: orderTypes.map(({ id }) => id) },
  ...person,
  order_content: longText(),
}

/** What a POST has to say there, and by the specification may leave out. */
const alsoRequired: Record<string, string[]> = {
  agents: ['ref_code', 'level_of_detail', 'record_status', 'script', 'language', 'names.type'],
  deliveries: ['type'],
}
const withRequired = (required: string[], fields: Fields, above = ''): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const of = field.of && withRequired(required, field.of, `${above}${name}.`)
      return [
        name,
        {
          ...field,
          ...(of ? { of } : {}),
          required: field.required || required.includes(above + name),
        },
      ]
    }),
  )

const fieldsOf = (list: string): Fields | undefined => {
  const fields = list === 'orders' ? orderFields : resources[list]?.fields
  return fields && withRequired(alsoRequired[list] ?? [], fields)
}

/** Messages of rows are objects by index there, of the rows that have any. */
const byIndex = (messages: Body): Body =>
  Object.fromEntries(
    Object.entries(messages).map(([name, record]) => [
      name,
      Array.isArray(record) && record.some((row) => typeof row === 'object')
        ? Object.fromEntries(
            record
              .map((row, at) => [String(at), row as Body] as const)
              .filter(([, row]) => Object.keys(row).length > 0),
          )
        : record,
    ]),
  )

/** What was made is answered as it was sent: with ids where lists show records. */
const withIds = (fields: Fields, values: Body, made: Body): Body =>
  Object.fromEntries(
    Object.entries(made).map(([name, record]) => {
      const field = fields[name]
      if (field?.type === 'reference') return [name, values[name] ?? null]
      const rows = Array.isArray(values[name]) ? (values[name] as Body[]) : []
      return field?.type === 'list' && Array.isArray(record)
        ? [name, record.map((row, at) => withIds(field.of ?? {}, rows[at] ?? {}, row as Body))]
        : [name, record]
    }),
  )

const described = (type: string, isReadOnly: boolean) => ({ type, required: false, read_only: isReadOnly })

/** What a POST is described with beyond the specification: fields to be read only, and others. */
const beyond: Record<string, { read: string; written?: Record<string, string> }> = {
  agents: {
    read: 'id name organization',
    written: { mandates: 'field', create_date: 'datetime', revise_date: 'datetime' },
  },
  'agent-types': { read: 'id' },
  deliveries: { read: 'id' },
  'me/searches': { read: 'id user' },
  orders: { read: 'id responsible', written: { information_packages: 'field', consign_method: 'field' } },
  'structure-units': {
    read: [
      'id is_leaf_node is_tag_leaf_node is_unit_leaf_node identifiers notes archive archive_name',
      'structure_name structure_version',
    ].join(' '),
    written: { related_structure_units: 'field' },
  },
  structures: {
    read: 'id template is_template revise_date created_by revised_by archive_name instances_num',
    written: {
      version_link: 'string',
      create_date: 'datetime',
      specification: 'field',
      rule_convention_type: 'field',
      published: 'boolean',
      published_date: 'datetime',
      related_structures: 'field',
      is_editable: 'boolean',
    },
  },
  'tag-version-types': {
    read: 'pk',
    written: { custom_fields_template: 'field', date_render_format: 'string' },
  },
  transfers: { read: 'id' },
}

const beyondIn = (list: string): Body => {
  const { read, written = {} } = beyond[list] ?? { read: '' }
  const names = read.split(' ').filter(Boolean)
  return {
    ...Object.fromEntries(names.map((name) => [name, described('field', true)])),
    ...Object.fromEntries(Object.entries(written).map(([name, type]) => [name, described(type, false)])),
  }
}

const rowsOf = (children: Body): Body => ({
  type: 'nested object',
  required: false,
  read_only: false,
  children: { id: described('string', true), ...children },
})

/**
 * What OPTIONS says of a POST: references are plain fields whose list is not named, and event types go by
 * other letters.
 */
const describedFor = (list: string, fields: Fields): Body => {
  const plain = (described: Body): Body =>
    Object.fromEntries(
      Object.entries(described).map(([name, record]) => {
        const { reference, choices, many, child, ...field } = record as Body
        const isReference = reference !== undefined
        return [
          name,
          {
            ...field,
            ...(many === true ? { type: 'field' } : {}),
            ...(choices === undefined || isReference ? {} : { choices }),
            ...(child ? { child: { ...rowsOf(plain(child as Body)) } } : {}),
          },
        ]
      }),
    )
  if (list === 'event-types')
    return {
      eventType: { type: 'integer', required: true, read_only: false, label: 'EventType' },
      eventDetail: {
        type: 'string',
        required: true,
        read_only: false,
        label: 'EventDetail',
        max_length: 255,
      },
    }
  const described = plain(describeFields(fields))
  const inner = {
    id: { type: 'integer', required: false, read_only: true },
    name: { type: 'string', required: true, read_only: false },
  }
  if (list === 'agent-types')
    return {
      ...described,
      main_type: {
        type: 'nested object',
        required: true,
        read_only: false,
        label: 'Main type',
        children: inner,
      },
    }
  return list === 'agent-relation-types'
    ? {
        ...described,
        mirrored_type: {
          type: 'nested object',
          required: false,
          read_only: false,
          label: 'Mirrored type',
          children: inner,
        },
      }
    : described
}

/** What one can filter, search and order by, of the lists whose OPTIONS say so. */
const questions: Record<string, { filters?: string; search?: true; ordering?: string }> = {
  agents: { filters: 'excluded_ids', search: true, ordering: 'latest_name start_date end_date' },
  'event-types': { filters: 'category' },
  events: { filters: 'eventType eventOutcome linkingAgentRole', ordering: 'id eventType eventDateTime' },
  'information-packages': {
    filters: 'archivist_organization state responsible',
    search: true,
    ordering: 'label responsible create_date state id object_identifier_value start_date end_date',
  },
  'storage-mediums': { filters: 'status medium_type', search: true },
  'structure-units': { filters: 'has_parent structure ordering' },
  structures: { filters: 'type is_template published', search: true, ordering: 'name create_date version' },
  tags: { filters: 'index ordering', search: true },
}

const filtersOf = (names: string) =>
  Object.fromEntries(
    names
      .split(' ')
      .map((name) => [name, { type: 'CharFilter', lookup_types: ['exact'], label: name, choices: [] }]),
  )

/** The search describes some of its filters where other lists describe what a POST takes. */
export const searchFilters: Body = Object.fromEntries(
  ['appraisal_date', 'start_date', 'end_date']
    .flatMap((name) => [`${name}_before`, `${name}_after`])
    .map((name) => [name, { type: 'date', required: false, read_only: false, label: name }]),
)

/** What every OPTIONS says of a view; of permissions it says nothing: POST is described to everyone. */
export const describeView = (name: string, post: Body | undefined): Body => ({
  name,
  description: '',
  renders: ['application/json', 'text/html'],
  parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...(post === undefined ? {} : { actions: { POST: post } }),
  transformers: ['content', 'filename', 'repeated_extension'],
  workflow_pollers: [],
})

export const describeList = (list: string): Answer => {
  const takes = list !== 'tags' && list !== 'languages'
  const { filters, search, ordering } = questions[list] ?? {}
  return {
    status: 200,
    headers: { Allow: takes ? 'GET, POST, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS' },
    body: {
      ...describeView(
        list,
        takes ? { ...describedFor(list, fieldsOf(list) ?? {}), ...beyondIn(list) } : undefined,
      ),
      ...(filters === undefined ? {} : { filters: filtersOf(filters) }),
      ...(search === undefined ? {} : { search }),
      ...(ordering === undefined ? {} : { ordering: ordering.split(' ') }),
    },
  }
}

export const createRecord = (list: string, context: Context): Answer => {
  const { account, database, body, now, request } = context
  const resource = resources[list]
  const fields = fieldsOf(list)
  if (!resource || !fields || readOnly.includes(list))
    return detail(405, `Method "${request.method}" not allowed.`)
  if (!may(account, 'add', list)) return forbidden()
  if (list === 'event-types')
    return 'eventType' in body && 'eventDetail' in body
      ? broken()
      : {
          status: 400,
          body: { eventType: ['This field is required.'], eventDetail: ['This field is required.'] },
        }
  if (nested.includes(list)) return broken()
  if (list === 'orders' && body['consign_method'] === null)
    return { status: 400, body: { consign_method: ['This field may not be null.'] } }
  if (needsOrganization.includes(list) && account.user['organization'] === null) return broken()
  return database.transaction((): Answer => {
    const read = readFields(fields, body, database, resource.kind)
    if ('messages' in read) return { status: 400, body: byIndex(read.messages) }
    const messages = resource.check?.(read.values, database)
    if (messages) return { status: 400, body: messages }
    const values =
      list === 'orders'
        ? { ...read.values, name: read.values['label'], information_packages: [] }
        : read.values
    const made = enterRecord(resource, values, database, { account, now })
    const whole = shown(list, made, database, account, request.headers.host ?? '', now)
    const answered = withIds(list === 'orders' ? {} : fields, read.values, whole)
    // Of places the answer says all but the id, of agents all but their places, of orders the type by its id.
    const unsaid = list === 'locations' ? 'id' : list === 'agents' ? 'places' : undefined
    return {
      status: 201,
      body: {
        ...Object.fromEntries(Object.entries(answered).filter(([name]) => name !== unsaid)),
        ...(list === 'orders' ? { type: read.values['type'] } : {}),
      },
    }
  })
}

/** Changes some fields of a record; references are written by their ids. */
export const changeRecord = (list: string, id: string, context: Context): Answer => {
  const { account, database, body, now, request } = context
  const resource = resources[list]
  const fields = fieldsOf(list)
  const record = resource && database.one(resource.kind, id)
  if (!resource || !record) return detail(404, 'Not found.')
  if (!fields || readOnly.includes(list)) return detail(405, `Method "${request.method}" not allowed.`)
  if (
    list === 'structure-units'
      ? !permissionsOf(account).includes('tags.change_structureunit')
      : !may(account, 'change', list)
  )
    return forbidden()
  const named = Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(body, name)))
  const read = readFields(named, body, database)
  if ('messages' in read) return { status: 400, body: read.messages }
  const changed = database.put(resource.kind, {
    ...record,
    ...read.values,
    ...(list === 'orders' && 'label' in read.values ? { name: read.values['label'] } : {}),
  })
  return { status: 200, body: shown(list, changed, database, account, request.headers.host ?? '', now) }
}

/** A unit below its structure, which is the one way to make one. */
export const createUnit = (structure: string, context: Context): Answer => {
  const { account, database, body, now, request } = context
  const resource = resources['structure-units']
  const found = database.one('structure', structure)
  if (!resource?.fields) return detail(404, 'Not found.')
  if (request.method === 'OPTIONS') {
    return {
      status: 200,
      headers: { Allow: 'GET, POST, HEAD, OPTIONS' },
      body: describeView('Structure Unit List', {
        ...describedFor('structure-units', resource.fields),
        type: { type: 'field', required: true, read_only: false, label: 'Type' },
      }),
    }
  }
  if (!permissionsOf(account).includes('tags.add_structureunit')) return forbidden()
  if (!found) return detail(404, 'Not found.')
  if (found['published'] === true)
    return { status: 400, body: { non_field_errors: ['Published structures cannot be changed'] } }
  return database.transaction((): Answer => {
    const type = unitTypes.find(({ id }) => String(id) === String(body['type']))
    if (!type) return { status: 400, body: { type: ['This field is required.'] } }
    const read = readFields(resource.fields ?? {}, { ...body, structure, type: type.name }, database)
    if ('messages' in read) return { status: 400, body: read.messages }
    const messages = resource.check?.(read.values, database)
    if (messages) return { status: 400, body: messages }
    const made = enterRecord(resource, read.values, database, { account, now })
    const whole = shown('structure-units', made, database, account, request.headers.host ?? '', now)
    return { status: 201, body: { ...whole, type: type.id } }
  })
}

const nodeFields: Fields = {
  name: text(true),
  type: integer(true),
  reference_code: text(),
  description: longText(),
  start_date: date(),
  end_date: date(),
}

/** The archive in whose structure a unit stands: what is put into the unit stands below it. */
const archiveOf = (unit: unknown, { one, where }: Database): unknown => {
  const structure = one('structure unit', String(unit))?.['structure']
  return where('tag', 'structure', String(structure)).find(({ parent }) => parent === null)?.['id']
}

/** Archives and what stands in them are made by way of the search. */
export const createNode = (context: Context): Answer => {
  const { account, database, body, now } = context
  const permission = body['index'] === 'archive' ? 'tags.create_archive' : 'tags.add_tag'
  if (body['index'] !== 'archive' && body['index'] !== 'component' && body['index'] !== 'document')
    return detail(400, 'Invalid index')
  if (!permissionsOf(account).includes(permission))
    return detail(403, 'You do not have permission to create new archives')
  const read = readFields(nodeFields, body, database)
  const messages: Body = 'messages' in read ? { ...read.messages } : {}
  const type = database.one('tag version type', String(body['type']))
  if (!type) messages['type'] = [`Invalid pk "${String(body['type'])}" - object does not exist.`]
  const isArchive = body['index'] === 'archive'
  if (isArchive) Object.assign(messages, troublesOfArchive(body, database))
  else if (!Object.hasOwn(body, 'location')) messages['location'] = ['This field is required.']
  else if (!body['parent'] && !body['structure_unit'])
    messages['non_field_errors'] = ['structure_unit or parent is required']
  else if (typeof body['reference_code'] !== 'string' || body['reference_code'] === '')
    messages['reference_code'] = ['This field is required.']
  const resource = resources['tags']
  if (Object.keys(messages).length > 0 || 'messages' in read || !resource)
    return { status: 400, body: messages }
  const id = randomUUID()
  const made = database.transaction(() =>
    enterRecord(
      resource,
      {
        ...read.values,
        reference_code: body['use_uuid_as_refcode'] === true ? id : read.values['reference_code'],
        parent: isArchive ? null : (body['parent'] ?? archiveOf(body['structure_unit'], database) ?? null),
        structure: isArchive
          ? structureFor(String(body['name']), String((body['structures'] as string[])[0]), database)
          : (body['structure'] ?? null),
        structure_unit: body['structure_unit'] ?? null,
        agent: isArchive ? body['archive_creator'] : null,
        information_package: body['information_package'] ?? null,
      },
      database,
      { account, now },
    ),
  )
  return { status: 201, body: shownNode(made, context) }
}

const troublesOfArchive = (body: Body, { one }: Database): Body => ({
  ...(Array.isArray(body['structures']) &&
  body['structures'].length > 0 &&
  body['structures'].every((id) => one('structure', String(id)))
    ? {}
    : { structures: ['This field is required.'] }),
  ...(one('agent', String(body['archive_creator'])) ? {} : { archive_creator: ['This field is required.'] }),
  ...(body['use_uuid_as_refcode'] === true ||
  (typeof body['reference_code'] === 'string' && body['reference_code'] !== '')
    ? {}
    : { reference_code: ['This field is required.'] }),
})
