import { definitionOf, listNamed, listNames, type ListDefinition, type ListName } from '../../../electron/contract/lists.ts'

const order: ListDefinition['group'][] = ['description', 'agreements', 'storage', 'activity', 'vocabularies']

/** The lists as people look for them. */
export const groups = order.map((name) => ({ name, lists: listNames.filter((list) => definitionOf(list).group === name) }))

/** What stands behind the place in the address: the list, and the record that is open in it ("new" is the form). */
export const readAddress = (text: string): { list: ListName; id: string } => {
  const [name = '', ...rest] = text.split(':')
  return { list: listNamed(name) ?? 'agents', id: rest.join(':') }
}

/** The form for a record, with what it begins with: "new", "new:ID" for an order of that package, or "edit:ID" for one in the outbox. */
export const readForm = (id: string): { of: string; edits: string } | undefined => {
  const [how = '', of = ''] = id.split(':', 2)
  return how === 'new' ? { of, edits: '' } : how === 'edit' ? { of: '', edits: of } : undefined
}
