import * as v from 'valibot'
import type { MediumUse, RelationUse } from '../../contract/storage.ts'
import {
  blockSizeName,
  formatName,
  locationStatusName,
  mediumStatusName,
  meaningOf,
} from '../essarch/codes.ts'
import type {
  StorageMedium,
  StorageMethod,
  StorageObject,
  StoragePolicy,
  StorageRelation,
  StorageTarget,
} from '../models.ts'
import { plainList } from './plain-list.ts'
import * as wire from '../wire.ts'

const objectFields = {
  id: wire.id,
  content_location_type: wire.maybeNumber,
  content_location_value: wire.text,
  /** ESSArch: the whole path, where the other is only the part below the target. */
  content_location_value_display: wire.text,
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
  information_class: wire.maybeNumber,
  ingest_path: v.optional(v.fallback(v.nullable(v.looseObject({ value: wire.text })), null), null),
  storage_methods: v.optional(v.fallback(v.array(v.looseObject(methodFields)), []), []),
}

/** A code by its meaning, else the code itself. */
const named = (list: string, field: string, code: number | null) =>
  meaningOf(list, field, code) ?? (code === null ? '' : String(code))

const toObject = (value: unknown): StorageObject => {
  const object = v.parse(v.looseObject(objectFields), value)
  return {
    id: object.id,
    package: object.ip ?? '',
    medium: object.storage_medium,
    mediumId: object.medium_id,
    path: object.content_location_value_display || object.content_location_value,
    targetName: object.target_name,
    targetPath: object.target_target,
    written: object.last_changed_local,
    container: object.container,
  }
}

/** What the status of a medium lets one do (specification 2.3, ESSArch). */
const uses: Record<number, MediumUse> = { 20: 'written', 30: 'full', 100: 'failed' }

/** What is shown of the code by ESSArch has the code in it. */
const formatMeaning = (code: number | null) => meaningOf('storage-targets', 'default_format', code)

const toMedium = (value: unknown): StorageMedium => {
  const medium = v.parse(v.looseObject(mediumFields), value)
  return {
    id: medium.id,
    name: medium.medium_id,
    use: uses[medium.status ?? 0] ?? 'other',
    statusCode: medium.status,
    status: medium.status_display || mediumStatusName(medium.status),
    location: medium.location,
    locationStatus: medium.location_status_display || locationStatusName(medium.location_status),
    usedBytes: medium.used_capacity,
    blockSize: medium.block_size_display || blockSizeName(medium.block_size),
    format: formatMeaning(medium.format) ?? (medium.format_display || formatName(medium.format)),
    mounts: medium.num_of_mounts,
    created: medium.create_date,
    agent: medium.agent,
    target: medium.storage_target,
    slot: medium.tape_slot ?? null,
    drive: medium.tape_drive ?? null,
    unknown: wire.fieldsBeside(medium, mediumFields),
  }
}

const toTarget = (value: unknown): StorageTarget => {
  const target = v.parse(v.looseObject(targetFields), value)
  return {
    id: target.id,
    name: target.name,
    isEnabled: target.status,
    capacityBytes: target.max_capacity > 0 ? target.max_capacity : null,
    path: target.target,
    type: named('storage-targets', 'type', target.type),
  }
}

/** What the status of a relation lets one do (ESSArch); one that says nothing of it is used. */
const relationUses: Record<number, RelationUse> = {
  0: 'disabled',
  1: 'written',
  2: 'read-only',
  3: 'migrated',
}

const toRelation = (value: unknown): StorageRelation => {
  const relation = v.parse(v.looseObject(relationFields), value)
  return {
    id: relation.id,
    name: relation.name,
    use: relationUses[relation.status ?? 1] ?? 'other',
    status: named('storage-method-target-relations', 'status', relation.status),
    target: relation.storage_target,
    method: relation.storage_method,
  }
}

const toMethod = (value: unknown): StorageMethod => {
  const method = v.parse(v.looseObject(methodFields), value)
  return {
    id: method.id,
    name: method.name,
    isEnabled: method.enabled,
    type: named('storage-methods', 'type', method.type),
    inContainers: method.containers,
  }
}

const toPolicy = (value: unknown): StoragePolicy => {
  const policy = v.parse(v.looseObject(policyFields), value)
  return {
    id: policy.id,
    name: policy.policy_name,
    isActive: policy.policy_stat,
    informationClass: policy.information_class,
    ingestFolder: policy.ingest_path?.value || null,
    methods: policy.storage_methods.map(({ id, name, enabled }) => ({ id, name, isEnabled: enabled })),
  }
}

/** The lists of storage (specification 2.2 to 2.7). */
export const objects = plainList({
  path: 'storage-objects/',
  version: 2,
  pageOrder: { ordering: 'last_changed_local' },
  read: toObject,
})
export const media = plainList({ path: 'storage-mediums/', version: 2, read: toMedium })
export const targets = plainList({ path: 'storage-targets/', version: 1, read: toTarget })
export const relations = plainList({ path: 'storage-method-target-relations/', version: 2, read: toRelation })
export const methods = plainList({ path: 'storage-methods/', version: 1, read: toMethod })
export const policies = plainList({ path: 'storage-policies/', version: 2, read: toPolicy })
