import { passes } from '../../electron/contract/failure.ts'
import type { Creation } from '../../electron/contract/outbox.ts'
import type { Transfer } from '../../electron/contract/transfers.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'
import { Query } from './query.svelte.ts'

/** Whether a transfer is ours to look after now: a failure that stopped it. */
export const needsYou = ({ stage, failure }: Transfer) =>
  stage === 'refused' || (failure !== null && !passes(failure))

/** Whether it lies in the outbox: handed over for sending, and not sent yet. */
export const isWaiting = ({ stage, isWaiting: waits }: Transfer) => stage === 'sending' || waits

/** All transfers of a desk, fresh after every news of one. Call `listen` while a page shows them. */
export const transferList = (desk: () => ArchiveDesk) => {
  const query = new Query(() => desk().transfers.list())
  return { query, listen: () => desk().transfers.changed(() => void query.refresh()) }
}

/** Records of a desk on their way to its archive, fresh after every news of one. Call `listen` while a page shows them. */
export const creationList = (desk: () => ArchiveDesk) => {
  const query = new Query(() => desk().outbox.list())
  return { query, listen: () => desk().outbox.changed(() => void query.refresh()) }
}

export const isOnItsWay = ({ state }: Creation) => state !== 'delivered'
