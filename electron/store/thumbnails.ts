import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { prepare } from '../common/statements.ts'
import type { Thumbnail } from '../contract/reader.ts'

/** So many are kept, of at most 16 KB each; those that were kept first go first, and can be made again. */
const mostThumbnails = 4_000

const table = `
  create table if not exists thumbnail (archive text not null, package text not null, path text not null,
    picture text, primary key (archive, package, path)) strict`

const open = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = off')
    database.exec(table)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** One that is damaged is begun anew: what was in it can be made again. */
const openAnew = (file: string): DatabaseSync => {
  try {
    return open(file)
  } catch {
    for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
    return open(file)
  }
}

export type Thumbnails = ReturnType<typeof openThumbnails>

/**
 * Small pictures of files in packages, in a file of their own that may be deleted. It is opened when it is
 * first needed.
 */
export const openThumbnails = (file: string) => {
  let opened: DatabaseSync | undefined
  const database = () => (opened ??= openAnew(file))
  return {
    /** What is kept of these files; one that is not among them was never made. */
    of: (archive: string, of: string, paths: readonly string[]): Thumbnail[] =>
      prepare<{ path: string; picture: string | null }>(
        database(),
        `select path, picture from thumbnail
           where archive = ? and package = ? and path in (select value from json_each(?))`,
      ).all(archive, of, JSON.stringify(paths)),
    keep: (archive: string, of: string, { path, picture }: Thumbnail) => {
      database()
        .prepare('insert or replace into thumbnail (archive, package, path, picture) values (?, ?, ?, ?)')
        .run(archive, of, path, picture)
      database()
        .prepare(
          `delete from thumbnail where rowid <=
             (select rowid from thumbnail order by rowid desc limit 1 offset ?)`,
        )
        .run(mostThumbnails)
    },
    /** Deletes those of an archive. */
    forget: (archive: string) => {
      database().prepare('delete from thumbnail where archive = ?').run(archive)
    },
    close: () => {
      opened?.close()
      opened = undefined
    },
  }
}
