import type { Account, Person } from '../../electron/local-archive/accounts/accounts.ts'

/** The model behind each list, which names its permissions: `app.add_model`. */
const models: Record<string, string> = {
  agents: 'agents.agent',
  'agent-types': 'agents.agenttype',
  'agent-name-types': 'agents.agentnametype',
  'agent-note-types': 'agents.agentnotetype',
  'agent-identifier-types': 'agents.agentidentifiertype',
  'agent-place-types': 'agents.agentplacetype',
  'agent-relation-types': 'agents.agentrelationtype',
  'ref-codes': 'agents.refcode',
  deliveries: 'tags.delivery',
  'delivery-types': 'tags.deliverytype',
  transfers: 'tags.transfer',
  locations: 'tags.location',
  'location-level-types': 'tags.locationleveltype',
  'location-function-types': 'tags.locationfunctiontype',
  'metric-types': 'tags.metrictype',
  'node-relation-types': 'tags.noderelationtype',
  'node-note-types': 'tags.nodenotetype',
  'node-identifier-types': 'tags.nodeidentifiertype',
  'tag-version-types': 'tags.tagversiontype',
  structures: 'tags.structure',
  'structure-types': 'tags.structuretype',
  'structure-units': 'tags.structureunit',
  'me/searches': 'tags.search',
  'event-types': 'configuration.eventtype',
  events: 'ip.eventip',
  profiles: 'profiles.profile',
  'order-types': 'ip.ordertype',
}

const reading = [
  'ip.get_from_storage',
  'ip.get_from_storage_as_new',
  'ip.get_tar_from_storage',
  'ip.prepare_dip',
  'ip.prepare_ip',
  'ip.prepare_order',
  'ip.add_order',
  'ip.change_order',
]
const more = [
  'ip.add_informationpackage',
  'ip.delete_informationpackage',
  'ip.change_sa',
  'ip.lock_sa',
  'ip.receive',
  'ip.preserve',
  'ip.view_informationpackage',
  'ip.add_eventip',
  'ip.see_other_user_ip_files',
  'tags.search',
  'tags.view_search',
  'tags.view_delivery',
  'tags.view_transfer',
]
/**
 * The role Archivist of a default installation: reads and orders, and only looks at deliveries, transfers and
 * agents.
 */
const archivist = [...reading, ...more]
const describing = Object.entries(models)
  .filter(([list]) => list !== 'me/searches')
  .flatMap(([, model]) => ['add', 'change', 'delete'].map((act) => model.replace('.', `.${act}_`)))

/** The stock role Producer brings packages until they are submitted. */
const producer = [
  'ip.add_informationpackage',
  'ip.prepare_ip',
  'ip.view_informationpackage',
  'ip.see_other_user_ip_files',
  'ip.delete_informationpackage',
  'ip.add_eventip',
]
/** The stock role User only looks. */
const user = ['ip.view_informationpackage', 'ip.prepare_ip', 'tags.search', 'tags.view_transfer']

/** Who has one of these roles and no other. */
export const people: Person[] = [
  { username: 'producer', role: 'reader', first: 'Register', last: 'Office', email: 'producer@localhost' },
  { username: 'user', role: 'reader', first: 'Some', last: 'Body', email: 'user@localhost' },
]
const byName: Record<string, string[]> = { producer, user }

/**
 * Who may do what: `archivist` has the roles Archivist, Delivery Manager and Administrator, though nobody but
 * a superuser may save a search; `reader` has the role Archivist alone; `administrator` is a superuser;
 * `producer` and `user` have the roles of these names.
 */
export const permissionsOf = ({ role, user: { username } }: Account): string[] => {
  const named = byName[String(username)]
  if (named) return named
  if (role === 'reader') return archivist
  return [
    ...archivist,
    ...describing,
    'tags.create_archive',
    'tags.add_tag',
    'tags.change_tag',
    'tags.publish_structure',
    ...(role === 'administrator'
      ? ['tags.add_search', 'tags.change_search', 'tags.delete_search', 'storage.change_storagemedium']
      : []),
  ]
}

/** Whether somebody may do something with a list; nobody may create units in the list of all units. */
export const may = (account: Account, act: 'add' | 'change', list: string): boolean => {
  if (list === 'structure-units' && act === 'add') return false
  if (list === 'orders' || list === 'notifications') return true
  const model = models[list]
  return model !== undefined && permissionsOf(account).includes(model.replace('.', `.${act}_`))
}
