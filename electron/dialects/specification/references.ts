import type { RecordLink } from '../../contract/description.ts'
import type { ListName } from '../../contract/lists.ts'
import { entryIn, isRecord, keysOf } from '../../common/records.ts'

type Target = RecordLink['list']

const profiles =
  'transfer_project content_type data_selection authority_information archival_description import ' +
  'submit_description sip aic_description aip aip_description dip workflow preservation_metadata ' +
  'event validation'

/**
 * Which fields of a record refer to records of other lists; "names.type" is the field `type` of each row of
 * `names`.
 */
const references: Partial<Record<ListName, Record<string, Target>>> = {
  agents: {
    type: 'agent-types',
    ref_code: 'ref-codes',
    language: 'languages',
    'names.type': 'agent-name-types',
    'notes.type': 'agent-note-types',
    'identifiers.type': 'agent-identifier-types',
    'places.type': 'agent-place-types',
    'related_agents.type': 'agent-relation-types',
    'related_agents.agent': 'agents',
  },
  structures: { type: 'structure-types', 'related_structures.structure': 'structures' },
  'structure-units': {
    structure: 'structures',
    parent: 'structure-units',
    'related_structure_units.structure_unit': 'structure-units',
  },
  tags: {
    type: 'tag-version-types',
    agent: 'agents',
    information_package: 'information-packages',
    'structures.structure': 'structures',
    'structures.structure_unit': 'structure-units',
    'structures.parent': 'tags',
  },
  locations: {
    parent: 'locations',
    level_type: 'location-level-types',
    function: 'location-function-types',
    metric: 'metric-types',
  },
  deliveries: {
    type: 'delivery-types',
    submission_agreement: 'submission-agreements',
    producer_organization: 'agents',
  },
  transfers: { delivery: 'deliveries' },
  orders: { information_packages: 'information-packages' },
  'submission-agreements': {
    policy: 'storage-policies',
    ...Object.fromEntries(profiles.split(' ').map((type) => [`profile_${type}`, 'profiles' as const])),
  },
  'storage-policies': { cache_storage: 'storage-methods', storage_methods: 'storage-methods' },
  'storage-methods': {
    targets: 'storage-targets',
    storage_method_target_relations: 'storage-method-target-relations',
  },
  'storage-method-target-relations': { storage_target: 'storage-targets', storage_method: 'storage-methods' },
  'storage-objects': { ip: 'information-packages', storage_medium: 'storage-mediums' },
  events: {
    eventType: 'event-types',
    transfer: 'transfers',
    delivery: 'deliveries',
    information_package: 'information-packages',
  },
  'agent-relation-types': { mirrored_type: 'agent-relation-types' },
}

export const targetOf = (list: ListName, field: string): Target | undefined =>
  entryIn(references[list] ?? {}, field)

/** Lists whose records may refer to those of a list. */
export const referringTo = (target: Target): ListName[] =>
  keysOf(references).filter((list) => Object.values(references[list] ?? {}).includes(target))

/** Every reference of a record, as "list:id". */
export const referencesOf = (
  list: ListName,
  record: Record<string, unknown>,
  idOf: (value: unknown) => string,
): string[] => {
  const found = Object.entries(references[list] ?? {}).flatMap(([field, target]) => {
    const [outer = '', inner] = field.split('.')
    const values = [record[outer]]
      .flat()
      .map((value) => (inner === undefined ? value : isRecord(value) ? value[inner] : undefined))
    return values
      .map(idOf)
      .filter(Boolean)
      .map((id) => `${target}:${id}`)
  })
  return [...new Set(found)]
}
