import type { Sighting } from '../../archive-client/whole-list.ts'

/** How many rows came, and how many elements that were held before. */
export interface Tally {
  rows: number
  held: number
}

/** An element as it came. */
export interface Seen {
  rows: number
  pass: number
  isHeld: boolean
}

const add = (tally: Tally, { rows, isHeld }: Seen) => {
  tally.rows += rows
  if (isHeld) tally.held += 1
}

/** What was seen of a list while it is read: the pass each held element came in last, and how many came. */
export const openSightings = () => {
  /** Of each held element the pass it was seen in last, plus one. */
  let seenIn = new Uint8Array(1024)
  const passes: Tally[] = []
  const all: Tally = { rows: 0, held: 0 }

  const passOf = (number: number) => (seenIn[number] ?? 0) - 1
  const inPass = (pass: number) => (passes[pass] ??= { rows: 0, held: 0 })
  const count = (seen: Seen, sighting: Sighting): Sighting => {
    if (sighting.isNewInPass) add(inPass(seen.pass), seen)
    if (sighting.isNew) add(all, seen)
    return sighting
  }

  return {
    /** The pass that a held element came in last; -1 where it did not come yet. */
    passOf,
    /** An element with a number came. */
    see: (number: number, seen: Seen): Sighting => {
      if (number >= seenIn.length) {
        const longer = new Uint8Array(Math.max(seenIn.length * 2, number + 1))
        longer.set(seenIn)
        seenIn = longer
      }
      const before = passOf(number)
      seenIn[number] = seen.pass + 1
      return count(seen, { isNewInPass: before !== seen.pass, isNew: before < 0 })
    },
    /** An element came that has no number yet, for the first time in this pass. */
    seeNew: ({ rows, pass, isNew }: Omit<Seen, 'isHeld'> & Pick<Sighting, 'isNew'>): Sighting =>
      count({ rows, pass, isHeld: false }, { isNewInPass: true, isNew }),
    /** The rows of an element that was seen as held already. */
    addRows: ({ rows, pass, isNew }: Omit<Seen, 'isHeld'> & Pick<Sighting, 'isNew'>) => {
      inPass(pass).rows += rows
      if (isNew) all.rows += rows
    },
    /** What came in a pass; in all of them where it is null. */
    tallyOf: (pass: number | null): Readonly<Tally> =>
      pass === null ? all : (passes[pass] ?? { rows: 0, held: 0 }),
    /** Whether an element that was seen last in this pass is among those of a pass, or of all of them. */
    isAmong: (last: number, pass: number | null) => (pass === null ? last >= 0 : last === pass),
  }
}

export type Sightings = ReturnType<typeof openSightings>
