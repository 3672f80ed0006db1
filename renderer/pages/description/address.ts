import {
  definitionOf,
  listNamed,
  listNames,
  type ListDefinition,
  type ListName,
} from '../../../electron/contract/lists.ts'

const order: ListDefinition['group'][] = ['description', 'agreements', 'storage', 'activity', 'vocabularies']

/** The lists as people look for them. */
export const groups = order.map((name) => ({
  name,
  lists: listNames.filter((list) => definitionOf(list).group === name),
}))

/**
 * What stands behind the place in the address: the list, and the record that is open in it ("new" is the
 * form).
 */
export const readAddress = (text: string): { list: ListName; id: string } => {
  const [name = '', ...rest] = text.split(':')
  return { list: listNamed(name) ?? 'agents', id: rest.join(':') }
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
