import { hash } from 'node:crypto'
import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import { showRecord } from '../../electron/local-archive/resources/resource.ts'
import { permissionsOf } from './roles.ts'
import { moments } from './words.ts'
import { templates } from './templates.ts'

const blocks: Record<string, string> = {
  128: '64K',
  250: '125K',
  256: '128K',
  512: '256K',
  1024: '512K',
  2048: '1024K',
}
const algorithms: Record<number, string> = { 1: 'MD5', 2: 'SHA-1', 3: 'SHA-224', 4: 'SHA-256' }
export const orderTypes = [
  { id: 1, name: 'Reading room' },
  { id: 2, name: 'Digital copies' },
]
export const unitTypes = ['Series', 'Volume'].map((name, index) => ({
  id: index + 1,
  name,
  structure_type: {
    id: 1,
    name: 'Archival schedule',
    instance_name: 'Archival schedule',
    editable_instances: true,
    movable_instance_units: true,
    editable_instance_relations: true,
  },
  date_render_format: '',
}))
export const without = (body: Body, ...names: string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

const standard = 'Standard agreement'

/**
 * Packages have the policy of their agreement there; so each agreement is one for every policy of the
 * packages that name it: itself for the first.
 */
const agreementOf = (
  { list, one }: Pick<Database, 'list' | 'one'>,
  agreement: unknown,
  policy: string,
): string => {
  if (policy === list('storage policy')[0]?.['id'] && one('submission agreement', String(agreement)))
    return String(agreement)
  const hex = hash('sha256', `${String(agreement)} ${policy}`)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

/** Submission agreements with their policies. */
export const agreements = ({ list, one, walk }: Database): Body[] => {
  const pairs = new Map<string, Body>()
  const plain = list('submission agreement')
  const enter = (agreement: unknown, policy: string) => {
    const known = one('submission agreement', String(agreement)) ?? {
      name: standard,
      published: true,
      type: 'Standard',
      status: 'Agreed',
      label: standard,
    }
    const id = agreementOf({ list, one }, agreement, policy)
    const template = Array.isArray(known['template']) ? (known['template'] as Body[]) : []
    pairs.set(id, {
      ...known,
      id,
      policy,
      overall_submission_agreement: '',
      template: template.map((field) => ({
        ...field,
        hidden: false,
        defaultValue: '',
        ngModelElAttrs: {
          'uib-popover': '',
          'popover-trigger': "'mouseenter'",
          'popover-placement': 'bottom',
        },
        templateOptions: { ...(field['templateOptions'] as Body), disabled: false },
      })),
    })
  }
  for (const { id } of plain)
    for (const policy of list('storage policy').slice(0, 1)) enter(id, String(policy['id']))
  for (const record of walk('information package'))
    if (typeof record['policy'] === 'string') enter(record['submission_agreement'], record['policy'])
  // A stock site has one before it has any package.
  const [policy] = list('storage policy')
  if (pairs.size === 0 && policy) enter('', String(policy['id']))
  return [...pairs.values()]
}

const targetOf = (body: Body): Body => ({
  ...body,
  type_display: Number(body['type']) >= 300 ? 'IBM-LTO6' : 'DISK',
  default_block_size_display: blocks[String(body['default_block_size'])] ?? '',
  default_format_display: '103 (AIC support)',
})

const relationOf = (body: Body): Body => ({
  ...body,
  storage_target: targetOf(body['storage_target'] as Body),
})

const methodOf = (body: Body): Body => ({
  ...body,
  storage_method_target_relations: (body['storage_method_target_relations'] as Body[]).map(relationOf),
})

/** Names are known by UUIDs there; these stand for them. */
const nameOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null ? { ...body, id: String((body as Body)['id']) } : body

/** Places without others in them name none. */
const placeOf = (body: Body): Body => {
  const children = (body['children'] as Body[] | undefined) ?? []
  return children.length > 0 ? { ...body, children: children.map(placeOf) } : without(body, 'children')
}

/** What each list shows otherwise than the specification says. */
const shapes: Record<string, (body: Body, database: Database, host: string) => Body> = {
  agents: (body) => ({
    ...body,
    name: nameOf(body['name']),
    names: (body['names'] as Body[]).map(nameOf),
  }),
  locations: placeOf,
  profiles: (body) => ({ ...body, template: templates[String(body['profile_type'])] ?? body['template'] }),
  tags: (body) => {
    const version = body['current_version'] as Body
    return {
      ...body,
      current_version: {
        ...without(version, 'reference_code', 'description', 'information_package'),
        type: (version['type'] as Body | null)?.['pk'] ?? null,
      },
    }
  },
  'storage-targets': targetOf,
  'storage-method-target-relations': relationOf,
  'storage-methods': methodOf,
  'storage-policies': (body) => ({
    ...without(body, 'index'),
    cache_storage: null,
    storage_methods: (body['storage_methods'] as Body[]).map(methodOf),
  }),
  'storage-objects': (body, { one }) => {
    const record = one('information package', String(body['ip']))
    return {
      ...body,
      content_location_value_display: [body['target_target'], body['content_location_value']].join('/'),
      ip_object_identifier_value: record?.['object_identifier_value'] ?? '',
      ip_object_size: String(Number(record?.['object_size'] ?? 0)),
    }
  },
  'storage-mediums': (body, { one }) => ({
    ...body,
    storage_target: targetOf(one('storage target', String(body['storage_target'])) ?? {}),
    block_size_display: blocks[String(body['block_size'])] ?? '',
    format_display: 'AIC support',
  }),
  'information-packages': (body, { one, list }) => {
    const agreement = one('submission agreement', String(body['submission_agreement']))
    const { policy } = body
    const id =
      typeof policy === 'string'
        ? agreementOf({ list, one }, body['submission_agreement'], policy)
        : body['submission_agreement']
    return {
      ...without(body, 'policy'),
      submission_agreement: id,
      submission_agreement_name: agreement?.['name'] ?? standard,
      submission_agreement_data: { data: { _SA_NAME: standard } },
      submission_agreement_data_versions: [],
      altrecordids: null,
      message_digest_algorithm_display: algorithmOf(body['message_digest_algorithm']),
      ...metsOf('content', body),
      ...metsOf('package', body),
      new_version_in_progress: null,
      create_agent_identifier_value: '',
      entry_agent_identifier_value: '',
      linking_agent_identifier_value: '',
      active: true,
      'profile_Action Workflow': null,
    }
  },
  orders: (body, { one }, host) => ({
    ...without(body, 'name', 'create_date'),
    label: body['label'] ?? body['name'],
    type: orderTypes.find(({ id }) => id === body['type']) ?? orderTypes[0],
    consign_method: null,
    information_packages: (body['information_packages'] as string[])
      .filter((id) => one('information package', id))
      .map((id) => `http://${host}/api/information-packages/${id}/`),
  }),
  'tag-version-types': (body) => ({
    ...without(body, 'id'),
    custom_fields_template: [],
    date_render_format: '',
  }),
  'structure-units': (body, { one }) => ({
    ...body,
    type: unitTypes.find(({ name }) => name === body['type']) ?? unitTypes[0],
    archive: null,
    archive_name: null,
    structure_version: one('structure', String(body['structure']))?.['version'] ?? '1.0',
  }),
  'event-types': (body) => without(body, 'id'),
}

const algorithmOf = (code: unknown) => (typeof code === 'number' ? (algorithms[code] ?? String(code)) : null)

/** One of a package's two METS files; nothing where it has none. */
const metsOf = (which: 'content' | 'package', body: Body): Body => ({
  [`${which}_mets_create_date`]: body[`${which}_mets_create_date`] ?? null,
  [`${which}_mets_size`]: body[`${which}_mets_size`] ?? null,
  [`${which}_mets_digest`]: body[`${which}_mets_digest`] ?? '',
  [`${which}_mets_digest_algorithm`]: body[`${which}_mets_digest_algorithm`] ?? null,
  [`${which}_mets_digest_algorithm_display`]: algorithmOf(body[`${which}_mets_digest_algorithm`]),
})

const inFamilies = [
  'id label object_identifier_value package_type package_type_display responsible create_date entry_date',
  'state status step_state archived cached aic generation message_digest agents message_digest_algorithm',
  'submission_agreement object_path submission_agreement_locked submission_agreement_data',
  'submission_agreement_data_versions workarea object_size first_generation last_generation start_date',
  'end_date new_version_in_progress appraisal_date permissions organization',
].flatMap((names) => names.split(' '))

/** A package at the top of a view, above others: it says less of itself than they do. */
const familyOf = (body: Body, packages: Body[]): Body => ({
  ...Object.fromEntries(inFamilies.map((name) => [name, body[name] ?? null])),
  information_packages: packages,
})

/** A package as its own address shows it: its AIC is named by more than an id, unlike in lists. */
export const shownAlone = (
  body: Body,
  database: Database,
  account: Account,
  host: string,
  now: Date,
): Body => {
  const alone = shown('information-packages', body, database, account, host, now)
  const aic = typeof alone['aic'] === 'string' ? database.one('information package', alone['aic']) : undefined
  return {
    ...alone,
    aic: aic
      ? {
          id: aic['id'],
          label: aic['label'],
          object_identifier_value: aic['object_identifier_value'],
          package_type: aic['package_type'],
          responsible: (aic['responsible'] as Body | null)?.['id'] ?? null,
          create_date: moments(aic['create_date']),
          entry_date: moments(aic['entry_date']),
          appraisal_date: null,
        }
      : null,
    archive: null,
    has_cts: false,
  }
}

/** With its lazy lists made. */
const whole = (body: Body) => JSON.parse(JSON.stringify(body)) as Body

/** A record as ESSArch shows it: the archive's own, in the other shape. */
export const shown = (
  list: string,
  body: Body,
  database: Database,
  account: Account,
  host: string,
  now: Date,
): Body => {
  const resource = resources[list]
  const plain = resource ? whole(showRecord(resource, body, database, { account, now })) : body
  if (list !== 'information-packages') return moments(reshape(list, plain, database, host)) as Body
  // What one may do is said of every package by the names of the role's permissions, without their app.
  const permissions = permissionsOf(account).map((name) => name.replace(/^\w+\./, ''))
  const show = (record: Body) => reshape(list, { ...record, permissions }, database, host)
  const inside = plain['information_packages']
  const full = show(plain)
  return moments(Array.isArray(inside) ? familyOf(full, inside.map(show)) : full) as Body
}

/** A first generation with the others of its package below it, as the view by packages shows them. */
export const shownFirst = (
  body: Body,
  database: Database,
  account: Account,
  host: string,
  now: Date,
): Body => {
  const show = (record: Body) => shown('information-packages', record, database, account, host, now)
  const others =
    typeof body['aic'] === 'string'
      ? database
          .where('information package', 'aic', body['aic'])
          .filter((record) => record['id'] !== body['id'])
      : []
  return familyOf(show(body), others.map(show))
}

const reshape = (list: string, body: Body, database: Database, host: string): Body =>
  shapes[list]?.(body, database, host) ?? body
