import type { Dialect } from './dialect.ts'
import { specification } from './specification.ts'

/** The dialects that a desk speaks. */
export interface Dialects {
  /** In the order in which an archive that is new is tried. */
  all: readonly [Dialect, ...Dialect[]]
  /**
   * By its name; the first where there is none of that name, as for archives that were known before there
   * were names.
   */
  named: (name: string | undefined) => Dialect
}

export const dialectsOf = (first: Dialect, ...others: Dialect[]): Dialects => {
  const byName = new Map([first, ...others].map((dialect) => [dialect.name, dialect]))
  return { all: [first, ...others], named: (name = first.name) => byName.get(name) ?? first }
}

/** Those of the product. */
export const dialects = dialectsOf(specification)
