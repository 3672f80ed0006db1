import type { DatabaseSync } from 'node:sqlite'

/** Lists of packages by label are read from these, as the steps of the local copy made them. */
const indexes = {
  package_top_by_label: 'package (words, id) where isTop = 1',
  package_flat_by_label: `package (words, generation, id) where type <> 'AIC'`,
}

/**
 * The indexes of packages by label. Labels come in no order, so that each of a long list's changes another
 * page of them: a fifth of the time that writing it takes. Without them lists by label are sorted whenever
 * they are asked for.
 * @param transaction does all of a work or nothing
 */
export const openLabelOrder = (database: DatabaseSync, transaction: (work: () => void) => void) => {
  const names = Object.keys(indexes)
  const count = database.prepare(`select count(*) as n from sqlite_schema where name in (?, ?)`)
  let isMade = count.get(...names)?.['n'] === names.length
  return {
    /** Goes without them until they are made. @throws the database's error */
    drop: () => {
      if (!isMade) return
      transaction(() => database.exec(names.map((name) => `drop index ${name};`).join('')))
      isMade = false
    },
    /**
     * Makes them where they are missing, as where a process ended while it read a long list.
     * @throws the database's error
     */
    make: () => {
      if (isMade) return
      transaction(() => {
        for (const [name, columns] of Object.entries(indexes))
          database.exec(`create index if not exists ${name} on ${columns}`)
      })
      isMade = true
    },
  }
}
