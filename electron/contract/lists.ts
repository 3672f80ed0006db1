/** A field of a POST as the specification (4.2, 2.14) names it and, where that is silent, ESSArch does. */
export interface CreationField {
  type: 'text' | 'long text' | 'boolean' | 'number' | 'date' | 'reference' | 'references' | 'rows' | 'json'
  isRequired?: boolean
  /** The list that a reference chooses from, by its path. */
  to?: string
  /** The fields of each row. */
  of?: Record<string, CreationField>
}

export interface ListDefinition {
  group: 'description' | 'agreements' | 'storage' | 'activity' | 'vocabularies'
  /** What a POST carries; lists without it are read only. */
  creates?: Record<string, CreationField>
  /** Its records stand below one another. */
  isTree?: boolean
}

const text: CreationField = { type: 'text' }
const name: CreationField = { type: 'text', isRequired: true }
const long: CreationField = { type: 'long text' }
const number: CreationField = { type: 'number' }
const flag: CreationField = { type: 'boolean' }
const json: CreationField = { type: 'json' }
const dates: Record<string, CreationField> = { start_date: { type: 'date' }, end_date: { type: 'date' } }
const one = (to: string, isRequired = false): CreationField => ({ type: 'reference', to, isRequired })
const rows = (of: Record<string, CreationField>): CreationField => ({ type: 'rows', of })

const vocabulary = (more: Record<string, CreationField> = {}): ListDefinition => ({
  group: 'vocabularies',
  creates: { name, ...more },
})

/**
 * Every list of the interface that has a place under Description, by its path below /api/ (specification 4). One entry here puts a
 * list on the desk: its rows, the page of each record, and the form for a new one.
 */
export const lists = {
  agents: {
    group: 'description',
    creates: {
      type: one('agent-types', true),
      ref_code: one('ref-codes', true),
      language: one('languages', true),
      level_of_detail: number,
      record_status: number,
      script: number,
      names: rows({
        main: name,
        part: text,
        description: long,
        type: one('agent-name-types', true),
        ...dates,
      }),
      notes: rows({ text: { ...long, isRequired: true }, type: one('agent-note-types', true), href: text }),
      identifiers: rows({ identifier: name, type: one('agent-identifier-types', true) }),
      places: rows({ name, type: one('agent-place-types', true), description: long, ...dates }),
      related_agents: rows({
        agent: one('agents', true),
        type: one('agent-relation-types', true),
        description: long,
        ...dates,
      }),
      ...dates,
    },
  },
  structures: {
    group: 'description',
    creates: { name, type: one('structure-types', true), description: long, version: text, ...dates },
  },
  'structure-units': {
    group: 'description',
    isTree: true,
    creates: {
      name,
      structure: one('structures', true),
      parent: one('structure-units'),
      type: text,
      reference_code: name,
      description: long,
      ...dates,
    },
  },
  tags: {
    group: 'description',
    isTree: true,
    creates: {
      name,
      type: one('tag-version-types', true),
      reference_code: text,
      description: long,
      parent: one('tags'),
      structure: one('structures'),
      structure_unit: one('structure-units'),
      agent: one('agents'),
      ...dates,
    },
  },
  locations: {
    group: 'description',
    isTree: true,
    creates: {
      name,
      parent: one('locations'),
      level_type: one('location-level-types', true),
      function: one('location-function-types', true),
      metric: one('metric-types'),
      capacity: number,
    },
  },
  deliveries: {
    group: 'description',
    creates: {
      name,
      type: one('delivery-types', true),
      description: long,
      submission_agreement: one('submission-agreements'),
      producer_organization: one('agents'),
      reference_code: text,
    },
  },
  transfers: {
    group: 'description',
    creates: {
      name,
      delivery: one('deliveries', true),
      submitter_organization: text,
      submitter_organization_main_address: text,
      submitter_individual_name: text,
      submitter_individual_email: text,
      description: long,
    },
  },
  orders: {
    group: 'description',
    creates: { name, information_packages: { type: 'references', to: 'information-packages' } },
  },
  'me/searches': { group: 'description', creates: { name, query: { ...json, isRequired: true } } },

  'submission-agreements': { group: 'agreements' },
  profiles: {
    group: 'agreements',
    creates: {
      name,
      profile_type: name,
      type: text,
      status: text,
      label: text,
      structure: json,
      template: json,
    },
  },
  'event-types': {
    group: 'agreements',
    creates: { EventType: { ...number, isRequired: true }, EventDetail: name },
  },

  'storage-policies': { group: 'storage' },
  'storage-methods': { group: 'storage' },
  'storage-targets': { group: 'storage' },
  'storage-method-target-relations': { group: 'storage' },
  'storage-objects': { group: 'storage' },

  events: { group: 'activity' },
  notifications: { group: 'activity' },

  'structure-types': vocabulary({
    instance_name: text,
    editable_instances: flag,
    movable_instance_units: flag,
    editable_instance_relations: flag,
  }),
  'tag-version-types': vocabulary({ archive_type: flag, information_package_type: flag }),
  'ref-codes': { group: 'vocabularies', creates: { country: name, repository_code: name } },
  languages: { group: 'vocabularies', creates: { id: name, name_native: name } },
  'delivery-types': vocabulary(),
  'metric-types': vocabulary(),
  'location-level-types': vocabulary(),
  'location-function-types': vocabulary(),
  'agent-types': { group: 'vocabularies', creates: { main_type: name, sub_type: text, cpf: name } },
  'agent-name-types': vocabulary({ authority: flag }),
  'agent-note-types': vocabulary({ history: flag }),
  'agent-identifier-types': vocabulary(),
  'agent-place-types': vocabulary(),
  'agent-relation-types': vocabulary({ mirrored_type: one('agent-relation-types') }),
  'node-relation-types': vocabulary(),
  'node-note-types': vocabulary({ history: flag }),
  'node-identifier-types': vocabulary(),
} as const satisfies Record<string, ListDefinition>

export type ListName = keyof typeof lists
export const listNames = Object.keys(lists) as ListName[]
export const listNamed = (path: string): ListName | undefined => listNames.find((it) => it === path)
export const definitionOf = (list: ListName): ListDefinition => lists[list]
