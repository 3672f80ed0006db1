import type { PlaceName } from '../../state/place.svelte.ts'

/** Where a page of the guide is, or one of its headings. */
export const addressOfGuide = (page: string, anchor = '') =>
  `#/help/${page}${anchor === '' ? '' : `?at=${encodeURIComponent(anchor)}`}`

/** Which page of the guide fits the place where one is. */
export const guidePageOf: Record<Exclude<PlaceName, 'help'>, string> = {
  desk: 'first-steps',
  packages: 'packages',
  reader: 'packages',
  search: 'finding',
  transfers: 'transfers',
  orders: 'orders',
  checks: 'checking',
  storage: 'storage',
  description: 'describing',
  activity: 'troubleshooting',
  settings: 'archives',
}
