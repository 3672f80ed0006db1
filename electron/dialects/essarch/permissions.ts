import type { Capabilities, PackageWay } from '../../contract/capabilities.ts'
import type { ListName } from '../../contract/lists.ts'

/**
 * The models of which the permissions of one are enough for a list: `app.add_model` for a POST and
 * `app.change_model` for a PATCH, in `permissions` of /api/me/. Orders take none: whoever is signed in may
 * order, and change what they ordered.
 */
const models: Partial<Record<ListName, [app: string, ...models: string[]]>> = {
  agents: ['agents', 'agent'],
  'agent-types': ['agents', 'agenttype'],
  'agent-name-types': ['agents', 'agentnametype'],
  'agent-note-types': ['agents', 'agentnotetype'],
  'agent-identifier-types': ['agents', 'agentidentifiertype'],
  'agent-place-types': ['agents', 'agentplacetype'],
  'agent-relation-types': ['agents', 'agentrelationtype'],
  'ref-codes': ['agents', 'refcode'],
  deliveries: ['tags', 'delivery'],
  'delivery-types': ['tags', 'deliverytype'],
  transfers: ['tags', 'transfer'],
  locations: ['tags', 'location'],
  'location-level-types': ['tags', 'locationleveltype'],
  'location-function-types': ['tags', 'locationfunctiontype'],
  'metric-types': ['tags', 'metrictype'],
  'node-relation-types': ['tags', 'noderelationtype'],
  'node-note-types': ['tags', 'nodenotetype'],
  'node-identifier-types': ['tags', 'nodeidentifiertype'],
  'tag-version-types': ['tags', 'tagversiontype'],
  structures: ['tags', 'structure'],
  'structure-types': ['tags', 'structuretype'],
  // Those of templates, and those of archives.
  'structure-units': ['tags', 'structureunit', 'structureunit_instance'],
  profiles: ['profiles', 'profile'],
  'event-types': ['configuration', 'eventtype'],
  'me/searches': ['tags', 'search'],
}

const hasFor = (
  act: 'add' | 'change',
  { permissions, isSuperuser }: Capabilities['user'],
  list: ListName,
): boolean => {
  const [app, ...any] = models[list] ?? []
  if (permissions === null || isSuperuser || app === undefined) return true
  return any.some((model) => permissions.includes(`${app}.${act}_${model}`))
}

/**
 * Whether this account may create in a list. ESSArch describes a POST to everyone, whoever may send it, and
 * says in `permissions` who may; an archive that names no permissions leaves it to its OPTIONS.
 */
export const mayCreate = (user: Capabilities['user'], list: ListName): boolean => hasFor('add', user, list)

/** Whether this account may change what is in a list; `add_` and `change_` are given apart. */
export const mayChange = (user: Capabilities['user'], list: ListName): boolean => hasFor('change', user, list)

/**
 * The permissions for it, all of which it takes; files of one's own packages can be seen without. A
 * dissemination package is created and prepared like any other.
 */
const packagePermissions: [PackageWay, ...permissions: string[]][] = [
  ['files', 'ip.see_other_user_ip_files'],
  ['access', 'ip.get_from_storage'],
  ['dip', 'ip.prepare_dip', 'ip.add_informationpackage', 'ip.prepare_ip'],
]

/** What this account may not do with packages; an archive that names no permissions denies nothing. */
export const deniedWith = ({ permissions, isSuperuser }: Capabilities['user']): PackageWay[] =>
  permissions === null || isSuperuser
    ? []
    : packagePermissions.flatMap(([way, ...all]) =>
        all.every((permission) => permissions.includes(permission)) ? [] : way,
      )

/**
 * How far this account may bring a package over the interface. Whoever makes one may do everything with it
 * until it is submitted (recorded of the role Producer); receiving and preserving each take a permission.
 */
export const maySubmit = ({ permissions, isSuperuser }: Capabilities['user']): Capabilities['submission'] => {
  const has = (name: string) => permissions === null || isSuperuser || permissions.includes(`ip.${name}`)
  if (!has('add_informationpackage')) return 'not allowed'
  return has('receive') && has('preserve') ? 'whole' : 'until submitted'
}
