import type { PackagePage } from '../../../electron/contract/packages.ts'
import { say, shown } from '../../language/say.svelte.ts'
import { datesOf, identityOf, integrityOf, keepingOf, profilesOf, whoOf } from './package-facts.ts'

interface Fact {
  name: string
  value: string
  isNames?: boolean
  title?: string | undefined
  isExact?: boolean
}

/** A field of two packages, with what each says of it. */
export interface ComparedField {
  group: string
  name: string
  former: string
  later: string
  isSame: boolean
  /** Names with commas between them. */
  isNames: boolean
  /** Digests, identifiers and paths. */
  isExact: boolean
  /** What no two packages share, an id for instance: that it differs says nothing. */
  isOfOne: boolean
}

interface Group {
  name: string
  facts: readonly Fact[]
  /** Whether the title of a fact is its value to the last sign, as of moments and sizes. */
  isRounded?: boolean
  /** Fields that the archive alone knows the meaning of. */
  isOfArchive?: boolean
}

const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const groupsOf = (page: PackagePage): Group[] => [
  { name: say.package.keeping, facts: keepingOf(page), isRounded: true },
  { name: say.package.who, facts: whoOf(page) },
  { name: say.package.dates, facts: datesOf(page), isRounded: true },
  { name: say.package.integrity, facts: integrityOf(page) },
  {
    name: say.comparison.copies,
    facts: [
      { name: say.comparison.copies, value: shown.number(page.copies.length) },
      {
        name: say.comparison.media,
        value:
          page.copies
            .map(({ mediumId }) => mediumId)
            .sort()
            .join(', ') || say.common.none,
        isNames: true,
      },
    ],
  },
  { name: say.package.profiles, facts: profilesOf(page) },
  { name: say.package.identity, facts: identityOf(page) },
  {
    name: say.comparison.others,
    isOfArchive: true,
    facts: Object.entries(page.package.unknown).map(([name, value]) => ({
      name,
      value: text(value),
      isExact: true,
    })),
  },
]

/** Facts by their names; of the same name, as agents of one role have it, by their order. */
const byName = (facts: readonly Fact[]): Map<string, Fact> => {
  const found = new Map<string, Fact>()
  const counts = new Map<string, number>()
  for (const fact of facts) {
    const count = (counts.get(fact.name) ?? 0) + 1
    counts.set(fact.name, count)
    found.set(JSON.stringify([fact.name, count]), fact)
  }
  return found
}

const nothing = '—'

const compareFact = (group: Group, former: Fact | undefined, later: Fact | undefined): ComparedField => {
  const [one, other] = [former?.value ?? nothing, later?.value ?? nothing]
  const isExact = former?.isExact === true || later?.isExact === true
  const isSame = one === other && (group.isRounded !== true || former?.title === later?.title)
  // What reads the same and is not is said to the last sign.
  const whole = (fact: Fact | undefined, value: string) =>
    !isSame && one === other ? (fact?.title ?? value) : value
  return {
    group: group.name,
    name: former?.name ?? later?.name ?? '',
    former: whole(former, one),
    later: whole(later, other),
    isSame,
    isNames: former?.isNames === true,
    isExact,
    isOfOne: isExact && group.isOfArchive !== true,
  }
}

/** Every field that one of two packages has, group by group, as their pages show it. */
export const compareFields = (former: PackagePage, later: PackagePage): ComparedField[] => {
  const others = groupsOf(later)
  return groupsOf(former).flatMap((group, index) => {
    const [before, after] = [byName(group.facts), byName(others[index]?.facts ?? [])]
    return [...new Set([...before.keys(), ...after.keys()])].map((key) =>
      compareFact(group, before.get(key), after.get(key)),
    )
  })
}
