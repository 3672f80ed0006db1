import type { ListName } from '../../contract/lists.ts'

/** A field of a POST as the specification (4.2, 2.14) names it and, where that is silent, ESSArch does. */
export interface CreationField {
  type:
    | 'text'
    | 'long text'
    | 'boolean'
    | 'number'
    | 'date'
    | 'reference'
    | 'references'
    | 'rows'
    | 'query'
    | 'json'
  isRequired?: boolean
  /** The list that a reference chooses from, by its path. */
  to?: string
  /** The field that says what the chosen stands in. */
  within?: string
  /** The field that may be filled in its place; one of both is enough. */
  alternative?: string
  /** The fields of each row. */
  of?: Record<string, CreationField>
}

const text: CreationField = { type: 'text' }
const name: CreationField = { type: 'text', isRequired: true }
const long: CreationField = { type: 'long text' }
const number: CreationField = { type: 'number' }
const flag: CreationField = { type: 'boolean' }
const json: CreationField = { type: 'json' }
const dates: Record<string, CreationField> = { start_date: { type: 'date' }, end_date: { type: 'date' } }
const one = (to: string, isRequired = false): CreationField => ({ type: 'reference', to, isRequired })
/** Chosen from what stands in the structure that the form names. */
const inStructure = (to: string): CreationField => ({ ...one(to), within: 'structure' })
const rows = (of: Record<string, CreationField>): CreationField => ({ type: 'rows', of })

const vocabulary = (more: Record<string, CreationField> = {}): Record<string, CreationField> => ({
  name,
  ...more,
})

/** What a POST to a list carries; lists that are not here are read only. */
const creates: Partial<Record<ListName, Record<string, CreationField>>> = {
  agents: {
    names: rows({
      main: name,
      part: text,
      description: long,
      type: one('agent-name-types', true),
      ...dates,
    }),
    type: one('agent-types', true),
    ref_code: one('ref-codes', true),
    language: one('languages', true),
    level_of_detail: number,
    record_status: number,
    script: number,
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
  structures: { name, type: one('structure-types', true), description: long, version: text, ...dates },
  'structure-units': {
    name,
    structure: one('structures', true),
    parent: inStructure('structure-units'),
    type: text,
    reference_code: name,
    description: long,
    ...dates,
  },
  tags: {
    name,
    type: one('tag-version-types', true),
    reference_code: text,
    description: long,
    structure: one('structures'),
    structure_unit: { ...inStructure('structure-units'), alternative: 'parent' },
    parent: { ...inStructure('tags'), alternative: 'structure_unit' },
    agent: one('agents'),
    ...dates,
  },
  locations: {
    name,
    parent: one('locations'),
    level_type: one('location-level-types', true),
    function: one('location-function-types', true),
    metric: one('metric-types'),
    capacity: number,
  },
  deliveries: {
    name,
    type: one('delivery-types', true),
    description: long,
    submission_agreement: one('submission-agreements'),
    producer_organization: one('agents'),
    reference_code: text,
  },
  transfers: {
    name,
    delivery: one('deliveries', true),
    submitter_organization: text,
    submitter_organization_main_address: text,
    submitter_individual_name: text,
    submitter_individual_email: text,
    description: long,
  },
  orders: { name, information_packages: { type: 'references', to: 'information-packages' } },
  'me/searches': { name, query: { type: 'query', isRequired: true } },
  profiles: {
    name,
    profile_type: name,
    type: text,
    status: text,
    label: text,
    structure: json,
    template: json,
  },
  'event-types': { EventDetail: name, EventType: { ...number, isRequired: true } },
  'structure-types': vocabulary({
    instance_name: text,
    editable_instances: flag,
    movable_instance_units: flag,
    editable_instance_relations: flag,
  }),
  'tag-version-types': vocabulary({ archive_type: flag, information_package_type: flag }),
  'ref-codes': { country: name, repository_code: name },
  languages: { id: name, name_native: name },
  'delivery-types': vocabulary(),
  'metric-types': vocabulary(),
  'location-level-types': vocabulary(),
  'location-function-types': vocabulary(),
  'agent-types': { main_type: name, sub_type: text, cpf: name },
  'agent-name-types': vocabulary({ authority: flag }),
  'agent-note-types': vocabulary({ history: flag }),
  'agent-identifier-types': vocabulary(),
  'agent-place-types': vocabulary(),
  'agent-relation-types': vocabulary({ mirrored_type: one('agent-relation-types') }),
  'node-relation-types': vocabulary(),
  'node-note-types': vocabulary({ history: flag }),
  'node-identifier-types': vocabulary(),
}

export const createsIn = (list: ListName): Record<string, CreationField> | undefined => creates[list]
