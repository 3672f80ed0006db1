import type { Body, Database } from '../database.ts'
import { embedded, type Resource } from './resource.ts'
import { idsIn } from '../http/body-values.ts'

const showRelation = (body: Body, database: Database): Body => ({
  ...body,
  storage_target: embedded('storage target', body['storage_target'], database),
})

const showMethod = (body: Body, database: Database): Body => {
  const relations = database.where('storage relation', 'storage_method', String(body['id']))
  return {
    ...body,
    targets: relations.map((relation) => relation['storage_target']),
    storage_method_target_relations: relations.map((relation) => showRelation(relation, database)),
  }
}

const showPolicy = (body: Body, database: Database): Body => {
  const methods = idsIn(body['storage_methods'])
    .map((id) => database.one('storage method', id))
    .filter((method) => method !== undefined)
  const cache = embedded('storage method', body['cache_storage'], database)
  return {
    ...body,
    cache_storage: cache && showMethod(cache, database),
    storage_methods: methods.map((method) => showMethod(method, database)),
  }
}

/** Where copies lie (specification 2.2 to 2.7). */
export const storage: Record<string, Resource> = {
  'storage-objects': { kind: 'storage object' },
  'storage-mediums': { kind: 'storage medium' },
  'storage-methods': { kind: 'storage method', show: showMethod },
  'storage-method-target-relations': { kind: 'storage relation', show: showRelation },
  'storage-policies': { kind: 'storage policy', show: showPolicy },
  'storage-targets': { kind: 'storage target' },
}
