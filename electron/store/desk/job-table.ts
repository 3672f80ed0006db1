import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { Failed, type Failure } from '../../contract/failure.ts'
import { isStateOf, leads, type JobKind, type JobStates } from '../../contract/jobs.ts'
import { BatchBody, CreationBody, DisseminationBody, DownloadBody, TransferBody } from './job-bodies.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { transaction } from '../../common/transaction.ts'
import { prepare } from '../../common/statements.ts'
import { messageOf } from '../../common/errors.ts'

/**
 * One table for all that this desk does over restarts. What the engine asks for stands in columns: whose it
 * is, of what kind, how far it has come, whether it goes by itself, how often it was tried and when it is
 * tried again (ISO 8601). `place` is the order of sending. The body is what a kind alone understands
 * (job-bodies.ts). A body that is no JSON is kept and counts as empty here.
 */
const jobTable = `
  create table job (
    id text primary key, archive text not null, kind text not null, state text not null,
    isWaiting integer not null default 0, wasRestored integer not null default 0,
    attempts integer not null default 0, triedAt text, nextAt text,
    made text not null, place real not null, removed text, body text not null,
    dueAt text generated always as (iif(iif(json_valid(body), body ->> '$.failure.kind', '') in ('offline',
      'proxy'), '', coalesce(nextAt, ''))) virtual,
    delivery text generated always as (iif(json_valid(body), body ->> '$.form.delivery', '')) virtual
  ) strict;
  create index job_in_order on job (archive, kind, place);
  create index job_undelivered on job (archive, kind, place) where removed is null and state <> 'delivered';
  create index job_state on job (archive, kind, state) where removed is null;
  create index job_due on job (archive, kind, dueAt) where removed is null and isWaiting = 1;
  create index job_tried on job (archive, kind, triedAt) where removed is null and isWaiting = 1;
  create index job_restored on job (archive, kind) where removed is null and wasRestored = 1;
  create index job_delivery on job (archive, kind)
    where removed is null and substr(delivery, 1, 7) = 'queued:';`

/**
 * Fields of a job that stand in columns of their own; the state does too, by the name that its kind has for
 * it.
 */
export const inColumns = ['archive', 'made', 'attempts', 'nextAt', 'triedAt', 'wasRestored', 'isWaiting']
const without = (names: string[]) =>
  `json_remove(body, ${[...inColumns, ...names].map((name) => `'$.${name}'`).join(', ')})`

/** A text or a number of a body, where it is one: columns are strict. */
const text = (name: string) => `iif(json_type(body, '$.${name}') = 'text', body ->> '$.${name}', null)`
const number = (name: string) =>
  `iif(json_type(body, '$.${name}') in ('integer', 'true', 'false'), body ->> '$.${name}', 0)`

/**
 * Brings what earlier versions kept in tables of their own, with every state inside a body, into the one
 * table.
 */
export const toOneTable = `${jobTable}
  insert into job (id, archive, kind, state, wasRestored, attempts, triedAt, nextAt, made, place, removed,
    body)
    select id, archive, 'creation', coalesce(${text('state')}, 'held'),
      ${number('wasRestored')},
      ${number('attempts')}, ${text('triedAt')}, ${text('nextAt')},
        coalesce(${text('made')}, ''),
      place, removed, ${without(['state'])}
    from creation where json_valid(body);
  insert into job (id, archive, kind, state, isWaiting, wasRestored, attempts, triedAt, nextAt, made, place,
    removed, body)
    select id, archive, 'transfer', coalesce(${text('stage')}, 'draft'),
      ${number('isWaiting')},
      ${number('wasRestored')}, ${number('attempts')}, ${text('triedAt')},
      ${text('nextAt')}, made, rowid, removed, ${without(['stage'])}
    from transfer where json_valid(body);
  insert into job (id, archive, kind, state, made, place, body)
    select id, archive, iif(kind = 'dip', 'dissemination', kind), coalesce(${text('it.state')}, 'stopped'),
      made,
      rowid, coalesce(json_remove(body -> '$.it', '$.state'), body)
    from task where json_valid(body);
  insert into job (id, archive, kind, state, made, place, removed, body)
    select id, archive, 'creation', 'refused', '', place, removed, body from creation
      where not json_valid(body);
  insert into job (id, archive, kind, state, made, place, removed, body)
    select id, archive, 'transfer', 'refused', made, rowid, removed, body from transfer
      where not json_valid(body);
  insert into job (id, archive, kind, state, made, place, body)
    select id, archive, iif(kind = 'dip', 'dissemination', kind), 'failed', made, rowid, body
    from task where not json_valid(body);
  drop table creation;
  drop table transfer;
  drop table task;`

/**
 * Brings batches, which had a table of their own, into the one table; nobody works at one when a desk starts.
 */
export const batchesToJobs = `
  insert into job (id, archive, kind, state, wasRestored, made, place, body)
    select id, archive, 'batch', 'ready', iif(json_valid(body), ${number('wasRestored')}, 0),
      made, rowid,
      iif(json_valid(body), ${without([])}, body)
    from batch;
  drop table batch;`

/** A job as the table has it. */
export interface Row {
  id: string
  archive: string
  kind: JobKind
  state: string
  isWaiting: boolean
  wasRestored: boolean
  attempts: number
  triedAt: string | null
  nextAt: string | null
  made: string
  body: string
}

const columns = 'id, archive, kind, state, isWaiting, wasRestored, attempts, triedAt, nextAt, made, body'
type FoundRow = Omit<Row, 'isWaiting' | 'wasRestored'> & { isWaiting: number; wasRestored: number }
const rowOf = (row: FoundRow): Row => ({
  ...row,
  isWaiting: row.isWaiting === 1,
  wasRestored: row.wasRestored === 1,
})

/** The state and the body of a job, or the failure that says what is wrong with them. */
export const read = <Kind extends JobKind, Body>(
  kind: Kind,
  schema: v.GenericSchema<unknown, Body>,
  { id, state, body }: Row,
): { state: JobStates[Kind]; body: Body } | { unreadable: Failure } => {
  const unreadable = (detail: string) => ({ unreadable: { kind: 'unreadable-job', detail } as const })
  if (!isStateOf(kind, state)) return unreadable(`state: ${state}`)
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch (error) {
    return unreadable(messageOf(error))
  }
  const parsed = v.safeParse(schema, json)
  if (!parsed.success) return unreadable(v.summarize(parsed.issues))
  // What lies on a damaged page may be of another job.
  const said: unknown = Reflect.get(Object(json), 'id')
  return said === id ? { state, body: parsed.output } : unreadable(`id: ${String(said)}`)
}

export const isUnreadable = (kept: object): kept is { unreadable: Failure } => 'unreadable' in kept

const schemas: Partial<Record<JobKind, v.GenericSchema>> = {
  creation: CreationBody,
  transfer: TransferBody,
  dissemination: DisseminationBody,
  download: DownloadBody,
  batch: BatchBody,
}

/** What the journal says of a step; undefined of what is no step. */
export type LineOf = (row: Row, before: Row | undefined) => Omit<JournalEntry, 'archive'> | undefined

/** Reads jobs: one by its id, or those of a condition. */
export const openJobRows = (database: DatabaseSync) => ({
  one: (id: string): Row | undefined => {
    const row = prepare<FoundRow>(
      database,
      `select ${columns} from job where id = ? and removed is null`,
    ).get(id)
    return row && rowOf(row)
  },
  /** The same, also of one that was taken off its list. */
  oneOrRemoved: (id: string): Row | undefined => {
    const row = prepare<FoundRow>(database, `select ${columns} from job where id = ?`).get(id)
    return row && rowOf(row)
  },
  many: (where: string, ...values: (string | number)[]): Row[] =>
    prepare<FoundRow>(database, `select ${columns} from job where ${where}`)
      .all(...values)
      .map(rowOf),
})
export type JobRows = ReturnType<typeof openJobRows>

/** Reads and writes single jobs: the one place where a job's state changes. */
export const openTable = (database: DatabaseSync, journal: Journal) => {
  const { one, oneOrRemoved, many } = openJobRows(database)
  return {
    one,
    oneOrRemoved,
    many,
    /**
     * Keeps a job with its line in the journal, both or neither.
     * @throws Failed unreadable-job where what is kept of it cannot be read: it is not written over. An error
     * where no step leads from the state that it has to the one that it is to have
     */
    write: (row: Row, lineOf: LineOf) =>
      transaction(database, () => {
        const before = oneOrRemoved(row.id)
        const schema = schemas[row.kind]
        const kept = before && schema ? read(before.kind, schema, before) : {}
        if (isUnreadable(kept)) throw new Failed(kept.unreadable)
        if (before && !leads(row.kind, before.state, row.state))
          throw new Error(`A ${row.kind} does not go from ${before.state} to ${row.state}.`)
        const line = lineOf(row, before)
        if (line) journal.write({ archive: row.archive, ...line })
        const { id, archive, kind, state, isWaiting, wasRestored, attempts, triedAt, nextAt, made, body } =
          row
        database
          .prepare(
            `insert into job (${columns}, place)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
               (select coalesce(max(place), 0) + 1 from job where archive = ?2 and kind = ?3))
             on conflict (id) do update set state = excluded.state, isWaiting = excluded.isWaiting,
               wasRestored = excluded.wasRestored, attempts = excluded.attempts, triedAt = excluded.triedAt,
               nextAt = excluded.nextAt, body = excluded.body`,
          )
          .run(
            id,
            archive,
            kind,
            state,
            Number(isWaiting),
            Number(wasRestored),
            attempts,
            triedAt,
            nextAt,
            made,
            body,
          )
        // What was written, as it is read again: whoever compares it later compares like with like.
        return { ...row, archive: before?.archive ?? archive, made: before?.made ?? made }
      }),
    remove: (id: string, moment: string | null) =>
      void database.prepare('update job set removed = ? where id = ?').run(moment, id),
  }
}
export type Table = ReturnType<typeof openTable>
