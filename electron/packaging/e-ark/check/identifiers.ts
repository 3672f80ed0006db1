import { mostNames, nameTable, newNameTable } from '../../entries/name-table.ts'

/** What bears an identifier, as far as others may name it. */
const kinds = ['other', 'dmdSec', 'amdSec', 'fileGrp', 'file'] as const
export type IdentifiedKind = (typeof kinds)[number]

/** An element with an identifier takes so many bytes of a METS at least. */
const shortestElement = 8

/**
 * The identifiers of one METS (xml:id), two millions at most.
 * @param bytes length of the METS
 */
export const identifiers = (bytes: number) => {
  const most = Math.max(1, Math.min(mostNames, Math.ceil(bytes / shortestElement)))
  const names = nameTable(newNameTable(most))
  const kindOf = new Uint8Array(most)
  const named = new Uint8Array(most)
  const counts: Record<IdentifiedKind, { all: number; named: number }> = {
    other: { all: 0, named: 0 },
    dmdSec: { all: 0, named: 0 },
    amdSec: { all: 0, named: 0 },
    fileGrp: { all: 0, named: 0 },
    file: { all: 0, named: 0 },
  }
  return {
    /**
     * Whether it is new.
     * @throws TooManyNames
     */
    add: (id: string, kind: IdentifiedKind): boolean => {
      const before = names.size()
      const place = names.put(id)
      if (place < before) return false
      kindOf[place] = kinds.indexOf(kind)
      counts[kind].all += 1
      return true
    },
    has: names.has,
    isA: (id: string, kind: IdentifiedKind): boolean => {
      const place = names.find(id)
      return place >= 0 && kinds[kindOf[place] ?? 0] === kind
    },
    /** Remembers that it is named where all of its kind should be. */
    name: (id: string, kind: IdentifiedKind) => {
      const place = names.find(id)
      if (place < 0 || kinds[kindOf[place] ?? 0] !== kind || named[place] === 1) return
      named[place] = 1
      counts[kind].named += 1
    },
    areAllNamed: (kind: IdentifiedKind) => counts[kind].all === counts[kind].named,
    count: (kind: IdentifiedKind) => counts[kind].all,
  }
}
export type Identifiers = ReturnType<typeof identifiers>
