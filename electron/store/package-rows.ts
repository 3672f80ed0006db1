import { toPackage, type PackageFacts } from '../archive-client/packages.ts'
import type { Package } from '../contract/packages.ts'
import type { Cache } from './cache.ts'

export type Packages = ReturnType<typeof openPackages>

/** Packages of the local copy: what is known of each, and each as it was given. */
export const openPackages = ({ database, raw }: Cache) => {
  const facts =
    'select id, type, aic, label, identifier, state, stepState, bytes, generation, isLast, policy, agreement, archived, since from package'
  const toFacts = (row: unknown): PackageFacts => {
    const { isLast, archived, ...it } = row as PackageFacts
    return { ...it, isLast: Number(isLast) === 1, archived: Number(archived) === 1 }
  }
  const one = database.prepare(`${facts} where archive = ? and id = ?`)
  const known = database.prepare(`${facts} where archive = ? and identifier = ?`)
  const family = database.prepare(
    'select id from package where archive = ? and aic = ? order by coalesce(generation, 0), id',
  )
  const some = database.prepare(`${facts} where archive = ? and type <> 'AIC' order by words limit ?`)

  return {
    facts: (archive: string, id: string): PackageFacts | undefined => {
      const row = one.get(archive, id)
      return row && toFacts(row)
    },
    /** Those that carry an identifier of their own. */
    identified: (archive: string, identifier: string): PackageFacts[] =>
      known.all(archive, identifier).map(toFacts),
    /** A package with everything the archive said of it. */
    whole: (archive: string, id: string): Package | undefined => {
      const found = raw(archive, 'packages', id)
      return found === undefined ? undefined : toPackage(found)
    },
    /** The ids of an AIC's generations, the oldest first. */
    generations: (archive: string, aic: string): string[] =>
      family.all(archive, aic).map((row) => String(row['id'])),
    some: (archive: string, most: number): PackageFacts[] => some.all(archive, most).map(toFacts),
  }
}
