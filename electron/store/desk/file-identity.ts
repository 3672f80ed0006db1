import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { prepare } from '../../common/statements.ts'

/** The file that the database was in when it was opened last, by its number on the disk. */
export const fileIdentityTable = 'create table fileIdentity (inode text not null) strict;'

/**
 * Whether the database was in another file when it was opened last: somebody brought the file back from a
 * copy, or took its folder to another disk. From now on it is in this one. False the first time, and where a
 * file system gives its files no numbers.
 */
export const wasInOtherFile = (database: DatabaseSync, file: string): boolean => {
  const inode = String(statSync(file, { bigint: true }).ino)
  const known = prepare<{ inode: string }>(database, 'select inode from fileIdentity').get()?.inode
  if (known === inode || inode === '0') return false
  database.exec('delete from fileIdentity')
  database.prepare('insert into fileIdentity (inode) values (?)').run(inode)
  return known !== undefined
}
