import type { DescriptionSubject } from '../../../electron/contract/description.ts'

/** The lists as people look for them. */
export const groups: { name: 'description' | 'agreements' | 'vocabularies'; subjects: DescriptionSubject[] }[] = [
  { name: 'description', subjects: ['agents', 'structures', 'structure-units', 'tags', 'locations', 'deliveries', 'transfers', 'orders', 'me/searches'] },
  { name: 'agreements', subjects: ['submission-agreements', 'profiles', 'event-types'] },
  {
    name: 'vocabularies',
    subjects: [
      ...(['structure-types', 'tag-version-types', 'ref-codes', 'languages', 'delivery-types', 'metric-types', 'location-level-types', 'location-function-types'] as const),
      ...(['agent-types', 'agent-name-types', 'agent-note-types', 'agent-identifier-types', 'agent-place-types', 'agent-relation-types'] as const),
      ...(['node-relation-types', 'node-note-types', 'node-identifier-types'] as const),
    ],
  },
]

const all = groups.flatMap(({ subjects }) => subjects)

/** What stands behind the place in the address: the list, and the record that is open in it ("new" is the form). */
export const readAddress = (text: string): { subject: DescriptionSubject; id: string } => {
  const [name = '', ...rest] = text.split(':')
  return { subject: all.find((it) => it === name) ?? 'agents', id: rest.join(':') }
}

export const addressIn = (subject: DescriptionSubject, id = '') => (id === '' ? subject : `${subject}:${id}`)
