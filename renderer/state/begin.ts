import type { ArchiveDesk } from '../bridge.svelte.ts'
import { onward } from './place.svelte.ts'

/** Begins a transfer, and opens it for whoever waits for that. */
export const beginTransfer = async (desk: ArchiveDesk): Promise<void> => {
  const goOn = onward()
  const { id } = await desk.transfers.create()
  goOn('transfers', id)
}

/** Begins an order, and opens it for whoever waits for that. */
export const beginOrder = async (desk: ArchiveDesk): Promise<void> => {
  const goOn = onward()
  const { id } = await desk.orders.begin()
  goOn('orders', id)
}
