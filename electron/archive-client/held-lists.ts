import { listNamed, listNames, type ListName } from '../contract/lists.ts'
import { events, notifications } from './activity.ts'
import { agreements } from './agreements.ts'
import type { ListDefinition } from './listing.ts'
import { informationPackages } from './packages.ts'
import { recordsOf } from './records.ts'
import { media, methods, objects, policies, relations, targets } from './storage.ts'
import { deliveries, transfers } from './transfers.ts'

/** The lists that the desk works with, and that are read together. */
const together = {
  packages: informationPackages,
  objects,
  media,
  targets,
  relations,
  methods,
  policies,
  agreements,
  deliveries,
  transfers,
  events,
  notifications,
}

/** What is held of an archive: one subject a list of the interface. Those of description are read when somebody looks at them. */
export type Subject = keyof typeof together | `description/${ListName}`

// Object.keys() forgets which keys they are.
export const subjectsTogether = Object.keys(together) as (keyof typeof together)[]

const described = new Map<string, ListDefinition<{ id: string | number }>>(
  listNames.map((list) => [`description/${list}`, recordsOf(list)]),
)

/** The list of description that a subject is; undefined for those that the desk works with. */
export const describedBy = (subject: string): ListName | undefined =>
  subject.startsWith('description/') ? listNamed(subject.slice('description/'.length)) : undefined

export const definitionOfSubject = (subject: Subject): ListDefinition<{ id: string | number }> => {
  const found = subject in together ? together[subject as keyof typeof together] : described.get(subject)
  if (!found) throw new Error(`There is no list ${subject}`)
  return found
}
