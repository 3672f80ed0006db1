import type { TransferRow } from '../../electron/contract/transfers.ts'
import type { ArchiveDesk } from '../bridge.svelte.ts'
import { Query } from './query.svelte.ts'

/** Whether a transfer is packed, and waits for somebody to send it. */
export const isUnsent = ({ state, isWaiting, handedOver }: TransferRow): boolean =>
  state === 'prepared' && !isWaiting && handedOver === null

/** What a desk answers, asked again after every news of it, and anew when another desk is shown. */
const askedOf = <T>(
  desk: () => ArchiveDesk,
  ask: (desk: ArchiveDesk) => Promise<T>,
  news: (desk: ArchiveDesk, listener: () => void) => () => void,
) => {
  let asked = desk()
  const query = new Query(() => ask(desk()))
  const listen = () => {
    const shown = desk()
    // What waits at one archive must not stand beside the name of another.
    if (shown !== asked) {
      asked = shown
      query.value = undefined
      query.refresh()
    }
    return news(shown, query.refresh)
  }
  return { query, listen }
}

/**
 * What there is to do with the transfers of a desk, fresh after every news of one. Call `listen` while a page
 * shows it.
 */
export const transferGroups = (desk: () => ArchiveDesk) =>
  askedOf(
    desk,
    ({ transfers }) => transfers.groups(),
    ({ transfers }, listener) => transfers.changed(listener),
  )

/**
 * Records of a desk on their way to its archive, fresh after every news of one. Call `listen` while a page
 * shows them.
 */
export const creationList = (desk: () => ArchiveDesk) =>
  askedOf(
    desk,
    ({ outbox }) => outbox.list(),
    ({ outbox }, listener) => outbox.changed(listener),
  )
