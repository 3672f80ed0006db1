import type { DatabaseSync } from 'node:sqlite'
import type { JournalAct } from '../contract/activity.ts'
import type { DipTask } from '../contract/dips.ts'
import type { Failure } from '../contract/failure.ts'
import { listNames, type ListName } from '../contract/lists.ts'
import type { KeptCreation, KeptTransfer } from './desk.ts'
import {
  CreationBody,
  DisseminationBody,
  DownloadBody,
  TransferBody,
  type KeptDownload,
} from './job-bodies.ts'
import {
  columns,
  inColumns,
  isUnreadable,
  openTable,
  read,
  type LineOf,
  type Row,
  type Table,
} from './job-table.ts'
import type { Journal } from './journal.ts'
import { transaction } from './open.ts'

/** The list that a body names, where that much of it can be read. */
const listIn = (body: string): ListName | undefined => {
  try {
    const named: unknown = Reflect.get(Object(JSON.parse(body)), 'list')
    return listNames.find((list) => list === named)
  } catch {
    return undefined
  }
}
/** A creation whose body cannot be read, as it is shown: nothing is sent of it, and it stays as it is kept. */
const unreadableCreation = ({ id, archive, made, ...row }: Row, failure: Failure): KeptCreation => ({
  id,
  archive,
  made,
  state: 'refused',
  list: listIn(row.body) ?? 'metric-types',
  title: id,
  fields: [],
  values: {},
  before: null,
  body: null,
  attempts: row.attempts,
  nextAt: null,
  failure,
  remote: null,
})
const toCreation = (row: Row): KeptCreation => {
  const body = read(CreationBody, row)
  if (isUnreadable(body)) return unreadableCreation(row, body.unreadable)
  const { archive, made, attempts, triedAt, nextAt, wasRestored } = row
  const state = row.state as KeptCreation['state']
  return { ...body, archive, made, state, attempts, triedAt, nextAt, wasRestored }
}

/** The same of a transfer. */
const unreadableTransfer = ({ id, archive, made, attempts }: Row, failure: Failure): KeptTransfer => ({
  id,
  archive,
  made,
  changed: made,
  stage: 'refused',
  sources: [],
  counts: { files: 0, folders: 0, bytes: 0 },
  bag: null,
  form: {
    name: id,
    delivery: '',
    organization: '',
    address: '',
    person: '',
    email: '',
    description: '',
    identifier: id,
    tags: {},
  },
  times: { prepared: null, sent: null, received: null, preserved: null },
  remote: null,
  package: null,
  failure,
  sending: null,
  ingestFolder: null,
  before: [],
  isWaiting: false,
  attempts,
  nextAt: null,
  packing: { form: 'folder', algorithm: 'sha256', isPolite: false },
  profileText: null,
  isPaused: false,
  handedOver: null,
})
const toTransfer = (row: Row): KeptTransfer => {
  const body = read(TransferBody, row)
  if (isUnreadable(body)) return unreadableTransfer(row, body.unreadable)
  const { archive, made, attempts, triedAt, nextAt, isWaiting, wasRestored } = row
  const stage = row.state as KeptTransfer['stage']
  return { ...body, archive, made, stage, attempts, triedAt, nextAt, isWaiting, wasRestored }
}

/** Dissemination packages and downloads: they are begun by a person, and wait for no time. */
export interface Tasks {
  dissemination: DipTask
  download: KeptDownload
}
export type TaskKind = keyof Tasks
const toTask: { [Kind in TaskKind]: (row: Row) => Tasks[Kind] } = {
  dissemination: (row) => {
    const body = read(DisseminationBody, row)
    if (!isUnreadable(body)) return { ...body, state: row.state as DipTask['state'] }
    return {
      id: row.id,
      order: '',
      label: row.id,
      identifier: '',
      agreement: '',
      dip: null,
      stage: 'register',
      state: 'failed',
      items: [],
      failure: body.unreadable,
      message: '',
    }
  },
  download: (row) => {
    const body = read(DownloadBody, row)
    if (!isUnreadable(body)) return { ...body, state: row.state as KeptDownload['state'] }
    return {
      id: row.id,
      package: '',
      path: row.id,
      target: '',
      state: 'failed',
      bytesDone: 0,
      bytes: null,
      failure: body.unreadable,
      mark: '',
    }
  },
}
const lineOfTransfer =
  ({ form, failure, stage, package: became, remote }: KeptTransfer): LineOf =>
  ({ id }, before) => {
    const failedBefore = before && toTransfer(before).failure
    const hasFailed =
      failure !== null && JSON.stringify(failedBefore) !== JSON.stringify(failure) && stage !== 'refused'
    if (before?.state === stage && !hasFailed) return undefined
    const act: JournalAct = hasFailed ? 'transfer.failed' : `transfer.${stage}`
    const detail = failure?.kind ?? became ?? remote ?? ''
    return { act, name: form.name, place: `transfers/${id}`, detail }
  }
const lineOfCreation =
  ({ list, title, remote, failure, state }: KeptCreation): LineOf =>
  (_row, before) =>
    before?.state === state
      ? undefined
      : {
          act: `creation.${state}`,
          name: title,
          place: remote === null ? 'desk' : `description/${encodeURIComponent(`${list}:${remote}`)}`,
          detail: failure?.kind ?? list,
        }
const lineOfDissemination =
  ({ label, dip, identifier, state }: DipTask): LineOf =>
  (_row, before) =>
    state !== 'done' || before?.state === 'done'
      ? undefined
      : { act: 'dip.created', name: label, place: `packages/${dip ?? ''}`, detail: identifier }

/** What of a job is no column. */
const bodyOf = (job: object, state: 'state' | 'stage'): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(job).filter(([name]) => name !== state && !inColumns.includes(name))),
  )
const rowOfCreation = (creation: KeptCreation): Row => ({
  id: creation.id,
  archive: creation.archive,
  kind: 'creation',
  state: creation.state,
  isWaiting: false,
  wasRestored: creation.wasRestored === true,
  attempts: creation.attempts,
  triedAt: creation.triedAt ?? null,
  nextAt: creation.nextAt,
  made: creation.made,
  body: bodyOf(creation, 'state'),
})
const rowOfTransfer = (transfer: KeptTransfer): Row => ({
  id: transfer.id,
  archive: transfer.archive,
  kind: 'transfer',
  state: transfer.stage,
  isWaiting: transfer.isWaiting,
  wasRestored: transfer.wasRestored === true,
  attempts: transfer.attempts,
  triedAt: transfer.triedAt ?? null,
  nextAt: transfer.nextAt,
  made: transfer.made,
  body: bodyOf(transfer, 'stage'),
})
const rowOfTask = (kind: TaskKind, archive: string, made: string, task: Tasks[TaskKind]): Row => ({
  id: task.id,
  archive,
  kind,
  state: task.state,
  isWaiting: false,
  wasRestored: false,
  attempts: 0,
  triedAt: null,
  nextAt: null,
  made,
  body: bodyOf(task, 'state'),
})

/** Whether the engine can do anything with a job: what cannot be read waits for a person. */
const isReadable = ({ failure }: { failure: Failure | null }) => failure?.kind !== 'unreadable-job'

const openCreationRows = (database: DatabaseSync, { one, many, write, remove }: Table) => {
  const keepCreation = (creation: KeptCreation): KeptCreation =>
    toCreation(write(rowOfCreation(creation), lineOfCreation(creation)))
  return {
    creations: (archive: string): KeptCreation[] =>
      many(`archive = ? and kind = 'creation' and removed is null order by place`, archive).map(toCreation),
    /** Those that are not in the archive yet: what the clock looks at must not grow with what was ever sent. */
    undelivered: (archive: string): KeptCreation[] =>
      many(
        `archive = ? and kind = 'creation' and removed is null and state <> 'delivered' order by place`,
        archive,
      )
        .map(toCreation)
        .filter(isReadable),
    creation: (id: string): KeptCreation | undefined => {
      const row = one(id)
      return row?.kind === 'creation' ? toCreation(row) : undefined
    },
    keepCreation,
    /**
     * Compares and sets in one step: gives the creation as it is on disk now, and keeps what comes of it.
     * @returns what was kept; undefined where it is gone or deleted, or nothing came of it
     */
    changeCreation: (id: string, change: (creation: KeptCreation) => KeptCreation | undefined) =>
      transaction(database, (): KeptCreation | undefined => {
        const [row] = many(`id = ? and kind = 'creation' and removed is null`, id)
        const next = row && change(toCreation(row))
        return next && keepCreation(next)
      }),
    removeCreation: remove,
    /** Changes places with the one before or after it. */
    moveCreation: (id: string, by: -1 | 1) =>
      transaction(database, () => {
        const moved = database.prepare('select archive, place from job where id = ?').get(id) as
          { archive: string; place: number } | undefined
        if (!moved) return
        const neighbour = database
          .prepare(
            `select id, place from job where archive = ? and kind = 'creation' and removed is null
             and place ${by < 0 ? '<' : '>'} ? order by place ${by < 0 ? 'desc' : 'asc'} limit 1`,
          )
          .get(moved.archive, moved.place) as { id: string; place: number } | undefined
        if (!neighbour) return
        const set = database.prepare('update job set place = ? where id = ?')
        set.run(neighbour.place, id)
        set.run(moved.place, neighbour.id)
      }),
  }
}

const openTransferRows = (database: DatabaseSync, journal: Journal, { one, many, write, remove }: Table) => {
  const ofArchive = `archive = ?1 and kind = 'transfer' and removed is null`
  const counted = (where: string, archive: string) =>
    Number(
      database.prepare(`select count(*) as n from job where ${ofArchive} and ${where}`).get(archive)?.['n'],
    )
  const readable = (rows: Row[]) => rows.map(toTransfer).filter(isReadable)
  return {
    transfers: (archive: string): KeptTransfer[] =>
      many(`${ofArchive} order by made desc`, archive).map(toTransfer),
    /** The one that was begun last. */
    latestTransfer: (archive: string): KeptTransfer | undefined =>
      many(`${ofArchive} order by made desc limit 1`, archive).map(toTransfer)[0],
    /** The folders that bags were brought to: of thousands of transfers few differ, so they are not read one by one. */
    ingestFolders: (archive: string): string[] =>
      database
        .prepare(
          `select distinct body ->> '$.ingestFolder' as folder from job
           where ${ofArchive} and json_valid(body) and body ->> '$.ingestFolder' is not null`,
        )
        .all(archive)
        .map(({ folder }) => String(folder)),
    /** The mount point that a folder lay below when a bag was brought there last. */
    mountPointOf: (archive: string, folder: string): string | null => {
      const found = database
        .prepare(
          `select body ->> '$.mountPoint' as mountPoint from job
           where ${ofArchive} and json_valid(body) and body ->> '$.ingestFolder' = ?2
             and body ->> '$.mountPoint' is not null
           order by body ->> '$.changed' desc limit 1`,
        )
        .get(archive, folder)
      return found === undefined ? null : String(found['mountPoint'])
    },
    /** Whether anything of an archive was handed over, and news of it are due. */
    hasSent: (archive: string): boolean =>
      database
        .prepare(`select 1 from job where ${ofArchive} and state in ('sent', 'received') limit 1`)
        .get(archive) !== undefined,
    /** Those that wait to be sent and whose time has come, or that were tried by a clock that was ahead of this one. */
    dueTransfers: (archive: string, moment: string): KeptTransfer[] =>
      readable(
        many(
          `${ofArchive} and isWaiting = 1 and dueAt <= ?2
           union select ${columns} from job where ${ofArchive} and isWaiting = 1 and triedAt > ?2`,
          archive,
          moment,
        ),
      ),
    /** Those that are on their way, and those whose delivery was not in the archive when it was chosen. */
    openTransfers: (archive: string): KeptTransfer[] =>
      readable(
        many(
          `${ofArchive} and state in ('packing', 'sending', 'sent', 'received')
           union select ${columns} from job where ${ofArchive} and substr(delivery, 1, 7) = 'queued:'`,
          archive,
        ),
      ),
    /** Those that a backup brought back and that were not looked up since. */
    restoredTransfers: (archive: string): KeptTransfer[] =>
      readable(many(`${ofArchive} and wasRestored = 1`, archive)),
    /** How many are to reach the archive and did not yet. */
    unsentTransfers: (archive: string): number => counted(`(isWaiting = 1 or state = 'sending')`, archive),
    transfer: (id: string): KeptTransfer | undefined => {
      const row = one(id)
      return row?.kind === 'transfer' ? toTransfer(row) : undefined
    },
    keepTransfer: (transfer: KeptTransfer): KeptTransfer =>
      toTransfer(write(rowOfTransfer(transfer), lineOfTransfer(transfer))),
    removeTransfer: (id: string, moment: string | null) =>
      transaction(database, () => {
        const row = one(id)
        if (row)
          journal.write({
            archive: row.archive,
            act: moment === null ? 'transfer.restored' : 'transfer.removed',
            name: toTransfer(row).form.name,
            place: `transfers/${id}`,
            detail: '',
          })
        remove(id, moment)
      }),
  }
}

const openTaskRows = (database: DatabaseSync, { one, many, write }: Table) => {
  const keep = <Kind extends TaskKind>(kind: Kind, archive: string, made: string, task: Tasks[Kind]) =>
    write(
      rowOfTask(kind, archive, made, task),
      // Only dissemination packages have the order that they are made for.
      'order' in task ? lineOfDissemination(task) : () => undefined,
    )
  return {
    tasks: <Kind extends TaskKind>(kind: Kind, archive: string): Tasks[Kind][] =>
      many('archive = ? and kind = ? and removed is null order by made', archive, kind).map(toTask[kind]),
    task: <Kind extends TaskKind>(
      kind: Kind,
      id: string,
    ): { archive: string; task: Tasks[Kind] } | undefined => {
      const row = one(id)
      return row?.kind === kind ? { archive: row.archive, task: toTask[kind](row) } : undefined
    },
    keepTask: <Kind extends TaskKind>(kind: Kind, archive: string, made: string, task: Tasks[Kind]) =>
      void keep(kind, archive, made, task),
    /** Keeps how a task goes on; false where it was removed meanwhile. */
    changeTask: <Kind extends TaskKind>(kind: Kind, task: Tasks[Kind]): boolean =>
      transaction(database, () => {
        const row = one(task.id)
        if (row) keep(kind, row.archive, row.made, task)
        return row !== undefined
      }),
    removeTask: (id: string) => void database.prepare('delete from job where id = ?').run(id),
  }
}

/** The jobs of this desk by their kinds. */
export const openJobs = (database: DatabaseSync, journal: Journal) => {
  const table = openTable(database, journal)
  return {
    creations: openCreationRows(database, table),
    transfers: openTransferRows(database, journal, table),
    tasks: openTaskRows(database, table),
  }
}
