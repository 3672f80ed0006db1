import type { DatabaseSync } from 'node:sqlite'
import type { Subject } from '../../contract/subjects.ts'
import { prepare, prepareOne } from '../../common/statements.ts'

/** What is held of packages, for asking an archive about some of them. */
export const packageFamilies = (database: DatabaseSync) => {
  const identified = prepare<{ id: string }>(
    database,
    `select id from package where identifier = ? and type <> 'AIC'`,
  )
  const one = prepare<{ id: string }>(database, 'select id from package where id = ?')
  const otherGenerations = prepare<{ identifier: string }>(
    database,
    'select identifier from package where aic = ? and identifier <> ? limit ?',
  )
  const unsettled = prepare<{ identifier: string }>(
    database,
    `select identifier from package where work <> 'none' and type <> 'AIC' limit ?`,
  )
  const below = prepare<{ id: string }>(
    database,
    `select id from held where subject = 'objects' and model ->> '$.package' = ?`,
  )
  const packages = prepareOne<{ n: number }>(
    database,
    `select count(*) as n from package where type <> 'AIC'`,
  )
  const rows = prepareOne<{ n: number }>(database, 'select count(*) as n from held where subject = ?')
  return {
    /** The ids of the packages of this identifier, but for AICs. */
    identified: (identifier: string) => identified.all(identifier).map(({ id }) => id),
    isHeld: (id: string) => one.get(id) !== undefined,
    /** The identifiers of the other generations in an AIC, at most so many. */
    otherGenerations: (aic: string, identifier: string, most: number) =>
      otherGenerations.all(aic, identifier, most).map((row) => row.identifier),
    /** The identifiers of packages that the archive worked on, or had failed at, when they were seen last. */
    unsettled: (most: number) => unsettled.all(most).map(({ identifier }) => identifier),
    copiesOf: (id: string) => below.all(id).map((row) => row.id),
    /** How many rows there are in a list; AICs do not count. */
    count: (subject: Subject) => (subject === 'packages' ? packages.get().n : rows.get(subject).n),
  }
}
