import type { Found } from '../../electron/contract/find.ts'
import type { RecordLink } from '../../electron/contract/description.ts'
import type { ListName } from '../../electron/contract/lists.ts'
import { addressOf } from './place.svelte.ts'

export const addressIn = (list: ListName, id = '') => (id === '' ? list : `${list}:${id}`)

/** Where a reference leads, whatever place its record has. */
export const addressOfRecord = ({ list, id }: RecordLink) => {
  if (list === 'information-packages') return addressOf('packages', id)
  if (list === 'storage-mediums') return addressOf('storage', id)
  return list === 'orders' ? addressOf('orders', id) : addressOf('description', addressIn(list, id))
}

/** Where something that was found leads. */
export const addressOfFound = ({ to, place }: Pick<Found, 'to' | 'place'>): string | undefined =>
  to ? addressOfRecord(to) : place === '' ? undefined : `#/${place}`
