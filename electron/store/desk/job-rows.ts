import type { JournalAct } from '../../contract/activity.ts'
import type { Dissemination } from '../../contract/dips.ts'
import type { Failure } from '../../contract/failure.ts'
import { listNames, type ListName } from '../../contract/lists.ts'
import type { KeptBatch, KeptCreation, KeptTransfer } from './desk-store.ts'
import {
  BatchBody,
  CreationBody,
  DisseminationBody,
  DownloadBody,
  TransferBody,
  type KeptDownload,
} from './job-bodies.ts'
import { inColumns, isUnreadable, read, type LineOf, type Row } from './job-table.ts'
import { isStateOf } from '../../contract/jobs.ts'

/** The list that a body names, where that much of it can be read. */
const listIn = (body: string): ListName | undefined => {
  try {
    const named: unknown = Reflect.get(Object(JSON.parse(body)), 'list')
    return listNames.find((list) => list === named)
  } catch {
    return undefined
  }
}
/**
 * A creation whose body cannot be read, as it is shown: nothing is sent of it, and it stays as it is kept.
 */
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
export const toCreation = (row: Row): KeptCreation => {
  const kept = read('creation', CreationBody, row)
  if (isUnreadable(kept)) return unreadableCreation(row, kept.unreadable)
  const { state, body } = kept
  const { archive, made, attempts, triedAt, nextAt, wasRestored } = row
  return { ...body, archive, made, state, attempts, triedAt, nextAt, wasRestored }
}

/** The same of a transfer. */
const unreadableTransfer = ({ id, archive, made, attempts }: Row, failure: Failure): KeptTransfer => ({
  id,
  archive,
  made,
  changed: made,
  state: 'refused',
  sources: [],
  counts: { files: 0, folders: 0, bytes: 0 },
  sip: null,
  form: {
    name: id,
    delivery: '',
    agreement: '',
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
  compared: null,
  failure,
  sending: null,
  ingestFolder: null,
  before: [],
  isWaiting: false,
  attempts,
  nextAt: null,
  packing: { form: 'folder', algorithm: 'sha256', isPolite: false },
  profileText: null,
  descriptive: null,
  isPaused: false,
  handedOver: null,
})
export const toTransfer = (row: Row): KeptTransfer => {
  const kept = read('transfer', TransferBody, row)
  if (isUnreadable(kept)) return unreadableTransfer(row, kept.unreadable)
  const { state, body } = kept
  const { archive, made, attempts, triedAt, nextAt, isWaiting, wasRestored } = row
  return { ...body, archive, made, state, attempts, triedAt, nextAt, isWaiting, wasRestored }
}

/** Dissemination packages and downloads: they are begun by a person, and wait for no time. */
export interface Tasks {
  dissemination: Dissemination
  download: KeptDownload
}
export type TaskKind = keyof Tasks
export const toTask: { [Kind in TaskKind]: (row: Row) => Tasks[Kind] } = {
  dissemination: (row) => {
    const kept = read('dissemination', DisseminationBody, row)
    if (!isUnreadable(kept)) return { ...kept.body, state: kept.state }
    return {
      id: row.id,
      order: '',
      label: row.id,
      identifier: '',
      agreement: '',
      dip: null,
      createAsked: null,
      stage: 'register',
      state: 'failed',
      items: [],
      failure: kept.unreadable,
      message: '',
    }
  },
  download: (row) => {
    const kept = read('download', DownloadBody, row)
    if (!isUnreadable(kept)) return { ...kept.body, state: kept.state }
    return {
      id: row.id,
      package: '',
      path: row.id,
      target: '',
      state: 'failed',
      bytesDone: 0,
      bytes: null,
      failure: kept.unreadable,
      verdict: null,
      mark: '',
      replaces: false,
      isToCompare: false,
      placing: null,
    }
  },
}
export const lineOfTransfer =
  ({ form, failure, state, package: became, remote }: KeptTransfer): LineOf =>
  ({ id }, before) => {
    const failedBefore = before && toTransfer(before).failure
    const hasFailed =
      failure !== null && JSON.stringify(failedBefore) !== JSON.stringify(failure) && state !== 'refused'
    if (before?.state === state && !hasFailed) return undefined
    const act: JournalAct = hasFailed ? 'transfer.failed' : `transfer.${state}`
    const detail = failure?.kind ?? became ?? remote ?? ''
    return { act, name: form.name, place: `transfers/${id}`, detail }
  }
export const lineOfCreation =
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
export const lineOfDissemination =
  ({ label, dip, identifier, state }: Dissemination): LineOf =>
  (_row, before) =>
    state !== 'done' || before?.state === 'done'
      ? undefined
      : { act: 'dip.created', name: label, place: `packages/${dip ?? ''}`, detail: identifier }

/** What of a job is no column. */
const bodyOf = (job: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(job).filter(([name]) => name !== 'state' && !inColumns.includes(name))),
  )
export const rowOfCreation = (creation: KeptCreation): Row => ({
  id: creation.id,
  archive: creation.archive,
  kind: 'creation',
  state: creation.state,
  // What is being sent, or may have been, goes on by itself too.
  isWaiting: ['waiting', 'sending', 'unanswered'].includes(creation.state),
  wasRestored: creation.wasRestored === true,
  attempts: creation.attempts,
  triedAt: creation.triedAt ?? null,
  nextAt: creation.nextAt,
  made: creation.made,
  body: bodyOf(creation),
})
export const rowOfTransfer = (transfer: KeptTransfer): Row => ({
  id: transfer.id,
  archive: transfer.archive,
  kind: 'transfer',
  state: transfer.state,
  isWaiting: transfer.isWaiting,
  wasRestored: transfer.wasRestored === true,
  attempts: transfer.attempts,
  triedAt: transfer.triedAt ?? null,
  nextAt: transfer.nextAt,
  made: transfer.made,
  body: bodyOf(transfer),
})
export const rowOfTask = (kind: TaskKind, archive: string, made: string, task: Tasks[TaskKind]): Row => ({
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
  body: bodyOf(task),
})

/** Whether the engine can do anything with a job: what cannot be read waits for a person. */
export const isReadable = ({ failure }: { failure: Failure | null }) => failure?.kind !== 'unreadable-job'

/** One whose body cannot be read has no rows, and is not written over. */
export const toBatch = (row: Row): KeptBatch => {
  const { id, archive, made, wasRestored } = row
  const kept = read('batch', BatchBody, row)
  if (!isUnreadable(kept)) return { ...kept.body, archive, made, state: kept.state, wasRestored }
  return {
    id,
    archive,
    made,
    state: isStateOf('batch', row.state) ? row.state : 'ready',
    kind: 'table',
    tablePath: id,
    columns: [],
    rows: [],
    ids: [],
    mapping: {
      source: null,
      name: null,
      delivery: null,
      agreement: null,
      identifier: null,
      description: null,
      organization: null,
      address: null,
      person: null,
      email: null,
      tags: {},
    },
    template: null,
    counted: {},
  }
}
export const rowOfBatch = (batch: KeptBatch): Row => ({
  id: batch.id,
  archive: batch.archive,
  kind: 'batch',
  state: batch.state,
  isWaiting: false,
  wasRestored: batch.wasRestored === true,
  attempts: 0,
  triedAt: null,
  nextAt: null,
  made: batch.made,
  body: bodyOf(batch),
})
