import type { DatabaseSync } from 'node:sqlite'
import type { Package } from '../../contract/packages.ts'
import type { PackageFacts } from '../../dialects/models.ts'
import type { Subject } from '../../contract/subjects.ts'
import { prepare } from '../../common/statements.ts'
import { generationNumber } from './generation-number.ts'

type FactsRow = Omit<PackageFacts, 'isLast' | 'archived'> & { isLast: number; archived: number }

export type Packages = ReturnType<typeof openPackages>

/** Packages of the local copy: what is known of each, and each as it was given. */
export const openPackages = ({
  database,
  raw,
}: {
  database: DatabaseSync
  /** A record as the archive gave it. */
  raw: (subject: Subject, id: string) => unknown
}) => {
  const facts = `select id, type, aic, label, identifier, state, stepState, work, bytes,
    ${generationNumber('package')} as generation, isLast,
    policy, agreement, archived, since, creator from package`
  const toFacts = ({ isLast, archived, ...facts }: FactsRow): PackageFacts => ({
    ...facts,
    isLast: isLast === 1,
    archived: archived === 1,
  })
  const one = prepare<FactsRow>(database, `${facts} where id = ?`)
  const known = prepare<FactsRow>(database, `${facts} where identifier = ?`)
  const amount = prepare<{ bytes: number; copies: number }>(
    database,
    'select shownBytes as bytes, shownCopies as copies from package where id = ?',
  )
  const family = database.prepare('select id from package where aic = ? order by coalesce(generation, 0), id')
  const some = prepare<FactsRow>(database, `${facts} where type <> 'AIC' order by words limit ?`)

  // SQLite takes an index with a condition where the question says the same.
  const failed = prepare<FactsRow>(
    database,
    `${facts} where work = 'failed' and work <> 'none' and type <> 'AIC' order by id limit ?`,
  )

  return {
    /** Some of those on which the archive's work failed. */
    failed: (most: number): PackageFacts[] => failed.all(most).map(toFacts),
    facts: (id: string): PackageFacts | undefined => {
      const row = one.get(id)
      return row && toFacts(row)
    },
    /** How large a package is and how many copies it has; of an AIC, those of its newest generation. */
    amount: (id: string) => amount.get(id),
    /** Those that carry an identifier of their own. */
    identified: (identifier: string): PackageFacts[] => known.all(identifier).map(toFacts),
    /** A package with everything the archive said of it. */
    whole: (id: string, read: (record: unknown) => Package): Package | undefined => {
      const found = raw('packages', id)
      return found === undefined ? undefined : read(found)
    },
    /** The ids of an AIC's generations, the oldest first. */
    generations: (aic: string): string[] => family.all(aic).map((row) => String(row['id'])),
    some: (most: number): PackageFacts[] => some.all(most).map(toFacts),
  }
}
