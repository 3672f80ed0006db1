import type { TransferRow } from '../../electron/contract/transfers.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'
import { Query } from './query.svelte.ts'

/** Whether a transfer is packed, and waits for somebody to send it. */
export const isUnsent = ({ state, isWaiting, handedOver }: TransferRow): boolean =>
  state === 'prepared' && !isWaiting && handedOver === null

/**
 * What there is to do with the transfers of a desk, fresh after every news of one. Call `listen` while a page
 * shows it.
 */
export const transferGroups = (desk: () => ArchiveDesk) => {
  const query = new Query(() => desk().transfers.groups())
  return { query, listen: () => desk().transfers.changed(() => query.refresh()) }
}

/**
 * Records of a desk on their way to its archive, fresh after every news of one. Call `listen` while a page
 * shows them.
 */
export const creationList = (desk: () => ArchiveDesk) => {
  const query = new Query(() => desk().outbox.list())
  return { query, listen: () => desk().outbox.changed(() => query.refresh()) }
}
