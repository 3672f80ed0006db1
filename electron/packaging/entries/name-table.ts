import { hash, randomBytes } from 'node:crypto'

/**
 * A set of names as 128 bits of SHA-256 over a secret and the name: two names are told apart whatever
 * somebody meant by them, and nobody can choose names that slow the search. 24 bytes a name, however long it
 * is, in memory that threads share.
 */
export interface NameTable {
  secret: string
  /** Four words a name, in the order in which names came. */
  digests: Uint32Array<SharedArrayBuffer>
  /**
   * Place of a name plus one, found by its digest; 0 where nothing is. A power of two long, at most half
   * full.
   */
  slots: Uint32Array<SharedArrayBuffer>
  /** How many names there are, at 0. */
  size: Uint32Array<SharedArrayBuffer>
  /**
   * Sum of the digests, word by word: two sets of names are the same where these are, whatever their order.
   */
  sum: Uint32Array<SharedArrayBuffer>
}

/** More names than this are not kept: what a check may hold in memory has an end. */
export const mostNames = 2_000_000

/** There are more names than a table holds. */
export class TooManyNames extends Error {}

const words = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4))

export const newSecret = () => randomBytes(16).toString('hex')

/** An empty table; memory is taken by the system as names come, so `most` may be generous. */
export const newNameTable = (most: number, secret = newSecret()): NameTable => {
  const capacity = Math.max(1, Math.min(most, mostNames))
  return {
    secret,
    digests: words(capacity * 4),
    slots: words(2 ** Math.ceil(Math.log2(capacity * 2))),
    size: words(1),
    sum: words(4),
  }
}

const wordAt = (digest: string, position: number) =>
  (digest.charCodeAt(position) |
    (digest.charCodeAt(position + 1) << 8) |
    (digest.charCodeAt(position + 2) << 16) |
    (digest.charCodeAt(position + 3) << 24)) >>>
  0

const fillDigest = (digest: Uint32Array, secret: string, name: string) => {
  const bytes = hash('sha256', secret + name, 'binary')
  for (let word = 0; word < 4; word += 1) digest[word] = wordAt(bytes, word * 4)
}
const addTo = (sum: Uint32Array, digest: Uint32Array) => {
  for (let word = 0; word < 4; word += 1) sum[word] = (sum[word] ?? 0) + (digest[word] ?? 0)
}

/** The sum of a set of names of which nothing else is kept, as a table with the same secret has it. */
export const nameSum = (secret: string) => {
  const sum = new Uint32Array(4)
  const digest = new Uint32Array(4)
  return {
    add: (name: string) => {
      fillDigest(digest, secret, name)
      addTo(sum, digest)
    },
    sum: () => sum.join(),
  }
}

/** Reads and fills a table. Only one thread may put names into it, and before others read. */
export const nameTable = ({ secret, digests, slots, size, sum }: NameTable) => {
  const mask = slots.length - 1
  const digest = new Uint32Array(4)
  const isAt = (place: number) =>
    digests[place * 4] === digest[0] &&
    digests[place * 4 + 1] === digest[1] &&
    digests[place * 4 + 2] === digest[2] &&
    digests[place * 4 + 3] === digest[3]
  /** The slot of a name, or the empty one where it would be; leaves its digest in `digest`. */
  const slotOf = (name: string) => {
    fillDigest(digest, secret, name)
    let slot = (digest[0] ?? 0) & mask
    for (let taken = slots[slot] ?? 0; taken !== 0 && !isAt(taken - 1); taken = slots[slot] ?? 0)
      slot = (slot + 1) & mask
    return slot
  }
  return {
    size: () => size[0] ?? 0,
    sum: () => sum.join(),
    /** Place of a name, or -1. */
    find: (name: string): number => (slots[slotOf(name)] ?? 0) - 1,
    has: (name: string): boolean => slots[slotOf(name)] !== 0,
    /**
     * Place of a name, which is the number of names before where it is new.
     * @throws TooManyNames
     */
    put: (name: string): number => {
      const slot = slotOf(name)
      const taken = slots[slot] ?? 0
      if (taken !== 0) return taken - 1
      const place = size[0] ?? 0
      if (place * 4 === digests.length) throw new TooManyNames()
      digests.set(digest, place * 4)
      addTo(sum, digest)
      slots[slot] = place + 1
      size[0] = place + 1
      return place
    },
  }
}
export type Names = ReturnType<typeof nameTable>

/**
 * Names of which most stand in another table already: of those a bit each is kept, where they stand there,
 * and of the others what a table keeps.
 * @param prefix what the names have in front of them in the other table
 */
export const namesBeside = (known: Names, prefix: string, others: Names): Omit<Names, 'sum'> => {
  const bits = new Uint8Array(Math.ceil(known.size() / 8))
  let taken = 0
  const isTaken = (place: number) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
  const find = (name: string): number => {
    const place = known.find(prefix + name)
    if (place >= 0) return isTaken(place) ? place : -1
    const other = others.find(name)
    return other < 0 ? -1 : known.size() + other
  }
  return {
    size: () => taken + others.size(),
    find,
    has: (name) => find(name) >= 0,
    put: (name) => {
      const place = known.find(prefix + name)
      if (place < 0) return known.size() + others.put(name)
      if (!isTaken(place)) taken += 1
      bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
      return place
    },
  }
}
export type ListedNames = Omit<Names, 'sum'> & Partial<Pick<Names, 'sum'>>
