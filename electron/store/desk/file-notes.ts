import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { prepare } from '../../common/statements.ts'
import type { FileNote } from '../../contract/reader.ts'
import { readBody } from './desk-bodies.ts'

export const fileNoteTable = `
  create table fileNote (id text primary key, archive text not null, package text not null,
    path text not null, made text not null, body text not null) strict;
  create index fileNote_of on fileNote (archive, package, path, made);`

/** A note as any version wrote it; unknown fields stay. */
const FileNoteBody: v.GenericSchema<unknown, FileNote> = v.looseObject({
  id: v.string(),
  text: v.string(),
  author: v.optional(v.string(), ''),
  made: v.string(),
})

/** A file of a package in an archive. */
export interface NotedFile {
  archive: string
  package: string
  path: string
}

/** So many notes of one file are shown. */
const mostNotes = 200

/** What people wrote down of files of packages, at this desk. */
export const openFileNotes = (database: DatabaseSync) => ({
  /** Notes of a file, the oldest first. */
  of: ({ archive, package: of, path }: NotedFile): FileNote[] =>
    prepare<{ body: string }>(
      database,
      `select body from fileNote where archive = ? and package = ? and path = ? order by made
         limit ${mostNotes}`,
    )
      .all(archive, of, path)
      .flatMap(({ body }) => readBody(FileNoteBody, body) ?? []),
  keep: ({ archive, package: of, path }: NotedFile, note: FileNote) =>
    void database
      .prepare('insert into fileNote (id, archive, package, path, made, body) values (?, ?, ?, ?, ?, ?)')
      .run(note.id, archive, of, path, note.made, JSON.stringify(note)),
  remove: (archive: string, id: string) =>
    void database.prepare('delete from fileNote where archive = ? and id = ?').run(archive, id),
})
