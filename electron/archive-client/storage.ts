import * as v from 'valibot'
import { blockSizeName, formatName, locationStatusName, mediumStatusName, meaningOf } from './codes.ts'
import { plainList } from './listing.ts'
import * as wire from './wire.ts'

const objectFields = {
  id: wire.id,
  content_location_type: wire.maybeNumber,
  content_location_value: wire.text,
  last_changed_local: wire.text,
  last_changed_external: wire.maybeText,
  ip: wire.maybeId,
  medium_id: wire.text,
  target_name: wire.text,
  target_target: wire.text,
  storage_medium: wire.maybeId,
  container: v.optional(v.fallback(v.boolean(), false), false),
}
const mediumFields = {
  id: wire.id,
  medium_id: wire.text,
  status: wire.maybeNumber,
  status_display: wire.text,
  location: wire.text,
  location_status: wire.maybeNumber,
  location_status_display: wire.text,
  block_size: wire.maybeNumber,
  format: wire.maybeNumber,
  block_size_display: wire.text,
  format_display: wire.text,
  used_capacity: wire.number,
  num_of_mounts: wire.maybeNumber,
  create_date: wire.maybeText,
  agent: wire.text,
  storage_target: wire.maybeId,
  tape_slot: wire.anything,
  tape_drive: wire.anything,
}
const targetFields = {
  id: wire.id,
  name: wire.text,
  status: wire.maybeFlag,
  type: wire.maybeNumber,
  max_capacity: wire.number,
  target: wire.text,
}
const relationFields = {
  id: wire.id,
  name: wire.text,
  status: wire.maybeNumber,
  storage_target: wire.maybeId,
  storage_method: wire.maybeId,
}
const flag = v.optional(v.fallback(v.boolean(), false), false)
const methodFields = { id: wire.id, name: wire.text, enabled: flag, type: wire.maybeNumber, containers: flag }
const policyFields = {
  id: wire.id,
  policy_name: wire.text,
  policy_stat: v.optional(v.fallback(v.boolean(), false), false),
  ingest_path: v.optional(v.fallback(v.nullable(v.looseObject({ value: wire.text })), null), null),
  storage_methods: v.optional(v.fallback(v.array(v.looseObject(methodFields)), []), []),
}

/** A code by its meaning, else the code itself. */
const named = (list: string, field: string, code: number | null) =>
  meaningOf(list, field, code) ?? (code === null ? '' : String(code))

const toObject = (value: unknown) => {
  const it = v.parse(v.looseObject(objectFields), value)
  return {
    id: it.id,
    package: it.ip ?? '',
    medium: it.storage_medium,
    mediumId: it.medium_id,
    path: it.content_location_value,
    targetName: it.target_name,
    targetPath: it.target_target,
    written: it.last_changed_local,
    container: it.container,
  }
}

const toMedium = (value: unknown) => {
  const it = v.parse(v.looseObject(mediumFields), value)
  return {
    id: it.id,
    name: it.medium_id,
    statusCode: it.status,
    status: it.status_display || mediumStatusName(it.status),
    location: it.location,
    locationStatus: it.location_status_display || locationStatusName(it.location_status),
    usedBytes: it.used_capacity,
    blockSize: it.block_size_display || blockSizeName(it.block_size),
    format: it.format_display || formatName(it.format),
    mounts: it.num_of_mounts,
    created: it.create_date,
    agent: it.agent,
    target: it.storage_target,
    slot: it.tape_slot ?? null,
    drive: it.tape_drive ?? null,
    unknown: wire.fieldsBeside(it, mediumFields),
  }
}

const toTarget = (value: unknown) => {
  const it = v.parse(v.looseObject(targetFields), value)
  return {
    id: it.id,
    name: it.name,
    isEnabled: it.status,
    capacityBytes: it.max_capacity > 0 ? it.max_capacity : null,
    path: it.target,
    type: named('storage-targets', 'type', it.type),
  }
}

const toRelation = (value: unknown) => {
  const it = v.parse(v.looseObject(relationFields), value)
  return {
    id: it.id,
    name: it.name,
    code: it.status,
    status: named('storage-method-target-relations', 'status', it.status),
    target: it.storage_target,
    method: it.storage_method,
  }
}

const toMethod = (value: unknown) => {
  const it = v.parse(v.looseObject(methodFields), value)
  return {
    id: it.id,
    name: it.name,
    isEnabled: it.enabled,
    type: named('storage-methods', 'type', it.type),
    inContainers: it.containers,
  }
}

const toPolicy = (value: unknown) => {
  const it = v.parse(v.looseObject(policyFields), value)
  return {
    id: it.id,
    name: it.policy_name,
    isActive: it.policy_stat,
    ingestFolder: it.ingest_path?.value || null,
    methods: it.storage_methods.map(({ id, name, enabled }) => ({ id, name, isEnabled: enabled })),
  }
}

export type StorageObject = ReturnType<typeof toObject>
export type StorageMedium = ReturnType<typeof toMedium>
export type StorageTarget = ReturnType<typeof toTarget>
export type StorageRelation = ReturnType<typeof toRelation>
export type StorageMethod = ReturnType<typeof toMethod>
export type StoragePolicy = ReturnType<typeof toPolicy>

/** The lists of storage (specification 2.2 to 2.7). */
export const objects = plainList('storage-objects/', toObject)
export const media = plainList('storage-mediums/', toMedium)
export const targets = plainList('storage-targets/', toTarget)
export const relations = plainList('storage-method-target-relations/', toRelation)
export const methods = plainList('storage-methods/', toMethod)
export const policies = plainList('storage-policies/', toPolicy)
