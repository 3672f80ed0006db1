import type { OrderPage } from '../../../electron/contract/orders.ts'

/** All packages of an order: those on media, as one walks from room to room, then those that lie nowhere. */
export const orderedItems = ({ rooms, nowhere }: Pick<OrderPage, 'rooms' | 'nowhere'>) => [
  ...rooms.flatMap(({ media }) => media.flatMap(({ items }) => items)),
  ...nowhere,
]
