import { createHash } from 'node:crypto'
import { closeSync, createReadStream, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { Parser } from 'htmlparser2'
import { chunksOf } from '../../common/chunks.ts'
import { prepare, prepareOne } from '../../common/statements.ts'
import { ContainerError } from '../../packaging/entries/container-error.ts'
import type { FoundEntry } from '../../packaging/entries/found-entry.ts'
import { tarEntries } from '../../packaging/entries/tar-entries.ts'
import { zipEntries } from '../../packaging/entries/zip-entries.ts'
import { openSlices } from '../../common/slices.ts'
import { isBelow } from './paths.ts'
import { syncFile } from '../../common/sync-file.ts'

/** A tar or zip: a file, or a part of one. */
export interface Container {
  /** What it is called among all that are looked into; what it holds never changes under one name. */
  key: string
  file: string
  /** Bytes of that file. */
  fileBytes: number
  form: 'tar' | 'zip'
  /** Where in the file it begins, and how long it is. */
  start: number
  bytes: number
  /** The folder in it that is looked into, '' for all of it. */
  top: string
  /** The METS below `top` that names the digests of files, with what is in front of their names there. */
  mets: { name: string; prefix: string } | null
}

/** A file or folder in a container. */
export interface IndexedEntry {
  name: string
  isFolder: boolean
  /** Where its content begins in the file on the disk; -1 where it cannot be read. */
  position: number
  bytes: number
  /** Length as it lies there; the same where it is not compressed. */
  stored: number
  isCompressed: boolean
  modifiedMs: number | null
  /** In hexadecimal digits, as the METS says it. */
  sha256: string | null
}

const tables = `
  create table folder (number integer primary key, path text not null unique) strict;
  create table entry (folder integer not null, name text not null, is_folder integer not null,
    position integer not null, bytes integer not null, stored integer not null,
    is_compressed integer not null, modified real, sha256 blob, primary key (folder, name))
    strict, without rowid;
  insert into folder values (1, '');`

const columns =
  'name, is_folder as isFolder, position, bytes, stored, is_compressed as isCompressed, ' +
  'modified as modifiedMs, lower(hex(sha256)) as sha256'
interface Row {
  name: string
  isFolder: number
  position: number
  bytes: number
  stored: number
  isCompressed: number
  modifiedMs: number | null
  sha256: string | null
}
const toEntry = ({ isFolder, isCompressed, sha256, ...row }: Row): IndexedEntry => ({
  ...row,
  isFolder: isFolder === 1,
  isCompressed: isCompressed === 1,
  sha256: sha256 === '' ? null : sha256,
})

/** The folder that a path lies in, and its name there. */
const splitPath = (path: string) => {
  const slash = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) }
}

const fillTables = (database: DatabaseSync) => {
  const folders = prepareOne<{ number: number }>(
    database,
    'insert into folder (path) values (?) on conflict do update set path = path returning number',
  )
  const known = prepare<{ number: number }>(database, 'select number from folder where path = ?')
  const put = database.prepare('insert or replace into entry values (?, ?, ?, ?, ?, ?, ?, ?, null)')
  const putFolder = database.prepare('insert or ignore into entry values (?, ?, 1, -1, 0, 0, 0, null, null)')
  /** The folder of the entry before; most have the same. */
  let last = { path: '', number: 1 }

  const numberOf = (path: string): number => {
    if (path === last.path) return last.number
    const found = known.get(path)?.number
    const number = found ?? folders.get(path).number
    if (found === undefined) {
      const { folder, name } = splitPath(path)
      putFolder.run(numberOf(folder), name)
    }
    last = { path, number }
    return number
  }

  return {
    numberOf,
    add: (path: string, entry: FoundEntry, start: number) => {
      const { folder, name } = splitPath(path)
      const isFolder = entry.kind === 'folder'
      if (isFolder) numberOf(path)
      put.run(
        numberOf(folder),
        name,
        isFolder ? 1 : 0,
        entry.position < 0 ? -1 : start + entry.position,
        isFolder ? 0 : entry.bytes,
        isFolder ? 0 : entry.stored,
        entry.isStored ? 0 : 1,
        entry.modifiedMs ?? null,
      )
    },
  }
}

/** The name of an entry below the folder that is looked into; undefined where nobody can ask for it. */
const nameBelow = (name: string, top: string): string | undefined => {
  const plain = name.replace(/^(?:\.\/)+/, '')
  const below = top === '' ? plain : plain.startsWith(`${top}/`) ? plain.slice(top.length + 1) : ''
  return isBelow(below) ? below : undefined
}

/** Enters the digests that a METS names. What it names and is not there is passed over. */
const enterDigests = async (
  database: DatabaseSync,
  numberOf: (folder: string) => number | undefined,
  { file, position, bytes, prefix }: { file: string; position: number; bytes: number; prefix: string },
) => {
  if (bytes === 0) return
  const enter = database.prepare('update entry set sha256 = ? where folder = ? and name = ?')
  let digest: string | undefined
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        if (tag === 'file') {
          const { CHECKSUM: sum = '', CHECKSUMTYPE: type } = attributes
          digest = type === 'SHA-256' && /^[0-9a-f]{64}$/i.test(sum) ? sum : undefined
        }
        const href = attributes['xlink:href']
        if (tag !== 'FLocat' || digest === undefined || href === undefined) return
        let path: string
        try {
          path = `${prefix}${decodeURI(href)}`
        } catch {
          return
        }
        const { folder, name } = splitPath(path)
        const number = numberOf(folder)
        if (number !== undefined) enter.run(Buffer.from(digest, 'hex'), number, name)
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  const reading = createReadStream(file, { start: position, end: position + bytes - 1 })
  for await (const part of chunksOf(reading)) parser.write(decoder.decode(part, { stream: true }))
  parser.end(decoder.decode())
}

const fill = async (database: DatabaseSync, handle: number, container: Container) => {
  const { file, form, start, bytes, top, mets } = container
  const slices = openSlices()
  const { add, numberOf } = fillTables(database)
  const entries = form === 'tar' ? tarEntries(handle, bytes, start) : zipEntries(handle, bytes, start)
  for (const entry of entries) {
    const below = entry.kind === 'other' ? undefined : nameBelow(entry.name, top)
    if (below !== undefined) add(below, entry, start)
    if (slices.isOver()) await slices.next()
  }
  const described = mets && openTables(database).find(mets.name)
  if (!mets || !described || described.isFolder) return
  const known = prepare<{ number: number }>(database, 'select number from folder where path = ?')
  let last = { path: '', number: numberOf('') as number | undefined }
  const knownNumber = (path: string) => {
    if (path !== last.path) last = { path, number: known.get(path)?.number }
    return last.number
  }
  await enterDigests(database, knownNumber, {
    file,
    position: described.position,
    bytes: described.bytes,
    prefix: mets.prefix,
  })
}

/**
 * Writes down where the entries of a container lie, in a file of its own, and lets others have their turn
 * meanwhile. Of two entries of one name the last counts, as tar programs have it. The file has its name once
 * it is whole.
 * @throws ContainerError where the container cannot be read to its end, or its file is not as long as it was
 */
export const writeIndex = async (target: string, container: Container) => {
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  const handle = openSync(container.file, 'r')
  try {
    const { size } = fstatSync(handle)
    if (size !== container.fileBytes) throw new ContainerError('archive-cut', size)
    const database = new DatabaseSync(partial)
    try {
      // What is not whole is begun anew, so nothing is to be rolled back.
      database.exec('pragma journal_mode = off; pragma synchronous = off; begin')
      database.exec(tables)
      await fill(database, handle, container)
      database.exec('commit')
    } finally {
      database.close()
    }
    syncFile(partial)
    renameSync(partial, target)
  } finally {
    closeSync(handle)
    rmSync(partial, { force: true })
  }
}

/** Which file in the folder of indexes a container has. */
export const indexNameOf = ({ key }: Container) =>
  `${createHash('sha256').update(key).digest('hex').slice(0, 40)}.1.sqlite`

const openTables = (database: DatabaseSync) => {
  const folderOf = prepare<{ number: number }>(database, 'select number from folder where path = ?')
  const one = prepare<Row & Record<string, null | number | string>>(
    database,
    `select ${columns} from entry where folder = ? and name = ?`,
  )
  const below = prepare<Row & Record<string, null | number | string>>(
    database,
    `select ${columns} from entry where folder = ? and name > ? order by name limit ? offset ?`,
  )
  const counted = prepareOne<{ count: number }>(
    database,
    'select count(*) as count from entry where folder = ?',
  )
  const files = prepare<Row & { folder: number; path: string }>(
    database,
    `select folder, path, ${columns} from entry join folder on number = folder
      where (folder, name) > (?, ?) and is_folder = 0 order by folder, name limit ?`,
  )
  return {
    find: (path: string): IndexedEntry | undefined => {
      const { folder, name } = splitPath(path)
      const number = folderOf.get(folder)?.number
      const row = number === undefined ? undefined : one.get(number, name)
      return row && toEntry(row)
    },
    count: (folder: string): number => {
      const number = folderOf.get(folder)?.number
      return number === undefined ? 0 : counted.get(number).count
    },
    /** What lies in a folder, by name, behind a name and some more. */
    list: (folder: string, { after, from, most }: { after: string; from: number; most: number }) => {
      const number = folderOf.get(folder)?.number
      return number === undefined ? [] : below.all(number, after, most, from).map(toEntry)
    },
    /** All files, by their whole paths, behind the last one that was given. */
    files: (after: [folder: number, name: string], most: number) => {
      const rows = files.all(...after, most)
      const last = rows.at(-1)
      return {
        entries: rows.map(({ folder: _, path, ...row }) =>
          toEntry({ ...row, name: path === '' ? row.name : `${path}/${row.name}` }),
        ),
        after: last ? ([last.folder, last.name] as [number, string]) : after,
      }
    },
  }
}

/** Opens an index that was written. */
export const openIndex = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true })
  return { ...openTables(database), close: () => database.close() }
}
