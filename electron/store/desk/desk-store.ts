import type { DatabaseSync } from 'node:sqlite'
import type { Batch, BatchRow, BatchState, Mapping } from '../../contract/batch.ts'
import type { FormField, FormValues } from '../../contract/description.ts'
import type { Creation } from '../../contract/outbox.ts'
import type { ArchiveStep, Transfer } from '../../contract/transfers.ts'
import type { Capabilities } from '../../contract/capabilities.ts'
import { deskListTables, openDeskLists } from './desk-lists.ts'
import { fileFormatTable, openFileFormats } from './file-formats.ts'
import { fileIdentityTable } from './file-identity.ts'
import { fileNoteTable, openFileNotes } from './file-notes.ts'
import { orderLinks } from './former-names.ts'
import { laidPackageTable, openLaidPackages } from './laid-packages.ts'
import { jobsInTurn, listedBatches, listedJobs, openDipsOf } from './job-lists.ts'
import { batchesToJobs, toOneTable } from './job-table.ts'
import { openJobs } from './jobs.ts'
import { journalTables, openJournal } from './journal.ts'
import { openMaybeSent } from './maybe-sent.ts'
import { ledgerTables, noticeTimes, openLedger } from './message-ledger.ts'
import { openDatabase } from '../open-database.ts'
import { transaction } from '../../common/transaction.ts'
import { prepare } from '../../common/statements.ts'
import { CapabilitiesBody, KnownArchiveBody, readBody } from './desk-bodies.ts'

/**
 * What the text of a job says at a path; nothing where it is no JSON, which a damaged page may have made it.
 */
const said = (path: string) => `iif(json_valid(body), body ->> '${path}', null)`

export const migrations = [
  `create table transfer (id text primary key, archive text not null, made text not null, body text not null,
    removed text) strict;
   create table archive (id text primary key, used text not null, body text not null) strict;
   create table told (archive text not null, notification integer not null,
     primary key (archive, notification)) strict, without rowid;`,
  `create table creation (id text primary key, archive text not null, place real not null, body text not null,
    removed text) strict;
   create index creation_in_order on creation (archive, place);
   create table paused (archive text primary key) strict;`,
  `create table batch (id text primary key, archive text not null, made text not null,
      body text not null) strict;`,
  `${ledgerTables} ${journalTables} ${deskListTables}`,
  `create table capability (archive text primary key, body text not null) strict;
   create table task (id text primary key, archive text not null, kind text not null, made text not null,
     body text not null) strict;`,
  `alter table transfer add column stage text generated always as (${said('$.stage')}) virtual;
   alter table transfer add column isWaiting integer generated always as (${said('$.isWaiting')}) virtual;
   alter table transfer add column due text generated always as (iif(${said('$.failure.kind')} in ('offline',
     'proxy'), '', coalesce(${said('$.nextAt')}, ''))) virtual;
   alter table transfer add column tried text generated always as (coalesce(${said('$.triedAt')},
     '')) virtual;
   create index transfer_stage on transfer (archive, stage) where removed is null;
   create index transfer_due on transfer (archive, due) where removed is null and isWaiting = 1;
   create index transfer_tried on transfer (archive, tried) where removed is null and isWaiting = 1;
   create index transfer_delivery on transfer (archive)
     where removed is null and substr(${said('$.form.delivery')}, 1, 7) = 'queued:';
   alter table creation add column state text generated always as (${said('$.state')}) virtual;
   create index transfer_restored on transfer (archive)
     where removed is null and ${said('$.wasRestored')} = 1;
   create index creation_undelivered on creation (archive, place)
     where removed is null and state <> 'delivered';`,
  toOneTable,
  batchesToJobs,
  listedJobs,
  orderLinks,
  jobsInTurn,
  listedBatches,
  `create table fileExtension (archive text not null, extension text not null, isTaken integer not null,
     primary key (archive, extension)) strict, without rowid;`,
  fileNoteTable,
  fileFormatTable,
  laidPackageTable,
  fileIdentityTable,
  noticeTimes,
]

/** How many migrations had run when creations, transfers and tasks still had tables of their own. */
export const beforeJobs = migrations.indexOf(toOneTable)
/** The same while batches still had one. */
export const beforeBatches = migrations.indexOf(batchesToJobs)

/**
 * A request whose answer was lost may still be under way in the archive: how often a lookup since then found
 * nothing of it, and how long was waited for that, in milliseconds. It is stored under "doubt".
 */
export interface LookupTally {
  lookups: number
  waitedMs: number
}

/** A transfer as it is kept: what the window sees, and what only the desk needs to go on after a crash. */
export interface KeptTransfer extends Omit<
  Transfer,
  | 'waitsFor'
  | 'profile'
  | 'constraints'
  | 'isOverInterface'
  | 'transport'
  | 'generation'
  | 'archiveWork'
  | 'refusable'
  | 'leftIn'
> {
  /** The text of the profile that it is made for. */
  profileText: string | null
  archive: string
  /** The step of sending that was begun last: written before it is taken. */
  sending: 'registering' | 'copying' | 'renaming' | 'submitting' | null
  ingestFolder: string | null
  /** The mount point that the ingest folder lay below when the package was brought there. */
  mountPoint?: string
  /** The mount point that its own package lay below when it was sent over the interface. */
  packageMountPoint?: string
  /** Its form as a batch filled it in: another one was changed by a person. */
  drawnForm?: Record<string, unknown>
  /** How often it was registered, and made a draft again after that. */
  formerRegistrations?: number
  /** What an attempt over the interface left in the archive, which refused it; it holds the identifier. */
  refusedPackage?: string | null
  /** Under which identifier that lies there; absent where that is the one that it has now. */
  refusedIdentifier?: string
  /** The archive's own record of it, where it goes over the interface; null while nobody knows its id. */
  record?: { id: string | null; wasRefused?: boolean } | null
  /** The reception of the archive into which it is laid; absent where it goes over the interface. */
  reception?: string | null
  /** Steps that it took in the archive over the interface, and when each was seen first (ISO 8601). */
  steps?: { step: ArchiveStep; at: string }[]
  /** Lookups since it was registered or sent, while nobody knows what became of that. */
  doubt?: LookupTally
  /** Packages with the same identifier, or one much like it, that the archive had when this one was sent. */
  before: string[]
  /** When it was tried last, by the clock of then; those of earlier versions do not say. */
  triedAt?: string | null
  /**
   * A backup or another desk brought it back: what became of it since is to be looked up before it is sent.
   */
  wasRestored?: boolean
}

/** A creation as it is kept: what was typed, and what the desk needs to send it exactly once. */
export interface KeptCreation extends Omit<Creation, 'waitsFor' | 'wasFound'> {
  wasFound?: boolean
  archive: string
  fields: FormField[]
  values: FormValues
  /** Records of the archive that may be it, where it is undecided. */
  candidates?: string[]
  /** Keys of the records that said the same before it was sent; written before it is. */
  before: string[] | null
  /** Where it was sent to, below /api/; those of earlier versions to their list. */
  path?: string
  /** What was sent. */
  body: Record<string, unknown> | null
  /** When it was tried last, by the clock of then; those of earlier versions do not say. */
  triedAt?: string | null
  /** A backup brought it back: what became of it since is to be looked up before anything is done with it. */
  wasRestored?: boolean
  /** Lookups since it was sent last, while it is unanswered. */
  doubt?: LookupTally
  /** What it said before it was corrected, where that may have been sent. */
  former?: Pick<KeptCreation, 'fields' | 'values'>[]
  /** The archive said that it took it, and did not say its id. */
  wasTaken?: boolean
}

/** A batch as it is kept: the table as it was read, and the id that each row's transfer has or will have. */
export interface KeptBatch {
  id: string
  archive: string
  kind: Batch['kind']
  state: BatchState
  tablePath: string
  made: string
  columns: string[]
  rows: string[][]
  /** How many rows, empty ones too, came before each; left out by versions that did not keep it. */
  places?: number[]
  ids: string[]
  mapping: Mapping
  template: string | null
  /** What a dry run counted, by the number of the row. */
  counted: Record<string, NonNullable<BatchRow['counted']>>
  /** A backup brought it back: its rows may have been sent since. */
  wasRestored?: boolean
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
  /** What it speaks, by its name; archives of earlier versions do not say. */
  dialect?: string
  /** When name and password were proved last; archives of earlier versions do not say. */
  since?: string
  /** When the token ends, where the archive said so. */
  ends?: string | null
  /** Whether somebody agreed that the password travels there unencrypted. */
  mayBeRead?: boolean
  /** Which of the colours is its own; archives of earlier versions have none yet. */
  colour?: number
  /** Whether the desk goes on with it when it starts. */
  isSignedIn: boolean
}

export type DeskStore = ReturnType<typeof openDeskStore>

const openCapabilities = (database: DatabaseSync) => {
  const capability = prepare<{ body: string }>(database, 'select body from capability where archive = ?')
  return {
    /** What an archive said it can do; what earlier versions did not ask is not taken from them. */
    of: (archive: string): Capabilities | null => {
      const row = capability.get(archive)
      return (row && readBody(CapabilitiesBody, row.body)) ?? null
    },
    keep: (archive: string, capabilities: Capabilities) =>
      void database
        .prepare(
          `insert into capability (archive, body) values (?, ?) on conflict (archive) do update
              set body = excluded.body`,
        )
        .run(archive, JSON.stringify(capabilities)),
  }
}

const openFileExtensions = (database: DatabaseSync) => ({
  /** Extensions of files that an archive was seen to take (true) or to refuse. */
  of: (archive: string): Map<string, boolean> =>
    new Map(
      prepare<{ extension: string; isTaken: number }>(
        database,
        'select extension, isTaken from fileExtension where archive = ? order by extension limit 1000',
      )
        .all(archive)
        .map(({ extension, isTaken }) => [extension, isTaken === 1]),
    ),
  note: (archive: string, extension: string, isTaken: boolean) =>
    void database
      .prepare(
        `insert into fileExtension (archive, extension, isTaken) values (?, ?, ?)
            on conflict (archive, extension) do update set isTaken = excluded.isTaken`,
      )
      .run(archive, extension, isTaken ? 1 : 0),
})

/**
 * What this desk made and nobody else has: drafts, their way to the archive, and what it already told. Never
 * rebuilt from a server.
 */
export const openDeskStore = (file: string, now: () => Date = () => new Date()) => {
  const database = openDatabase(file, migrations)
  const journal = openJournal(database, now)
  const jobs = openJobs(database, journal)
  const capabilities = openCapabilities(database)
  const extensions = openFileExtensions(database)
  const archives = prepare<{ body: string }>(database, 'select body from archive order by used desc')
  return {
    database,
    /** All of the work is kept, or none of it. */
    transaction: <T>(work: () => T): T => transaction(database, work),
    journal,
    ledger: openLedger(database),
    lists: openDeskLists(database),
    fileNotes: openFileNotes(database),
    fileFormats: openFileFormats(database),
    laidPackages: openLaidPackages(database),
    maybeSent: openMaybeSent(database),
    latestTransfer: jobs.transfers.latestTransfer,
    ingestFolders: jobs.transfers.ingestFolders,
    mountPointOf: jobs.transfers.mountPointOf,
    hasSent: jobs.transfers.hasSent,
    leftTransfers: jobs.transfers.leftTransfers,
    restoredTransfers: jobs.transfers.restoredTransfers,
    waitingAfter: jobs.transfers.waitingAfter,
    unsentTransfers: jobs.transfers.unsentTransfers,
    transfer: jobs.transfers.transfer,
    removedTransfer: jobs.transfers.removedTransfer,
    keepTransfer: jobs.transfers.keepTransfer,
    removeTransfer: jobs.transfers.removeTransfer,
    batches: jobs.batches.batches,
    batch: jobs.batches.batch,
    keepBatch: jobs.batches.keepBatch,
    removeBatch: jobs.batches.removeBatch,
    creation: jobs.creations.creation,
    creationOrRemoved: jobs.creations.creationOrRemoved,
    keepCreation: jobs.creations.keepCreation,
    changeCreation: jobs.creations.changeCreation,
    removeCreation: jobs.creations.removeCreation,
    moveCreation: jobs.creations.moveCreation,
    tasks: jobs.tasks,
    archiveOfJob: jobs.archiveOfJob,
    ...jobs.lists,
    dipsOf: openDipsOf(database),
    capabilities: capabilities.of,
    keepCapabilities: capabilities.keep,
    fileExtensions: extensions.of,
    noteFileExtension: extensions.note,
    isPaused: (archive: string) =>
      database.prepare('select 1 from paused where archive = ?').get(archive) !== undefined,
    setPaused: (archive: string, is: boolean) =>
      database
        .prepare(
          is ? 'insert or ignore into paused (archive) values (?)' : 'delete from paused where archive = ?',
        )
        .run(archive),
    archives: (): KnownArchive[] =>
      archives.all().flatMap(({ body }) => readBody(KnownArchiveBody, body) ?? []),
    /** Keeps what is known of an archive; a new one has not been shown yet. */
    keepArchive: (known: KnownArchive) =>
      database
        .prepare(
          `insert into archive (id, used, body) values (?, '', ?) on conflict (id) do update
              set body = excluded.body`,
        )
        .run(known.id, JSON.stringify(known)),
    /**
     * An archive is shown from now on: it is the last one, also where the clock stands still or was put back.
     */
    showArchive: (id: string, time: Date) =>
      transaction(database, () => {
        const row = database.prepare('select max(used) as used from archive').get()
        const latest = Date.parse(String(row?.['used'])) || 0
        const used = new Date(Math.max(time.getTime(), latest + 1)).toISOString()
        database.prepare('update archive set used = ? where id = ?').run(used, id)
      }),
    close: () => database.close(),
  }
}
