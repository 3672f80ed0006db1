import { randomUUID } from 'node:crypto'
import type { Account } from './accounts.ts'
import type { Body, Database, Kind } from './database.ts'
import { writeEvent } from './events.ts'
import { integer, longText, reference, text, type Field } from './fields.ts'

/** One path of the interface: what it lists, how a record is shown, and what a POST to it may carry. */
export interface Resource {
  kind: Kind
  show?: (body: Body, database: Database) => Body
  visible?: (body: Body, account: Account) => boolean
  /** Only rows that stand at the top of the list; the others are nested in them. */
  top?: (body: Body) => boolean
  newestFirst?: boolean
  fields?: Record<string, Field>
  make?: (values: Body, database: Database, account: Account, now: Date) => Body
}

const showRelation = (body: Body, { one }: Database): Body => ({
  ...body,
  storage_target: one('storage target', String(body['storage_target'])) ?? null,
})

const showMethod = (body: Body, database: Database): Body => {
  const relations = database.where('storage relation', 'storage_method', String(body['id']))
  return {
    ...body,
    targets: relations.map((relation) => relation['storage_target']),
    storage_method_target_relations: relations.map((relation) => showRelation(relation, database)),
  }
}

const showPolicy = (body: Body, database: Database): Body => {
  const methods = (body['storage_methods'] as string[]).flatMap((id) => {
    const method = database.one('storage method', id)
    return method ? [showMethod(method, database)] : []
  })
  const cache = database.one('storage method', String(body['cache_storage']))
  return { ...body, cache_storage: cache ? showMethod(cache, database) : null, storage_methods: methods }
}

const showPackage = (body: Body, { where }: Database): Body =>
  body['package_type'] === 1 ? { ...body, information_packages: where('information package', 'aic', String(body['id'])), new_version_in_progress: null } : body

const showEvent = (body: Body, { one }: Database): Body => ({
  ...body,
  transfer: body['transfer'] === null ? null : (one('transfer', body['transfer'] as string) ?? null),
})

const showDelivery = (body: Body, { one }: Database): Body => ({
  ...body,
  type: body['type'] === null ? null : (one('delivery type', `${body['type'] as number}`) ?? null),
})

/** Every list of the interface that this archive serves (specification 4). */
export const resources: Record<string, Resource> = {
  'storage-objects': { kind: 'storage object' },
  'storage-mediums': { kind: 'storage medium' },
  'storage-methods': { kind: 'storage method', show: showMethod },
  'storage-method-target-relations': { kind: 'storage relation', show: showRelation },
  'storage-policies': { kind: 'storage policy', show: showPolicy },
  'storage-targets': { kind: 'storage target' },
  'submission-agreements': { kind: 'submission agreement' },
  'information-packages': { kind: 'information package', show: showPackage, top: (body) => body['package_type'] === 1 },
  notifications: {
    kind: 'notification',
    newestFirst: true,
    visible: (body, { id }) => (body['user'] as Body)['id'] === id,
  },
  events: { kind: 'event', show: showEvent },
  'event-types': {
    kind: 'event type',
    fields: { EventType: integer(true), EventDetail: text(true) },
    make: (values) => ({
      id: values['EventType'],
      eventType: values['EventType'],
      eventDetail: values['EventDetail'],
    }),
  },
  'delivery-types': {
    kind: 'delivery type',
    fields: { name: text(true) },
    make: (values, { nextNumber }) => ({ id: nextNumber('delivery type'), ...values }),
  },
  deliveries: {
    kind: 'delivery',
    show: showDelivery,
    fields: {
      name: text(true),
      type: reference('delivery type'),
      description: longText(),
      submission_agreement: reference('submission agreement'),
      producer_organization: text(),
      reference_code: text(),
    },
    make: (values, database, account, now) => {
      const body: Body = { id: database.nextNumber('delivery'), ...values }
      writeEvent(database, now, 20300, {
        delivery: Number(body['id']),
        note: `Registered ${String(body['name'])}`,
        by: String(account.user['username']),
      })
      return body
    },
  },
  transfers: {
    kind: 'transfer',
    fields: {
      name: text(true),
      delivery: reference('delivery', true),
      submitter_organization: text(),
      submitter_organization_main_address: text(),
      submitter_individual_name: text(),
      submitter_individual_phone: text(),
      submitter_individual_email: text(),
      description: longText(),
    },
    make: (values, _database, account) => ({ id: randomUUID(), ...values, delivery: Number(values['delivery']), sender: account.id }),
  },
}

/** Fields the archive keeps for itself and the interface does not show. */
const ownFields = ['sender']

export const showRecord = (resource: Resource, body: Body, database: Database): Body => {
  const shown = resource.show ? resource.show(body, database) : body
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !ownFields.includes(name)))
}
