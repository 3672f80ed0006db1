import type { OrderItem, OrderRoom } from '../contract/orders.ts'

/** A copy that could be fetched. */
export interface RetrievableCopy {
  medium: { id: string; name: string; target: string; status: string }
  room: string
  path: string
  /** On a disk, which nobody has to put into a drive. */
  isOnDisk: boolean
}

const collator = new Intl.Collator('sv', { numeric: true })

/**
 * One way through the rooms for all packages of an order: of each package the copy on the medium from which
 * the most others are fetched too; of those with as many, disks before tapes, and rooms that are visited
 * anyway before others. (Covering all with the fewest media exactly would take too long; taking the fullest
 * first comes within a small factor of it.)
 * @param copiesOf the copies of a package that could be fetched
 */
export const planRetrieval = (
  items: OrderItem[],
  copiesOf: (id: string) => RetrievableCopy[],
): { rooms: OrderRoom[]; nowhere: OrderItem[] } => {
  const left = new Map(items.map((item) => [item.id, { item, copies: copiesOf(item.id) }]))
  const nowhere = [...left.values()].filter(({ copies }) => copies.length === 0).map(({ item }) => item)
  for (const { id } of nowhere) left.delete(id)
  const rooms = new Map<string, Map<string, OrderRoom['media'][number]>>()

  const best = (): RetrievableCopy | undefined => {
    const byMedium = new Map<string, { copy: RetrievableCopy; count: number }>()
    for (const { copies } of left.values())
      for (const copy of new Map(copies.map((one) => [one.medium.id, one])).values()) {
        const known = byMedium.get(copy.medium.id)
        byMedium.set(copy.medium.id, { copy, count: (known?.count ?? 0) + 1 })
      }
    const ranked = [...byMedium.values()].sort(
      (a, b) =>
        b.count - a.count ||
        Number(b.copy.isOnDisk) - Number(a.copy.isOnDisk) ||
        Number(rooms.has(b.copy.room)) - Number(rooms.has(a.copy.room)) ||
        collator.compare(a.copy.room, b.copy.room) ||
        collator.compare(a.copy.medium.name, b.copy.medium.name),
    )
    return ranked[0]?.copy
  }

  for (let next = best(); next; next = best()) {
    const { medium, room } = next
    const inRoom = rooms.get(room) ?? new Map<string, OrderRoom['media'][number]>()
    rooms.set(room, inRoom)
    const taken = [...left.values()].flatMap(({ item, copies }) => {
      const copy = copies.find((one) => one.medium.id === medium.id)
      return copy ? [{ ...item, path: copy.path, others: copies.length - 1 }] : []
    })
    for (const { id } of taken) left.delete(id)
    inRoom.set(medium.id, { ...medium, items: taken.sort((a, b) => collator.compare(a.path, b.path)) })
  }
  return {
    rooms: [...rooms]
      .sort(([a], [b]) => collator.compare(a, b))
      .map(([room, media]) => ({
        room,
        media: [...media.values()].sort((a, b) => collator.compare(a.name, b.name)),
      })),
    nowhere,
  }
}
