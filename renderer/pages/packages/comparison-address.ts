/** Two packages that are looked at beside each other: they stand in the address where else one does. */
export interface Pair {
  former: string
  later: string
}

/** What stands in the address for two packages; an id of an archive may hold any sign. */
export const idOfPair = ({ former, later }: Pair): string =>
  `compare:${encodeURIComponent(former)}:${encodeURIComponent(later)}`

/** The two packages of an address; undefined where it is that of one. */
export const pairIn = (id: string): Pair | undefined => {
  const [, former, later] = /^compare:([^:]+):([^:]+)$/.exec(id) ?? []
  if (former === undefined || later === undefined) return undefined
  try {
    return { former: decodeURIComponent(former), later: decodeURIComponent(later) }
  } catch {
    return undefined
  }
}

/** The generation that is looked at and the one before it; of the first one the next. */
export const usualPair = (generations: readonly { id: string }[], openId: string): Pair | undefined => {
  const found = generations.findIndex(({ id }) => id === openId)
  const at = Math.max(1, found < 0 ? generations.length - 1 : found)
  const [former, later] = [generations[at - 1], generations[at]]
  return former && later ? { former: former.id, later: later.id } : undefined
}
