import type { TermName } from '../../language/terms.en.ts'
import { definitionOf, listNamed, listNames, type ListName } from '../../../electron/contract/lists.ts'

/** What is looked for first: archives with all that stands in them, who made them, where they are. */
export const places = ['tags', 'agents', 'locations', 'deliveries'] as const satisfies ListName[]
/** Units stand in the tree of archives; the schemes that they follow are lists of their own. */
const others = ['structures', 'transfers', 'orders', 'me/searches'] as const satisfies ListName[]
const ofGroup = (group: ReturnType<typeof definitionOf>['group']) =>
  listNames.filter((list) => definitionOf(list).group === group)

/** All other lists, as people look for them. */
export const groups = [
  { name: 'agreements', lists: ofGroup('agreements') },
  { name: 'vocabularies', lists: ofGroup('vocabularies') },
  { name: 'storage', lists: ofGroup('storage') },
  { name: 'others', lists: [...others, ...ofGroup('activity')] },
] as const

/** The words of the field for what is in the lists; the others are called by what they are. */
export const termOf: Partial<Record<ListName, TermName>> = {
  tags: 'archive',
  'structure-units': 'unit',
  structures: 'structure',
  agents: 'agent',
  locations: 'location',
  deliveries: 'delivery',
  transfers: 'transfer',
  orders: 'order',
  profiles: 'profile',
  'submission-agreements': 'agreement',
  'storage-policies': 'policy',
  'storage-methods': 'method',
  'storage-targets': 'target',
  'storage-objects': 'copy',
  events: 'event',
  'ref-codes': 'code',
}

/** Lists whose records stand in the tree of archives. */
export const isInTree = (list: ListName): list is 'tags' | 'structure-units' =>
  list === 'tags' || list === 'structure-units'

/**
 * What stands behind the place in the address: the list, and the record that is open in it ("new" is the
 * form).
 */
export const readAddress = (text: string): { list: ListName; id: string } => {
  const [name = '', ...rest] = text.split(':')
  return { list: listNamed(name) ?? 'tags', id: rest.join(':') }
}

/**
 * A form in place of a record: "new", "edit:ID" for one in the outbox, or "change:ID" for one in the archive.
 */
export const readForm = (id: string): { edits: string } | { changes: string } | undefined => {
  const [how = '', ...rest] = id.split(':')
  const of = rest.join(':')
  if (how === 'change' && of !== '') return { changes: of }
  return how === 'new' ? { edits: '' } : how === 'edit' ? { edits: of } : undefined
}
