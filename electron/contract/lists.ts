import { keysOf } from '../common/records.ts'

export interface ListDefinition {
  group: 'description' | 'agreements' | 'storage' | 'activity' | 'vocabularies'
  /** Records of it are created at this desk, where the archive takes them. */
  isCreatable?: boolean
  /** Its records stand below one another. */
  isTree?: boolean
}

/**
 * Every list that has a place under Description, by its name. One entry here puts a list on the desk: its
 * rows, and the page of each record. A dialect says where it is, and what a new record carries.
 */
export const lists = {
  agents: { group: 'description', isCreatable: true },
  structures: { group: 'description', isCreatable: true },
  'structure-units': { group: 'description', isTree: true, isCreatable: true },
  tags: { group: 'description', isTree: true, isCreatable: true },
  locations: { group: 'description', isTree: true, isCreatable: true },
  deliveries: { group: 'description', isCreatable: true },
  transfers: { group: 'description', isCreatable: true },
  orders: { group: 'description', isCreatable: true },
  'me/searches': { group: 'description', isCreatable: true },
  'submission-agreements': { group: 'agreements' },
  profiles: { group: 'agreements', isCreatable: true },
  'event-types': { group: 'agreements', isCreatable: true },
  'storage-policies': { group: 'storage' },
  'storage-methods': { group: 'storage' },
  'storage-targets': { group: 'storage' },
  'storage-method-target-relations': { group: 'storage' },
  'storage-objects': { group: 'storage' },
  events: { group: 'activity' },
  notifications: { group: 'activity' },
  'structure-types': { group: 'vocabularies', isCreatable: true },
  'tag-version-types': { group: 'vocabularies', isCreatable: true },
  'ref-codes': { group: 'vocabularies', isCreatable: true },
  languages: { group: 'vocabularies', isCreatable: true },
  'delivery-types': { group: 'vocabularies', isCreatable: true },
  'metric-types': { group: 'vocabularies', isCreatable: true },
  'location-level-types': { group: 'vocabularies', isCreatable: true },
  'location-function-types': { group: 'vocabularies', isCreatable: true },
  'agent-types': { group: 'vocabularies', isCreatable: true },
  'agent-name-types': { group: 'vocabularies', isCreatable: true },
  'agent-note-types': { group: 'vocabularies', isCreatable: true },
  'agent-identifier-types': { group: 'vocabularies', isCreatable: true },
  'agent-place-types': { group: 'vocabularies', isCreatable: true },
  'agent-relation-types': { group: 'vocabularies', isCreatable: true },
  'node-relation-types': { group: 'vocabularies', isCreatable: true },
  'node-note-types': { group: 'vocabularies', isCreatable: true },
  'node-identifier-types': { group: 'vocabularies', isCreatable: true },
} as const satisfies Record<string, ListDefinition>

export type ListName = keyof typeof lists
export const listNames = keysOf(lists)
export const listNamed = (path: string): ListName | undefined => listNames.find((name) => name === path)
export const definitionOf = (list: ListName): ListDefinition => lists[list]
