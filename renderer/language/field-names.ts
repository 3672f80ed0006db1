import type { Language } from './form.ts'

/** Fields of the interface in Swedish; in English their own names read well enough. */
const swedish: Record<string, string> = {
  ...{
    id: 'id',
    name: 'namn',
    names: 'namn',
    type: 'typ',
    description: 'beskrivning',
    label: 'etikett',
    status: 'status',
    version: 'version',
    text: 'text',
    notes: 'anteckningar',
  },
  ...{
    main: 'huvudnamn',
    part: 'del',
    certainty: 'säkerhet',
    start_date: 'från',
    end_date: 'till',
    create_date: 'skapad',
    revise_date: 'ändrad',
    href: 'länk',
  },
  ...{
    identifiers: 'identifierare',
    identifier: 'identifierare',
    places: 'platser',
    related_agents: 'relationer',
    agent: 'aktör',
    agents: 'aktörer',
    mandates: 'mandat',
  },
  ...{
    ref_code: 'referenskod',
    reference_code: 'referenskod',
    language: 'språk',
    level_of_detail: 'detaljnivå',
    record_status: 'postens status',
    script: 'skrift',
  },
  ...{
    organization: 'organisation',
    country: 'land',
    repository_code: 'arkivkod',
    main_type: 'huvudtyp',
    sub_type: 'undertyp',
    cpf: 'slag',
    mirrored_type: 'omvänd typ',
  },
  ...{
    structure: 'struktur',
    structures: 'strukturer',
    structure_unit: 'strukturenhet',
    structure_units: 'strukturenheter',
    parent: 'ligger under',
    template: 'mall',
    is_template: 'är mall',
  },
  ...{
    version_link: 'versionslänk',
    created_by: 'skapad av',
    revised_by: 'ändrad av',
    published: 'publicerad',
    published_date: 'publicerad',
    is_editable: 'kan ändras',
  },
  ...{
    specification: 'specifikation',
    rule_convention_type: 'regelverk',
    related_structures: 'närliggande strukturer',
    archive_name: 'arkiv',
    instances_num: 'antal instanser',
  },
  ...{
    is_leaf_node: 'har inget under sig',
    is_unit_leaf_node: 'har inga enheter under sig',
    is_tag_leaf_node: 'har inga taggar',
    structure_name: 'strukturens namn',
  },
  ...{
    related_structure_units: 'närliggande enheter',
    name_with_dates: 'namn med år',
    elastic_index: 'index',
    other_versions: 'andra versioner',
    information_package: 'informationspaket',
  },
  ...{
    level_type: 'nivå',
    function: 'funktion',
    metric: 'mått',
    capacity: 'kapacitet',
    delivery: 'leverans',
    submission_agreement: 'leveransöverenskommelse',
  },
  ...{
    producer_organization: 'producent',
    submitter_organization: 'levererande organisation',
    submitter_organization_main_address: 'dess adress',
  },
  ...{
    submitter_individual_name: 'levererad av',
    submitter_individual_phone: 'telefon',
    submitter_individual_email: 'e-post',
    responsible: 'ansvarig',
  },
  ...{
    information_packages: 'informationspaket',
    personal_number: 'personnummer',
    first_name: 'förnamn',
    family_name: 'efternamn',
    last_name: 'efternamn',
    address: 'adress',
  },
  ...{
    postal_code: 'postnummer',
    city: 'ort',
    phone: 'telefon',
    order_content: 'beställningens innehåll',
    query: 'fråga',
    user: 'användare',
    username: 'användarnamn',
    email: 'e-post',
  },
  ...{
    profile_type: 'profiltyp',
    profile: 'profil',
    profiles: 'profiler',
    included: 'ingår',
    archivist_organization: 'arkivbildare',
    policy: 'policy',
    additional: 'övrigt',
  },
  ...{
    eventType: 'händelsetyp',
    eventDetail: 'händelse',
    eventDateTime: 'tidpunkt',
    eventOutcome: 'utfall',
    eventOutcomeDetailNote: 'om utfallet',
    eventVersion: 'version',
  },
  ...{
    eventIdentifierValue: 'händelsens id',
    linkingAgentIdentifierValue: 'aktör',
    linkingAgentRole: 'aktörens roll',
    transfer: 'överföring',
    EventType: 'händelsetyp',
    EventDetail: 'beskrivning',
  },
  ...{
    level: 'nivå',
    message: 'meddelande',
    time_created: 'tidpunkt',
    seen: 'sett',
    enabled: 'i bruk',
    targets: 'mål',
    containers: 'behållare',
    policy_id: 'policyns id',
  },
  ...{
    policy_name: 'namn',
    policy_stat: 'i bruk',
    index: 'indexeras',
    mode: 'läge',
    wait_for_approval: 'väntar på godkännande',
    checksum_algorithm: 'kontrollsumma',
  },
  ...{
    validate_checksum: 'kontrollerar kontrollsummor',
    validate_xml: 'kontrollerar XML',
    ip_type: 'pakettyp',
    preingest_metadata: 'metadata före mottagning',
    ingest_metadata: 'metadata vid mottagning',
  },
  ...{
    information_class: 'informationsklass',
    ingest_delete: 'tas bort efter mottagning',
    receive_extract_sip: 'packar upp SIP',
    cache_storage: 'cachelagring',
    ingest_path: 'mottagningsmapp',
  },
  ...{
    cache_minimum_capacity: 'cachens minsta storlek',
    cache_maximum_age: 'cachens längsta ålder',
    storage_methods: 'lagringsmetoder',
    storage_method: 'lagringsmetod',
    storage_target: 'lagringsmål',
  },
  ...{
    storage_method_target_relations: 'metodernas mål',
    ais_project_name: 'AIS-projekt',
    ais_project_id: 'AIS-projektets id',
    target: 'sökväg',
    default_block_size: 'blockstorlek',
  },
  ...{
    default_format: 'format',
    min_chunk_size: 'minsta del',
    min_capacity_warning: 'varnar under',
    max_capacity: 'rymmer',
    remote_server: 'fjärrserver',
    master_server: 'huvudserver',
  },
  ...{
    content_location_type: 'lagringsslag',
    content_location_value: 'sökväg',
    last_changed_local: 'ändrad här',
    last_changed_external: 'ändrad på annat håll',
    ip: 'informationspaket',
  },
  ...{
    medium_id: 'medium',
    target_name: 'mål',
    target_target: 'målets sökväg',
    storage_medium: 'medium',
    container: 'i container',
    country_code: 'landskod',
    instance_name: 'namn på instanser',
  },
  ...{
    editable_instances: 'instanser kan ändras',
    movable_instance_units: 'enheter kan flyttas',
    editable_instance_relations: 'relationer kan ändras',
    archive_type: 'är arkivtyp',
  },
  ...{
    information_package_type: 'är informationspaket',
    name_native: 'eget namn',
    authority: 'auktoriserad',
    history: 'historik',
    pk: 'nummer',
  },
}

const capital = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

/**
 * What a field of a record is called.
 * @param said what the archive itself calls it
 */
export const fieldName = (name: string, language: Language, said = ''): string => {
  const own = language === 'sv' ? swedish[name] : undefined
  return capital(
    own ??
      (said ||
        name
          .replaceAll('_', ' ')
          .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
          .toLowerCase()),
  )
}
