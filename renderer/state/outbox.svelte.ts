import type { ArchiveDesk } from '../bridge.svelte.ts'
import { Query } from './query.svelte.ts'

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
