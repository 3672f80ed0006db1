import { passes } from '../../electron/contract/failure.ts'
import type { Creation } from '../../electron/contract/outbox.ts'
import type { Transfer } from '../../electron/contract/transfers.ts'
import { bridge } from '../bridge.svelte.ts'
import { Query } from './query.svelte.ts'

/** Whether a transfer is ours to look after now: a failure that stopped it. */
export const needsYou = ({ stage, failure }: Transfer) =>
  stage === 'refused' || (failure !== null && !passes(failure))

/** Whether it lies in the outbox: handed over for sending, and not sent yet. */
export const isWaiting = ({ stage, isWaiting: waits }: Transfer) => stage === 'sending' || waits

/** All transfers of the desk, fresh after every news of one. Call `listen` while a page shows them. */
export const transferList = () => {
  const query = new Query(() => bridge.transfers.list())
  return { query, listen: () => bridge.transfers.changed(() => void query.refresh()) }
}

/** Records of this desk on their way to the archive, fresh after every news of one. Call `listen` while a page shows them. */
export const creationList = () => {
  const query = new Query(() => bridge.outbox.list())
  return { query, listen: () => bridge.outbox.changed(() => void query.refresh()) }
}

export const isOnItsWay = ({ state }: Creation) => state !== 'delivered'
