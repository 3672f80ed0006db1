import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { checksum, eventTypes, isTape, medium, relation, storage } from './codes.ts'
import type { Body, Database } from './database.ts'
import { fillVocabularies } from './vocabulary-defaults.ts'

/** A place for copies: a method, its target, and the medium now written to. */
export interface Store {
  method: string
  target: string
  type: number
  room: string
  locationStatus: number
  media: { name: string; status: keyof typeof medium.status; usedBytes: number }[]
  capacityBytes: number
  enabled: boolean
}

/** Event types, which every archive here has. */
export const fillEventTypes = ({ put }: Database) => {
  for (const [code, detail] of Object.entries(eventTypes))
    put('event type', { id: Number(code), eventType: Number(code), eventDetail: detail })
}

const locationWords: Record<number, string> = { 30: 'Placed', 50: 'Robot' }

/** Enters methods, targets, relations and media; gives the ids of the methods in order. */
export const fillStores = ({ put }: Database, data: string, stores: Store[], made: Date): string[] =>
  stores.map((store) => {
    const folder = path.join(data, 'storage', store.target)
    mkdirSync(folder, { recursive: true })
    const target = put('storage target', {
      id: randomUUID(),
      name: store.target,
      status: store.enabled,
      type: isTape(store.type) ? 306 : store.type,
      default_block_size: medium.blockSize,
      default_format: medium.format,
      min_chunk_size: 0,
      min_capacity_warning: 0,
      max_capacity: store.capacityBytes,
      remote_server: '',
      master_server: '',
      target: folder,
    })
    const method = put('storage method', {
      id: randomUUID(),
      name: store.method,
      enabled: store.enabled,
      type: store.type,
      targets: [target['id']],
      containers: true,
      storage_method_target_relations: [],
    })
    put('storage relation', {
      id: randomUUID(),
      name: `${store.method} → ${store.target}`,
      status: store.enabled ? relation.enabled : relation.disabled,
      storage_target: target['id'],
      storage_method: method['id'],
    })
    for (const { name, status, usedBytes } of store.media)
      put('storage medium', {
        id: randomUUID(),
        medium_id: name,
        status,
        status_display: medium.status[status],
        location: store.room,
        location_status: store.locationStatus,
        location_status_display: locationWords[store.locationStatus],
        block_size: medium.blockSize,
        format: medium.format,
        used_capacity: usedBytes,
        num_of_mounts: isTape(store.type) ? 14 : 0,
        create_date: made.toISOString(),
        agent: 'Lectern local archive',
        storage_target: target['id'],
        tape_slot: null,
        tape_drive: null,
      })
    return String(method['id'])
  })

/** Enters a policy over these methods (specification 2.7); its ingest folder is on this machine. */
export const fillPolicy = ({ put }: Database, name: string, methods: string[], ingest: string): Body =>
  put('storage policy', {
    id: randomUUID(),
    index: true,
    cache_minimum_capacity: 0,
    cache_maximum_age: 0,
    policy_id: '1',
    policy_name: name,
    policy_stat: true,
    ais_project_name: '',
    ais_project_id: '',
    mode: 0,
    wait_for_approval: false,
    checksum_algorithm: checksum.sha256,
    validate_checksum: true,
    validate_xml: false,
    ip_type: 1,
    preingest_metadata: 0,
    ingest_metadata: 1,
    information_class: 0,
    ingest_delete: true,
    receive_extract_sip: false,
    cache_storage: methods[0],
    ingest_path: { id: randomUUID(), entity: 'path_ingest', value: ingest },
    storage_methods: methods,
  })

/**
 * An archive with nothing in it yet: three folders for copies, one policy, one delivery type and one delivery
 * to begin with.
 */
export const fillEmptyArchive = (database: Database, data: string, ingest: string) =>
  database.transaction(() => {
    const made = new Date()
    const folder = (number: number): Store => ({
      method: `Folder ${number}`,
      target: `folder-${number}`,
      type: storage.disk,
      room: 'This computer',
      locationStatus: 30,
      media: [{ name: `FOLDER-${number}`, status: 20, usedBytes: 0 }],
      capacityBytes: 0,
      enabled: true,
    })
    fillEventTypes(database)
    fillVocabularies(database)
    fillPolicy(
      database,
      'Three copies on this computer',
      fillStores(database, data, [1, 2, 3].map(folder), made),
      ingest,
    )
    database.put('delivery type', { id: 1, name: 'Delivery' })
    database.put('delivery', {
      id: 1,
      name: 'First delivery',
      type: 1,
      description: '',
      submission_agreement: null,
      producer_organization: null,
      reference_code: '',
    })
  })
