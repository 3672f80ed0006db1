import type { Account } from '../../electron/local-archive/accounts/accounts.ts'
import type { Body, Database } from '../../electron/local-archive/database.ts'
import type { Answer } from '../../electron/local-archive/http/answer.ts'
import type { Context } from './packages.ts'
import { paged } from './lists.ts'
import { shown } from './shapes.ts'
import { detail, moments, notFound } from './words.ts'

/** What every node says, and of which nothing is known here. */
const unsaid = [
  'revise_date',
  'import_date',
  'appraisal_date',
  'archive',
  'security_level',
  'medium_type',
  'metric',
  'capacity',
  'location',
  'appraisal_job',
  'is_mixed_type',
  'is_content_indexed',
  'rendering',
]

interface Shown {
  database: Database
  account: Account
  now: Date
}

/** A node as it is given alone, among those of a unit, and among those below another node. */
export const shownNode = (tag: Body, { database, account, now }: Shown): Body => {
  const type = database.one('tag version type', String(tag['type']))
  const held = database.one('information package', String(tag['information_package']))
  return {
    ...Object.fromEntries(unsaid.map((name) => [name, null])),
    _id: tag['id'],
    _index: tag['parent'] === null ? 'archive' : 'component',
    _source: {},
    name: tag['name'],
    name_with_dates: tag['name'],
    type: shown('tag-version-types', type ?? {}, database, account, '', now),
    create_date: moments(tag['create_date']),
    start_date: tag['start_date'] ?? null,
    end_date: tag['end_date'] ?? null,
    description: tag['description'] ?? '',
    reference_code: tag['reference_code'],
    related_tags: [],
    notes: [],
    masked_fields: [],
    identifiers: [],
    agents: [],
    custom_fields: {},
    tag: tag['id'],
    information_package: held
      ? {
          id: held['id'],
          object_identifier_value: held['object_identifier_value'],
          label: held['label'],
          state: held['state'],
        }
      : null,
    is_leaf_node: !database.hasWhere('tag', 'parent', String(tag['id'])),
  }
}

const natural = new Intl.Collator('en', { numeric: true })
const inOrder = (tags: Body[]) =>
  tags.toSorted((a, b) => natural.compare(String(a['reference_code']), String(b['reference_code'])))

/**
 * What stands in a unit or below a node. No answer of a real ESSArch was recorded: this follows its code, in
 * `ESSArch_Core/tags/views.py` (`StructureUnitViewSet.nodes`, a detail action that gives
 * `TagVersionNestedSerializer`, in natural order and in the usual pages) and `ESSArch_Core/tags/search.py`
 * (`children`). There each archive has units of its own; here archives share them, and each sees all nodes.
 */
export const nodesAnswer = (list: 'structure-units' | 'search', id: string, context: Context): Answer => {
  const { database, request, url } = context
  if (request.method === 'OPTIONS')
    return { status: 200, headers: { Allow: 'GET, HEAD, OPTIONS' }, body: { name: 'Nodes' } }
  if (request.method !== 'GET') return detail(405, `Method "${request.method}" not allowed.`)
  const [kind, field] =
    list === 'search' ? (['tag', 'parent'] as const) : (['structure unit', 'structure_unit'] as const)
  if (!database.one(kind, id)) return notFound()
  const tags = inOrder(database.where('tag', field, id))
  return paged(tags, url, request.headers.host ?? '', (tag) => shownNode(tag, context))
}
