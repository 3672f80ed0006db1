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
} from '../../electron/local-archive/fields.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import { enterRecord } from '../../electron/local-archive/resources/resource.ts'
import type { Answer } from '../../electron/local-archive/answer.ts'
import type { Here } from './packages.ts'
import { may, permissionsOf } from './roles.ts'
import { orderTypes, shown, unitTypes } from './shapes.ts'
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

const fieldsOf = (list: string): Fields | undefined =>
  list === 'orders' ? orderFields : resources[list]?.fields

/**
 * What OPTIONS says of a POST: references are plain fields whose list is not named, and event types go by
 * other letters.
 */
const describedFor = (list: string, fields: Fields): Body => {
  const plain = (described: Body): Body =>
    Object.fromEntries(
      Object.entries(described).map(([name, it]) => {
        const { reference, choices, ...field } = it as Body
        const isReference = reference !== undefined
        return [
          name,
          {
            ...field,
            ...(choices === undefined || isReference ? {} : { choices }),
            ...(field['child'] ? { child: plain(field['child'] as Body) } : {}),
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

export const describeList = (list: string, { account }: Here): Answer => {
  const fields = fieldsOf(list)
  const takes = fields !== undefined && !readOnly.includes(list)
  return {
    status: 200,
    headers: { Allow: takes ? 'GET, POST, HEAD, OPTIONS' : 'GET, HEAD, OPTIONS' },
    body: {
      name: list,
      renders: ['application/json', 'text/html'],
      parses: ['application/json'],
      search: true,
      filters: list === 'event-types' ? [{ name: 'category', type: 'choice', label: 'Category' }] : [],
      ordering: [],
      ...(takes && may(account, 'add', list) ? { actions: { POST: describedFor(list, fields) } } : {}),
    },
  }
}

export const createRecord = (list: string, here: Here): Answer => {
  const { account, database, body, now, request } = here
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
  if (needsOrganization.includes(list) && account.user['organization'] === null) return broken()
  return database.transaction((): Answer => {
    const read = readFields(fields, body, database, resource.kind)
    if ('messages' in read) return { status: 400, body: read.messages }
    const messages = resource.check?.(read.values, database)
    if (messages) return { status: 400, body: messages }
    const values =
      list === 'orders'
        ? { ...read.values, name: read.values['label'], information_packages: [] }
        : read.values
    const made = enterRecord(resource, values, database, { account, now })
    const whole = shown(list, made, database, account, request.headers.host ?? '', now)
    // Of places the answer says all but the id.
    return {
      status: 201,
      body:
        list === 'locations'
          ? Object.fromEntries(Object.entries(whole).filter(([name]) => name !== 'id'))
          : whole,
    }
  })
}

/** Changes some fields of a record; references are written by their ids. */
export const changeRecord = (list: string, id: string, here: Here): Answer => {
  const { account, database, body, now, request } = here
  const resource = resources[list]
  const fields = fieldsOf(list)
  const it = resource && database.one(resource.kind, id)
  if (!resource || !it) return detail(404, 'Not found.')
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
    ...it,
    ...read.values,
    ...(list === 'orders' && 'label' in read.values ? { name: read.values['label'] } : {}),
  })
  return { status: 200, body: shown(list, changed, database, account, request.headers.host ?? '', now) }
}

/** A unit below its structure, which is the one way to make one. */
export const createUnit = (structure: string, here: Here): Answer => {
  const { account, database, body, now, request } = here
  const resource = resources['structure-units']
  const found = database.one('structure', structure)
  if (!resource?.fields) return detail(404, 'Not found.')
  if (request.method === 'OPTIONS') {
    const isAllowed = permissionsOf(account).includes('tags.add_structureunit')
    return {
      status: 200,
      headers: { Allow: 'GET, POST, HEAD, OPTIONS' },
      body: {
        name: 'Structure units',
        ...(isAllowed
          ? {
              actions: {
                POST: {
                  ...describeFields(resource.fields),
                  type: { type: 'field', required: true, read_only: false, label: 'Type' },
                },
              },
            }
          : {}),
      },
    }
  }
  if (!permissionsOf(account).includes('tags.add_structureunit')) return forbidden()
  if (!found) return detail(404, 'Not found.')
  if (found['published'] === true)
    return { status: 400, body: { non_field_errors: ['Published structures cannot be changed'] } }
  return database.transaction((): Answer => {
    const type = unitTypes.find(({ id }) => id === body['type'])
    if (!type) return { status: 400, body: { type: ['This field is required.'] } }
    const read = readFields(resource.fields ?? {}, { ...body, structure, type: type.name }, database)
    if ('messages' in read) return { status: 400, body: read.messages }
    const messages = resource.check?.(read.values, database)
    if (messages) return { status: 400, body: messages }
    const made = enterRecord(resource, read.values, database, { account, now })
    return {
      status: 201,
      body: shown('structure-units', made, database, account, request.headers.host ?? '', now),
    }
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

/** Archives and what stands in them are made by way of the search. */
export const createNode = ({ account, database, body, now }: Here): Answer => {
  const permission = body['index'] === 'archive' ? 'tags.create_archive' : 'tags.add_tag'
  if (body['index'] !== 'archive' && body['index'] !== 'component' && body['index'] !== 'document')
    return detail(400, 'Invalid index')
  if (!permissionsOf(account).includes(permission)) return forbidden()
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
        parent: isArchive ? null : (body['parent'] ?? null),
        structure: isArchive ? (body['structures'] as string[])[0] : (body['structure'] ?? null),
        structure_unit: body['structure_unit'] ?? null,
        agent: isArchive ? body['archive_creator'] : null,
        information_package: body['information_package'] ?? null,
      },
      database,
      { account, now },
    ),
  )
  return { status: 201, body: { ...made, _id: made['id'], _index: body['index'] } }
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
