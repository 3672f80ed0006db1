import { hash } from 'node:crypto'
import type { Account } from '../../electron/local-archive/accounts.ts'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import { resources } from '../../electron/local-archive/resources/index.ts'
import { showRecord } from '../../electron/local-archive/resources/resource.ts'
import { moments } from './words.ts'

const blocks: Record<string, string> = {
  128: '64K',
  250: '125K',
  256: '128K',
  512: '256K',
  1024: '512K',
  2048: '1024K',
}
export const orderTypes = [
  { id: 1, name: 'Reading room' },
  { id: 2, name: 'Digital copies' },
]
export const unitTypes = ['Series', 'Volume'].map((name, index) => ({
  id: index + 1,
  name,
  structure_type: { id: 1, name: 'Archival schedule' },
  date_render_format: '',
}))
const without = (body: Body, ...names: string[]): Body =>
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
    pairs.set(id, { ...known, id, policy, overall_submission_agreement: '' })
  }
  for (const { id } of plain)
    for (const policy of list('storage policy').slice(0, 1)) enter(id, String(policy['id']))
  for (const it of walk('information package'))
    if (typeof it['policy'] === 'string') enter(it['submission_agreement'], it['policy'])
  return [...pairs.values()]
}

/** What each list shows otherwise than the specification says. */
const shapes: Record<string, (body: Body, database: Database, host: string) => Body> = {
  'storage-mediums': (body, { one }) => ({
    ...body,
    storage_target: one('storage target', String(body['storage_target'])) ?? null,
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
      submission_agreement_data: {},
      active: true,
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
  'structure-units': (body) => ({
    ...body,
    type: unitTypes.find(({ name }) => name === body['type']) ?? unitTypes[0],
    archive: null,
    archive_name: null,
  }),
  'event-types': (body) => without(body, 'id'),
  notifications: (body) => without(body, 'user'),
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
  const own = resource ? whole(showRecord(resource, body, database, { account, now })) : body
  const nested = list === 'information-packages' && Array.isArray(own['information_packages'])
  const full = nested
    ? {
        ...own,
        information_packages: (own['information_packages'] as Body[]).map((it) =>
          reshape(list, it, database, host),
        ),
      }
    : own
  return moments(reshape(list, full, database, host)) as Body
}

const reshape = (list: string, body: Body, database: Database, host: string): Body =>
  shapes[list]?.(body, database, host) ?? body
