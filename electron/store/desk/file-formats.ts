import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { prepare, prepareOne } from '../../common/statements.ts'
import { formatTools, type FileFormat } from '../../contract/reader.ts'
import { readBody } from './desk-bodies.ts'
import type { NotedFile } from './file-notes.ts'

export const fileFormatTable = `
  create table fileFormat (archive text not null, package text not null, path text not null,
    bytes integer not null, at text not null, body text not null,
    primary key (archive, package, path)) strict, without rowid;
  create index fileFormat_at on fileFormat (at);`

const Tool = v.picklist(formatTools)
const FileFormatBody: v.GenericSchema<unknown, FileFormat> = v.looseObject({
  puid: v.string(),
  name: v.string(),
  mime: v.string(),
  tool: Tool,
  failed: v.array(Tool),
})

/** So many are kept; those that were kept first go first, and can be found out again. */
const mostFormats = 50_000

/** What files of packages are, as it was found out once. */
export const openFileFormats = (database: DatabaseSync) => ({
  /** Undefined where it was not found out, or for a file of another length. */
  of: ({ archive, package: of, path }: NotedFile, bytes: number): FileFormat | undefined => {
    const row = prepare<{ body: string }>(
      database,
      'select body from fileFormat where archive = ? and package = ? and path = ? and bytes = ?',
    ).get(archive, of, path, bytes)
    return row && readBody(FileFormatBody, row.body)
  },
  /** What is known of the files of a package, by their paths. */
  inPackage: (archive: string, of: string): Map<string, FileFormat> =>
    new Map(
      prepare<{ path: string; body: string }>(
        database,
        'select path, body from fileFormat where archive = ? and package = ?',
      )
        .all(archive, of)
        .flatMap(({ path, body }) => {
          const format = readBody(FileFormatBody, body)
          return format ? [[path, format] as const] : []
        }),
    ),
  /** How many files of an archive were identified as the same format. */
  count: (archive: string, { puid, name }: Pick<FileFormat, 'puid' | 'name'>): number => {
    const [field, value] = puid === '' ? ['name', name] : ['puid', puid]
    if (value === '') return 0
    return prepareOne<{ n: number }>(
      database,
      "select count(*) as n from fileFormat where archive = ? and json_extract(body, '$.' || ?) = ?",
    ).get(archive, field, value).n
  },
  keep: ({ archive, package: of, path }: NotedFile, bytes: number, format: FileFormat, at: string) => {
    database
      .prepare(
        `insert or replace into fileFormat (archive, package, path, bytes, at, body)
           values (?, ?, ?, ?, ?, ?)`,
      )
      .run(archive, of, path, bytes, at, JSON.stringify(format))
    database
      .prepare(
        `delete from fileFormat where at < (select at from fileFormat order by at desc limit 1 offset ?)`,
      )
      .run(mostFormats)
  },
})
