import type { RecentPart } from '../dialect.ts'

/**
 * States in which the archive works on a package. A failure never shows in the state: what failed stays in
 * one of these.
 */
const underWork = [
  'Preparing',
  'Uploading',
  'Creating',
  'Submitting',
  'Receiving',
  'Transferring',
  'Preserving',
]
const flat = 'information-packages/?view_type=flat'
const below = (id: string) => `information-packages/${encodeURIComponent(id)}`

/** Asking an ESSArch for what is new or changed alone; each record is as its whole list has it. */
export const recent: RecentPart = {
  identified: (identifier) => `${flat}&object_identifier_value=${encodeURIComponent(identifier)}`,
  // The view of AICs filters what stands in them.
  inFamily: (identifier) =>
    `information-packages/?view_type=aic&object_identifier_value=${encodeURIComponent(identifier)}`,
  copiesOf: (id) => `${below(id)}/storage-objects/`,
  eventsOf: (id) => `${below(id)}/events/`,
  underWork: `${flat}&${underWork.map((state) => `state=${state}`).join('&')}`,
  newestFirst: {
    packages: `${flat}&ordering=-create_date`,
    objects: 'storage-objects/?ordering=-last_changed_local',
    events: 'events/?ordering=-id',
    // These come so by themselves.
    notifications: 'notifications/?',
  },
  page: (path, number, length) => `${path}&page_size=${length}&page=${number}`,
}
