import type { Body, Database } from '../database.ts'
import { integer, json, references, text, reference, longText, uniqueText } from '../http/fields.ts'
import { randomUUID } from 'node:crypto'
import { LazyList } from '../http/write-json.ts'
import { showAgent } from './description.ts'
import { embedded, type Resource } from './resource.ts'
import { keyOf, listIn } from '../http/body-values.ts'

const showEvent = (body: Body, database: Database): Body => ({
  ...body,
  transfer: embedded('transfer', body['transfer'], database),
})

const showProducer = (id: unknown, database: Database) => {
  const agent = embedded('agent', id, database)
  return agent && showAgent(agent, database)
}

const person = Object.fromEntries(
  ['personal_number', 'first_name', 'family_name', 'address', 'postal_code', 'city', 'phone'].map((name) => [
    name,
    text(),
  ]),
)

/** What happened, what was asked for, and what a user keeps (specification 2.13, 2.14, 6). */
export const activity: Record<string, Resource> = {
  notifications: {
    kind: 'notification',
    newestFirst: true,
  },
  events: { kind: 'event', show: showEvent },
  'event-types': {
    kind: 'event type',
    fields: { EventType: { ...integer(true), help: 'Number that names the type' }, EventDetail: text(true) },
    check: (values, { one }) =>
      one('event type', String(values['EventType']))
        ? { EventType: ['event type with this EventType already exists.'] }
        : undefined,
    make: (values) => ({
      id: values['EventType'],
      eventType: values['EventType'],
      eventDetail: values['EventDetail'],
    }),
  },
  orders: {
    kind: 'order',
    isOpen: true,
    show: (body, { has }) => ({
      ...body,
      information_packages: new LazyList(() =>
        listIn(body['information_packages'])
          .values()
          .filter((id) => has('information package', keyOf(id))),
      ),
    }),
    fields: {
      name: { ...text(true), label: 'Name (label)' },
      information_packages: references('information package'),
      ...person,
      order_content: longText(),
    },
    // Whoever orders is responsible; a client may name itself, and nobody else.
    make: (values, _database, { account, now }) => ({
      id: randomUUID(),
      label: values['name'],
      type: null,
      responsible: account.user,
      ...values,
      create_date: now.toISOString(),
    }),
  },
  'me/searches': {
    kind: 'stored search',
    isOpen: true,
    fields: { name: text(true), query: json(true) },
    make: (values, { nextNumber }, { account }) => ({
      id: nextNumber('stored search'),
      user: account.user['username'],
      ...values,
      sender: account.id,
    }),
  },
  'delivery-types': {
    kind: 'delivery type',
    fields: { name: uniqueText() },
    make: (values, { nextNumber }) => ({ id: nextNumber('delivery type'), ...values }),
  },
  deliveries: {
    kind: 'delivery',
    show: (body, database) => ({
      ...body,
      producer_organization: showProducer(body['producer_organization'], database),
      type: embedded('delivery type', body['type'], database),
      submission_agreement: embedded('submission agreement', body['submission_agreement'], database),
    }),
    fields: {
      name: text(true),
      type: reference('delivery type'),
      description: longText(),
      reference_code: text(),
      submission_agreement: reference('submission agreement'),
      producer_organization: reference('agent'),
    },
    make: (values, { nextNumber }) => ({ id: nextNumber('delivery'), ...values }),
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
    make: (values, _database, { account }) => ({
      id: randomUUID(),
      ...values,
      delivery: Number(values['delivery']),
      sender: account.id,
    }),
  },
}
