import type { DatabaseSync } from 'node:sqlite'
import type { JobKind } from '../../contract/jobs.ts'
import type { ListName } from '../../contract/lists.ts'
import { passingKinds } from '../../contract/failure.ts'
import type { TransferGroup } from '../../contract/transfers.ts'
import { formerSip } from './former-names.ts'
import type { KeptCreation, KeptTransfer } from './desk-store.ts'
import { isReadable, toCreation, toTransfer } from './job-rows.ts'
import { openJobRows, type JobRows } from './job-table.ts'
import { prepare } from '../../common/statements.ts'

const column = (name: string, value: string) =>
  `alter table job add column ${name} text generated always as (iif(json_valid(body), ${value}, ` +
  'null)) virtual;'
const ofBody = (name: string, path: string) => column(name, `body ->> '${path}'`)

/**
 * What lists of jobs ask for, as columns of what their bodies hold, each with its index: however many jobs
 * there are, a page of them is found without reading the rest.
 */
export const listedJobs = `
  ${ofBody('list', '$.list')}
  ${ofBody('remote', '$.remote')}
  ${ofBody('wasFound', '$.wasFound')}
  ${ofBody('package', '$.package')}
  ${column('content', `coalesce(body ->> '$.sip.content', body ->> '$.${formerSip}.content')`)}
  ${ofBody('failureKind', '$.failure.kind')}
  ${ofBody('failurePath', '$.failure.path')}
  update job set isWaiting = 1 where kind = 'creation' and state in ('waiting', 'sending', 'unanswered');
  create index job_of_list on job (archive, list, place) where kind = 'creation' and removed is null;
  create index job_in_archive on job (archive, remote) where kind = 'creation' and remote is not null;
  create index job_found on job (archive, place) where kind = 'creation' and removed is null and wasFound = 1;
  create index job_of_package on job (archive, kind, package) where removed is null and package is not null;
  create index job_content on job (archive, content)
    where kind = 'transfer' and removed is null and content <> '';
  create index job_made on job (archive, kind, made, id) where removed is null;
  create index job_group on job (archive, kind, state, isWaiting, failureKind, failurePath)
    where removed is null;
  create index job_awaited on job (archive, kind, place) where removed is null and isWaiting = 1;`

/** What may go by itself, or is to be looked up. */
const goesByItself = 'removed is null and (isWaiting = 1 or wasRestored = 1)'
/**
 * In the order of sending, with all that says whether the time of a job has come: the next few that are due
 * are found without reading a body.
 */
export const jobsInTurn = `
  create index job_in_turn on job (archive, kind, place, id, isWaiting, wasRestored, dueAt, triedAt)
    where ${goesByItself};`

/** What the list of batches says of each, so that their rows are not read for it. */
export const listedBatches = `
  ${ofBody('tablePath', '$.tablePath')}
  ${column('rowCount', "json_array_length(body, '$.rows')")}
  create index job_batches on job (archive, made, id, tablePath, rowCount)
    where kind = 'batch' and removed is null;`

/** A job that may go, and where it stands in the order of sending. */
export interface DueJob {
  id: string
  place: number
}
/** So many are given at once. */
const mostDue = 100

/** The transfers of an archive, which is given first, that were not taken off its list. */
export const listedTransfer = `archive = ?1 and kind = 'transfer' and removed is null`
const passing = passingKinds.map((kind) => `'${kind}'`).join(', ')
/** The same as `needsPerson` of the contract, said in SQL. */
const isTroubled = `(state = 'refused' or (failureKind is not null and failureKind not in (${passing})
  and not (failureKind = 'disk' and failurePath = '')))`
/** How a transfer is, in short. */
export interface TransferStatus {
  state: string
  /** It stopped, and a person has to look. */
  isTroubled: boolean
  /** A person took it off the list. */
  isRemoved: boolean
}

const isSent = `(isWaiting = 1 or state = 'sending')`
/**
 * The states in which a transfer is of a group: they find it by the index. Few are, so they are sorted after
 * that (+).
 */
const groups: Record<TransferGroup, string> = {
  troubled:
    `state in ('draft', 'packing', 'prepared', 'sending', 'sent', 'received', 'refused') and ` +
    `${isTroubled}`,
  waiting: `state in ('draft', 'packing', 'prepared', 'sending') and not ${isTroubled} and ${isSent}`,
  working: `state in ('packing', 'sent', 'received') and not ${isTroubled} and not ${isSent}`,
  drafts: `state in ('draft', 'prepared') and not ${isTroubled} and not ${isSent}`,
}

const openTransferLists = (database: DatabaseSync, { many }: Pick<JobRows, 'many'>) => ({
  /** How many transfers of an archive there are. */
  transferCount: (archive: string): number =>
    Number(database.prepare(`select count(*) as n from job where ${listedTransfer}`).get(archive)?.['n']),
  /** Some of them, those that were begun last first. */
  transferPage: (archive: string, offset: number, limit: number): KeptTransfer[] =>
    many(`${listedTransfer} order by made desc, id desc limit ?2 offset ?3`, archive, limit, offset).map(
      toTransfer,
    ),
  /** Some of them, in the order of their ids. */
  transfersOfIds: (archive: string, ids: string[]): KeptTransfer[] => {
    const found = many(
      `${listedTransfer} and id in (select value from json_each(?2))`,
      archive,
      JSON.stringify(ids),
    )
    const byId = new Map(found.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? []).map(toTransfer)
  },
  /** How some transfers stand, by their ids; of those that were taken off the list too, which says so. */
  statusesOf: (ids: string[]): Map<string, TransferStatus> =>
    new Map(
      prepare<{ id: string; state: string; isTroubled: number; isRemoved: number }>(
        database,
        `select id, state, ${isTroubled} as isTroubled, removed is not null as isRemoved from job
           where id in (select value from json_each(?)) and kind = 'transfer'`,
      )
        .all(JSON.stringify(ids))
        .map(({ id, state, isTroubled: troubled, isRemoved }) => [
          id,
          { state, isTroubled: troubled === 1, isRemoved: isRemoved === 1 },
        ]),
    ),
  /** The id of one that a backup brought back and that was not looked up since; undefined without any. */
  firstRestored: (archive: string): string | undefined =>
    prepare<{ id: string }>(
      database,
      `select id from job where ${listedTransfer} and wasRestored = 1 limit 1`,
    ).get(archive)?.id,
  /** How many are of a group, and those of it that were begun last. */
  transfersOf: (archive: string, group: TransferGroup, most: number) => ({
    count: Number(
      database
        .prepare(`select count(*) as n from job where ${listedTransfer} and ${groups[group]}`)
        .get(archive)?.['n'],
    ),
    first: many(
      `${listedTransfer} and ${groups[group]} order by +made desc, +id desc limit ?2`,
      archive,
      most,
    ).map(toTransfer),
  }),
  /** Transfers whose files have the same bytes as those of one. */
  transfersWithContent: (archive: string, content: string, most: number): KeptTransfer[] =>
    content === ''
      ? []
      : many(
          `${listedTransfer} and content = ?2 and content <> '' order by +made desc, +id desc limit ?3`,
          archive,
          content,
          most,
        ).map(toTransfer),
  /** Transfers that became a package. */
  transfersThatBecame: (archive: string, packageId: string): KeptTransfer[] =>
    many(`${listedTransfer} and package = ?2 order by +made desc, +id desc limit 50`, archive, packageId).map(
      toTransfer,
    ),
  /**
   * Ids of those that are on their way, and of those whose delivery was not in the archive when it was
   * chosen.
   */
  openTransferIds: (archive: string): string[] =>
    database
      .prepare(
        `select id from job where ${listedTransfer} and state in ('packing', 'sending', 'sent', 'received')
         union select id from job where ${listedTransfer} and substr(delivery, 1, 7) = 'queued:'`,
      )
      .all(archive)
      .map(({ id }) => String(id)),
})

const creationOf = `archive = ?1 and kind = 'creation' and removed is null`
/** As many of those that arrived last may not be in the local copy yet. */
const mostArrived = 50

const openCreationLists = (database: DatabaseSync, { many }: Pick<JobRows, 'many'>) => ({
  /** Those that are not in the archive yet, in the order of sending. */
  undelivered: (archive: string, most: number): KeptCreation[] =>
    many(`${creationOf} and state <> 'delivered' order by place limit ?2`, archive, most).map(toCreation),
  undeliveredCount: (archive: string): number =>
    Number(
      database
        .prepare(`select count(*) as n from job where ${creationOf} and state <> 'delivered'`)
        .get(archive)?.['n'],
    ),
  /** Whether one of them waits for a person. */
  hasTroubledCreation: (archive: string): boolean =>
    database
      .prepare(`select 1 from job where ${creationOf} and state in ('refused', 'undecided') limit 1`)
      .get(archive) !== undefined,
  /** Those of which no answer came, and that were found in the archive, the last first. */
  foundCreations: (archive: string, most: number): KeptCreation[] =>
    many(
      `${creationOf} and wasFound = 1 and state = 'delivered' order by +place desc limit ?2`,
      archive,
      most,
    ).map(toCreation),
  /** Those of one list that are not in the archive yet, and those that arrived there last. */
  creationsOf: (archive: string, list: ListName, most: number): KeptCreation[] =>
    [
      ...many(
        `${creationOf} and list = ?2 and state <> 'delivered' order by place limit ?3`,
        archive,
        list,
        most,
      ),
      ...many(
        `${creationOf} and list = ?2 and state = 'delivered' order by place desc limit ?3`,
        archive,
        list,
        mostArrived,
      ),
    ].map(toCreation),
  /** The creation of this desk that made a record of the archive; undefined where another desk made it. */
  creationOf: (archive: string, list: ListName, remote: string): string | undefined =>
    prepare<{ id: string }>(
      database,
      `select id from job where archive = ? and kind = 'creation' and remote = ? and list = ? limit 1`,
    ).get(archive, remote, list)?.id,
  /** Whether another creation of this desk is known to have made a record of the archive. */
  isClaimed: (archive: string, list: ListName, remote: string, exceptId: string): boolean =>
    database
      .prepare(
        `select 1 from job where archive = ? and kind = 'creation' and remote = ? and list = ?
            and id <> ? limit 1`,
      )
      .get(archive, remote, list, exceptId) !== undefined,
  /** Those that are being sent, as far as the file says. */
  sendingCreations: (archive: string): KeptCreation[] =>
    many(`${creationOf} and state = 'sending'`, archive).map(toCreation).filter(isReadable),
})

/** Bounded looks at the jobs of this desk: none of them reads all there are. */
export const openJobLists = (database: DatabaseSync, rows: JobRows) => ({
  ...openTransferLists(database, rows),
  ...openCreationLists(database, rows),
  /** Whether a job, listed or taken off its list, is of a kind and of an archive. */
  isJobOf: (id: string, kind: JobKind, archive: string): boolean =>
    prepare<{ found: number }>(
      database,
      'select 1 as found from job where id = ? and kind = ? and archive = ?',
    ).get(id, kind, archive) !== undefined,
  /**
   * The next few jobs that may go to an archive at a moment (ISO 8601), in the order of sending: those that
   * go by themselves and whose time has come, or that were tried by a clock that was ahead of this one, and
   * those that a backup brought back and that are to be looked up.
   * @param after the last one that was given before; null gives the first ones
   * @returns none where no more are due
   */
  dueJobs: (archive: string, kind: JobKind, moment: string, after: DueJob | null): DueJob[] =>
    prepare<DueJob>(
      database,
      `select id, place from job
         where archive = ?1 and kind = ?2 and ${goesByItself} and (place, id) > (?4, ?5)
           and (wasRestored = 1 or dueAt <= ?3 or triedAt > ?3)
       order by place, id limit ${mostDue}`,
    ).all(archive, kind, moment, after?.place ?? Number.NEGATIVE_INFINITY, after?.id ?? ''),
  /**
   * Whether the time of a job has come that goes by itself at a time, or was tried by a clock that was ahead:
   * those that go as soon as they can do not count.
   */
  hasTimed: (archive: string, kind: JobKind, moment: string): boolean =>
    database
      .prepare(
        `select 1 from job
           where archive = ?1 and kind = ?2 and removed is null and isWaiting = 1
             and dueAt > '' and dueAt <= ?3
         union all select 1 from job
           where archive = ?1 and kind = ?2 and removed is null and isWaiting = 1 and triedAt > ?3
         limit 1`,
      )
      .get(archive, kind, moment) !== undefined,
  /** Whether any job goes to an archive by itself, now or later. */
  hasAwaited: (archive: string, kind: JobKind): boolean =>
    database
      .prepare(
        `select 1 from job where archive = ? and kind = ? and removed is null and isWaiting = 1 limit 1`,
      )
      .get(archive, kind) !== undefined,
})

/** The packages of an archive that this desk had made for an order, whether its lists show them or not. */
export const openDipsOf =
  (database: DatabaseSync) =>
  (archive: string, order: string): string[] =>
    prepare<{ dip: string }>(
      database,
      `select body ->> '$.dip' as dip from job
         where archive = ? and kind = 'dissemination' and json_valid(body)
           and body ->> '$.order' = ? and body ->> '$.dip' is not null`,
    )
      .all(archive, order)
      .map(({ dip }) => dip)

/** What a thread asks of the desk's creations. */
export const openCreationQuestions = (database: DatabaseSync) => {
  const rows = openJobRows(database)
  const lists = openCreationLists(database, rows)
  return {
    creationsOf: lists.creationsOf,
    creationOf: lists.creationOf,
    creationOrRemoved: (id: string): KeptCreation | undefined => {
      const row = rows.oneOrRemoved(id)
      return row?.kind === 'creation' ? toCreation(row) : undefined
    },
  }
}
