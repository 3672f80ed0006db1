import type { FoundHeading } from '../../electron/contract/find.ts'
import type { IconName } from './icons.ts'

/** The drawing of each kind of thing that is found. */
export const foundIcons: Record<FoundHeading, IconName> = {
  packages: 'packages',
  copies: 'storage',
  media: 'storage',
  agents: 'agent',
  units: 'description',
  tags: 'description',
  locations: 'location',
  structures: 'description',
  deliveries: 'outbox',
  transfers: 'transfers',
  orders: 'orders',
  events: 'activity',
  others: 'description',
  desk: 'desk',
}
