import { listNamed, listNames, type ListName } from './lists.ts'

/** The lists that the desk works with, and that are read at every refresh. */
export const refreshedSubjects = [
  'packages',
  'objects',
  'media',
  'targets',
  'relations',
  'methods',
  'policies',
  'agreements',
  'deliveries',
  'transfers',
  'events',
  'notifications',
] as const

export type RefreshedSubject = (typeof refreshedSubjects)[number]

/** What is held of an archive, list by list. Those of description are read when somebody looks at them. */
export type Subject = RefreshedSubject | `description/${ListName}`

/** All of them. */
export const subjects: readonly Subject[] = [
  ...refreshedSubjects,
  ...listNames.map((list): Subject => `description/${list}`),
]

/** Whether it is one of the lists that the desk works with. */
export const isRefreshed = (subject: Subject): subject is RefreshedSubject =>
  refreshedSubjects.some((refreshed) => refreshed === subject)

/** The list of description that a subject is; undefined for those that the desk works with. */
export const describedBy = (subject: string): ListName | undefined =>
  subject.startsWith('description/') ? listNamed(subject.slice('description/'.length)) : undefined
