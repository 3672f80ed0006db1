import { randomUUID } from 'node:crypto'
import type { Kind } from '../database.ts'
import { boolean, choice, reference, text, uniqueText, type Fields } from '../http/fields.ts'
import { pickFields, embedded, type Resource } from './resource.ts'

/** A list of names with numbers: one line here is a whole vocabulary. */
const vocabulary = (kind: Kind, more: Fields = {}): Resource => ({
  kind,
  fields: { name: uniqueText(), ...more },
  make: (values, { nextNumber }) => ({ id: nextNumber(kind), ...values }),
})

/** The type vocabularies of archival description (specification 4.2; fields as ESSArch has them). */
export const vocabularies: Record<string, Resource> = {
  'agent-identifier-types': vocabulary('agent identifier type'),
  'agent-name-types': vocabulary('agent name type', { authority: boolean() }),
  'agent-note-types': vocabulary('agent note type', { history: boolean() }),
  'agent-place-types': vocabulary('agent place type'),
  'location-level-types': vocabulary('location level type'),
  'location-function-types': vocabulary('location function type'),
  'metric-types': vocabulary('metric type'),
  'node-relation-types': vocabulary('node relation type'),
  'node-note-types': vocabulary('node note type', { history: boolean() }),
  'node-identifier-types': vocabulary('node identifier type'),
  'structure-types': vocabulary('structure type', {
    instance_name: { ...text(), help: 'The name used on instances of a structure' },
    editable_instances: boolean(),
    movable_instance_units: boolean(),
    editable_instance_relations: boolean(),
  }),
  'tag-version-types': {
    kind: 'tag version type',
    show: (body) => ({ ...body, pk: body['id'] }),
    fields: {
      name: uniqueText(),
      archive_type: { ...boolean(), help: 'Whether it is a type of archive' },
      information_package_type: { ...boolean(), help: 'Whether it is a type of information package' },
    },
    make: (values, { nextNumber }) => ({ id: nextNumber('tag version type'), ...values }),
  },
  'agent-types': {
    kind: 'agent type',
    fields: {
      main_type: text(true),
      sub_type: text(),
      cpf: choice(['corporatebody', 'person', 'family'], 'corporatebody'),
    },
    make: ({ main_type, ...values }, { nextNumber }) => ({
      id: randomUUID(),
      main_type: { id: nextNumber('agent type'), name: main_type },
      ...values,
    }),
  },
  'agent-relation-types': {
    kind: 'agent relation type',
    show: (body, database) => ({
      ...body,
      mirrored_type: pickFields(
        embedded('agent relation type', body['mirrored_type'], database),
        'id',
        'name',
      ),
    }),
    fields: { name: uniqueText(), mirrored_type: reference('agent relation type') },
    make: (values, { nextNumber }) => ({ id: nextNumber('agent relation type'), ...values }),
  },
  languages: {
    kind: 'language',
    fields: {
      id: { ...text(true), longest: 8, help: 'ISO 639-1 code', isUnique: true },
      name_native: text(true),
    },
    make: (values) => values,
  },
  'ref-codes': {
    kind: 'ref code',
    fields: {
      country: { ...text(true), longest: 8, help: 'The id of a country (ISO 3166)' },
      repository_code: text(true),
    },
    check: ({ country, repository_code }, { where }) =>
      where('ref code', 'repository_code', String(repository_code)).some(
        (code) => code['country'] === country,
      )
        ? { non_field_errors: ['The fields country, repository_code must make a unique set.'] }
        : undefined,
    make: (values) => ({ id: randomUUID(), ...values }),
  },
}
