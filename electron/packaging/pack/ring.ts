import type { DigestRecord } from './digest-log.ts'

/** Blocks that wait to be hashed, and their size. */
const slots = 16
export const blockBytes = 1024 * 1024

const state = 0
const claim = 1
const batch = 2
const filled = 3
const hashed = 4
const crc = 5
const readBack = 6

const states = { none: 0, copying: 1, copied: 2, hashed: 3, broken: 4, left: 5 } as const
const longestDigests = 128
const waitMs = 20

/**
 * Memory of the ring through which one large file at a time is copied by two threads: blocks go from the one
 * to the other through a ring.
 */
export interface Ring {
  counters: Int32Array<SharedArrayBuffer>
  ring: SharedArrayBuffer
  digests: Uint8Array<SharedArrayBuffer>
}

/** @param isUsed whether there is a large file: without one, nothing ever lies in the ring */
export const shareRing = (isUsed: boolean): Ring => {
  const counters = new Int32Array(new SharedArrayBuffer(8 * 4))
  // Nobody can join before a file begins.
  counters[claim] = 1
  return {
    counters,
    ring: new SharedArrayBuffer(isUsed ? slots * blockBytes : 0),
    digests: new Uint8Array(new SharedArrayBuffer(longestDigests)),
  }
}

interface Gate {
  /** Whether to go on; waits while the work is paused. */
  gate: () => boolean
  isStopped: () => boolean
}

/** Tells the other thread in which state the file is. */
const setState = (counters: Ring['counters'], value: number) => {
  Atomics.store(counters, state, value)
  Atomics.notify(counters, state)
}

/** What the second thread is told of the file that it joins. */
interface Claimed {
  batch: number
  /** Whether the copy is read back and compared. */
  isReadBack: boolean
}

/** The side of the thread that reads the source and writes the copy. */
const copierSide = ({ counters, digests }: Ring, { gate, isStopped }: Gate) => ({
  /** A file begins; waits for a second thread. Says whether one came. */
  begin: (which: number, isReadBack: boolean): boolean => {
    Atomics.store(counters, filled, 0)
    Atomics.store(counters, hashed, 0)
    Atomics.store(counters, batch, which)
    Atomics.store(counters, readBack, isReadBack ? 1 : 0)
    setState(counters, states.copying)
    // Last: whoever saw the file before being copied may claim at any moment, and would find that one over.
    Atomics.store(counters, claim, 0)
    while (Atomics.load(counters, claim) === 0) {
      if (isStopped()) return false
      Atomics.wait(counters, claim, 0, waitMs)
    }
    return true
  },
  /** Number of the next block to fill, once its place in the ring was hashed. Undefined when it is over. */
  free: (): number | undefined => {
    for (;;) {
      if (!gate() || Atomics.load(counters, state) === states.broken) return undefined
      const next = Atomics.load(counters, filled)
      const done = Atomics.load(counters, hashed)
      if (next - done < slots) return next
      Atomics.wait(counters, hashed, done, waitMs)
    }
  },
  filled: () => {
    Atomics.add(counters, filled, 1)
    Atomics.notify(counters, filled)
  },
  /** All is copied; waits for what the second thread found. Undefined when that was stopped. */
  end: (length: number): DigestRecord | undefined => {
    Atomics.compareExchange(counters, state, states.copying, states.copied)
    for (;;) {
      const now = Atomics.load(counters, state)
      if (now === states.hashed)
        return { digests: Buffer.from(digests.slice(0, length)), crc: Atomics.load(counters, crc) >>> 0 }
      if (now !== states.copied) return undefined
      Atomics.wait(counters, state, now, 100)
    }
  },
  /** Gives the file up. The second thread must have let go of it before the next one begins. */
  leave: () => {
    if (Atomics.compareExchange(counters, state, states.copying, states.left) !== states.copying) return
    Atomics.notify(counters, filled)
    while (Atomics.load(counters, claim) === 1 && Atomics.load(counters, state) === states.left)
      Atomics.wait(counters, state, states.left, 100)
  },
})

/** The side of the thread that hashes what was read, and reads back what was written. */
const hasherSide = ({ counters, digests }: Ring, { gate }: Gate) => ({
  /** The file that is being copied; undefined where none is, or where somebody else is at it. */
  claim: (): Claimed | undefined => {
    if (
      Atomics.load(counters, state) !== states.copying ||
      Atomics.compareExchange(counters, claim, 0, 1) !== 0
    )
      return undefined
    Atomics.notify(counters, claim)
    return { batch: Atomics.load(counters, batch), isReadBack: Atomics.load(counters, readBack) === 1 }
  },
  /** How many blocks are filled, once that is more than so many; undefined when it is over. */
  filled: (before: number): number | undefined => {
    for (;;) {
      if (!gate()) return undefined
      const now = Atomics.load(counters, state)
      if (now !== states.copying && now !== states.copied) return undefined
      const blocks = Atomics.load(counters, filled)
      if (blocks > before) return blocks
      Atomics.wait(counters, filled, blocks, waitMs)
    }
  },
  hashed: () => {
    Atomics.add(counters, hashed, 1)
    Atomics.notify(counters, hashed)
  },
  /** @param found undefined where it was stopped */
  finished: (found: DigestRecord | undefined) => {
    if (found) {
      digests.set(found.digests)
      Atomics.store(counters, crc, found.crc | 0)
    }
    setState(counters, found ? states.hashed : states.broken)
  },
})

export type OpenRing = ReturnType<typeof openRing>

/** The two sides of the ring, each for the thread that is on it. */
export const openRing = (shared: Ring, control: Gate) => ({
  /** The place in the ring of the block of that number. */
  slot: (index: number, length = blockBytes) =>
    Buffer.from(shared.ring, (index % slots) * blockBytes, length),
  copier: copierSide(shared, control),
  hasher: hasherSide(shared, control),
})
