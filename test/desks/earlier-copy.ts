import type { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../electron/store/cache/cache.ts'
import { placementTables } from '../../electron/store/cache/placements.ts'

/**
 * Makes a local copy one to which a migration, and those after it, have not come yet. What a migration adds
 * that cannot be added twice is taken away.
 */
export const takeBackTo = (database: DatabaseSync, migration: string): void => {
  database.exec(
    `drop index package_by_placement; alter table package drop column placement; drop table placement;
     pragma user_version = ${migrations.indexOf(migration)}`,
  )
}

/** The latest that adds something. */
export const latestMigration = placementTables
