import type { Transfer } from '../contract/transfers.ts'
import { openDatabase, together } from './open.ts'

export const migrations = [
  `create table transfer (id text primary key, archive text not null, made text not null, body text not null, removed text) strict;
   create table archive (id text primary key, used text not null, body text not null) strict;
   create table told (archive text not null, notification integer not null, primary key (archive, notification)) strict, without rowid;`,
]

/** A transfer as it is kept: what the window sees, and what only the desk needs to go on after a crash. */
export interface KeptTransfer extends Transfer {
  archive: string
  /** The step of sending that was begun last: written before it is taken. */
  sending: 'registering' | 'copying' | 'renaming' | null
  ingestFolder: string | null
  /** Packages with the same identifier that the archive had when this one was sent. */
  before: string[]
}

/** An archive that was signed in to before; secrets are in the vault. */
export interface KnownArchive {
  id: string
  name: string
  url: string
  isHere: boolean
  isSample: boolean
  username: string
  fullName: string
  scheme: 'Token' | 'Basic'
  /** Whether the desk goes on with it when it starts. */
  isSignedIn: boolean
}

export type DeskStore = ReturnType<typeof openDeskStore>

/** What this desk made and nobody else has: drafts, their way to the archive, and what it already told. Never rebuilt from a server. */
export const openDeskStore = (file: string) => {
  const database = openDatabase(file, migrations)
  const toTransfer = (row: unknown) => JSON.parse((row as { body: string }).body) as KeptTransfer
  return {
    database,
    transfers: (archive: string): KeptTransfer[] => database.prepare('select body from transfer where archive = ? and removed is null order by made desc').all(archive).map(toTransfer),
    transfer: (id: string): KeptTransfer | undefined => {
      const row = database.prepare('select body from transfer where id = ?').get(id)
      return row && toTransfer(row)
    },
    keepTransfer: (it: KeptTransfer) => {
      database.prepare('insert into transfer (id, archive, made, body) values (?, ?, ?, ?) on conflict (id) do update set body = excluded.body').run(it.id, it.archive, it.made, JSON.stringify(it))
      return it
    },
    removeTransfer: (id: string, at: string | null) => database.prepare('update transfer set removed = ? where id = ?').run(at, id),
    archives: (): KnownArchive[] =>
      database
        .prepare('select body from archive order by used desc')
        .all()
        .map((row) => JSON.parse((row as { body: string }).body) as KnownArchive),
    keepArchive: (it: KnownArchive, at: string) =>
      database.prepare('insert into archive (id, used, body) values (?, ?, ?) on conflict (id) do update set used = excluded.used, body = excluded.body').run(it.id, at, JSON.stringify(it)),
    /** Of these notifications, those never told before; they count as told from now on. */
    tellOnce: (archive: string, notifications: number[]): number[] =>
      together(database, () => notifications.filter((id) => database.prepare('insert or ignore into told (archive, notification) values (?, ?)').run(archive, id).changes === 1)),
    close: () => database.close(),
  }
}
