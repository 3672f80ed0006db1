/** The types that JSON knows, with whole numbers told apart. */
export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'missing'

/**
 * What a field holds: one of some types; or an object, an array of objects, or an object of objects under any
 * keys.
 */
export type Shape = FieldType[] | Nested
interface Nested {
  how: 'object' | 'array' | 'values'
  of: Fields
  isNullable?: boolean
  /** It may be left out: a profile that is not attached. */
  isOptional?: boolean
}
export type Fields = Record<string, Shape>
export const isNested = (shape: Shape): shape is Nested => !Array.isArray(shape)
const one = (of: Fields): Nested => ({ how: 'object', of })
const many = (of: Fields): Nested => ({ how: 'array', of })

const fields = (text: string, ...types: FieldType[]): Record<string, FieldType[]> =>
  Object.fromEntries(text.split(/\s+/).map((name) => [name, types]))

const text = (names: string) => fields(names, 'string')
const maybeText = (names: string) => fields(names, 'string', 'null')
const whole = (names: string) => fields(names, 'integer')
const flag = (names: string) => fields(names, 'boolean')

const includes =
  'transfer_project content_type data_selection authority_information archival_description import ' +
  'submit_description sip aip dip workflow preservation_metadata'
const profiles =
  'transfer_project content_type data_selection authority_information archival_description import ' +
  'submit_description sip aic_description aip aip_description dip workflow preservation_metadata ' +
  'event validation'
const prefixed = (prefix: string, names: string) =>
  names
    .split(' ')
    .map((name) => prefix + name)
    .join(' ')

/** 2.1 */
const user: Fields = { ...whole('id'), ...text('username first_name last_name email last_login date_joined') }
/** 2.4 */
const target: Fields = {
  ...text('id name remote_server master_server target'),
  ...flag('status'),
  ...whole('type default_block_size default_format min_chunk_size min_capacity_warning max_capacity'),
}
/** 2.5 */
const relation: Fields = {
  ...text('id name storage_method'),
  ...whole('status'),
  storage_target: one(target),
}
/** 2.6 */
const method: Fields = {
  ...text('id name'),
  ...flag('enabled containers'),
  ...whole('type'),
  ...fields('targets', 'array'),
  storage_method_target_relations: many(relation),
}
/** 2.12 */
const profileOfPackage: Fields = {
  ...text('id profile ip profile_name profile_type'),
  ...flag('included Unlockable'),
  ...whole('LockedBy'),
  ...fields('data_versions', 'array'),
}
/** 2.9, both levels */
const anyPackage: Fields = {
  ...text(
    'id label object_identifier_value package_type_display create_date state step_state ' +
      'message_digest object_path',
  ),
  ...whole('package_type object_size'),
  ...fields('status', 'integer', 'number'),
  responsible: one(user),
  // 2.10
  agents: {
    how: 'values',
    of: { ...whole('id'), ...text('role type name code'), notes: many({ ...whole('id'), ...text('note') }) },
  },
  // When the contents are from is a timestamp there; where nobody says it, archives give null.
  ...maybeText('entry_date aic policy submission_agreement appraisal_date start_date end_date'),
  ...fields('generation message_digest_algorithm', 'integer', 'null'),
  ...flag('archived cached submission_agreement_locked first_generation last_generation'),
  ...fields('workarea permissions', 'array'),
  organization: { how: 'object', of: { ...whole('id group_type'), ...text('name') }, isNullable: true },
}
const profileTitles = [
  'Transfer Project',
  'Content Type',
  'Data Selection',
  'Authority Information',
  'Archival Description',
  'Import',
  'Submit Description',
  'SIP',
  'AIC Description',
  'AIP',
  'AIP Description',
  'DIP',
  'Workflow',
  'Preservation Metadata',
  'Event',
  'Validation',
]
/** 2.9, the nested level */
const nestedPackage: Fields = {
  ...anyPackage,
  ...whole(
    'object_num_items content_mets_size content_mets_digest_algorithm package_mets_size ' +
      'package_mets_digest_algorithm',
  ),
  ...text('content_mets_create_date content_mets_digest package_mets_create_date package_mets_digest'),
  ...Object.fromEntries(profileTitles.map((title) => [`profile_${title}`, ['null'] as FieldType[]])),
  ...Object.fromEntries(
    (
      'aic_description aip aip_description dip workflow transfer_project submit_description sip ' +
      'preservation_metadata'
    )
      .split(' ')
      .map((type) => [`profile_${type}`, { ...one(profileOfPackage), isOptional: true }]),
  ),
}

/**
 * Sections 2 and 4 of the specification, as far as they say what a list holds: path, field, type, null, and
 * the same of what is nested.
 */
export const specification: Record<string, Fields> = {
  'storage-objects': {
    ...text(
      'id content_location_value last_changed_local ip medium_id target_name target_target storage_medium',
    ),
    ...whole('content_location_type'),
    ...maybeText('last_changed_external'),
    ...flag('container'),
  },
  'storage-mediums': {
    ...text('id medium_id status_display location location_status_display create_date agent storage_target'),
    ...whole('status location_status block_size format used_capacity num_of_mounts'),
    ...fields('tape_slot tape_drive', 'null', 'string', 'integer', 'object'),
  },
  'storage-targets': target,
  'storage-method-target-relations': relation,
  'storage-methods': method,
  'storage-policies': {
    ...text('id policy_id policy_name ais_project_name ais_project_id'),
    ...flag(
      'index policy_stat wait_for_approval validate_checksum validate_xml ingest_delete receive_extract_sip',
    ),
    ...whole(
      'cache_minimum_capacity cache_maximum_age mode checksum_algorithm ip_type preingest_metadata ' +
        'ingest_metadata information_class',
    ),
    cache_storage: one(method),
    ingest_path: one(text('id entity value')),
    storage_methods: many(method),
  },
  'submission-agreements': {
    ...text('id name type status label archivist_organization'),
    ...flag('published'),
    ...flag(prefixed('include_profile_', includes)),
    ...maybeText(prefixed('profile_', profiles)),
    template: many({
      ...text('key type'),
      templateOptions: one({ ...text('type label'), ...flag('required') }),
    }),
  },
  'information-packages': {
    ...anyPackage,
    information_packages: many(nestedPackage),
    ...fields('new_version_in_progress', 'object', 'null'),
  },
  notifications: { ...whole('id'), ...text('level message time_created'), user: one(user), ...flag('seen') },
  events: { ...whole('id'), ...text('eventDateTime') },
  'event-types': { ...text('eventDetail'), ...whole('eventType') },
  deliveries: { ...whole('id'), ...text('name') },
  'delivery-types': { ...whole('id'), ...text('name') },
  transfers: {
    ...text(
      'id name description submitter_organization submitter_organization_main_address ' +
        'submitter_individual_name submitter_individual_email',
    ),
    ...whole('delivery'),
  },
  'me/searches': { ...text('name'), ...fields('query', 'object', 'string', 'array') },
  agents: text('id'),
  'structure-types': {
    ...text('name instance_name'),
    ...flag('editable_instances movable_instance_units editable_instance_relations'),
  },
  'tag-version-types': { ...text('name'), ...flag('archive_type information_package_type') },
  'ref-codes': { ...fields('country', 'string', 'integer'), ...text('repository_code') },
  orders: {
    ...text('id'),
    ...fields('responsible', 'object', 'integer'),
    ...fields('information_packages', 'array'),
  },
  ...Object.fromEntries(
    [
      'agent-types',
      'agent-identifier-types',
      'agent-name-types',
      'agent-note-types',
      'agent-place-types',
      'agent-relation-types',
      'locations',
      'location-level-types',
      'location-function-types',
      'languages',
      'metric-types',
      'node-relation-types',
      'node-note-types',
      'node-identifier-types',
      'structures',
      'structure-units',
      'profiles',
      'tags',
    ].map((address) => [address, fields('id', 'string', 'integer')]),
  ),
}

/**
 * What a GET gives that is no list: the logged-in user, and a search, whose shape ESSArch gives (the
 * specification does not show it).
 */
const facet = (name: string): Fields => ({
  ...whole('doc_count'),
  [name]: one({ buckets: many({ ...text('key'), ...whole('doc_count') }) }),
})
export const others: Record<string, Fields> = {
  'me/': user,
  'search/': {
    hits: many({ ...text('_index _id'), ...fields('_source', 'object') }),
    aggregations: one({ _filter_type: one(facet('type')), _filter_extension: one(facet('extension')) }),
  },
  'search/type=box,document&q=a': { ...fields('hits', 'array'), ...fields('aggregations', 'object') },
}

/**
 * Section 4.2: paths that take a POST, with a body that is right where the archive has its usual
 * vocabularies.
 */
export const creations: Record<
  string,
  (
    first: (address: string) => Promise<unknown>,
    unique: string,
  ) => Promise<Record<string, unknown>> | Record<string, unknown>
> = {
  'agent-types': (_first, unique) => ({ main_type: unique, cpf: 'person' }),
  'agent-identifier-types': (_first, name) => ({ name }),
  'agent-name-types': (_first, name) => ({ name }),
  'agent-note-types': (_first, name) => ({ name }),
  'agent-place-types': (_first, name) => ({ name }),
  'agent-relation-types': (_first, name) => ({ name }),
  agents: async (first, unique) => ({
    type: await first('agent-types'),
    ref_code: await first('ref-codes'),
    language: 'sv',
    names: [{ main: unique, type: await first('agent-name-types') }],
  }),
  deliveries: async (first, name) => ({ name, type: await first('delivery-types') }),
  'delivery-types': (_first, name) => ({ name }),
  locations: async (first, name) => ({
    name,
    level_type: await first('location-level-types'),
    function: await first('location-function-types'),
  }),
  'location-level-types': (_first, name) => ({ name }),
  'location-function-types': (_first, name) => ({ name }),
  languages: (_first, unique) => ({ id: unique.slice(-8), name_native: unique }),
  'metric-types': (_first, name) => ({ name }),
  'node-relation-types': (_first, name) => ({ name }),
  'node-note-types': (_first, name) => ({ name }),
  'node-identifier-types': (_first, name) => ({ name }),
  structures: async (first, name) => ({ name, type: await first('structure-types') }),
  'structure-units': async (first, unique) => ({
    name: unique,
    structure: await first('structures'),
    reference_code: unique,
  }),
  profiles: (_first, name) => ({ name, profile_type: 'sip' }),
  'structure-types': (_first, name) => ({
    name,
    instance_name: 'x',
    editable_instances: true,
    movable_instance_units: false,
    editable_instance_relations: true,
  }),
  tags: async (first, name) => ({ name, type: await first('tag-version-types') }),
  'tag-version-types': (_first, name) => ({ name, archive_type: true, information_package_type: false }),
  'ref-codes': (_first, repository_code) => ({ country: 'SE', repository_code }),
  transfers: async (first, name) => ({
    name,
    delivery: await first('deliveries'),
    submitter_organization: 'Å',
    submitter_organization_main_address: 'Gata 1',
    submitter_individual_name: 'B',
    submitter_individual_email: 'b@example.org',
    description: 'x',
  }),
  orders: async (first, name) => ({ name, information_packages: [await first('information-packages')] }),
  'event-types': (_first, unique) => ({
    EventType: 90_000 + (parseInt(unique.slice(-6), 36) % 9_000),
    EventDetail: unique,
  }),
  'me/searches': (_first, name) => ({ name, query: { q: 'ö' } }),
}
