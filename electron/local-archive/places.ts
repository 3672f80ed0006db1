import { randomUUID } from 'node:crypto'
import { idsIn } from './http/body-values.ts'
import { isTape, storage } from './codes.ts'
import type { Body, Database } from './database.ts'

/** A medium that takes new copies, and the target it belongs to. */
export interface Place {
  medium: Body
  target: Body
}

/** The writable medium of every enabled target that the policy's enabled methods reach. */
export const placesOf = (database: Database, policy: Body): Place[] =>
  idsIn(policy['storage_methods'])
    .map((id) => database.one('storage method', id))
    .filter((method) => method?.['enabled'] === true)
    .flatMap((method) => database.where('storage relation', 'storage_method', String(method?.['id'])))
    .filter((relation) => relation['status'] === 1)
    .map((relation) => database.one('storage target', String(relation['storage_target'])))
    .filter((target) => target !== undefined)
    .filter((target) => target['status'] === true)
    .map((target) => {
      const medium = database
        .where('storage medium', 'storage_target', String(target['id']))
        .find((medium) => medium['status'] === 20)
      if (!medium) throw new Error(`The target ${String(target['name'])} has no medium that can be written.`)
      return { medium, target }
    })

/** The policy by which packages are preserved. */
export const policyOf = (database: Database): Body => {
  const policy = database.list('storage policy').find((one) => one['policy_stat'] === true)
  if (!policy) throw new Error('The archive has no active storage policy.')
  return policy
}

/** A copy as storage has it, and what it takes of its medium. */
export const recordCopy = (
  database: Database,
  { medium, target }: Place,
  copy: { package: string; file: string | undefined; bytes: number; time: string },
) => {
  database.put('storage object', {
    id: randomUUID(),
    content_location_type: isTape(target['type']) ? storage.tape : storage.disk,
    content_location_value: copy.file,
    last_changed_local: copy.time,
    last_changed_external: null,
    ip: copy.package,
    medium_id: medium['medium_id'],
    target_name: target['name'],
    target_target: target['target'],
    storage_medium: medium['id'],
    container: true,
  })
  // Others may have been written to it meanwhile.
  const written = database.one('storage medium', String(medium['id'])) ?? medium
  database.put('storage medium', {
    ...written,
    used_capacity: Number(written['used_capacity']) + copy.bytes,
  })
}
